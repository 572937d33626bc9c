"""Classify errors by category of rule, in any wording: codes of validators, or words of five languages."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind, Phase
from .comparison import Direction, comparison_in
from .words import remembered, stems

if TYPE_CHECKING:
    from ...contract.finding import Finding


class ErrorCategory(StrEnum):
    """The fault that an error reports. Two errors at one place with the same rule are the same problem."""

    MISSING = "missing"
    EXTRA = "extra"
    TOO_SHORT = "too short"
    TOO_LONG = "too long"
    TOO_SMALL = "too small"
    TOO_LARGE = "too large"
    RANGE = "out of range"
    ENUM = "enum"
    TYPE = "type"
    FORMAT = "format"
    DUPLICATE = "duplicate"
    EMPTY = "empty"
    UNKNOWN_TOOL = "unknown tool"
    NO_TOOL_CALL = "no tool call"
    UNREADABLE = "unreadable"
    """The answer is not a document: broken, cut off, wrapped in words."""


_Patterns = tuple[tuple[ErrorCategory, re.Pattern[str]], ...]


def _patterns(*rows: tuple[str, ...]) -> _Patterns:
    """Return rows of a category and its patterns for words in lower case, in their order."""
    return tuple((ErrorCategory(name), re.compile("|".join(words))) for name, *words in rows)


# "expected `int`", "be a string", "converted to System.Int32"; the word boundary keeps "integrity" and "listen" out.
_TYPE = (
    r"[`'\"]?(?:system\.|java\.lang\.|kotlin\.|builtins\.)?(?:str(?:ing)?|int(?:eger|\d{1,2})?|number|float|bool(?:ean)?"
    r"|list|array|dict(?:ionary)?|object|true or false)\b"
)
_DATE = "(?:date|time|ur[il]|email|uuid)"
# "A number is required" may be about the type of a text, or about a missing value.
TYPE_NAMES = ("string", "number", "integer", "int", "bool", "boolean", "list", "array", "object", "map")
_NOT_A_TYPE = "".join(f"(?<!{kind} is required)" for kind in TYPE_NAMES)
_FIRM = _patterns(
    ("no tool call", "no tool (?:call|invocation)|must call|in a tool call"),
    ("unknown tool", "(?:unknown|no such) tool|tool .{0,80}not found"),
    # "Invalid JSON", "Expecting ',' delimiter", "Unterminated string", "cut off at the token limit"
    (
        "unreadable",
        "valid (?:json|yaml)|json ?decode|parse (?:the |your )?json|parse error|not be parsed|malformed",
        "cut off|truncated|unterminated|unexpected end|trailing c|expecting [vp']",
    ),
    ("type", f"valid {_TYPE} is required"),
    # "Field required", 'requires property "zip"', "was not given", "received undefined" but "undefined key"
    (
        "missing",
        rf"\brequired\b{_NOT_A_TYPE}(?! (?:pattern|format|reg(?:ex|ular exp)|to (?:match|have|contain|be (?![pgs]))))",
        r"requires prop|mandatory|\bmissing\b|\babsent\b",
        r"(?:must be|not(?: been)?) (?:present|provided|given|set)\b(?! in)|\bundefined\b(?! [fkp])|forgot",
    ),
    # "Extra inputs are not permitted", "Unrecognized key", "'x' was unexpected", "expected `never`"
    (
        "extra",
        "(?<!type )not (?:permitted|allowed)(?! value)|not (?:in|part of) the schema|additional propert|be removed",
        r"(?:extra|unknown|un\w+ed|no such) (?:input|field|key|propert)|is unexpected|invalid (?:property|key) name",
        r"expected (?:a value of type )?`?never\b",
    ),
    ("duplicate", r"duplicate|distinct|\bunique\b|all be different|more than once|repeat[se]"),
    ("empty", "(?:is|be|non)[ -]empty|blank"),
    ("format", "(?:wrong|invalid) format"),
    # "Input should be 'low' or 'high'", "not in ['a', 'b']", '"a" | "b"', 'expected "a", got "b"'
    (
        "enum",
        r"(?<!least )one of|(?:should|must) be (?:either )?['\"`]|\benum|valid choice",
        r"(?<!\| )['\"`][^'\"`|\n]{1,80}['\"`] ?\| ?['\"`]",  # not the cells of a table: "| 'goal' | 'Goal' is …"
        r"\bexpected ['\"][^'\"\n]{1,80}['\"],? (?:but )?(?:actual|got|found|received) ['\"\d]",
        r"\bin (?:the )?(?:list )?[\[({]|allowed value|(?:allowed|permitted):",
    ),
    # "must match pattern", "invalid ISO 8601 date", but not "must be before the end date"
    (
        "format",
        r"\bmatch\w* (?:the |required )*(?:pattern|reg)|\b(?:iso|rfc) ?(?:8601|3339)",
        rf"(?:invalid|must be|expected|not) (?:(?:an?|in|iso\S*|valid|string|to match|format) ){{0,4}}['\"]?{_DATE}",
    ),
    ("out of range", r"\bexactly (?:length )?\d|(?:of|in|outside)(?: the)? range|between \W?-?\d[^a-z\n]{0,20} and "),
)
"""Words that mean one rule only."""
_PLAIN = _patterns(
    ("too small", "positive|(?:non-|not be |n't be )negative"),
    ("too large", "be negative"),
    # "not a valid integer", "should be of type 'list'", "is not an instance of int"
    (
        "type",
        rf"(?:valid|be|expect\w*|not|type|of|to|needs?)(?: an?)? {_TYPE}",
        rf"\b{_TYPE} is required",
        "(?:not of(?: a)?|wrong|invalid) type|type (?:is )?not (?:permitted|allowed)|type ?error",
        "whole number|instance of|not be null",
    ),
    ("enum", r"not a valid \w|(?:invalid|choose) (?:one|from|choice|option)|unexpected value"),
    ("format", rf"pattern|\bregex|regular expression|formato?\b|valid {_DATE}|\bmatch|of the form"),
    *((rule, *stems(rule)) for rule in ("extra", "duplicate", "empty", "enum", "missing")),
    # A German compound may end in the word: "Rechnungsdatum".
    *((rule, *stems(rule)) for rule in ("format", "type")),
    # "Geben Sie einen Wert ein", which says nothing about the value
    ("missing", *stems("give a value")),
)
"""Words that may mean several faults. They may agree with a finding, but never contradict it."""

_EXPECTED = ("an object", "a list", "a string", "an integer", "a number", "true or false", "null")
TYPES = {kind: "|".join(stems(kind)) for kind in _EXPECTED}
"""Names for each type, by the words with which a finding expects it."""


# Codes in the spelling of `code_name`: pydantic's ("string_too_short"), JSON Schema's ("minLength"), Zod's
# ("too_small"), those of Go's validator ("gte") and ours ("non_empty"). A code for several rules is in GENERIC, not
# here.
_CODES = {
    ErrorCategory.MISSING: "missing missing_argument required missing_keyword_only_argument dependent_required",
    ErrorCategory.EXTRA: "extra extra_forbidden unexpected_keyword_argument additional_properties "
    "unevaluated_properties",
    ErrorCategory.TOO_SHORT: "too_short string_too_short bytes_too_short min_length min_items min_properties "
    "non_empty minlength",
    ErrorCategory.TOO_LONG: "too_long string_too_long bytes_too_long max_length max_items max_properties maxlength",
    ErrorCategory.TOO_SMALL: "greater_than greater_than_equal minimum exclusive_minimum min gt gte",
    ErrorCategory.TOO_LARGE: "less_than less_than_equal maximum exclusive_maximum max lt lte",
    ErrorCategory.ENUM: "enum literal_error one_of oneof const union_tag_invalid invalid_enum_value allowed",
    ErrorCategory.FORMAT: "format pattern regex string_pattern_mismatch",
    ErrorCategory.DUPLICATE: "distinct unique unique_items duplicate duplicate_key",
    ErrorCategory.EMPTY: "empty",
    ErrorCategory.UNKNOWN_TOOL: "unknown_tool",
    ErrorCategory.NO_TOOL_CALL: "no_tool_call",
    ErrorCategory.UNREADABLE: "json_invalid json_type invalid_json invalid_yaml json_decode_error parse_error "
    "truncated prose fence thinking multiple too_deep too_large",
}
_BY_CODE = {code: rule for rule, codes in _CODES.items() for code in codes.split()}
# For findings with the code of a constraint or plan rule: their kind still says what is wrong.
_BY_KIND = {
    kind: ErrorCategory(kind.value.replace("_", " "))
    for kind in (
        *(FailureKind.MISSING, FailureKind.EXTRA, FailureKind.TYPE, FailureKind.ENUM, FailureKind.FORMAT),
        *(FailureKind.UNKNOWN_TOOL, FailureKind.NO_TOOL_CALL, FailureKind.EMPTY),
    )
}
GENERIC = frozenset({"value_error", "assertion_error", "rule", "content", "error", "custom_error", "length", "range"})
"""Codes that many different rules share. They only identify a rule together with their message."""

# By direction, and by True for a compared length; both bounds at once are a range.
_COMPARED = {
    (Direction.LOW, False): ErrorCategory.TOO_SMALL,
    (Direction.HIGH, False): ErrorCategory.TOO_LARGE,
    (Direction.LOW, True): ErrorCategory.TOO_SHORT,
    (Direction.HIGH, True): ErrorCategory.TOO_LONG,
}


_AT_PLACE = _patterns(
    ("missing", *stems("absent"), *stems("required"), *stems("forgotten")),
    ("type", *stems("of a type"), *stems("by type")),
)
FORGOTTEN = re.compile("|".join(stems("forgotten")), re.IGNORECASE)
ABSENT = re.compile("|".join((*stems("absent"), *stems("forgotten"))), re.IGNORECASE)
"""Words for a field that is not there. Those that are only in `_AT_PLACE` may also deny a choice: "tidak ada"."""
OF_A_TYPE = re.compile("|".join(stems("of a type")), re.IGNORECASE)
# "Invalid", "This value is not valid.", "Ungültiger Wert", "值无效": the whole message. "Invalid date" says more.
_INVALID = re.compile(
    r"(?:this value is |(?:\w+ ){0,2})(?:值|输入)?"
    r"(?:(?:in|non? |not (?:a )?)v[aá]lid[aeo]?|incorrect|wrong|forbidden|ungültig\w*"
    r"|nicht erlaubt|无效\w{0,4})(?: ?(?:value|input|wert|eingabe))?[.!。]?",
    re.IGNORECASE,
)
# A code among the words: "tasks.0.status=literal_error".
_CODE = re.compile(r"(?<![\w/])[a-z]+(?:_[a-z]+)+\b")
# The position before the capital in "minLength", which has an underscore in "min_length".
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def code_name(code: str) -> str:
    """Return a foreign code in snake case: "min_length" for "minLength" and "min-length"."""
    return _CAMEL.sub("_", code.strip()).replace("-", "_").replace(" ", "_").lower()


@lru_cache(maxsize=256)  # every finding asks about its own codes for every error of the feedback
def category_of_code(code: str | None) -> ErrorCategory | None:
    """Return the category of a code; None for an unknown or generic one.

    For a dotted code ("value_error.missing", pydantic 1) the last known part counts.
    """
    if not code:
        return None
    *outer, name = code_name(code).split(".")
    if outer and name not in _BY_CODE:
        return category_of_code(".".join(outer)) or (ErrorCategory.TYPE if outer[0] == "type_error" else None)
    return _BY_CODE.get(name) or (
        ErrorCategory.TYPE if name.endswith(("_type", "_parsing")) or name == "type" else None
    )


def only_invalid(message: str) -> bool:
    """Return True if the words only say that something is wrong: "Invalid", "is not a valid value"."""
    return _INVALID.fullmatch(message.strip()) is not None


@remembered
def category_of_words(message: str) -> ErrorCategory | None:
    """Return the category that a message names, or None."""
    return firm_category(message) or _first(_PLAIN, message) or next(iter(categories_of_codes(message)), None)


@remembered
def categories_of_codes(text: str) -> tuple[ErrorCategory, ...]:
    """Return the categories of validators' codes that occur among words: "the answer=model_type"."""
    codes = (category_of_code(code[0]) for code in _CODE.finditer(text))
    return tuple(dict.fromkeys(filter(None, codes)))


@remembered
def firm_category(message: str) -> ErrorCategory | None:
    """Return the category if words mean one rule only, or are a comparison; None for less specific words.

    Less specific ones ("format", "valid number", "Zahl") fit several faults: they may agree with a finding, but never
    contradict it.
    """
    firm, compared = _first(_FIRM, message), comparison_in(message)
    if firm or not compared:
        return firm
    return _COMPARED.get((compared.direction, compared.length), ErrorCategory.RANGE)


def _first(patterns: _Patterns, text: str) -> ErrorCategory | None:
    text = text.lower()
    return next((rule for rule, pattern in patterns if pattern.search(text)), None)


@remembered
def further_category(words: str) -> ErrorCategory | None:
    """Return the fault that words at a place name in a language without a grammar; None for no fault, or for two."""
    named = [category for category, pattern in _AT_PLACE if pattern.search(words.lower())]
    return named[0] if len(named) == 1 else None


def category_of(finding: Finding) -> ErrorCategory | None:
    """Return the category of a finding; None for validators and constraints whose rule is only in their message."""
    if unreadable(finding):
        return ErrorCategory.EMPTY if finding.kind is FailureKind.EMPTY else ErrorCategory.UNREADABLE
    by_code = category_of_code(finding.validator_code) or category_of_code(finding.code) or _BY_KIND.get(finding.kind)
    if by_code or finding.kind in (FailureKind.RULE, FailureKind.CONTENT):
        return by_code
    return category_of_words(finding.validator_message or finding.message)


def unreadable(finding: Finding) -> bool:
    """Return True if the whole answer was unreadable, so the finding can only be at the root."""
    return not finding.path and finding.kind.phase is Phase.PARSE
