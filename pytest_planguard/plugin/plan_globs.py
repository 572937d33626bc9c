"""Globs of plan files: which paths they mean, and which files of the root folder they find.

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
