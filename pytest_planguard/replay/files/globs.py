"""Globs of files: `*`, `?` and `[a-z]` match characters within one name, `**` matches any number of folders."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase, translate


def fits_glob(path: Sequence[str], glob: Sequence[str]) -> bool:
    """Return True if a glob matches a file, both given as names from the outermost folder on.

    `docs/**/*.md` matches `docs/a.md` too; `docs/**` matches everything below `docs`.
    """
    if not glob:
        return not path
    if glob[0] != "**":
        return bool(path) and fnmatchcase(path[0], glob[0]) and fits_glob(path[1:], glob[1:])
    if len(glob) == 1:
        return bool(path)
    return any(fits_glob(path[at:], glob[1:]) for at in range(len(path)))


def fits_nothing(glob: Sequence[str]) -> bool:
    """Return True if a glob contains an empty set of characters: `[z-a]`."""
    return any("(?!)" in translate(name) for name in glob)
