"""Words that fit a finding by what its rule is about: its bound, its type, its values, its absence.

Asked at the finding's exact place only, and where the words name no other rule: "please add `goal`" says that it is
missing there, and nothing elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..reading.comparison import Comparison, Direction, comparison_in
from ..reading.error_category import ErrorCategory, category_of

if TYPE_CHECKING:
    from ...contract.finding import Finding

SHORTEST_VALUE = 2
"""Characters of a value that is looked for in a text: one character stands everywhere."""
# A number by itself; signs of another script may stand beside it ("最小30个").
# Positions in paths are none: "guests[1]", "/guests/1".
_NUMBER = re.compile(r"(?<![A-Za-z0-9_./#\[])-?\d+(?:[.,]\d+)?(?![A-Za-z0-9_\]]|\.\d)")
_LIMITS = frozenset({ErrorCategory.TOO_SHORT, ErrorCategory.TOO_LONG, ErrorCategory.TOO_SMALL, ErrorCategory.TOO_LARGE})
# What is not there, or should be put there: "I don't see any goal", "please add the goal", "goal is not optional",
# "where is the goal?", "goal was left out".
_ABSENT = (
    r"(?:not?|n't|never|nothing|without)\b.{0,30}\b(?:ha(?:ve|s)|see|f(?:i|ou)nd|contain|include(?!d in)|exist|there"
    r"|optional|filled|set|given|sen[dt]|omitted)|\b(?:add|provide|supply|include|specify|fill|give|mention|enter|lacks?"
    r"|forgot|omitted)\b|\bwhere (?:is|are)\b|\bleft (?:out|off)\b|\bwaiting for\b"
)
# What turns a value down, whatever the reason: "'urgent' is not acceptable", "we don't know 'urgent'", "rejected".
_REJECTS = re.compile(
    r"\b(?:not?|never|neither|cannot|instead|reject\w*|refuse\w*|wrong|bad|kein\w*|nicht|pas)\b|n't\b"
    r"|\b(?:in|un|mal)(?:valid|supported|known|acceptable|correct|expected|formed)\b|[不无]",
    re.IGNORECASE,
)
_SIGN = "(?:posi|nega)tiv|zero|[正负]"
# How people call the types, and the forms of what is written as text, by the words of `Finding.expected`.
_TYPES = {
    "(?:integer|number)": r"\b(?:whole|int\b|integer|number|numeric|float|decimal|digit)",
    "(?:true or false|boolean)": r"\b(?:true|false|yes|bool|flag)",
    "string": r"\b(?:text|string|word|character)",
    "list": r"\b(?:list|array|several|sequence)",
    "object": r"\b(?:object|mapping|dict|field|structure)",
}
_FORMS = {
    "date": r"\b(?:date|iso|day|yyyy|calendar)",
    "time": r"\b(?:time|iso|clock)",
    "(?:pattern|match)": r"\b(?:form|pattern|look|like|style|shape|scheme)",
}
_OF_A_LIST = re.compile(r"\b(?:list|option|choice)s?\b", re.IGNORECASE)
_ALLOWED_LIMIT = 100


def limit_of(finding: Finding) -> float | None:
    """Return the number that the finding's own rule names; None where it names none."""
    own = _own_comparison(finding)
    return _number(own.bound) if own and own.bound else None


def _own_comparison(finding: Finding) -> Comparison | None:
    said = (finding.expected, finding.validator_message, finding.message)
    return next((told for words in said if words and (told := comparison_in(words)) and told.bound), None)


def _last_allowed(compared: Comparison) -> float | None:
    """Return the whole number that is just allowed: 40 of "shorter than 41" and of "at most 40"."""
    bound = _number(compared.bound or "")
    inward = 1 if compared.direction is Direction.LOW else -1
    return bound + inward if bound is not None and compared.strict else bound


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
    own = _own_comparison(finding)
    if compared is None or compared.bound is None or own is None or (limit := limit_of(finding)) is None:
        return False
    positions = {n + more for n in finding.path if isinstance(n, int) for more in (0, 1)}
    if _last_allowed(compared) == _last_allowed(own) or _number(compared.bound) in positions:
        return False  # "line 2: too short" names no bound
    value, is_text = value_of(finding), (finding.actual or "").startswith('"')
    numbers = {_number(n[0]) for n in _NUMBER.finditer(words)} | {_number(compared.bound)}  # a bound may be a word
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


def turns_down(words: str) -> bool:
    """Return whether words turn a value down, for whatever reason: "we don't know that", "rejected"."""
    return _REJECTS.search(words) is not None


def fits_rule(finding: Finding, words: str) -> bool:
    """Return whether words at the finding's place, which name no rule, fit its rule."""
    rule = category_of(finding)
    if rule is ErrorCategory.MISSING:
        return re.search(_ABSENT, words, re.IGNORECASE) is not None
    if quotes_value(finding, words) and turns_down(words.replace(value_of(finding), " ")):
        return True
    if rule is ErrorCategory.ENUM:
        return _lists(finding, words)
    if rule in (ErrorCategory.TYPE, ErrorCategory.FORMAT):
        table = {**_FORMS, **(_TYPES if rule is ErrorCategory.TYPE else {})}
        return any(re.search(said, words, re.IGNORECASE) for said in _about(finding, table))
    signed = rule in (ErrorCategory.TOO_SMALL, ErrorCategory.TOO_LARGE) and limit_of(finding) == 0
    return signed and re.search(_SIGN, words, re.IGNORECASE) is not None


def _about(finding: Finding, table: Mapping[str, str]) -> list[str]:
    expected = f"{finding.expected or ''} {finding.validator_code or ''} {finding.validator_message or ''}".lower()
    return [said for name, said in table.items() if re.search(rf"(?<![a-z]){name}", expected)]


def _lists(finding: Finding, words: str) -> bool:
    """Return whether two of the allowed values stand there; at the exact place a list of them needs no demand."""
    texts = [v for v in finding.allowed[:_ALLOWED_LIMIT] if isinstance(v, str) and v]
    said = [v for v in texts if re.search(rf"(?<![\w-]){re.escape(v)}(?![\w-])", words, re.IGNORECASE)]
    return len(said) >= min(len(texts), 2) > 1 or _OF_A_LIST.search(words) is not None


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
