"""Write files with one clear message on failure, and recognise the kind of a file."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable
from pathlib import Path

from ...errors import RunError
from ...replay.atomic import replace_file

WAYS_OUT = {
    errno.ENOSPC: "Free some space, or write to another disk",
    errno.EDQUOT: "Free some space, or write to another disk",
    errno.EACCES: "Give write permission for the folder, or choose another one",
    errno.EPERM: "Give write permission for the folder, or choose another one",
    errno.EROFS: "The file system is read-only: choose another folder",
}


def write_whole(path: Path, lines: Iterable[str], what: str) -> Path:
    """Write a file atomically.

    Args:
        path: the file. Its folder is created if it is missing.
        lines: its text in pieces, with line breaks. Written as UTF-8.
        what: the name of the content for the message: "the run".

    Raises:
        RunError: it cannot be written. The old file stays unchanged.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, (line.encode() for line in lines))
    except OSError as error:
        raise not_written(path, error, what) from error
    return path


def not_written(path: Path, error: OSError, what: str) -> RunError:
    """Return the error for a file that cannot be written."""
    way = WAYS_OUT.get(error.errno or 0, "Check the path")
    return RunError(f"{path}: {what} was not written: {error.strerror or error}. {way}.")


LINE_SUFFIXES = (".jsonl", ".ndjson")
YAML_SUFFIXES = (".yaml", ".yml")
ANSWER_SUFFIXES = (".json",)
SUFFIXES = (*YAML_SUFFIXES, *ANSWER_SUFFIXES, *LINE_SUFFIXES)
HEAD = 64 * 1024
"""Number of bytes at the start of a cassette that must contain its key."""
_INTERACTIONS = re.compile(rb'(?:^|[\s{,])"?interactions"?[ \t]*:')
"""The key of vcrpy's files, in YAML (`interactions:`) or JSON (`{"interactions":`), but not `my_interactions:`."""


def is_cassette(path: Path) -> bool:
    """Return True if a file is a cassette: it has a key `interactions` near its start.

    Return False for an unreadable file.
    """
    try:
        with path.open("rb") as file:
            return _INTERACTIONS.search(file.read(HEAD)) is not None
    except OSError:
        return False
