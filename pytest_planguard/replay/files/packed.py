"""Cassettes that are packed with gzip, as LangChain's are (`test_agent_loop.yaml.gz`)."""

from __future__ import annotations

import zlib

PACKED_SUFFIXES = (".yaml.gz", ".yml.gz", ".json.gz")
"""Names of packed cassettes in a folder end in one of these."""
MAX_UNPACKED = 200 * 1024 * 1024
"""Bytes of a cassette that are read."""
_MAGIC = b"\x1f\x8b"
_GZIP = zlib.MAX_WBITS | 16


def unpacked(content: bytes) -> bytes:
    """Return a file's content without its packing; as it is where it has none, or is no sound and whole gzip file.

    At most `MAX_UNPACKED` bytes and one more are unpacked, so that the reader can tell a file that is too large.
    """
    if not is_packed(content):
        return content
    packing = zlib.decompressobj(_GZIP)
    try:
        found = packing.decompress(content, MAX_UNPACKED + 1)
    except zlib.error:
        return content
    return found if packing.eof or len(found) > MAX_UNPACKED else content


def is_packed(content: bytes) -> bool:
    """Return whether a content begins as gzip files do."""
    return content.startswith(_MAGIC)
