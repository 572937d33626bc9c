"""The weaker evidence: words that speak of a problem, praise, or list what is allowed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind
from ..reading.error_category import ErrorCategory, unreadable

if TYPE_CHECKING:
    from ...contract.finding import Finding

# Ends at ".", "!" or "?" before white space: the dots of "tasks[0].id" and "3.5" do not end a sentence.
_SENTENCE = re.compile(r"[^\n.!?;]+(?:[.!?](?=\S)[^\n.!?;]*)*")
# "goal is missing, and status must be one of …": two fields, each with its rule.
_CLAUSE = re.compile(r",\s|\b(?:and|but|while)\b")
# Beside the subject of a document ("the JSON", "the tool"), these say that it was wrong: "your JSON could not be read".
_WRONG = re.compile(
    r"\b(?:not|n't|invalid|fail\w*|errors?|malformed|unexpected|expect\w*|unterminated|missing|wrong|incorrect|must"
    r"|incomplete|truncated|cut|reject\w*|could|cannot|broken|empty|eof|should|required|bad|extra)\b|n't\b|(?:Error|Exception)\b",
    re.IGNORECASE,
)
# The subjects of a sentence about the document as a whole: "unterminated quote", "wrap it in no code fence".
_DOCUMENT = re.compile(
    r"json|yaml|pars[ei]|syntax|bracket|brace|quot[ea]|delimiter|unterminated|truncated|cut off"
    r"|incomplete|code fence|markdown|prose|document|decod[ei]",
    re.IGNORECASE,
)
# A list of allowed values is feedback only with a demand: "use Draft or Approved"; else it describes the format.
_MUST = re.compile(
    r"\b(?:must|should|has to|have to|needs?|only|instead|allowed|expect\w*|use|not"
    r"|muss|darf|debe|doit)\b|必须|应",
    re.IGNORECASE,
)
_GOOD = "(?:ok(?:ay)?|fine|good|correct)"
# Praise: "status is fine", "no longer too short".
_OVER = re.compile(
    rf"\b(?:no longer|any ?more|as required|checks? passed)\b|[:=|>-]\s*(?:{_GOOD}|passed|[✓✔✅])\W*$"
    rf"|\b(?:is|are|looks?) (?:now )?{_GOOD}\b",
    re.IGNORECASE,
)
# A limit that is fine is a demand: "3 or fewer are fine", and so is a condition: "goal is fine from 5 characters on".
_FINE_LIMIT = re.compile(
    rf"\d[^.;\n]{{0,40}}\b(?:is|are) {_GOOD}\b|\b{_GOOD} (?:only|if|when|once|with|from|as long|up to|between)\b",
    re.IGNORECASE,
)
# Praise in the words of a rule: "now matches", "is at least 1", "every id matches"; not beside a demand.
_AFFIRMS = re.compile(
    r"\b(?:now|already) (?:match|fit|pass|is|are|ha[sv]|valid)|\b(?:is|are|ha(?:s|ve)) (?:at (?:least|most)|one of)"
    r"|\b(?:every|each|all) \w{1,80} match",
    re.IGNORECASE,
)
# Words that turn such a sentence into a demand: "is at least 1 now but must be 2".
_DEMANDS = re.compile(
    r"\b(?:ensure|please|make sure|must|should|needs?|has to|have to|not|fix|wrong|invalid|instead)\b|n't\b",
    re.IGNORECASE,
)
# What parts praise from what it leaves out: "everything is fine except the goal".
_EXCEPT = re.compile(r"\b(?:except|apart from|aside from|other than|besides|but)\b", re.IGNORECASE)
_ALLOWED_LIMIT = 100
"""Allowed values that are looked for in a sentence, each with one search of it."""
# How apps say that there was no answer: "You returned no content", "please return text".
_EMPTY = re.compile(r"empty|no (?:text|content|output|answer|response)|return text|blank", re.IGNORECASE)
_TOOL = re.compile(r"\b(?:tool|function)\b", re.IGNORECASE)
_READ_LIMIT = 100_000
"""Characters of a text that are searched: more is no feedback but data."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a text, in characters."""

    start: int
    end: int


def spoken_of(
    finding: Finding, text: str, rule: ErrorCategory | None, elsewhere: Sequence[tuple[int, int]] = ()
) -> Mention | None:
    """Return a sentence that speaks of a finding about the document as a whole.

    `elsewhere` are the parts of the text that speak of other places.
    """
    subject = _subject(finding, rule)
    spans = sorted(elsewhere)
    starts = [start for start, _ in spans]
    reached = list(accumulate((end for _, end in spans), max))  # the last end so far: one look a sentence
    for sentence in _SENTENCE.finditer(text[:_READ_LIMIT]):
        before = bisect_left(starts, sentence.end())
        if before and reached[before - 1] > sentence.start():
            continue
        if subject.search(sentence[0]) and _WRONG.search(sentence[0]):
            return Mention(sentence.start(), sentence.end())
    return None


def _subject(finding: Finding, rule: ErrorCategory | None) -> re.Pattern[str]:
    """Return the words that a problem without a field is known by.

    An answer that is no object at all is a broken document to one parser and a wrong type to another.
    """
    if finding.kind is FailureKind.EMPTY:
        return _EMPTY
    if rule in (ErrorCategory.NO_TOOL_CALL, ErrorCategory.UNKNOWN_TOOL):
        return _TOOL
    return _DOCUMENT if unreadable(finding) or rule is ErrorCategory.TYPE else _of_rule(finding)


def _of_rule(finding: Finding) -> re.Pattern[str]:
    """For a rule on the whole document (a model validator): its own words, since no field tells."""
    return re.compile("|".join(re.escape(m) for m in _messages(finding)) or r"(?!)", re.IGNORECASE)


def _messages(finding: Finding) -> list[str]:
    words = (finding.validator_message or "", finding.message)
    return [m for m in (w.removeprefix("Value error, ").removeprefix("Assertion failed, ").strip() for w in words) if m]


def _alone(text: str, found: re.Match[str]) -> bool:
    """Return whether the spelling is a whole path, not a part of a longer one."""
    before, after = text[max(found.start() - 1, 0) : found.start()], text[found.end() : found.end() + 2]
    longer = after[:1] in ("[", "/") or (after[:1] == "." and after[1:].isalnum()) or _word(after[:1])
    return not _word(before) and before not in (".", "/", "]") and not longer


def _word(char: str) -> bool:
    return bool(char) and (char.isalnum() or char == "_")


def clauses(sentence: str) -> list[str]:
    """Return the parts of a sentence that may each speak of another field."""
    return _CLAUSE.split(sentence)


def affirms(words: str) -> bool:
    """Return whether the words say that all is well: "now matches", "is at least 1", "no longer too short".

    What is left out of praise is not praised: "all is fine except goal".
    """
    words = _EXCEPT.split(words)[-1]
    return bool(
        (_OVER.search(words) and not _FINE_LIMIT.search(words))
        or (_AFFIRMS.search(words) and not _DEMANDS.search(words))
    )


def finds_fault(words: str) -> bool:
    """Return whether the words demand something or call something wrong: "must", "instead", "not", "invalid"."""
    return _WRONG.search(words) is not None or _MUST.search(words) is not None


def lists_allowed(finding: Finding, words: str) -> bool:
    """Return whether the words name the values that are allowed, two of them at least."""
    texts = [value for value in finding.allowed[:_ALLOWED_LIMIT] if isinstance(value, str) and value]
    said = [value for value in texts if any(_alone(words, m) for m in re.finditer(re.escape(value), words))]
    return len(said) >= min(len(texts), 2) > 1 and _MUST.search(words) is not None
