"""A finding's full path in running text, with the words beside it that say what is wrong: tables, prose, XML, logs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..reading.entry import ROOT_NAMES, place, step
from ..reading.error_category import ErrorCategory, category_of_code, category_of_words
from .keyword_match import Mention, affirms, clauses, lists_allowed
from .own_rule import other_bound

if TYPE_CHECKING:
    from ...contract.finding import Finding

_JOIN = r"[\"'`\]]{0,3}(?:\s?(?:->|→|›|»|>|,)\s?|[./\[])\[?[\"'`]{0,2}"
"""What may stand between two segments: `.`, `/`, `[`, `][`, `']['`, `"."`, `, ` and arrows."""
# Marks around a path: quotes, brackets, bold and code of Markdown, "<goal>" of XML.
_OPENS = r"[\"'`(\[{<*_]{0,3}"
# What a path may begin with: "$.tasks", "#/tasks", "root.tasks", "**`tasks".
_BEFORE = re.compile(rf"{_OPENS}(?:\$\.?|#/|/|\b(root|{'|'.join(sorted(ROOT_NAMES))})[./])?{_OPENS}\Z")
# Marks that close what was opened before the path.
_BEHIND = re.compile(r"[\"'`)\]}*_]{0,6}")
# The path is only the beginning of a longer one: "tasks[0]" in "tasks[0].id", "tasks" in "tasks -> 0 -> id:".
_GOES_ON = re.compile(r"\w|\[\s?[\w\"']|[./](?=\w)|\s?(?:->|→|›|»|\s>)\s?[\w\[\]\"'.]+\s*(?:->|→|›|»|>|:|$)", re.M)
# The path is only the end of a longer one: "id" in "tasks.id" and "tasks -> id".
_CAME_FROM = re.compile(r"(?:[\w./\]]|(?:->|→|›|»|\s>|[\w\"'\]],) ?)\Z")
# Where a path of one segment may begin: a line, cell, bullet or sentence, or behind "field"; "id" elsewhere is a word.
_STARTS = re.compile(
    r"(?:^|[|\[({,:]|[.!?;]\s|\bfields?|\bkeys?|\bproperty|\bparameter|\bargument|-\s|\*\s|\d[.)]\s)\s*\Z", re.I
)
_QUOTED = re.compile(r"[\"'`*]\Z")
# Where the words of a path end: a line, a sentence, a closing tag, or the next path ("…; tasks[1].id: …").
_STOP = r"\n|;|</|[.!?](?=\s|$)|(?<=[\s\"'`(\[])[\w$]+(?:\.\w+|\[\w+\])+|(?<=\s)/\w+/[\w/]+"
_STOP_IN_FRONT = re.compile(_STOP)
# Behind a path the end of its string is one, too: ["tasks[0].id: …", "goal: …"].
_STOP_BEHIND = re.compile(_STOP + r"|\"\s*,|'\s*,\s*[\"']")
# Words that tie what is in front to the path behind: "expected an integer for tasks[1].id".
_LEADS_HERE = re.compile(r"(?:\b(?:at|in|for|on|of|with|to|field|path|property|key|value)|[(\[@:—–])\s*\Z", re.I)
# The weaker half of these: "@ tasks[1].id", "at tasks[1].id" end their line with the path.
_POINTS_AT = re.compile(r"(?:@|\b(?:at|in|on))\s+\Z")
# A code among the words: "string_too_short".
_CODE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
_PUNCTUATION = " \t\r\n:|=—–-,.\"'`()[]{}<>*_"
_SEGMENT_LIMIT = 400
"""Characters on either side of a path that may speak of it."""
_READ_LIMIT = 100_000
_PLACES_LIMIT = 200
"""Occurrences of one path that are looked at."""


def path_mentioned(finding: Finding, text: str, accepted: frozenset[ErrorCategory], data: Any = None) -> Mention | None:
    """Where the full path stands and the words around it, up to the next path or sentence, name one of the rules.

    The words behind the path count first; those in front of it only where none behind names a rule and they lead to
    it ("expected an integer for tasks[1].id"). A path of one segment is a common word, so it has to stand at the
    beginning of its sentence, cell or string, or in quotes. Where the answer `data` has a field `result`, `result.id`
    is not the field `id` of the whole answer.
    """
    if not finding.path or not accepted:
        return None
    for number, (at, found) in enumerate(_paths(finding, text[:_READ_LIMIT], data)):
        if number >= _PLACES_LIMIT:
            return None
        start, end = _in_front(text, at), _behind(text, found.end())
        behind = "" if _ends_its_line(text, at, found.end()) else text[found.end() : end]
        rules = next(filter(None, map(_rules, clauses(behind))), frozenset())
        if not rules and _LEADS_HERE.search(text, max(at - 40, 0), at):
            rules = next(filter(None, map(_rules, reversed(clauses(text[start:at])))), frozenset())
        if affirms(behind):
            continue
        same = rules & accepted and not other_bound(finding, text[start:end])
        if same or lists_allowed(finding, behind):
            return Mention(start, end)
    return None


def _paths(finding: Finding, text: str, data: Any) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield every place where the path stands as a whole, with where its quotes and its `$.` begin."""
    segments = place(finding.path)
    pattern = re.compile(_JOIN.join(re.escape(s) for s in segments))
    for found in pattern.finditer(text):
        before = _BEFORE.search(text, max(found.start() - 12, 0), found.start())
        if before and before[1] and step(data, before[1])[0]:
            continue
        at = before.start() if before else found.start()
        if _CAME_FROM.search(text, max(at - 4, 0), at) and not _new_item(text, at, found[0]):
            continue
        closing = _BEHIND.match(text, found.end())
        if _GOES_ON.match(text, found.end()) or _GOES_ON.match(text, closing.end() if closing else found.end()):
            continue
        if len(segments) > 1 or _begins(text, at, found.start()):
            yield at, found


def _new_item(text: str, at: int, written: str) -> bool:
    """Return whether a comma in front parts two texts of a list, not two segments of a tuple."""
    return text[max(at - 4, 0) : at].rstrip().endswith(",") and "," not in written


def _begins(text: str, at: int, start: int) -> bool:
    rooted = text[at:start].endswith((".", "/"))
    return rooted or bool(
        _QUOTED.search(text, at, start) or _STARTS.search(text, max(text.rfind("\n", 0, at) + 1, at - 40), at)
    )


def _ends_its_line(text: str, at: int, end: int) -> bool:
    """Whether the words in front lead to the place and nothing follows it ("expected int @ $.id"): they speak of it."""
    closing = _BEHIND.match(text, end)
    closed = closing.end() if closing else end
    return text[closed : closed + 1] in ("", "\n") and bool(_POINTS_AT.search(text, max(at - 10, 0), at))


def _behind(text: str, end: int) -> int:
    found = _STOP_BEHIND.search(text, min(end + 1, len(text)), end + _SEGMENT_LIMIT)
    return found.start() if found else min(len(text), end + _SEGMENT_LIMIT)


def _in_front(text: str, start: int) -> int:
    low = max(start - _SEGMENT_LIMIT, 0)
    stops = [m.end() for m in _STOP_IN_FRONT.finditer(text, low, start) if m.end() < start]
    return stops[-1] if stops else low


def _rules(words: str) -> frozenset[ErrorCategory]:
    """Return the rules that the words name, by code or in English."""
    codes = {category_of_code(code[0]) for code in _CODE.finditer(words)}
    return frozenset(rule for rule in (*codes, category_of_words(words.strip(_PUNCTUATION))) if rule)
