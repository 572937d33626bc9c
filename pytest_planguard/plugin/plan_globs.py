"""Globs of plan files: the paths that they match, the files that they find, and the way into hidden folders.

It imports almost nothing, because it is loaded whenever the ini value is set, even if no file matches.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path, PurePath
from typing import NamedTuple

import pytest

from ..replay.paths import fits_glob

WILD = frozenset("*?[")


class Glob(NamedTuple):
    """A parsed glob."""

    start: tuple[str, ...]
    """Folders before the first wildcard. The search starts there, even if it is a hidden folder."""
    names: tuple[str, ...]
    """All of its names."""


def read_globs(globs: Iterable[str]) -> tuple[Glob, ...]:
    """Parse the globs of an ini value.

    Args:
        globs: relative to the root folder, with forward slashes. `*` and `?` match characters within one name, `**` any
            number of folders, and everything below when at the end.

    Raises:
        pytest.UsageError: a glob that leaves the root folder.
    """
    return tuple(map(_read, globs))


def _read(glob: str) -> Glob:
    parts = [part for part in glob.replace("\\", "/").split("/") if part not in ("", ".")]
    if not parts or glob.startswith("/") or ".." in parts or parts[0].endswith(":"):
        raise pytest.UsageError(
            f"ini value planguard_plan_files: {glob!r}: expected a glob below the root folder, such as "
            "specs/**/tasks.md"
        )
    start = tuple(takewhile(lambda part: not WILD & set(part), parts[:-1]))
    return Glob(start, tuple(parts))


def fits(path: PurePath, root: PurePath, globs: Iterable[Glob]) -> bool:
    """Return True if one of the globs matches this file."""
    if not path.is_relative_to(root):
        return False
    names = path.relative_to(root).parts
    return any(fits_glob(names, glob.names) for glob in globs)


def find(root: Path, globs: Iterable[Glob], pruned: Iterable[str]) -> list[Path]:
    """Return every file below the root folder that a glob matches, sorted.

    Args:
        root: the root folder.
        globs: which files.
        pruned: patterns of folder names that wildcards do not enter.
    """
    patterns = tuple(pruned)
    found: set[Path] = set()
    for glob in globs:
        for folder, folders, names in os.walk(root.joinpath(*glob.start)):
            venvs = {name for name in folders if Path(folder, name, "pyvenv.cfg").is_file()}
            folders[:] = [name for name in folders if not is_pruned(name, patterns) and name not in venvs]
            found.update(path for name in names if fits(path := Path(folder, name), root, (glob,)))
    return sorted(found)


def linked(path: Path, root: Path, globs: Iterable[Glob]) -> bool:
    """Return True if each glob that matches a file reaches it through a link to a folder, as `find` does not.

    A link to a folder above itself would give many copies of each file. A folder that the glob names may be a link.
    """
    names = path.relative_to(root).parts
    starts = [len(glob.start) for glob in globs if fits_glob(names, glob.names)]
    folders = names[min(starts, default=0) : -1]
    first = root.joinpath(*names[: min(starts, default=0)])
    return any(first.joinpath(*folders[:end]).is_symlink() for end in range(1, len(folders) + 1))


def is_pruned(name: str, patterns: Iterable[str]) -> bool:
    """Return True if a folder of this name is left out."""
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


# The way to plan files in folders that pytest skips, such as `.kiro`: open for these files, closed for the rest.


class Way:
    """Files in folders that pytest does not enter, and the folders that lead to them."""

    def __init__(self, root: Path, pruned: Iterable[str] = (), files: Iterable[Path] = ()) -> None:
        """`root` is the root folder, `pruned` are patterns of folder names, `files` absolute paths below the root."""
        patterns, known = tuple(pruned), tuple(files)
        self._folders = {folder for file in known for folder in _hidden(file, root, patterns)}
        self._open = self._folders.union(known)

    def is_closed(self, path: Path) -> bool | None:
        """Return the value for `pytest_ignore_collect`: False to enter, True to skip, None to let pytest decide.

        Other files in these folders stay skipped.
        """
        if path in self._folders:
            return False
        return True if path.parent in self._folders and path not in self._open else None


def _hidden(file: Path, root: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    """Yield the folders from the outermost one that pytest skips down to the file's own."""
    hidden, folder = False, root
    for name in file.relative_to(root).parts[:-1]:
        folder /= name
        hidden = hidden or is_pruned(name, patterns)
        if hidden:
            yield folder


def reached(path: Path, root: Path, pruned: Iterable[str]) -> bool:
    """Return True if pytest finds a file when it collects a folder."""
    if not path.is_relative_to(root):
        return False
    patterns = tuple(pruned)
    return not any(is_pruned(name, patterns) for name in path.relative_to(root).parts[:-1])
