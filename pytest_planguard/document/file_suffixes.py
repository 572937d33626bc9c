"""What a file's name says about its syntax: a Markdown file may hold JSON in a fence, and YAML a text with one."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .answer import Format

_BY_SUFFIX: dict[str, Format] = {".md": "markdown", ".markdown": "markdown", ".yaml": "yaml", ".yml": "yaml"}


def format_of(path: PurePath) -> Format | None:
    """The format that the file's suffix names; None where it names none (a `.json` tells itself by its content)."""
    return _BY_SUFFIX.get(path.suffix.lower())
