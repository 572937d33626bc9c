"""Find the JSON documents in an answer, in fences and in prose. Linear time: nothing is read twice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..limits import MAX_DEPTH
from ..wrapper import line_start
from .json_load import region_end, scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..wrapper import Fence


JSON_INFOS = frozenset({"json", "jsonc", "json5", "jsonl", "ndjson", "application/json"})
_QUOTES = "\"'“”‘’"
OPENER = re.compile(
    rf"\{{(?=\s*+(?:\Z|[{_QUOTES}{{}}]|//|/\*|[\w$-]++\s*+(?::|\Z)))"
    rf"|\[(?=(?:\s*+\[){{0,8}}+\s*+(?:\Z|[{_QUOTES}\[\]{{\d-]|(?:true|false|null|True|False|None|NaN)\b"
    r"|//|/\*|[a-zA-Z]{1,8}\Z))"
)
"""A bracket that looks like the start of JSON, sound or not, but not "[1 of 2]", "[[ title ]]" or "{placeholder}"."""
# Only blanks up to the end of the line: "[1]" is alone, "[1] shows" is not.
_LINE_END = re.compile(r"[ \t]*+(?:[\r\n]|\Z)")


@dataclass(frozen=True, slots=True)
class JsonCandidate:
    """A place that is a JSON document or looks like an attempt at one.

    Offsets are 0-based characters in the whole text.
    """

    start: int
    end: int
    complete: bool
    """True if the standard parser reads it; otherwise it is broken."""
    fence: Fence | None = None
    depth_exceeded_at: int | None = None
    at_end: bool = False
    """True if only white space follows the searched part, up to the end of the answer."""


def find_json(text: str, start: int, fences: tuple[Fence, ...]) -> Iterator[JsonCandidate]:
    """Yield everything from `start` on that is a JSON document or an attempt at one, in order.

    This skips what prose contains by chance: code in backticks, "[1]" and "{}" in the middle of a line, and blocks
    fenced as another language that do not start like JSON.
    """
    last = len(text.rstrip())
    for piece_start, piece_end, fence in _pieces(text, start, fences):
        yield from _in_piece(text[piece_start:piece_end], piece_start, fence, piece_end >= last)


def _pieces(text: str, start: int, fences: tuple[Fence, ...]) -> Iterator[tuple[int, int, Fence | None]]:
    for fence in fences:
        yield start, fence.start, None
        if fence.info == "" or is_json_fence(text, fence):
            yield fence.body_start, fence.body_end, fence
        start = fence.end
    yield start, len(text), None


def is_json_fence(text: str, fence: Fence) -> bool:
    """Return True if a fence is marked as JSON, or its text starts like JSON."""
    return fence.info in JSON_INFOS or starts_like_json(text, fence.body_start)


def starts_like_json(text: str, start: int) -> bool:
    """Return True if the first text from `start` on looks like the start of a JSON object or list."""
    while start < len(text) and text[start].isspace():
        start += 1
    return OPENER.match(text, start) is not None


def _in_piece(piece: str, start: int, fence: Fence | None, at_end: bool) -> Iterator[JsonCandidate]:
    """Yield the candidates in a piece of the answer that starts at `start`."""
    may_be_deep = piece.count("[") + piece.count("{") > MAX_DEPTH
    stated = fence is not None and fence.info in JSON_INFOS
    doubtful: JsonCandidate | None = None
    last_end = -1
    position = 0
    while opener := OPENER.search(piece, position):
        at = opener.start()
        stop, deep, value = _measure(piece, at, may_be_deep)
        deep_at = None if deep is None else start + deep
        candidate = JsonCandidate(start + at, start + stop, value is not _NOTHING, fence, deep_at, at_end)
        # If only blanks and commas separate two candidates, neither is there by chance.
        touches = last_end == position and not piece[position:at].strip(" \t\r\n,")
        by_chance = not stated and _by_chance(piece, at, stop, value)
        position = stop
        if by_chance and not (touches and doubtful is None):
            doubtful, last_end = candidate, stop
            continue
        if touches and doubtful is not None:
            yield doubtful
        yield candidate
        doubtful, last_end = None, stop


_NOTHING = object()


def _measure(piece: str, start: int, may_be_deep: bool) -> tuple[int, int | None, object]:
    """Return the end of the candidate, the first bracket that is nested too deep, and its value or `_NOTHING`."""
    if may_be_deep:
        deep = region_end(piece, start)[1]
        if deep is not None:
            return len(piece), deep, _NOTHING
    try:
        value, end = scan(piece, start)
    except (ValueError, StopIteration, RecursionError):
        return region_end(piece, start)[0] or len(piece), None, _NOTHING
    return end, None, value


def _by_chance(piece: str, start: int, end: int, value: Any) -> bool:
    """Return True if a candidate is only part of the prose. A fence marked as JSON rules this out."""
    if piece[start - 1 : start] == "`" and piece[end : end + 1] == "`":
        return True
    own_line = line_start(piece, 0, start) is not None
    if value is _NOTHING:
        return not own_line and piece[start] == "[" and not re.match(r"\[\s*+[\"\[{]", piece[start:end])
    telling = bool(value) if isinstance(value, dict) else any(isinstance(item, (str, dict, list)) for item in value)
    return not telling and not (own_line and _LINE_END.match(piece, end))
