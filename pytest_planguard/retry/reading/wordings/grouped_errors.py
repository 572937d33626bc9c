"""Errors whose place is spread over lines: nested bullets, YAML, trees, errors grouped under a field or a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

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


def outline_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each line that names a rule, at the path that the lines above it open."""
    open_: list[_Level] = []
    lines = [line for line in lines_of(text.translate(_BRANCHES)) if line.text.strip()]
    for at, line in enumerate(lines):
        depth, words, heading = _read(line)
        while open_ and open_[-1].depth >= depth:
            open_.pop()
        opened = _opens(words, heading, depth, lines[at + 1 : at + 2])
        if opened is not None:
            if len(open_) < _DEPTH:
                open_.append(_Level(depth, opened))
            continue
        above = tuple(segment for level in open_ for segment in level.path)
        if above:
            yield from _leaf(above, words, line)


def _read(line: Line) -> tuple[int, str, bool]:
    """Depth, words and whether it is a heading. Text below a heading is deeper than the heading, bullets are not."""
    mark = _MARK.match(line.text)
    heading = bool(mark and mark[1] and mark[1].startswith("#"))
    words = line.text[mark.end() if mark else 0 : _LINE_LIMIT].strip()
    return (mark[0].count("#") - 10 if heading and mark else line.indent), words, heading


def _opens(words: str, heading: bool, depth: int, below: list[Line]) -> Place | None:
    """What a line adds to the path of the deeper lines below it; None for a line that opens nothing."""
    head = _HEAD.fullmatch(words)
    if not head or not below or _read(below[0])[0] <= depth:
        return None
    plain = head[1].strip("\"'").isdecimal() or heading or head[2] or category_of_code(head[1]) is None
    if not plain:
        return None
    return () if head[1].lower() in WRAPPERS else parse_place(words if words.startswith("[") else head[1])


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
