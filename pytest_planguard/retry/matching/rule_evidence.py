"""Decide if words at a finding's place are about its rule: by a type, a demand, a form, or the numbers there.

For `nights`, which is 90 and may be at most 28, "не может быть меньше 1 (сейчас -2)" has the other bound and another
value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...contract.schema.schema_fields import schemas_at
from ...document.path import get_at
from ..reading.comparison import LATIN, Direction, comparison_in
from ..reading.error_category import (
    ABSENT,
    FORGOTTEN,
    OF_A_TYPE,
    TYPES,
    ErrorCategory,
    category_of,
    category_of_words,
    further_category,
)
from ..reading.words import amounts_in, spelled_in, stems
from .own_evidence import (
    LIMITS,
    limit_of,
    names_allowed,
    names_bound,
    own_bound,
    quotes_value,
    rejects_value,
    value_of,
)
from .praise import complains

if TYPE_CHECKING:
    from ...contract.finding import Finding

_WITH_VALUE = LIMITS | {ErrorCategory.RANGE, ErrorCategory.ENUM, ErrorCategory.TYPE, ErrorCategory.FORMAT}
"""Rules about an existing value. Feedback on such a rule names a bound, the value or the allowed values."""
_BOUNDS = (
    *("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"),
    *("minLength", "maxLength", "minItems", "maxItems"),
)
# Words for a missing field: "I don't see any goal", "please add the goal", "where is the goal?". But "camel is no
# carrier of ours" is about a value.
_ABSENT = re.compile(
    r"\b(?:has no|no \S+ given|add|provide|specify|include|enter|give|lacks?|forgot|omitted|where|left out|waiting)\b"
    r"|n[o']t\b.{0,20}\b(?:have|see|find|there|send|exist|optional)",
    re.IGNORECASE,
)
# "must be positive", "above zero", "必须为正数": words about the sign of a number.
_SIGN = re.compile("(?:posi|nega)tiv|zero|[正负]", re.IGNORECASE)
# "not in the list", "pick an option": words about allowed values that do not repeat them.
_OF_A_LIST = re.compile(r"\b(?:list|option|choice)s?\b", re.IGNORECASE)
# Words of the finding's own rule that words about it share: "integer", "date", "pattern"; not "be" and "str".
_TERM = re.compile(r"[a-z]{4,}")
_COMMON = frozenset(
    {"expected", "valid", "input", "should", "value", "that", "must", "error", "type", "unable", "interpret"}
)
# Also within a code and beside Chinese words: "object_type", "必须是对象"; "Objekts", but not "mapped".
_TYPES = {
    kind: re.compile(rf"(?<![{LATIN}0-9])(?:{words})(?:e?[sn])?(?![{LATIN}])", re.IGNORECASE)
    for kind, words in TYPES.items()
}
_BY_SIGN = {"{": "an object", "[": "a list", '"': "a string", "tf": "true or false", "n": "null"}
_WRITTEN = ("date", "time", "url", "uuid")
"""Codes of types that are written as text."""
# A date or another form, also in letters of many languages: "YYYY-MM-DD", "JJJJ-MM-TT", "AAAA/MM/JJ".
_FORM = re.compile(
    rf"\b[A-ZГД]{{4}}[-/.][A-ZМ]{{2}}[-/.][A-ZД]{{2}}\b|\bISO[ -]?8601|{'|'.join(stems('a form'))}", re.IGNORECASE
)


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


def is_written(finding: Finding) -> bool:
    """Return True for a date or another type that is written as text, so that a wrong text has a wrong format."""
    return category_of(finding) is ErrorCategory.TYPE and (finding.validator_code or "").startswith(_WRITTEN)


def has_type(finding: Finding, words: str) -> bool:
    """Return True if words demand a type of a number that breaks a limit, and so has one: "celé číslo, ne 35"."""
    typed = OF_A_TYPE.search(words) or _TYPES["an integer"].search(words)
    return typed is not None and category_of(finding) in (ErrorCategory.TOO_SMALL, ErrorCategory.TOO_LARGE)


def fits_rule(finding: Finding, words: str) -> bool:
    """Return True if words at the finding's place fit its rule without naming one."""
    rule = category_of(finding)
    if rule is ErrorCategory.MISSING:
        return _ABSENT.search(words) is not None
    if rule is ErrorCategory.ENUM:
        listed = names_allowed(finding, words) or _OF_A_LIST.search(words) is not None
        return listed or rejects_value(finding, words)  # "we don't know 'urgent'"
    if rule in (ErrorCategory.TYPE, ErrorCategory.FORMAT):
        terms = {*_TERM.findall(f"{finding.expected} {finding.validator_message}".lower())} - _COMMON
        terms -= {*_TERM.findall(value_of(finding).lower())}  # "'soon' is not of type 'integer'"
        terms |= set() if terms.isdisjoint({"integer", "number"}) else {"number", "digits"}
        return not terms.isdisjoint(_TERM.findall(words.lower()))
    signed = rule in (ErrorCategory.TOO_SMALL, ErrorCategory.TOO_LARGE) and limit_of(finding) == 0
    return signed and _SIGN.search(words) is not None


_HIGH = frozenset({ErrorCategory.TOO_LARGE, ErrorCategory.TOO_LONG})
# "should be at most 3", "must have at least 3 items"; not the fault itself: "Value not >= 1", "must not be below 1"
_DEMANDS = re.compile(r"\A(?!.*(?:\bnot?\b|n't)).*\b(?:should|must|has to|needs to)\b", re.IGNORECASE | re.DOTALL)
# "Input should be a valid string", "must be an array"; not "should not be a string", "must be a string or a number".
_DEMANDED_TYPE = re.compile(
    r"\b(?:should|must|has to|needs to|expected to) be (?:an? )?(?:valid )?([a-z]+)(?! or\b)\b", re.IGNORECASE
)
# "should be 'concert' or 'lecture'", "must be one of: \"a\", \"b\""
_DEMANDED_VALUES = re.compile(r"\b(?:should|must) be (?:one of:? )?(['\"`].{1,300})", re.IGNORECASE)
# Each value of "'concert' or \"lecture\" or `film`".
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"|`([^`]*)`")
# "String should match pattern '^ftp://'"
_OF_PATTERNS = re.compile(r"[\^$\[(\\]")
# "must match the pattern: '^a+$'", "matches /a+/" needs the word: the delimiter closes the pattern.
_DEMANDED_PATTERN = re.compile(r"\bmatch(?:es)? (?:the )?(?:pattern|regex):? (['\"`/])(.{1,300}?)\1", re.IGNORECASE)


def demands_otherwise(finding: Finding, words: str) -> bool:
    """Return True if words demand the opposite of the finding's rule, or another type, other choices or a pattern.

    At the place of a value that must be at least 1: "should be less than or equal to 1".
    """
    rule = category_of(finding)
    if rule in LIMITS:
        compared = comparison_in(words)
        wanted = Direction.HIGH if rule in _HIGH else Direction.LOW
        opposite = compared is not None and compared.direction not in (wanted, Direction.OUTSIDE)
        return opposite and own_bound(finding, words) and _DEMANDS.search(words) is not None
    if rule is ErrorCategory.TYPE:
        wanted_type, demanded = _TYPES.get(finding.expected or ""), _DEMANDED_TYPE.search(words)
        if demanded is None or wanted_type is None or wanted_type.search(words):
            return False
        # "should be null if there is no date": an optional field may be null
        kinds = [kind for kind, names in _TYPES.items() if kind != "null" and names.fullmatch(demanded[1])]
        return bool(kinds) and not (finding.expected == "an integer" and "a number" in kinds)  # "must be a float"
    if rule is ErrorCategory.ENUM:
        listed = _DEMANDED_VALUES.search(words)
        values = [next(filter(None, found), "") for found in _QUOTED.findall(listed[1])] if listed else []
        known = {str(value) for value in finding.allowed}
        several = len(values) > 1 or (listed is not None and "one of" in listed[0].lower())
        return bool(values) and several and known.isdisjoint(values)
    pattern = _DEMANDED_PATTERN.search(words) if (finding.expected or "").startswith("text matching ") else None
    if pattern is None or _OF_PATTERNS.search(pattern[2]) is None:  # "must match the pattern 'BK-0000'" is an example
        return False
    return _plain(pattern[2].strip("/")) not in _plain(finding.expected or "")


def _plain(pattern: str) -> str:
    r"""Return a pattern in one of its spellings: `[0-9]` for `\\d`, `+` for `{1,}`, without other backslashes."""
    return pattern.replace(r"\d", "[0-9]").replace("{1,}", "+").replace("\\", "")


@dataclass(frozen=True, slots=True)
class Own:
    """The finding's own numbers and values, and the other bounds at its place."""

    finding: Finding
    """The finding, with the choices at its place if it is about another rule."""
    numbers: frozenset[float]
    """Its value, or the value's length and numbers, and the numbers around its bound.

    A bound that differs by one may be the same in other words: "fewer than 29" is 28 at most.
    """
    limit: float | None
    others: frozenset[float]
    """The bounds at its place, except its own."""
    pattern: str | None

    @classmethod
    def of(cls, finding: Finding, data: Any, schema: Any) -> Own:
        """Return the numbers of a finding's place, from the answer and the contract's JSON Schema."""
        nodes = schemas_at(schema, finding.path) if isinstance(schema, Mapping) else ()
        found = [node.get(name) for node in nodes for name in _BOUNDS]
        bounds = {float(n) for n in found if isinstance(n, int | float) and not isinstance(n, bool)}
        pattern = next((node["pattern"] for node in nodes if isinstance(node.get("pattern"), str)), None)
        choices = next((node["enum"] for node in nodes if isinstance(node.get("enum"), list)), ())
        if choices and not finding.allowed:
            finding = replace(finding, allowed=tuple(choices))
        limit = limit_of(finding)
        around = () if limit is None else (limit - 1, limit, limit + 1)
        numbers = frozenset((*_numbers_of(get_at(data, finding.path)), *around))
        return cls(finding, numbers, limit, frozenset(bounds - {limit}), pattern)

    def opposes(self, words: str, near: str) -> bool:
        """Return True if words name another bound of the place, and `near` has neither the finding's bound nor value.

        Only for findings about a limit.
        """
        if category_of(self.finding) not in LIMITS or self.limit is None:
            return False
        another = not (amounts_in(words) & self.others).issubset(self.numbers)
        return another and amounts_in(near).isdisjoint(self.numbers) and self.limit not in spelled_in(near)

    def is_told(self, words: str) -> bool:
        """Return True if words that planguard cannot read contain something that belongs to the finding.

        That is its value, its bound, its length, its pattern, or two of its allowed values. Only rules about a value
        have any of these: at the place of a missing field, they belong to another fault.
        """
        finding, rule = self.finding, category_of(self.finding)
        if rule not in _WITH_VALUE:
            limited = amounts_in(words) & self.others or names_allowed(finding, words)
            return rule is not ErrorCategory.MISSING or not limited
        return (
            not self.numbers.isdisjoint(amounts_in(words) | spelled_in(words))
            or quotes_value(finding, words)
            or names_allowed(finding, words)
            or (self.pattern is not None and self.pattern in words)
            or ((rule is ErrorCategory.FORMAT or is_written(finding)) and _FORM.search(words) is not None)
        )

    def excludes(self, fault: ErrorCategory | None, words: str, near: str) -> bool:
        """Return True if words that planguard cannot read name a fault that the finding's value cannot have.

        A missing field has no value beside its limit: "weight: 45.5, batasnya 30". A value that is too large or of a
        wrong type is there, and a number has the type of its limit: "nights wurde vergessen". One of no choice is
        there too, but "отсутствует" may mean in their list.
        """
        rule, amounts = category_of(self.finding), amounts_in(near)
        if rule is ErrorCategory.MISSING:
            return not amounts.isdisjoint(self.others) and not amounts <= self.others
        if fault is ErrorCategory.TYPE:
            return has_type(self.finding, words)
        there = rule in (LIMITS | {ErrorCategory.TYPE}) - {ErrorCategory.TOO_SHORT}
        absent = ABSENT if there else FORGOTTEN if rule is ErrorCategory.ENUM else None
        return fault is ErrorCategory.MISSING and absent is not None and bool(absent.search(words))

    def is_certain(self, words: str, beside: str) -> bool:
        """Return True if words that planguard cannot read can mean no other rule of the place.

        They contain its bound and no other, its pattern, or all its choices: "{place} が長すぎます。40 文字以内で".
        About a field that should not exist, those right `beside` it name no other rule and no number: "quux {place}",
        but not "at least 3 quux".
        """
        amounts, finding, rule = amounts_in(words), self.finding, category_of(self.finding)
        if names_bound(finding, words):
            return amounts.isdisjoint(self.others)
        if rule is ErrorCategory.EXTRA:
            rules = category_of_words(beside), further_category(beside)
            return amounts_in(beside) <= self.numbers and not any(rules)
        if rule is ErrorCategory.FORMAT:
            return self.pattern is not None and self.pattern in words
        return rule is ErrorCategory.ENUM and names_allowed(finding, words, every=True)


def _numbers_of(value: object) -> Iterable[float]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (float(value),)
    if isinstance(value, str):
        return (float(len(value)), *amounts_in(value[:200]))
    return (float(len(value)),) if isinstance(value, list | dict) else ()
