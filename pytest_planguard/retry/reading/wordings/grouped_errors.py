"""Errors whose place is spread over lines: nested bullets, YAML, trees, errors grouped under a field or a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from ..entry import ErrorEntry, Place, parse_place
from ..error_category import category_of_code, category_of_words
from .error_maps import WRAPPERS
from .lines import Line, lines_of

_DEPTH = 12
"""Levels that are followed; deeper lines belong to the deepest."""
_LINE_LIMIT = 400
# The lines of a tree are indentation, its steps stand in brackets: "└─ [1]".
_BRANCHES = str.maketrans("│├└╰─", "     ")
_MARK = re.compile(r"\s*(?:>\s?)?(#{1,6}\s+|(?:[-*•–—+]|\d{1,3}[.)])\s+)?")
_HEAD = re.compile(
    r"[*_`\"'\[]{0,3}([\w$][\w$.\[\]/\"'-]{0,120}?)[*_`\"']{0,3}\s*(:?)\s*(?:\(\d{1,3} errors?\))?[*_]{0,2}\s*"
)
_LEAF = re.compile(
    r"[*_`\"']{0,3}([\w$][\w$.\[\]/-]{0,120}?)[*_`\"']{0,3}(?:\s*(?::|=|—|–| - )\s*|\s+(?=must|should|is|has|needs))"
)


@dataclass(frozen=True, slots=True)
class _Level:
    """A line that opens a group: its depth in characters and what it adds to the path."""

    depth: int
    path: Place


@dataclass(frozen=True, slots=True)
class _Row:
    """A line without its mark."""

    line: Line
    depth: int
    """Characters in front of it; less than 0 for a heading."""
    words: str
    heading: bool


def outline_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each line that names a rule, at the path that the lines above it open."""
    open_: list[_Level] = []
    lines = (_read(line) for line in lines_of(text.translate(_BRANCHES)) if line.text.strip())
    for one, below in pairwise(chain(lines, (None,))):
        if one is None:
            return
        while open_ and open_[-1].depth >= one.depth:
            open_.pop()
        opened = _opens(one, below)
        if opened is not None:
            if len(open_) < _DEPTH:
                open_.append(_Level(one.depth, opened))
            continue
        above = tuple(segment for level in open_ for segment in level.path)
        if above:
            yield from _leaf(above, one.words, one.line)


def _read(line: Line) -> _Row:
    """Read a line. Text below a heading is deeper than the heading, bullets are not."""
    mark = _MARK.match(line.text)
    heading = bool(mark and mark[1] and mark[1].startswith("#"))
    words = line.text[mark.end() if mark else 0 : _LINE_LIMIT].strip()
    depth = mark[0].count("#") - 10 if heading and mark else line.indent
    return _Row(line, depth, words, heading)


def _opens(row: _Row, below: _Row | None) -> Place | None:
    """What a line adds to the path of the deeper lines below it; None for a line that opens nothing."""
    if below is None or below.depth <= row.depth:
        return None
    head = _HEAD.fullmatch(row.words)
    if not head:
        return None
    plain = head[1].strip("\"'").isdecimal() or row.heading or head[2] or category_of_code(head[1]) is None
    if not plain:
        return None
    return () if head[1].lower() in WRAPPERS else parse_place(row.words if row.words.startswith("[") else head[1])


def _leaf(above: Place, words: str, line: Line) -> Iterator[ErrorEntry]:
    end = line.start + len(line.text)
    leaf = _LEAF.match(words)
    message = words[leaf.end() :].strip() if leaf else words
    if not _tells(message) and not _tells(words):
        return
    if leaf and leaf[1].lower() not in WRAPPERS:
        yield ErrorEntry((*above, *parse_place(leaf[1])), None, message, line.start, end)
    else:
        yield ErrorEntry(above, None, message, line.start, end)


def _tells(words: str) -> bool:
    return category_of_words(words) is not None or category_of_code(words) is not None
