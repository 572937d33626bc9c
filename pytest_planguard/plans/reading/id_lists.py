"""Ids in running text: lists, ranges, and what a task waits for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

_SPAN = 500  # ids that one range "T001-T090" may stand for
MAX_LIST = 2_000
"""Characters of one list of ids; a longer one is cut."""
_JOIN = r"(?:[ \t]*(?:[,;、，&+/|]|\b(?:and|or|und|et|y|e|и)\b|和|与|및)[ \t]*)+"
"""What stands between two ids of a list, for example ", " or " and "."""
_LABEL = (
    r"(?:(?:Tasks?|Requirements?|Req\.?|Reqs\.?|Steps?|ACs?|Story|Stories|Phases?)[ \t]*:?[ \t]*)?[#\[(*_`\"']{0,4}"
)
"""What may stand before an id: "Task 3", "#3", "**T003**"."""
_AFTER = r"[\])*_`\"']{0,4}(?:[ \t]*\([^()\n]{0,80}\))?"
"""What may stand after an id: "T003 (schema)", "**T003**"."""
_AGAIN = r"(?:AC[ \t]?)?#?"
"""The label of the first id, said again before the last: "AC1-AC5", "#1–#3"."""
EVERY_WORD = r"(?:all|every|tutti|tutte|todos|todas|tous|toutes|alle|все|全部|所有|すべて|모두)"
"""What stands for every id in the place of a list: "_Requirements: All requirements_", "(AC: tutti)"."""
_REMARK = re.compile(r"\([^()\n]{0,80}\)")


class Named(NamedTuple):
    """An id in a text."""

    id: str
    offset: int


def listed_ids(text: str, start: int, pattern: str) -> Iterator[Named]:
    """Yield the ids of the list that begins at an offset, and stop at the first other word.

    "1.3, Integration findings 2 and 4" lists 1.3 alone: 2 and 4 number something else. "T003-T005" stands for three.

    Args:
        text: one line or more.
        start: where the list begins.
        pattern: regular expression of one id, without groups.
    """
    end = _list_end(pattern)(text, start, start + MAX_LIST)
    listed = _REMARK.sub(lambda remark: " " * len(remark[0]), text[start:end])
    for name, offset in ids_in(listed, re.compile(pattern)):
        yield Named(name, start + offset)


class _ListEnd:
    """Finds where a list of ids ends."""

    def __init__(self, pattern: str) -> None:
        span = r"(?:[ \t]?(?:-|–|—|\.\.|to|through|~)[ \t]?"
        one = rf"{_LABEL}(?:{pattern})(?![A-Za-z0-9])(?:{span}{_AGAIN}(?:{pattern}|\d+(?![\d.])))?){{0,1}}{_AFTER}"
        self._item = re.compile(one, re.IGNORECASE)
        self._join = re.compile(_JOIN, re.IGNORECASE)

    def __call__(self, text: str, start: int, limit: int) -> int:
        end = at = start
        while (item := self._item.match(text, at, limit)) is not None and item.end() > at:
            end = item.end()
            join = self._join.match(text, end, limit)
            if join is None:
                break
            at = join.end()
        return end


@cache
def _list_end(pattern: str) -> _ListEnd:
    return _ListEnd(pattern)


def ids_in(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, int]]:
    """Ids in a text with their offsets; "T003-T005" stands for all three.

    `pattern` matches one id. A range joins two ids by a dash or "through", the second with or without its letters.
    """
    end = -1
    for found in pattern.finditer(text):
        if found.start() < end:
            continue
        yield found[0], found.start()
        tail = _tail(pattern.pattern).match(text, found.end())
        if tail is not None and (between := _range(found[0], tail[1])):
            end = tail.end()
            for name in between:
                yield name, tail.start(1)


@cache
def _tail(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\s?(?:-|–|—|\.\.|to|through)\s?{_AGAIN}({pattern}|\d+(?![\d.]))")


def _range(first: str, last: str) -> list[str]:
    """Return the ids after `first` up to `last`; nothing where the two are no range."""
    start, stop = re.search(r"^(.*?)(\d{1,9})$", first), re.search(r"^(.*?)(\d{1,9})$", last)
    if start is None or stop is None or stop[1] not in ("", start[1]):
        return []
    low, high = int(start[2]), int(stop[2])
    if not low < high <= low + _SPAN:
        return []
    return [f"{start[1]}{number:0{len(start[2])}d}" for number in range(low + 1, high + 1)]
