"""Replace files atomically, and match their paths with globs.

A reader, or a crash in the middle, sees the old content or the new, never a mixture.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase, translate
from pathlib import Path

NAME = 50
"""Number of characters of a file's name in the name of its temporary file. File systems allow 255 bytes, and a
character may have four."""


def replace_file(path: Path, content: bytes | Iterable[bytes], *, keep_mode: bool = False) -> None:
    """Write a new file beside the target, then rename it. A link is replaced, but not the file that it names.

    Args:
        path: the target. Its folder must exist.
        content: all bytes, or pieces of them.
        keep_mode: True to keep the permissions of the replaced file. Otherwise the file gets the usual ones, and is
            never executable.

    Raises:
        OSError: it cannot be written. The target is then unchanged, and no temporary file is left.
    """
    # The name can't be guessed, and two sessions that write at once don't share it.
    fresh = path.with_name(f".{path.name[:NAME]}.{secrets.token_hex(4)}.new")
    try:
        with fresh.open("xb") as file:
            file.writelines((content,) if isinstance(content, bytes) else content)
            file.flush()
            os.fsync(file.fileno())  # else a crash after the rename may leave an empty file
        if keep_mode and path.exists():
            shutil.copymode(path, fresh)
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise


# In globs, `*`, `?` and `[a-z]` match characters within one name, `**` matches any number of folders.


def fits_glob(path: Sequence[str], glob: Sequence[str]) -> bool:
    """Return True if a glob matches a file, both given as names from the outermost folder on.

    `docs/**/*.md` matches `docs/a.md` too; `docs/**` matches everything below `docs`.
    """
    taken = {0}  # how many names of the path the glob up to here can match: many for "**", so each is tried once
    for number, name in enumerate(glob, 1):
        if name == "**":
            least = min(taken) + (number == len(glob))  # "docs/**" does not match "docs" itself
            taken = set(range(least, len(path) + 1))
        else:
            taken = {at + 1 for at in taken if at < len(path) and fnmatchcase(path[at], name)}
        if not taken:
            return False
    return len(path) in taken


def fits_nothing(glob: Sequence[str]) -> bool:
    """Return True if a glob contains an empty set of characters: `[z-a]`."""
    return any("(?!)" in translate(name) for name in glob)
