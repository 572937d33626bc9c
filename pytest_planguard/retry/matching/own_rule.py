"""Words that fit a finding by what its rule is about: its bound, its type, its values, its absence.

Asked at the finding's exact place only, and where the words name no other rule: "please add `goal`" says that it is
missing there, and nothing elsewhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..reading.comparison import comparison_in
from ..reading.error_category import ErrorCategory, category_of
from ..reading.rule_words import TYPES
from .keyword_match import complains, names_allowed

if TYPE_CHECKING:
    from ...contract.finding import Finding

SHORTEST_VALUE = 2
"""Characters of a value that is looked for in a text: one character stands everywhere."""
# A number by itself; signs of another script may stand beside it ("最小30个").
# Positions in paths are none: "guests[1]", "/guests/1".
_NUMBER = re.compile(r"(?<![A-Za-z0-9_./#\[])-?\d+(?:[.,]\d+)?(?![A-Za-z0-9_\]]|\.\d)")
_LIMITS = frozenset({ErrorCategory.TOO_SHORT, ErrorCategory.TOO_LONG, ErrorCategory.TOO_SMALL, ErrorCategory.TOO_LARGE})
# What is not there, or should be put there: "I don't see any goal", "please add the goal", "where is the goal?"; but
# "camel is no carrier of ours" is about a value.
_ABSENT = re.compile(
    r"\b(?:has no|no \S+ given|add|provide|specify|include|enter|give|lacks?|forgot|omitted|where|left out|waiting)\b"
    r"|n[o']t\b.{0,20}\b(?:have|see|find|there|send|exist|optional)",
    re.IGNORECASE,
)
_SIGN = re.compile("(?:posi|nega)tiv|zero|[正负]", re.IGNORECASE)
# A word of the finding's own rule that words about it share: "integer", "date", "pattern"; not "be" and "str".
_TERM = re.compile(r"[a-z]{4,}")
_COMMON = frozenset({"expected", "valid", "input", "should", "value", "that", "must", "error", "type"})
# Within a code and beside Chinese words, too: "object_type", "必须是对象"; "Objekts", but not "mapped".
_TYPES = {
    kind: re.compile(rf"(?<![A-Za-zÀ-ÿ0-9])(?:{'|'.join(rows)})(?:e?[sn])?(?![A-Za-zÀ-ÿ])", re.IGNORECASE)
    for kind, rows in TYPES.items()
}
_BY_SIGN = {"{": "an object", "[": "a list", '"': "a string", "tf": "true or false", "n": "null"}
_OF_A_LIST = re.compile(r"\b(?:list|option|choice)s?\b", re.IGNORECASE)


def limit_of(finding: Finding) -> float | None:
    """Return the number that the finding's own rule names; None where it names none."""
    compared = map(comparison_in, filter(None, (finding.expected, finding.validator_message, finding.message)))
    return next((_number(own.bound) for own in compared if own and own.bound), None)


def own_bound(finding: Finding, words: str) -> bool:
    """Return whether the words compare with the finding's own bound."""
    compared = comparison_in(words)
    return compared is not None and compared.bound is not None and limit_of(finding) == _number(compared.bound)


def names_bound(finding: Finding, words: str) -> bool:
    """Return whether the words name the finding's own bound: "we stop at 28", "shorten it to 30 characters".

    The opposite limit of the field has another bound, so that no comparative need be understood.
    """
    limit = limit_of(finding) if category_of(finding) in _LIMITS else None
    return limit is not None and limit in {_number(n[0]) for n in _NUMBER.finditer(words)}


def other_bound(finding: Finding, words: str) -> bool:
    """Return whether the words compare with a bound that is not the finding's, and name neither that nor its value."""
    compared = comparison_in(words)
    named, limit = _number(compared.bound or "") if compared else None, limit_of(finding)
    positions = {n + more for n in finding.path if isinstance(n, int) for more in (0, 1)}
    if named is None or limit is None or abs(named - limit) <= 1 or named in positions:
        return False  # "less than 29" may be 28 at most, and "line 2: too short" names no bound
    value, is_text = value_of(finding), (finding.actual or "").startswith('"')
    numbers = {_number(n[0]) for n in _NUMBER.finditer(words)}
    return not numbers & {limit, _number(value), float(len(value)) if is_text else None}


def value_of(finding: Finding) -> str:
    """Return the bad value as feedback quotes it."""
    return (finding.actual or "").strip('"')


def quotes_value(finding: Finding, words: str, data: Any = None) -> bool:
    """Return whether the words quote the finding's own bad value, and no other place of the answer has it."""
    value = value_of(finding)
    if len(value) < SHORTEST_VALUE or value.endswith("…") or _occurrences(data, value) > 1:
        return False
    return re.search(rf"(?<![A-Za-z0-9_.-]){re.escape(value)}(?![A-Za-z0-9_]|\.\d)", words) is not None


def fits_rule(finding: Finding, words: str) -> bool:
    """Return whether words at the finding's place, which name no rule, fit its rule."""
    rule = category_of(finding)
    if rule is ErrorCategory.MISSING:
        return _ABSENT.search(words) is not None
    if quotes_value(finding, words) and complains(words.replace(value_of(finding), " ")):
        return True
    if rule is ErrorCategory.ENUM:
        return names_allowed(finding, words) or _OF_A_LIST.search(words) is not None
    if rule in (ErrorCategory.TYPE, ErrorCategory.FORMAT):
        return not _terms(finding).isdisjoint(_TERM.findall(words.lower()))
    signed = rule in (ErrorCategory.TOO_SMALL, ErrorCategory.TOO_LARGE) and limit_of(finding) == 0
    return signed and _SIGN.search(words) is not None


def names_type(finding: Finding, words: str) -> bool | None:
    """Return whether words demand the type that the finding expects, or say that it is missing.

    None for a type that has no names here. "Answer with the JSON object only" asks for an answer, and finds no fault.
    """
    wanted = _TYPES.get(finding.expected or "")
    if wanted is None:
        return None
    found = _TYPES.get(_written_type(finding.actual or ""))
    return wanted.search(words) is not None and (complains(words) or bool(found and found.search(words)))


def _written_type(value: str) -> str:
    """Return the type of a value in JSON, in the words in which a finding would expect it."""
    return next((kind for signs, kind in _BY_SIGN.items() if value[:1] in signs and value), "a number")


def _terms(finding: Finding) -> set[str]:
    """Return the words by which a finding calls its type or form: "integer", "date"."""
    terms = {*_TERM.findall(f"{finding.expected} {finding.validator_message}".lower())} - _COMMON
    return terms if terms.isdisjoint({"integer", "number"}) else {*terms, "number", "digits"}


def _occurrences(data: Any, value: str) -> int:
    if isinstance(data, dict):
        return sum(_occurrences(inner, value) for inner in data.values())
    if isinstance(data, list):
        return sum(_occurrences(inner, value) for inner in data)
    return str(data) == value


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None
