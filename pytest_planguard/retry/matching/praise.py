"""Sentences and clauses of feedback, and if they find fault or praise."""

from __future__ import annotations

import re
from functools import cache

from ..reading.comparison import COMPARISON_WORDS, whole
from ..reading.words import remembered

# A sentence ends at ".", "!" or "?" before white space, at their Chinese forms, at ";" and at the end of a line. The
# dots of "tasks[0].id" and "3.5" do not end one.
SENTENCE = re.compile(r"[^\n.!?;。！？；]+(?:[.!?](?=\S)[^\n.!?;。！？；]*)*")
# "goal is missing, and status must be one of …": two fields, each with its rule. So are '"goal":"missing","status":…',
# but '"keywordLocation":"#/properties/goal/type","instanceLocation":"#/goal"' is one, in the output of JSON Schema.
_CLAUSE = re.compile(r",\s|(?<=\"),(?=\"(?!instanceLocation\"))|\b(?:and|but|while)\b")
_GOOD = "(?:ok(?:ay)?|fine|good|correct)"
# Praise: "status is fine", "no longer too short", "now matches", "is at least 1", "every id matches", "- goal: ok".
_PRAISE = re.compile(
    rf"\b(?:no longer|any ?more|as required|passed)\b|\b(?:is|are|looks) (?:now )?{_GOOD}\b"
    rf"|[:=|>-]\s*(?:{_GOOD}|[✓✔✅])\W*$"
    r"|\b(?:now|already) (?:match|fit|is|ha[sv]|valid)|\bis (?:at (?:least|most)|one of)|\bevery \w{1,80} match",
    re.IGNORECASE,
)
# A limit that is fine is a demand: "3 or fewer are fine". So is a condition: "goal is fine from 5 characters on".
_FINE_LIMIT = re.compile(
    rf"\d[^.;\n]{{0,40}}\b(?:is|are) {_GOOD}\b|\b{_GOOD} (?:only|if|when|from|up to)\b", re.IGNORECASE
)
# Separates praise from its exceptions: "everything is fine except the goal".
_EXCEPT = re.compile(r"\b(?:except|apart from|besides|but)\b", re.IGNORECASE)


@remembered
def clauses(sentence: str) -> list[str]:
    """Return the parts of a sentence that may each be about another field."""
    return _CLAUSE.split(sentence)


@remembered
def affirms(words: str) -> bool:
    """Return True if the words say that all is well: "now matches", "is at least 1", "no longer too short".

    An exception from praise is not praised: "all is fine except goal".
    """
    words = _EXCEPT.split(words)[-1]
    praised = _PRAISE.search(words) is not None and not _FINE_LIMIT.search(words)
    return praised and not complains(_PRAISE.sub(" ", words))


@cache
def complaint() -> re.Pattern[str]:
    """Return a pattern for words in lower case that demand, deny or find fault: "must", "kein", "jsondecodeerror".

    "No" alone denies too little: "there is no JSON document in it" may be about an older answer. "It is no JSON" is as
    good as "not", and so is "no es JSON". Compiled with the first feedback, since that takes 10 ms.
    """
    return re.compile(
        rf"{whole(*COMPARISON_WORDS['demand'])}|(?!no\b){whole(*COMPARISON_WORDS['not'])}"
        r"|(?<!\bthere)(?: is| was|['’]s) no (?:\w+ )?(?:json|yaml)\b|\bno (?:es|son|est[aá]n?)\b"
        r"|\b(?:(?:in|un)(?:valid|known|expected|terminated|supported)|incorrect|wrong|bad"
        r"|missing|required|fail\w*|error|broken|empty|instead|fix|cut)\b|(?:error|exception)\b"
    )


@remembered
def complains(words: str) -> bool:
    """Return True if the words demand something or find fault: "must", "instead", "not", "invalid"."""
    return complaint().search(words.lower()) is not None
