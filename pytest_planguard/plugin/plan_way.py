"""The way to plan files in folders that pytest leaves out, such as `.kiro`: open for them, closed for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .plan_globs import is_pruned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


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
