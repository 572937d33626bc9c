"""What Python's JSON parser lets through: equal keys, numbers that are not finite, integers too long to read.

Each is reported with its path and both places. Runs only after `json_load` has noticed one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING

from ..limits import clip
from ..text.possessive import CLOSED_STRING
from .json_load import string_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..path import Path

_TOKEN = re.compile(CLOSED_STRING + r'|[\[\]{}:,]|[^\s"\[\]{}:,]++', re.DOTALL)
_NOT_FINITE = ("NaN", "Infinity", "-Infinity")


@dataclass(frozen=True, slots=True)
class Defect:
    """One place that a lax parser accepts and a contract must not. Offsets are 0-based characters."""

    code: str
    message: str
    path: Path
    start: int
    end: int
    actual: str
    first: int | None = None
    """Offset of the first of two equal keys."""


@dataclass(slots=True)
class _Frame:
    """An object or list that is open, and the step to its current child."""

    is_object: bool
    step: str | int = 0
    at_key: bool = True
    keys: dict[str, int] = field(default_factory=dict)


def defects(text: str) -> Iterator[Defect]:
    """Yield every defect of a text that Python's parser accepts as JSON, in order. Linear, any depth."""
    frames: list[_Frame] = []
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word in "{[":
            frames.append(_Frame(word == "{"))
        elif word in "}]":
            frames.pop()
        elif word == ",":
            _next(frames[-1])
        elif word == ":":
            frames[-1].at_key = False
        elif word[0] != '"':
            yield from _number(word, token.start(), _path(frames))
        elif frames and frames[-1].is_object and frames[-1].at_key:
            yield from _key(text, token.start(), token.end(), frames)


def _next(frame: _Frame) -> None:
    frame.at_key = True
    if isinstance(frame.step, int):
        frame.step += 1


def _path(frames: list[_Frame]) -> Path:
    return tuple(frame.step for frame in frames)


def _key(text: str, start: int, end: int, frames: list[_Frame]) -> Iterator[Defect]:
    frame = frames[-1]
    key = string_end(text, start + 1)[0]
    frame.step = key
    first = frame.keys.setdefault(key, start)
    if first != start:
        message = f"key {clip(text[start:end])} stands more than once in the same object"
        yield Defect("duplicate_key", message, _path(frames), start, end, clip(text[start:end]), first)


def _number(word: str, start: int, path: Path) -> Iterator[Defect]:
    end = start + len(word)
    if word in _NOT_FINITE:
        yield Defect("non_finite", f"{word} is no JSON number", path, start, end, word)
    elif word[-1].isdigit() and not isfinite(float(word)) and not word.lstrip("-").isdigit():
        message = f"{clip(word)} is too large for a number: it would be read as Infinity"
        yield Defect("non_finite", message, path, start, end, clip(word))
    elif word.lstrip("-").isdigit() and not _readable(word):
        message = f"an integer of {len(word.lstrip('-')):,} digits cannot be read"
        yield Defect("invalid_json", message, path, start, end, clip(word))


def _readable(digits: str) -> bool:
    """Return whether Python reads the integer: it refuses thousands of digits, because that takes quadratic time."""
    try:
        int(digits)
    except ValueError:
        return False
    return True
