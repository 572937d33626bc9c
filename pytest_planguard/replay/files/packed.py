"""Cassettes that are packed with gzip, as LangChain's are (`test_agent_loop.yaml.gz`).

Commands that read no cassette load this module alone, without the readers of cassettes.
"""

from __future__ import annotations

import zlib

PACKED_SUFFIXES = (".yaml.gz", ".yml.gz", ".json.gz")
"""Name endings of packed cassettes in a folder."""
MAX_UNPACKED = 200 * 1024 * 1024
"""Maximum size of a cassette, in bytes."""
_RATIO, _FREE = 100, 16 * 1024 * 1024
"""Maximum number of bytes to unpack for each packed byte, above `_FREE` bytes. A stream whose events repeat each other
shrinks to a thirtieth, one repeated character to a thousandth."""
_PIECE = 16 * 1024
"""Number of packed bytes to count at a time: they unpack to at most 16 MB."""
_MAGIC = b"\x1f\x8b"
_GZIP = zlib.MAX_WBITS | 16  # 16 stands for gzip's header and checksum


def unpacked(content: bytes) -> bytes:
    """Return a file's content, unpacked. Return it unchanged if it is not packed, broken, cut off or too large."""
    size = unpacked_size(content) if is_packed(content) else None
    if size is None or size > most_unpacked(len(content)):
        return content
    return zlib.decompress(content, _GZIP, max(1, size))  # in one piece: growing buffers would take twice the memory


def most_unpacked(packed: int) -> int:
    """Return the number of bytes to read from a gzip file of this size."""
    return min(MAX_UNPACKED, max(_FREE, _RATIO * packed))


def unpacked_size(content: bytes) -> int | None:
    """Count the unpacked bytes of a gzip file, up to the first beyond the limit; None if it is broken or cut off."""
    packing, size, most = zlib.decompressobj(_GZIP), 0, most_unpacked(len(content))
    try:
        for at in range(0, len(content), _PIECE):
            size += len(packing.decompress(content[at : at + _PIECE]))
            if packing.eof or size > most:
                return size
    except zlib.error:
        return None
    return None


def is_packed(content: bytes) -> bool:
    """Return True if the content begins like a gzip file."""
    return content.startswith(_MAGIC)
