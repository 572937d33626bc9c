"""The weaker evidence: words that speak of a problem, praise, or list what is allowed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind
from ..reading.comparison import PATTERNS
from ..reading.error_category import GENERIC, ErrorCategory, unreadable

if TYPE_CHECKING:
    from ...contract.finding import Finding

# Ends at ".", "!" or "?" before white space: the dots of "tasks[0].id" and "3.5" do not end a sentence.
_SENTENCE = re.compile(r"[^\n.!?;]+(?:[.!?](?=\S)[^\n.!?;]*)*")
# "goal is missing, and status must be one of …": two fields, each with its rule.
_CLAUSE = re.compile(r",\s|\b(?:and|but|while)\b")
# A list of allowed values is feedback only with a demand: "use Draft or Approved"; else it describes the format.
_CHOOSE = re.compile(r"\b(?:only|allowed|use)\b", re.IGNORECASE)
# The subjects of a sentence about the document as a whole: "unterminated quote", "wrap it in no code fence".
_DOCUMENT = re.compile(
    "json|yaml|pars[ei]|syntax|bracket|quot[ea]|truncated|cut off|fence|prose|document", re.IGNORECASE
)
_GOOD = "(?:ok(?:ay)?|fine|good|correct)"
# Praise: "status is fine", "no longer too short", "now matches", "is at least 1", "every id matches", "- goal: ok".
_PRAISE = re.compile(
    rf"\b(?:no longer|any ?more|as required|passed)\b|\b(?:is|are|looks) (?:now )?{_GOOD}\b"
    rf"|[:=|>-]\s*(?:{_GOOD}|[✓✔✅])\W*$"
    r"|\b(?:now|already) (?:match|fit|is|ha[sv]|valid)|\bis (?:at (?:least|most)|one of)|\bevery \w{1,80} match",
    re.IGNORECASE,
)
# A limit that is fine is a demand: "3 or fewer are fine", and so is a condition: "goal is fine from 5 characters on".
_FINE_LIMIT = re.compile(
    rf"\d[^.;\n]{{0,40}}\b(?:is|are) {_GOOD}\b|\b{_GOOD} (?:only|if|when|from|up to)\b", re.IGNORECASE
)
# What parts praise from what it leaves out: "everything is fine except the goal".
_EXCEPT = re.compile(r"\b(?:except|apart from|besides|but)\b", re.IGNORECASE)
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
        if subject.search(sentence[0]) and complains(sentence[0]):
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
    return re.compile("|".join(map(re.escape, own_words(finding))) or r"(?!)", re.IGNORECASE)


def own_words(finding: Finding) -> list[str]:
    """Return a finding's message, and that of a validator that the user wrote."""
    words = [finding.message]
    if finding.validator_message and finding.validator_code in GENERIC:
        words.append(finding.validator_message.removeprefix("Value error, ").removeprefix("Assertion failed, "))
    return [message for message in words if message.strip()]


def clauses(sentence: str) -> list[str]:
    """Return the parts of a sentence that may each speak of another field."""
    return _CLAUSE.split(sentence)


def affirms(words: str) -> bool:
    """Return whether the words say that all is well: "now matches", "is at least 1", "no longer too short".

    What is left out of praise is not praised: "all is fine except goal".
    """
    words = _EXCEPT.split(words)[-1]
    praised = _PRAISE.search(words) is not None and not _FINE_LIMIT.search(words)
    return praised and not complains(_PRAISE.sub(" ", words))


@cache
def _complaint() -> re.Pattern[str]:
    """Return what finds words that demand, deny or call something wrong: "must", "kein", "invalid", "JSONDecodeError".

    "No" alone denies too little: "there is no JSON document in it" is said of an older answer, too; "it is no JSON" is
    as good as "not", and so is "no es JSON". Compiled with the first feedback, since that takes 10 ms.
    """
    return re.compile(
        rf"{PATTERNS['demand']}|(?!no\b){PATTERNS['not']}"
        r"|(?<!\bthere)(?: is| was|['’]s) no (?:\w+ )?(?:json|yaml)\b|\bno (?:es|son|est[aá]n?)\b"
        r"|\b(?:(?:in|un)(?:valid|known|expected|terminated|supported)|incorrect|wrong|bad"
        r"|missing|required|fail\w*|error|broken|empty|instead|fix|cut)\b|(?:Error|Exception)\b",
        re.IGNORECASE,
    )


def complains(words: str) -> bool:
    """Return whether the words demand something or call something wrong: "must", "instead", "not", "invalid"."""
    return _complaint().search(words) is not None


def lists_allowed(finding: Finding, words: str) -> bool:
    """Return whether the words demand the values that are allowed."""
    return names_allowed(finding, words) and (complains(words) or _CHOOSE.search(words) is not None)


def names_allowed(finding: Finding, words: str) -> bool:
    """Return whether the words name two of the values that are allowed, none of them as a part of a path."""
    texts = [value for value in finding.allowed[:_ALLOWED_LIMIT] if isinstance(value, str) and value]
    named = [v for v in texts if re.search(rf"(?<![\w./\]-]){re.escape(v)}(?![\w\[/-]|\.\w)", words, re.IGNORECASE)]
    return len(named) >= min(len(texts), 2) > 1
