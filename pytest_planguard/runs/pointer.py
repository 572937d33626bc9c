"""Paths from the JSON pointers of rows."""

from __future__ import annotations

from ..document.path import Path


def path_of(pointer: str) -> Path:
    """The path of a JSON pointer; a number is taken for an index of a list, since a pointer does not tell."""
    steps = pointer.split("/")[1:]
    return tuple(int(s) if _is_index(s) else s.replace("~1", "/").replace("~0", "~") for s in steps)


def _is_index(step: str) -> bool:
    return step.isascii() and step.isdecimal() and len(step) < 10 and (step == "0" or step[0] != "0")
