"""Dependencies that running text states: "T005 depends on T003 and T004", "Phase 3 can start after Phase 2"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from .id_lists import Named, listed_ids

WAITS_FOR = r"(?:depends[ \t]+(?:up)?on|requires|blocked[ \t]+by|waits[ \t]+(?:for|on))(?![a-z])"
"""What stands in the words of a task before what it waits for: "Write it (depends on T003)".

Only forms that are seldom denied: "does not depend on T003" has the other form.
"""
WAITS_FOR_LABEL = r"Dependenc(?:y|ies)|Depends(?: on)?|Prerequisites?|Blocked by"
"""What stands as a label before it: "_Dependencies: 1.2_", "**Depends on:** Task 1"."""
_WAITS = (
    rf"{WAITS_FOR}|depend(?:ent)?[ \t]+(?:up)?on|require|needs|wait[ \t]+(?:for|on)|(?:is|are)[ \t]+blocked[ \t]+by|"
    r"(?:start|begin|run|come|happen|proceed|follow|execute|done|implemented)s?[ \t]+after|"
    r"must[ \t]+follow|依赖于?|依賴於?|取决于|에[ \t]*의존|に依存"
)
"""What stands between a task and what it waits for, in a sentence about both: "T005 needs T003"."""
_BEFORE = (
    r"blocks|must[ \t]+(?:be[ \t]+)?(?:complete|completed|done|finish|finished|run|come|pass|exist)[ \t]+before|"
    r"(?:is[ \t]+a[ \t]+)?prerequisites?[ \t]+(?:for|of)|(?:is|are)[ \t]+required[ \t]+(?:by|for)|precedes?"
)
"""What stands between a task and what waits for it."""
_NEGATED = re.compile(
    r"\b(?:no|not|never|without|independent(?:ly)?|none|optional(?:ly)?)\b|n't\b|无|不|없", re.IGNORECASE
)
_VERB = re.compile(rf"(?P<waits>\b(?:{_WAITS}))(?![a-z])|(?P<before>\b(?:{_BEFORE}))", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:[^.;\n。；]|\.(?=\w))+")
"""One clause; the dot of "T063.1" ends none."""
_EXCEPT = re.compile(r"\bexcept(?:[ \t]+(?:where|that|for))?\b", re.IGNORECASE)
_NEXT = re.compile(r"[,，]|\band\b", re.IGNORECASE)
"""What may stand before the subject of another verb."""
_LEAD = 60
"""Characters that may stand before the first task of a clause, and between a verb and what it is about."""


class Stated(NamedTuple):
    """One task or phase waits for another."""

    waiting: Named
    first: Named


def stated_dependencies(text: str, pattern: str) -> Iterator[Stated]:
    """Yield what a text says of what waits for what. A clause that denies it ("no dependency on T003") says nothing.

    Args:
        text: a paragraph or an item.
        pattern: regular expression of one id, without groups.
    """
    for clause in _CLAUSE.finditer(text):
        verb = _VERB.search(text, clause.start(), clause.end())
        if verb is None:
            continue
        left = _list_in(text, _subject(text, clause.start(), verb.start()), verb.start(), pattern)
        right = _list_in(text, verb.end(), _object_end(text, verb.end(), clause.end()), pattern)
        waiting, first = (left, right) if verb["waits"] else (right, left)
        yield from (Stated(one, other) for one in waiting for other in first)


def _subject(text: str, start: int, verb: int) -> int:
    """Return where the subject of a verb begins: behind "except where", which takes it out of the list before."""
    return max((found.end() for found in _EXCEPT.finditer(text, start, verb)), default=start)


def _object_end(text: str, start: int, end: int) -> int:
    """Return where the object of a verb ends: before the subject of the next, "…, and T015 depends on T011"."""
    after = _VERB.search(text, start, end)
    if after is None:
        return end
    return max((found.start() for found in _NEXT.finditer(text, start, after.start())), default=end)


def _list_in(text: str, start: int, end: int, pattern: str) -> list[Named]:
    """Return the first list of ids between two offsets; nothing where a word before or after it denies it."""
    found = _id(pattern).search(text, start, end)
    if found is None or found.start() - start > _LEAD or _NEGATED.search(text, start, end):
        return []
    return [one for one in listed_ids(text, found.start(), pattern) if one.offset < end]


@cache
def _id(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9./-])(?:{pattern})(?![A-Za-z0-9])")


def ids_after(text: str, start: int, end: int, pattern: str) -> Iterator[Named]:
    """Yield the first list of ids after a marker such as "depends on"; a few words may stand before it.

    Args:
        text: the whole text.
        start: end of the marker.
        end: end of the clause.
        pattern: regular expression of one id, without groups.
    """
    found = _id(pattern).search(text, start, end)
    if found is not None and found.start() - start <= _LEAD:
        yield from (one for one in listed_ids(text, found.start(), pattern) if one.offset < end)
