"""Errors whose place is not in front of a colon: on the line below, at the end, behind `at`, or in a Go key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..entry import ErrorEntry, parse_place
from ..error_category import category_of_code
from .lines import Line, bullet_end, lines_of

_PLACE = re.compile(
    r"\s*(?:(?:→|->|↳|└─+)\s*(?:at\s+)?|at\s+|(?i:path|loc(?:ation)?|field|where|at):\s+)[`'\"]?([\w$.\[\]/-]{1,300})[`'\"]?\s*"
)
_SAYS = re.compile(r"\s*(?i:error|message|msg|reason|problem|issue|details?):\s+\S")


def below_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each line that is followed by a line which only points at a place."""
    leads = begun = False
    for line, below in pairwise(lines_of(text)):
        leads, begun = _leads(line, below, leads, begun)
        found = _PLACE.fullmatch(below.text[:400])
        if found and not leads and line.text.strip() and not _PLACE.fullmatch(line.text[:400]):
            message = line.text[bullet_end(line.text) :].strip()
            yield ErrorEntry(parse_place(found[1]), None, message, line.start, below.start + len(below.text))


def _leads(line: Line, below: Line, leads: bool, begun: bool) -> tuple[bool, bool]:
    """Whether the lines up to an empty one name each place in front of its message, and whether that is known yet."""
    if begun and line.text.strip():
        return leads, True
    leads = bool(_PLACE.fullmatch(line.text[:400]) and _SAYS.match(below.text))
    return leads, leads or bool(_SAYS.match(line.text))


# Errors whose place stands at an end of the line: `[path] message`, `message [path]`, `… (at path)`, `… @ path`.

_PATH = r"[\w$#/.][\w$#/.\[\]'\"-]{0,199}"
_LEADING = re.compile(rf"\[({_PATH})\]\s+(?=\S)")
_MARKED = re.compile(
    rf"(?:\s[-–—(,]?\s?(?:at|@)|,?\s@|\s\((?:at |in |for )?(?:field|path|key|property))\s+[`'\"]?({_PATH})"
)
"""A place in running text behind a mark that nothing else has in front of it."""
_TRAILING = re.compile(
    rf"\s(?:\[({_PATH})\]|\((?:at|in|path:?|field:?)\s+[`'\"]?({_PATH}?)[`'\"]?\))(?=[.;,]?(?:\s+[A-Z]|\Z))"
)
_PLACED_LINE_LIMIT = 2_000
_MARKS_LIMIT = 40
"""Places in one line that are looked at."""


def placed_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each line that begins or ends with a place, or points at one with `at` or `@`."""
    for line in lines_of(text):
        if "[" in line.text or "(" in line.text or "@" in line.text or " at " in line.text:
            yield from _entries(line)


def _entries(line: Line) -> Iterator[ErrorEntry]:
    words = line.text[:_PLACED_LINE_LIMIT].rstrip()
    begin, end = bullet_end(words), line.start + len(line.text)
    colon = words.find(": [", begin)
    leading = _LEADING.match(words, begin if colon < 0 else colon + 2)
    if leading and _is_place(leading[1]):
        yield ErrorEntry(parse_place(leading[1]), None, words[leading.end() :], line.start, end)
        return
    trailing = _TRAILING.search(words, begin)
    spelled = trailing and (trailing[1] or trailing[2])
    if trailing and spelled and _is_place(spelled):
        yield ErrorEntry(parse_place(spelled), None, words[begin : trailing.start()].strip(), line.start, end)
        return
    for number, found in enumerate(_MARKED.finditer(words, begin)):
        if number < _MARKS_LIMIT and _points(found[1]):
            message = f"{words[begin : found.start()].strip()} {_behind(words, found.end())}".strip()
            yield ErrorEntry(parse_place(found[1].rstrip(":.'\"")), None, message, line.start, line.start + found.end())
            begin = found.end()


def _behind(words: str, at: int) -> str:
    """What follows a place that a colon stands behind."""
    return words[at + 1 :].strip() if words[at : at + 1] == ":" else ""


def _is_place(spelled: str) -> bool:
    """Whether words in brackets are a place and not the code of the error."""
    return not spelled.isdecimal() and category_of_code(spelled) is None


def _points(spelled: str) -> bool:
    """Whether a word behind "at" is a place beyond doubt: rooted, or of several steps."""
    return spelled[0] in "$#/" or bool(re.search(r"\w[.\[/]\w|\[['\"\d]", spelled))


# Errors as Go's validators print them: `Key: 'Invoice.Lines[1].Quantity' Error:… failed on the 'min' tag`.

_FAILED = re.compile(
    r"\bKey: '([^'\n]{1,300})' Error:\s?([^'\n]{0,60}'[^'\n]{1,200}' failed on the '([\w|-]{1,60})' tag)"
)


def tag_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each key; the tag is its code."""
    for found in _FAILED.finditer(text):
        yield ErrorEntry(parse_place(found[1]), found[3], found[2], found.start(), found.end())
