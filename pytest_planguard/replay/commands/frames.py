"""Frames between a shim and its test, as `shim.py` writes and reads them."""

from __future__ import annotations

import socket
from collections.abc import Iterator

PIECE = 1 << 18
"""Bytes of output that one frame carries at most."""


def send(connection: socket.socket, kind: bytes, payload: bytes = b"") -> None:
    """Send one frame. Raises OSError where the shim has gone."""
    connection.sendall(kind + len(payload).to_bytes(8, "big") + payload)


def receive(connection: socket.socket) -> tuple[bytes, bytes] | None:
    """Return the next frame, letter and payload; None where the shim has gone."""
    head = _exactly(connection, 9)
    if len(head) < 9:
        return None
    size = int.from_bytes(head[1:], "big")
    payload = _exactly(connection, size)
    return (head[:1], payload) if len(payload) == size else None


def pieces(content: bytes) -> Iterator[bytes]:
    """Yield a content in pieces that fit a frame."""
    return (content[at : at + PIECE] for at in range(0, len(content), PIECE))


def _exactly(connection: socket.socket, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        try:
            part = connection.recv(min(size, 1 << 20))
        except OSError:
            part = b""
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
