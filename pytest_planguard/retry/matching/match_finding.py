"""The meaning of words for a finding (its rule, another rule, or unknown), and whether an error is at its place."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ..linking.sameness import normal_text
from ..reading.entry import ErrorEntry, same_place
from ..reading.error_category import (
    GENERIC,
    TYPE_NAMES,
    ErrorCategory,
    category_of,
    category_of_code,
    category_of_words,
    code_name,
    firm_category,
    only_invalid,
    unreadable,
)
from ..reading.lines import LABELS
from ..reading.words import READ_LIMIT
from .grades import Sense
from .own_evidence import (
    LIMITS,
    SHORTEST_VALUE,
    lists_allowed,
    names_bound,
    other_bound,
    own_bound,
    own_words,
    quotes_alone,
    quotes_value,
    value_of,
)
from .rule_evidence import demands_otherwise, fits_rule, has_type, is_written

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from ...contract.finding import Finding
    from ...document.path import Path


AROUND_WORDS = " :-–—*`\"'"
"""Signs between a place and the words about it."""
_CODE_LIMIT = 80
"""Number of characters of a message to read as a code, such as "string_too_short"."""
_CACHED = 4_096
"""Maximum number of messages to cache: every finding asks about every message of the feedback."""
# Two letters, one Chinese character, one letter of a script whose vowel signs are no letters ("होना"), or a sign with
# its bound. Anything shorter has no meaning.
_LETTERS = re.compile(r"[^\W\d_]{2}|[\u0900-\u109f\u1780-\u17ff一-鿿]|[<>≤≥]=?\s?\d")
# Possible labels before a place that is alone on its line: "- Where: nights".
_LABEL = re.compile(r"(?:\W*(?:path|field|at|where):)?", re.IGNORECASE)
# An addition to a rule: "should be an integer (should be >= 1 and <= 5)".
_BRACKET = re.compile(r"\([^()]{0,200}\)")
# Terraform also says it of a missing value: "a number is required".
_TYPE_REQUIRED = re.compile(rf"\ban? (?:{'|'.join(TYPE_NAMES)}) is required\b", re.IGNORECASE)
_ALSO = {
    ErrorCategory.TOO_SHORT: {ErrorCategory.TOO_SMALL, ErrorCategory.RANGE},
    ErrorCategory.TOO_LONG: {ErrorCategory.TOO_LARGE, ErrorCategory.RANGE},
    ErrorCategory.TOO_SMALL: {ErrorCategory.RANGE},
    ErrorCategory.TOO_LARGE: {ErrorCategory.RANGE},
    ErrorCategory.MISSING: {ErrorCategory.EMPTY},
}
"""Other categories for the same fault. Forms say that a missing value "can't be blank"."""


def about_a_field(entry: ErrorEntry) -> bool:
    """Return True if the entry is about a field. A name before a colon may be an error's ("JSONDecodeError: …")."""
    path = entry.path or ()
    if path and path[-1].endswith(("Error", "Exception")):
        return False
    return len(path) > 1 or (len(path) == 1 and path[0][:1].islower() and path[0] not in LABELS)


def concerns(entry: ErrorEntry, finding: Finding, data: object = None) -> bool:
    """Return True if the entry is about the finding: at its place, in its words or about its rule.

    `status: wrong` may be a quotation of the answer, so the value alone means nothing.
    """
    written = entry.path
    here = any(same_place(written, path, data) for path in places(finding)) if written else not finding.path
    says = here and (entry.code or not finding.path or says_more(entry.message, value_of(finding)))
    return bool(says) and agrees(entry.message, finding, entry.code)


def places(finding: Finding) -> tuple[Path, ...]:
    """Return the places at which a finding may be reported. Equal items may also be reported at their list."""
    path = finding.path
    in_list = category_of(finding) is ErrorCategory.DUPLICATE and path and isinstance(path[-1], int)
    return (path, path[:-1]) if in_list else (path,)


def agrees(words: str, finding: Finding, code: str | None = None) -> bool:
    """Return True if words and code name the finding's problem, at any place."""
    if verbatim(words, finding) or (finding.allowed and lists_allowed(finding, words[:READ_LIMIT])):
        return True
    name = code_name(code) if code else None
    if name and name not in GENERIC and name in (finding.validator_code, finding.code):
        return True
    if not code and only_invalid(words.strip(AROUND_WORDS)):  # "invalid" alone is enough only for a value
        return bool(finding.path) and category_of(finding) not in (ErrorCategory.MISSING, ErrorCategory.EXTRA)
    words = words[:READ_LIMIT]
    rules = _categories(code, words) | _categories(code, _BRACKET.sub(" ", words))
    return bool(rules & accepted(finding)) and not other_bound(finding, words) and not demands_otherwise(finding, words)


@lru_cache(maxsize=_CACHED)
def sense_of(words: str, finding: Finding, sentence: str = "", *, exact: bool = True) -> Sense:
    """Return the meaning of words at the finding's place; `exact` if that place is unambiguous.

    `sentence` is the whole sentence: a bound indicates the finding's rule only if the sentence names no other rule.
    """
    if agrees(words, finding):
        return Sense.AGREES
    if demands_otherwise(finding, words):
        return Sense.CONTRADICTS
    if own_bound(finding, words):
        return Sense.AGREES
    sentence, rule, wanted = sentence or words, category_of_words(words), accepted(finding)
    if exact and rule is None:
        bound = names_bound(finding, words) and category_of_words(sentence) in (None, *wanted)
        if bound or (fits_rule(finding, words) and not has_type(finding, sentence)):
            return Sense.AGREES
    if _contradicts(words, rule, wanted):
        # "a longer goal than 'Hey'", "0 is not allowed as nights"; but "0 is too large" contradicts a lower limit
        own = names_bound(finding, words) or quotes_value(finding, sentence)
        own = own or (rule not in (*LIMITS, ErrorCategory.RANGE) and quotes_alone(finding, words))
        return Sense.UNKNOWN if own else Sense.CONTRADICTS
    return Sense.UNKNOWN if says_more(words, value_of(finding)) else Sense.NOTHING


def _contradicts(words: str, rule: ErrorCategory | None, wanted: frozenset[ErrorCategory]) -> bool:
    """Return True if the words clearly name a rule that is not wanted, or a wanted one with another bound.

    A type counts as firm if a limit is wanted: a value of the wrong type never reaches the limit.
    """
    firm = firm_category(words)
    if rule is ErrorCategory.TYPE and firm is None and (LIMITS - {ErrorCategory.TOO_SHORT}) & wanted:
        return True
    if firm is ErrorCategory.UNREADABLE:  # a field that "is malformed" may have any fault
        return False
    return firm is not None and (firm not in wanted or rule in wanted)


def says_more(words: str, value: str = "") -> bool:
    """Return True if there are other words besides the value and a label of the place."""
    rest = words.replace(value, " ") if len(value) >= SHORTEST_VALUE else words
    return _LETTERS.search(_LABEL.sub("", rest, count=1)) is not None


@lru_cache(maxsize=_CACHED)
def accepted(finding: Finding) -> frozenset[ErrorCategory]:
    """Return the rules that words may name for a finding. A user's own validator has the rule that its message names.

    A broken document may be broken in any way that a parser reports. Some validators say that an empty text is empty
    and not too short, or that null is missing and no wrong type.
    """
    rule = category_of(finding) or category_of_words(finding.validator_message or finding.message)
    if unreadable(finding) or rule is None:
        return frozenset({rule, ErrorCategory.UNREADABLE} if rule else ())
    also = {rule, *_ALSO.get(rule, ())}
    if rule is ErrorCategory.TOO_SHORT and finding.actual in ("[]", "{}", '""'):
        also.add(ErrorCategory.EMPTY)
    if rule is ErrorCategory.TYPE and finding.actual in ("null", "None"):
        also.add(ErrorCategory.MISSING)
    if is_written(finding):
        also.add(ErrorCategory.FORMAT)
    return frozenset(also)


def entry_categories(entry: ErrorEntry) -> frozenset[ErrorCategory]:
    """Return the categories by code and by words: a missing value may be a wrong type that is "Required"."""
    return _categories(entry.code, entry.message[:READ_LIMIT])


@lru_cache(maxsize=_CACHED)
def _categories(code: str | None, message: str) -> frozenset[ErrorCategory]:
    by_words = category_of_code(message[:_CODE_LIMIT]) or category_of_words(message)
    also = ErrorCategory.MISSING if by_words is ErrorCategory.TYPE and _TYPE_REQUIRED.search(message) else None
    return frozenset(rule for rule in (category_of_code(code), by_words, also) if rule)


def verbatim(text: str, finding: Finding) -> bool:
    """Return True if a text has the finding's own message or its validator's."""
    said = _folded(text) if len(text) <= READ_LIMIT else _folded.__wrapped__(text)  # not to keep long texts
    return any(words in said for words in _messages(finding.message, finding.validator_message or ""))


@lru_cache(maxsize=_CACHED)
def _messages(*messages: str) -> list[str]:
    plain = (_folded(one).removeprefix("value error, ").removeprefix("assertion failed, ") for one in messages)
    return [*filter(None, plain)]


@lru_cache(maxsize=_CACHED)
def _folded(text: str) -> str:
    """Return a text in the form in which messages are compared."""
    return normal_text(text).casefold()


FEWEST_WORDS = 4
"""Minimum number of words of a message. A shorter one is ordinary speech."""
_SEARCHED = 100_000
"""Maximum number of characters to search, which bounds the time for a request with a whole file in it."""
# Before a message: the start of its line or a sentence, or a colon, with a bullet or a number: "Please fix: ", "- ",
# "(2) ". The entries show if a place precedes the colon.
_IN_FRONT = re.compile(r"(?:^|[.!?;:]\s)\W*(?:\d{1,3}\W+)?\Z")
# After it: the end of its sentence or line, with a note on it: "(line 4)", "[distinct]".
_BEHIND = re.compile(r"[.!;,\"']{0,3}[ \t]*(?:[(\[][\w -]{1,60}[)\]][.,;]?)?[ \t]*(?:$|(?<=[.!?;][ \t])(?=\S))", re.M)


def standalone_message(
    finding: Finding, text: str, taken: Container[int], entries: Sequence[ErrorEntry]
) -> tuple[int, int] | None:
    """Return the start and end of the message if it appears without an address.

    Findings with equal messages are matched one by one: places that begin at `taken` belong to others. A line above
    that is one word ("tasks[0].status", "`goal`:"), or an entry with a place, shows that the message belongs elsewhere.
    """
    text = text[:_SEARCHED]
    for words in (message.rstrip(".").split() for message in own_words(finding)):
        if len(words) < FEWEST_WORDS or not all(map(text.__contains__, words)):
            continue
        for start, end in (found.span() for found in re.finditer(r"\s+".join(map(re.escape, words)), text)):
            line = text.rfind("\n", 0, start) + 1
            above = text[max(line - 301, 0) : max(line - 1, 0)].rpartition("\n")[2]
            alone = _IN_FRONT.search(text[max(line, start - 200) : start]) and _BEHIND.match(text, end)
            if not alone or start in taken or len(above.split()) == 1:
                continue
            if not any(e.path and e.start <= start < e.end and verbatim(e.message, finding) for e in entries):
                return start, end
    return None
