"""Globs of plan files: which paths they mean, which files they find, and the way into hidden folders.

Standard library only: it is imported wherever the ini value is set, also when no file matches.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import NamedTuple

import pytest

WILD = frozenset("*?[")
_SIGNS = re.compile(r"\*+|\?|\[!?[^\[\]/]+\]|.", re.DOTALL)
"""A run of stars, a question mark, a set of characters, or one character that stands for itself."""


class Glob(NamedTuple):
    """One glob, taken apart."""

    start: tuple[str, ...]
    """Folders before the first wildcard: the search begins there, also in a hidden folder that is named."""
    pattern: re.Pattern[str]
    """Fits the paths of files relative to the root folder, with forward slashes."""


def read_globs(globs: Iterable[str]) -> tuple[Glob, ...]:
    """The globs of an ini value.

    Args:
        globs: relative to the root folder, with forward slashes. `*` and `?` stand for characters within one name,
            `**` for any number of folders, at the end for everything below.

    Raises:
        pytest.UsageError: a glob that leaves the root folder.
    """
    return tuple(_read(glob) for glob in globs)


def _read(glob: str) -> Glob:
    parts = [part for part in glob.replace("\\", "/").split("/") if part not in ("", ".")]
    if not parts or glob.startswith("/") or ".." in parts or parts[0].endswith(":"):
        raise pytest.UsageError(
            f"ini value planguard_plan_files: {glob!r}: a glob below the root folder is needed, "
            "such as specs/**/tasks.md"
        )
    start = []
    for part in parts[:-1]:
        if WILD & set(part):
            break
        start.append(part)
    return Glob(tuple(start), re.compile("".join(_regex(parts)) + r"\Z"))


def _regex(parts: list[str]) -> Iterator[str]:
    for number, part in enumerate(parts, 1):
        last = number == len(parts)
        if part == "**":
            yield ".+" if last else "(?:[^/]+/)*"
        else:
            yield _name(part) + ("" if last else "/")


def _name(part: str) -> str:
    """One name as a regular expression; no wildcard crosses a slash."""
    return "".join(_sign(found) for found in _SIGNS.finditer(part))


def _sign(found: re.Match[str]) -> str:
    text = found[0]
    if text.startswith("*"):
        return "[^/]*"
    if text == "?":
        return "[^/]"
    return _set(text[1:-1]) if len(text) > 1 else re.escape(text)


def _set(inside: str) -> str:
    """A set of characters, `!` for not; one that is none ("[b-a]") stands for its own text."""
    negated = inside.startswith("!")
    escaped = re.sub(r"([\\\[^&|~])", r"\\\1", inside.removeprefix("!"))
    escaped = escaped.replace("--", r"-\-")  # "[?--]": two hyphens are reserved for set differences, and warn
    pattern = f"(?!/)[{'^' if negated else ''}{escaped}]"
    try:
        re.compile(pattern)
    except re.error:
        return re.escape(f"[{inside}]")
    return pattern


def fits(path: PurePath, root: PurePath, globs: Iterable[Glob]) -> bool:
    """Whether one of the globs means this file."""
    try:
        relative = path.relative_to(root).as_posix()
    except ValueError:
        return False
    return any(glob.pattern.match(relative) for glob in globs)


def find(root: Path, globs: Iterable[Glob], pruned: Iterable[str]) -> list[Path]:
    """Every file below the root folder that a glob means, sorted.

    Args:
        root: the root folder.
        globs: which files.
        pruned: names of folders, as patterns, that wildcards do not enter.
    """
    patterns = tuple(pruned)
    found: set[Path] = set()
    for glob in globs:
        for folder, folders, names in os.walk(root.joinpath(*glob.start)):
            folders[:] = [name for name in folders if not is_pruned(name, patterns) and not _is_venv(folder, name)]
            found.update(path for name in names if fits(path := Path(folder, name), root, (glob,)))
    return sorted(found)


def is_pruned(name: str, patterns: Iterable[str]) -> bool:
    """Whether a folder of this name is left out."""
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def _is_venv(folder: str, name: str) -> bool:
    return Path(folder, name, "pyvenv.cfg").is_file()


# The way to plan files in folders that pytest leaves out, such as `.kiro`: open for them, closed for the rest.


class Way:
    """Files in folders that pytest does not enter by itself, and the folders on the way to them."""

    def __init__(self, root: Path, pruned: Iterable[str] = (), files: Iterable[Path] = ()) -> None:
        """`root` is the root folder, `pruned` are patterns of folder names, `files` absolute paths below the root."""
        patterns, known = tuple(pruned), tuple(files)
        self._folders = {folder for file in known for folder in _hidden(file, root, patterns)}
        self._open = self._folders.union(known)

    def is_closed(self, path: Path) -> bool | None:
        """For pytest's `pytest_ignore_collect`: False lets it in, True keeps it out, None leaves it to pytest.

        What stands beside the files stays out, as it did before.
        """
        if path in self._folders:
            return False
        return True if path.parent in self._folders and path not in self._open else None


def _hidden(file: Path, root: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    """The folders from the outermost one that pytest leaves out down to the file's own."""
    hidden, folder = False, root
    for name in file.relative_to(root).parts[:-1]:
        folder /= name
        hidden = hidden or is_pruned(name, patterns)
        if hidden:
            yield folder


def reached(path: Path, root: Path, pruned: Iterable[str]) -> bool:
    """Whether pytest comes by a file when it collects a folder."""
    try:
        folders = path.relative_to(root).parts[:-1]
    except ValueError:
        return False
    patterns = tuple(pruned)
    return not any(is_pruned(name, patterns) for name in folders)
