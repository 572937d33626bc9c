"""An AWS event stream with other JSON objects in its frames."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from typing import Any

from .event_stream import raw_frames, written_frame
from .shapes import parsed_or_none, words

Objects = list[dict[str, Any]]


def with_objects(body: bytes, change: Callable[[Objects], Objects | None]) -> bytes | None:
    """The stream with what `change` makes of the objects in its frames; None where it makes nothing of them.

    A `chunk` holds a model's own object in base64, which is what is changed. Frames without an object stay as they are,
    headers too.
    """
    frames = raw_frames(body) or []
    read = [_read(payload) for _, payload in frames]
    changed = change([inner for inner, _ in filter(None, read)])
    if changed is None:
        return None
    others = iter(changed)
    return b"".join(
        written_frame(headers, payload if found is None else _written(next(others), found[1]))
        for (headers, payload), found in zip(frames, read, strict=True)
    )


def _read(payload: bytes) -> tuple[dict[str, Any], dict[str, Any] | None] | None:
    """The object of a frame, and the chunk that wraps it, where one does."""
    value = parsed_or_none(payload.decode("utf-8", "replace"))
    if not isinstance(value, dict):
        return None
    if "bytes" not in value:
        return value, None
    try:
        inner = parsed_or_none(base64.b64decode(words(value["bytes"])).decode("utf-8", "replace"))
    except (binascii.Error, ValueError):
        return None
    return (inner, value) if isinstance(inner, dict) else None


def _written(value: dict[str, Any], chunk: dict[str, Any] | None) -> bytes:
    text = json.dumps(value).encode()
    return text if chunk is None else json.dumps({**chunk, "bytes": base64.b64encode(text).decode()}).encode()
