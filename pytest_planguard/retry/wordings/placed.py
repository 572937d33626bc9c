"""Errors whose place stands at an end of the line: `[path] message`, `message [path]`, `… (at path)`, `… @ path`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import Entry, parse_place
from ..rules import rule_of_code
from .lines import Line, bullet_end, lines_of

_PATH = r"[\w$#/.][\w$#/.\[\]'\"-]{0,199}"
_LEADING = re.compile(rf"\[({_PATH})\]\s+(?=\S)")
_MARKED = re.compile(
    rf"(?:\s[-–—(,]?\s?(?:at|@)|,?\s@|\s\((?:at |in |for )?(?:field|path|key|property))\s+[`'\"]?({_PATH})"
)
"""A place in running text behind a mark that nothing else has in front of it."""
_TRAILING = re.compile(
    rf"\s(?:\[({_PATH})\]|\((?:at|in|path:?|field:?)\s+[`'\"]?({_PATH}?)[`'\"]?\))(?=[.;,]?(?:\s+[A-Z]|\Z))"
)
_LINE_LIMIT = 2_000
_MARKS_LIMIT = 40
"""Places in one line that are looked at."""


def placed_entries(text: str) -> Iterator[Entry]:
    """One entry for each line that begins or ends with a place, or points at one with `at` or `@`."""
    for line in lines_of(text):
        if "[" in line.text or "(" in line.text or "@" in line.text or " at " in line.text:
            yield from _entries(line)


def _entries(line: Line) -> Iterator[Entry]:
    words = line.text[:_LINE_LIMIT].rstrip()
    begin, end = bullet_end(words), line.start + len(line.text)
    colon = words.find(": [", begin)
    leading = _LEADING.match(words, begin if colon < 0 else colon + 2)
    if leading and _is_place(leading[1]):
        yield Entry(parse_place(leading[1]), None, words[leading.end() :], line.start, end)
        return
    trailing = _TRAILING.search(words, begin)
    spelled = trailing and (trailing[1] or trailing[2])
    if trailing and spelled and _is_place(spelled):
        yield Entry(parse_place(spelled), None, words[begin : trailing.start()].strip(), line.start, end)
        return
    for number, found in enumerate(_MARKED.finditer(words, begin)):
        if number < _MARKS_LIMIT and _points(found[1]):
            message = f"{words[begin : found.start()].strip()} {_behind(words, found.end())}".strip()
            yield Entry(parse_place(found[1].rstrip(":.'\"")), None, message, line.start, line.start + found.end())
            begin = found.end()


def _behind(words: str, at: int) -> str:
    """What follows a place that a colon stands behind."""
    return words[at + 1 :].strip() if words[at : at + 1] == ":" else ""


def _is_place(spelled: str) -> bool:
    """Whether words in brackets are a place and not the code of the error."""
    return not spelled.isdecimal() and rule_of_code(spelled) is None


def _points(spelled: str) -> bool:
    """Whether a word behind "at" is a place beyond doubt: rooted, or of several steps."""
    return spelled[0] in "$#/" or bool(re.search(r"\w[.\[/]\w|\[['\"\d]", spelled))
