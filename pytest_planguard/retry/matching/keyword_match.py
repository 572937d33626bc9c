"""The weaker evidence: words that report a problem or praise, or that fit a rule's bound, type or values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind
from ..reading.amounts import amounts_in, spelled_in
from ..reading.comparison import PATTERNS, comparison_in
from ..reading.error_category import GENERIC, TYPES, ErrorCategory, category_of, unreadable
from ..reading.words import remembered

if TYPE_CHECKING:
    from ...contract.finding import Finding

# A sentence ends at ".", "!" or "?" before white space, at their Chinese forms, at ";" and at the end of a line. The
# dots of "tasks[0].id" and "3.5" do not end one.
SENTENCE = re.compile(r"[^\n.!?;。！？；]+(?:[.!?](?=\S)[^\n.!?;。！？；]*)*")
# "goal is missing, and status must be one of …": two fields, each with its rule.
_CLAUSE = re.compile(r",\s|\b(?:and|but|while)\b")
# A list of allowed values is feedback only with a demand: "use Draft or Approved". Otherwise it describes the format.
_CHOOSE = re.compile(r"\b(?:only|allowed|use)\b", re.IGNORECASE)
# The subjects of a sentence about the whole document: "unterminated quote", "wrap it in no code fence".
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
# A limit that is fine is a demand: "3 or fewer are fine". So is a condition: "goal is fine from 5 characters on".
_FINE_LIMIT = re.compile(
    rf"\d[^.;\n]{{0,40}}\b(?:is|are) {_GOOD}\b|\b{_GOOD} (?:only|if|when|from|up to)\b", re.IGNORECASE
)
# Separates praise from its exceptions: "everything is fine except the goal".
_EXCEPT = re.compile(r"\b(?:except|apart from|besides|but)\b", re.IGNORECASE)
# Characters of another script may touch a value: "必须是half、full之一".
_LATIN = "A-Za-zÀ-ÿ0-9_"
_ALLOWED_LIMIT = 100
"""Maximum number of allowed values to find in a sentence; each takes one search."""
# How apps report an empty answer: "You returned no content", "please return text".
_EMPTY = re.compile(r"empty|no (?:text|content|output|answer|response)|return text|blank", re.IGNORECASE)
_TOOL = re.compile(r"\b(?:tool|function)\b", re.IGNORECASE)
_READ_LIMIT = 100_000
"""Maximum number of characters of a text to search: longer texts are data, not feedback."""


def spoken_of(
    finding: Finding, text: str, rule: ErrorCategory | None, elsewhere: Sequence[tuple[int, int]] = ()
) -> tuple[int, int] | None:
    """Return the start and end of a sentence about a finding that concerns the document as a whole.

    `elsewhere` has the parts of the text about other places.
    """
    subject = _subject(finding, rule)
    apart = bytearray(len(text))  # 1 for each character there
    for start, end in elsewhere:
        apart[start:end] = b"\1" * (end - start)
    sentences = (one for one in SENTENCE.finditer(text[:_READ_LIMIT]) if 1 not in apart[one.start() : one.end()])
    found = (one for one in sentences if subject.search(one[0]) and _complaint().search(one[0]))
    return next((one.span() for one in found), None)


def _subject(finding: Finding, rule: ErrorCategory | None) -> re.Pattern[str]:
    """Return a pattern for the words that identify a problem without a field.

    An answer that is not an object is a broken document to one parser and a wrong type to another.
    """
    if finding.kind is FailureKind.EMPTY:
        return _EMPTY
    if rule in (ErrorCategory.NO_TOOL_CALL, ErrorCategory.UNKNOWN_TOOL):
        return _TOOL
    if unreadable(finding) or rule is ErrorCategory.TYPE:
        return _DOCUMENT
    # Only its own words identify a rule on the whole document (a model validator), since it has no field.
    return re.compile("|".join(map(re.escape, own_words(finding))) or r"(?!)", re.IGNORECASE)


def own_words(finding: Finding) -> list[str]:
    """Return a finding's message, and that of the user's own validator."""
    words = [finding.message]
    if finding.validator_message and finding.validator_code in GENERIC:
        words.append(finding.validator_message.removeprefix("Value error, ").removeprefix("Assertion failed, "))
    return [message for message in words if message.strip()]


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
def _complaint() -> re.Pattern[str]:
    """Return a pattern for words that demand, deny or find fault: "must", "kein", "invalid", "JSONDecodeError".

    "No" alone denies too little: "there is no JSON document in it" may be about an older answer. "It is no JSON" is as
    good as "not", and so is "no es JSON". Compiled with the first feedback, since that takes 10 ms.
    """
    return re.compile(
        rf"{PATTERNS['demand']}|(?!no\b){PATTERNS['not']}"
        r"|(?<!\bthere)(?: is| was|['’]s) no (?:\w+ )?(?:json|yaml)\b|\bno (?:es|son|est[aá]n?)\b"
        r"|\b(?:(?:in|un)(?:valid|known|expected|terminated|supported)|incorrect|wrong|bad"
        r"|missing|required|fail\w*|error|broken|empty|instead|fix|cut)\b|(?:Error|Exception)\b",
        re.IGNORECASE,
    )


@remembered
def complains(words: str) -> bool:
    """Return True if the words demand something or find fault: "must", "instead", "not", "invalid"."""
    return _complaint().search(words) is not None


def lists_allowed(finding: Finding, words: str) -> bool:
    """Return True if the words demand the allowed values."""
    return names_allowed(finding, words) and (complains(words) or _CHOOSE.search(words) is not None)


def names_allowed(finding: Finding, words: str) -> bool:
    """Return True if the words name two allowed values, neither of them as a part of a path."""
    texts = [value for value in finding.allowed[:_ALLOWED_LIMIT] if isinstance(value, str) and value]
    named = [v for v in texts if re.search(rf"(?<![{_LATIN}./\]-]){re.escape(v)}(?![{_LATIN}\[/-]|\.\w)", words, re.I)]
    return len(named) >= min(len(texts), 2) > 1


SHORTEST_VALUE = 2
"""Minimum length of a value to find in a text, in characters: a single character is everywhere."""
LIMITS = frozenset({ErrorCategory.TOO_SHORT, ErrorCategory.TOO_LONG, ErrorCategory.TOO_SMALL, ErrorCategory.TOO_LARGE})
# Words for a missing field: "I don't see any goal", "please add the goal", "where is the goal?". But "camel is no
# carrier of ours" is about a value.
_ABSENT = re.compile(
    r"\b(?:has no|no \S+ given|add|provide|specify|include|enter|give|lacks?|forgot|omitted|where|left out|waiting)\b"
    r"|n[o']t\b.{0,20}\b(?:have|see|find|there|send|exist|optional)",
    re.IGNORECASE,
)
_SIGN = re.compile("(?:posi|nega)tiv|zero|[正负]", re.IGNORECASE)
# Words of the finding's own rule that words about it share: "integer", "date", "pattern"; not "be" and "str".
_TERM = re.compile(r"[a-z]{4,}")
_COMMON = frozenset({"expected", "valid", "input", "should", "value", "that", "must", "error", "type"})
# Also within a code and beside Chinese words: "object_type", "必须是对象"; "Objekts", but not "mapped".
_TYPES = {
    kind: re.compile(rf"(?<![A-Za-zÀ-ÿ0-9])(?:{words})(?:e?[sn])?(?![A-Za-zÀ-ÿ])", re.IGNORECASE)
    for kind, words in TYPES.items()
}
_BY_SIGN = {"{": "an object", "[": "a list", '"': "a string", "tf": "true or false", "n": "null"}
_OF_A_LIST = re.compile(r"\b(?:list|option|choice)s?\b", re.IGNORECASE)


def limit_of(finding: Finding) -> float | None:
    """Return the number in the finding's own rule; None if it has none."""
    compared = map(comparison_in, filter(None, (finding.expected, finding.validator_message, finding.message)))
    return next((_number(own.bound) for own in compared if own and own.bound), None)


def bound_of(finding: Finding) -> float | None:
    """Return the bound of a finding about a limit; None for any other finding."""
    return limit_of(finding) if category_of(finding) in LIMITS else None


def own_bound(finding: Finding, words: str) -> bool:
    """Return True if the words compare with the finding's own bound."""
    compared = comparison_in(words)
    return compared is not None and compared.bound is not None and limit_of(finding) == _number(compared.bound)


def names_bound(finding: Finding, words: str) -> bool:
    """Return True if the words name the finding's bound: "we stop at 28", "shorten it to 30 characters".

    The field's opposite limit has another bound, so this needs no comparative.
    """
    return bound_of(finding) in amounts_in(words)


def spells_bound(finding: Finding, words: str) -> bool:
    """Return True if the words spell out the finding's own bound: "fewer than two steps"."""
    return bound_of(finding) in spelled_in(words)


def other_bound(finding: Finding, words: str) -> bool:
    """Return True if the words compare with another bound, and name neither the finding's bound nor its value."""
    compared = comparison_in(words)
    named, limit = _number(compared.bound or "") if compared else None, limit_of(finding)
    positions = {n + more for n in finding.path if isinstance(n, int) for more in (0, 1)}
    if named is None or limit is None or abs(named - limit) <= 1 or named in positions:
        return False  # "less than 29" may be 28 at most, and "line 2: too short" names no bound
    value, is_text = value_of(finding), (finding.actual or "").startswith('"')
    return not amounts_in(words) & {limit, _number(value), float(len(value)) if is_text else None}


def value_of(finding: Finding) -> str:
    """Return the bad value as feedback quotes it."""
    return (finding.actual or "").strip('"')


def quotes_value(finding: Finding, words: str, data: object = None) -> bool:
    """Return True if the words quote the finding's bad value, which occurs only once in the answer."""
    value = value_of(finding)
    if len(value) < SHORTEST_VALUE or value.endswith("…") or value not in words:
        return False
    quoted = re.search(rf"(?<![A-Za-z0-9_.-]){re.escape(value)}(?![A-Za-z0-9_]|\.\d)", words)
    return quoted is not None and len([*islice(_occurrences(data, value), 2)]) < 2


def fits_rule(finding: Finding, words: str) -> bool:
    """Return True if words at the finding's place fit its rule without naming one."""
    rule = category_of(finding)
    if rule is ErrorCategory.MISSING:
        return _ABSENT.search(words) is not None
    if quotes_value(finding, words) and complains(words.replace(value_of(finding), " ")):
        return True
    if rule is ErrorCategory.ENUM:
        return names_allowed(finding, words) or _OF_A_LIST.search(words) is not None
    if rule in (ErrorCategory.TYPE, ErrorCategory.FORMAT):
        terms = {*_TERM.findall(f"{finding.expected} {finding.validator_message}".lower())} - _COMMON
        terms |= set() if terms.isdisjoint({"integer", "number"}) else {"number", "digits"}
        return not terms.isdisjoint(_TERM.findall(words.lower()))
    signed = rule in (ErrorCategory.TOO_SMALL, ErrorCategory.TOO_LARGE) and limit_of(finding) == 0
    return signed and _SIGN.search(words) is not None


def names_type(finding: Finding, words: str) -> bool | None:
    """Return True if words demand the type that the finding expects, or call a value of it missing.

    None for a type without names here. "Answer with the JSON object only" asks for an answer and finds no fault.
    """
    wanted = _TYPES.get(finding.expected or "")
    if wanted is None:
        return None
    return wanted.search(words) is not None and (complains(words) or names_own_type(finding, words))


def names_own_type(finding: Finding, words: str) -> bool:
    """Return True if words name the type of the finding's value."""
    value = finding.actual or ""  # in JSON, the first character of a value shows its type
    found = _TYPES[next((kind for signs, kind in _BY_SIGN.items() if value and value[0] in signs), "a number")]
    return found.search(words) is not None


def _occurrences(data: object, value: str) -> Iterator[None]:
    """Yield once for each place of the answer with this value."""
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _occurrences(inner, value)
    if not isinstance(data, dict | list) and str(data) == value:
        yield


def _number(text: str) -> float | None:
    return max(amounts_in(text.strip(".")), default=None)  # a thousand of "1.000"
