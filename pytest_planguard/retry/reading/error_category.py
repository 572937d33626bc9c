"""Tell which category of rule an error is about, whoever words it: codes of validators, our own, or plain English."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind, Phase
from .comparison import Direction, comparison_in
from .foreign_words import INVALID, foreign_category

if TYPE_CHECKING:
    from ...contract.finding import Finding


class ErrorCategory(StrEnum):
    """What an error says is wrong. Two errors at one place with the same rule are the same problem."""

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
    """The answer is no document: broken, cut off, wrapped in words."""


# Codes in the spelling of `code_name`, of pydantic ("string_too_short"), JSON Schema ("minLength"), Zod ("too_small"),
# Go's validator ("gte") and ours ("non_empty"). A code that stands for several rules is in GENERIC, not here.
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
# For findings whose code is that of a constraint or plan rule: their kind still says what is wrong.
_BY_KIND = {
    FailureKind.MISSING: ErrorCategory.MISSING,
    FailureKind.EXTRA: ErrorCategory.EXTRA,
    FailureKind.TYPE: ErrorCategory.TYPE,
    FailureKind.ENUM: ErrorCategory.ENUM,
    FailureKind.FORMAT: ErrorCategory.FORMAT,
    FailureKind.UNKNOWN_TOOL: ErrorCategory.UNKNOWN_TOOL,
    FailureKind.NO_TOOL_CALL: ErrorCategory.NO_TOOL_CALL,
    FailureKind.EMPTY: ErrorCategory.EMPTY,
}
GENERIC = frozenset({"value_error", "assertion_error", "rule", "content", "error", "custom_error", "length", "range"})
"""Codes that many different rules share: they agree only together with their message."""

# "must be a readonly string", "expected `int`"; the word boundary keeps "integrity" and "listen" out.
_NAMES = (
    r"(?:readonly ?)?"
    r"(?:string|int|str|integer|number|float|bool|boolean|list|array|dict|dictionary|object|null|none|true or false)\b"
)
_DATES = r"(?:date|time|date-?time|timestamp|url|uri|email|uuid)\b"
_WRITTEN = (
    r"(?:(?:in|as|of|string|str|iso|iso-?8601|8601|rfc ?\d{4}|calendar|full|format|type|to|match|matching|the) ){0,4}"
)
"""What stands between a demand and the name of a written type: not "must be before the end date"."""
# The first that fits names the category, so the more telling words come first: "must call the tool" before "missing",
# "valid date" (format) before "not a valid x" (enum). A category comes twice where some of its words are plainer than
# others. Comparisons of lengths are read behind the first table ("at least 2 items" before "one of"), those of values
# behind the second. Every repetition is bounded, so none of them can backtrack far.
_Words = tuple[tuple[ErrorCategory, tuple[str, ...]], ...]
_FIRM: _Words = (
    (
        ErrorCategory.NO_TOOL_CALL,
        ("no tool (?:call|invocation)", "(?:in|via|with) a (?:tool|function) call", "must call"),
    ),
    (
        ErrorCategory.UNKNOWN_TOOL,
        ("unknown (?:tool|function)", "no (?:such )?(?:tool|function)", "tool .{0,80}not found"),
    ),
    (
        ErrorCategory.UNREADABLE,
        (
            "(?:invalid|malformed|valid|parse|decode|unparsable|broken) (?:as )?(?:the )?(?:json|yaml)",
            "json ?decode|not json|parse error|failed to parse|could not be parsed|malformed",
            "(?:json|yaml) (?:is |was )?(?:invalid|malformed|broken|truncated)|cut off|truncated",
            "unterminated|trailing (?:comma|characters)|unexpected end|eof while",
            "expecting (?:value|property|',|',')|not the document",
        ),
    ),
    (ErrorCategory.TYPE, ("a valid " + _NAMES + " is required",)),
    (
        ErrorCategory.MISSING,
        (
            r"field required|(?:is|are) required|required (?:property|field|key)|\bmissing\b|is mandatory",
            r"\Arequired\W*\Z|must be (?:present|provided|given|set)(?! in\b)|\babsent\b",
            "not (?:been )?(?:provided|present|given)|(?:did|do|does) not provide",
            r"requires (?:the )?propert|\bundefined\b(?! (?:field|key|propert))|must be defined",
            r"(?:must|does not|doesn't|should) (?:contain|have)(?: the)? (?:(?:field|key|propert)\w*:? )?[\[({]['\"`]",
            r"\byou (?:also )?(?:forgot|omitted|left out)\b",
        ),
    ),
    (
        ErrorCategory.EXTRA,
        (
            "not permitted|not allowed(?! value)|not (?:in|part of) the schema|additional propert",
            "(?:extra|unexpected|unknown|unrecognized|unrecognised|no such|wrong) (?:input|field|key|propert)",
            r"(?:must|should) be removed|is unexpected\b|expected (?:a value of type )?`?never\b|must not contain",
            r"\bno ['\"`]?\w{1,80}['\"`]? (?:field|key|property) in",
        ),
    ),
    (
        ErrorCategory.DUPLICATE,
        ("duplicate", "distinct", r"\bunique\b", "all be different", "more than once", "repeat(?:s|ed)"),
    ),
    (ErrorCategory.EMPTY, ("(?:is|was|be|are) empty", "non-empty", "blank")),
    (ErrorCategory.FORMAT, ("(?:wrong|invalid|incorrect) (?:date |time )?format",)),
)
_TELLING: _Words = (
    (
        ErrorCategory.ENUM,
        (
            r"one of|(?:should|must) be (?:either )?['\"`]|must be either|\benum|valid (?:choice|option)",
            r"\bexpected ['\"][^'\"\n]{1,80}['\"],? (?:but )?(?:actual|got|found|received) ['\"\d]",
            r"(?:allowed|permitted|accepted|valid) (?:values|options|choices)|(?:allowed|permitted):",
            r"\bnot (?:one of|in) [\[({]|\bonly [^.\n]{1,80} (?:is|are) allowed",
            r"['\"`] ?\| ?['\"`]|(?:un|dis)allowed value|any variant|no enum match|\bin (?:the )?list \[",
        ),
    ),
    (ErrorCategory.FORMAT, (r"\bmatch(?:es|ing|ed)? (?:the |required )*(?:pattern|reg)",)),
    (
        ErrorCategory.FORMAT,
        (
            r"\biso ?(?:format|8601)\b|\brfc ?3339\b",
            rf"(?:invalid|must be|expected|not) (?:an? )?(?:valid )?{_WRITTEN}['\"]?{_DATES}",
        ),
    ),
    (
        ErrorCategory.RANGE,
        (
            r"\bexactly (?:length )?\d",
            r"between [`'\"]?-?\d[\d.,]*[`'\"]? and [`'\"]?(?:-?\d|infinity)",
            r"out of range|(?:in|outside) (?:of )?(?:the )?range",
        ),
    ),
)
_PLAIN: _Words = (
    (ErrorCategory.TOO_SMALL, ("be positive|be non-negative|an? (?:positive|non-negative) (?:number|int)",)),
    (ErrorCategory.TOO_LARGE, ("be negative",)),
    (
        ErrorCategory.TYPE,
        (
            "valid (?:string|integer|number|boolean|list|array|dict|object|tuple|set|mapping)|not of type",
            r"(?:expected|should be|must be|not|needs?) "
            r"(?:an? |of type |type |of a type\(?s?\)? |to be an? |(?:an? )?instance of )?(?:valid )?[`'\"]?" + _NAMES,
            r"not (?:valid |validated )?(?:under |by |match )?any (?:of\b|definition|schema)|(?:by|match) any\b",
            "(?:wrong|invalid|incorrect) type|type ?error|invalid literal for|instance of|a mapping type",
            "not (?:iterable|subscriptable)|converted? to (?:an? )?" + _NAMES,
            "(?:may|must|can) ?not be null",
        ),
    ),
    (ErrorCategory.FORMAT, ("pattern|\\bregex|\\bformat\\b|text matching", "valid (?:date|time|url|uri|email|uuid)")),
    (
        ErrorCategory.ENUM,
        (r"not a valid \w|invalid (?:choice|option|enum)|choose (?:one|from|between)|unexpected value",),
    ),
    (ErrorCategory.FORMAT, (r"\bmatch(?:es|ing|ed)?\b|\b(?:of|in) the form\b",)),
)
_LENGTHS = {
    Direction.LOW: ErrorCategory.TOO_SHORT,
    Direction.HIGH: ErrorCategory.TOO_LONG,
    Direction.OUTSIDE: ErrorCategory.RANGE,
}
_SIZES = {
    Direction.LOW: ErrorCategory.TOO_SMALL,
    Direction.HIGH: ErrorCategory.TOO_LARGE,
    Direction.OUTSIDE: ErrorCategory.RANGE,
}


def _patterns(words: _Words) -> tuple[tuple[ErrorCategory, re.Pattern[str]], ...]:
    return tuple((rule, re.compile("|".join(told), re.IGNORECASE)) for rule, told in words)


_FIRM_PATTERNS, _TELLING_PATTERNS, _PLAIN_PATTERNS = _patterns(_FIRM), _patterns(_TELLING), _patterns(_PLAIN)
# A code, a separator and a limit, and nothing more: "min 1", "maxlength: 60", "type=boolean". Names and sentences have
# no number or sign behind their first word ("Max Fry", "the goal is").
_LIMITED = re.compile(
    r"([A-Za-z][\w-]{1,40})(?:\s?[:=]\s?\S{1,80}| (?:[-+]?\d\S{0,80}|true|false)|(?<=type) \S{1,80})", re.IGNORECASE
)
# "Invalid", "This value is not valid.", "is wrong": all of the message, since "Invalid date" says more.
_INVALID = re.compile(
    r"(?:(?:this |the )?(?:value|field|it) )?(?:is )?"
    r"(?:(?:invalid|incorrect|not (?:a )?valid|wrong)(?: value| input)?|(?:forbidden|illegal|bad) value)[.!]?"
    rf"|(?:{INVALID})[.!。]?",
    re.IGNORECASE,
)
# The place before the capital in "minLength", where the underscore of "min_length" goes.
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_READ_LIMIT = 2_000  # characters of one message that are searched: a rule is named early


def code_name(code: str) -> str:
    """Return a foreign code in snake case: "minLength" and "min-length" give "min_length"."""
    return _CAMEL.sub("_", code.strip()).replace("-", "_").replace(" ", "_").lower()


@lru_cache(maxsize=256)  # every finding asks about its own codes for every error of the feedback
def category_of_code(code: str | None) -> ErrorCategory | None:
    """Return the category that a code stands for; None for an unknown code or one that says nothing.

    Of a dotted code ("value_error.missing", pydantic 1) the last part that is known counts.
    """
    if not code:
        return None
    *outer, name = code_name(code).split(".")
    if outer and name not in _BY_CODE:
        return category_of_code(".".join(outer)) or (ErrorCategory.TYPE if outer[0] == "type_error" else None)
    return _BY_CODE.get(name) or (
        ErrorCategory.TYPE if name.endswith(("_type", "_parsing")) or name == "type" else None
    )


def category_of_limit(message: str) -> ErrorCategory | None:
    """Return the category of a code with its limit alone: `min 1`, `maxlength: 60`, `type=boolean`; not "Max Fry"."""
    found = _LIMITED.fullmatch(message.strip())
    return category_of_code(found[1]) if found else None


def only_invalid(message: str) -> bool:
    """Whether the words say that something is wrong, and nothing of what: "Invalid", "is not a valid value"."""
    return _INVALID.fullmatch(message.strip()[:_READ_LIMIT]) is not None


def category_of_words(message: str) -> ErrorCategory | None:
    """Return the category that the words of a message name; None where they do not tell."""
    return _category_of_words(message[:_READ_LIMIT])


@lru_cache(maxsize=4096)  # every finding asks about every message of the feedback
def _category_of_words(text: str) -> ErrorCategory | None:
    return _firm_category(text) or _first(_PLAIN_PATTERNS, text) or _foreign(text)


def firm_category(message: str) -> ErrorCategory | None:
    """Return the category that words name which mean one rule alone, or a comparison; None for plainer words.

    Plain ones ("format", "valid number", "Zahl") are said of several faults: they may agree, and contradict nothing.
    """
    return _firm_category(message[:_READ_LIMIT])


@lru_cache(maxsize=256)
def _firm_category(text: str) -> ErrorCategory | None:
    compared = comparison_in(text)
    return (
        _first(_FIRM_PATTERNS, text)
        or (_LENGTHS[compared.direction] if compared and compared.length else None)
        or _first(_TELLING_PATTERNS, text)
        or (_SIZES[compared.direction] if compared else None)
    )


def _first(patterns: tuple[tuple[ErrorCategory, re.Pattern[str]], ...], text: str) -> ErrorCategory | None:
    return next((rule for rule, pattern in patterns if pattern.search(text)), None)


def _foreign(text: str) -> ErrorCategory | None:
    name = foreign_category(text)
    return ErrorCategory(name) if name else None


def category_of(finding: Finding) -> ErrorCategory | None:
    """Return the category of a finding; None for validators and constraints whose rule only their message says."""
    if unreadable(finding):
        return ErrorCategory.EMPTY if finding.kind is FailureKind.EMPTY else ErrorCategory.UNREADABLE
    by_code = category_of_code(finding.validator_code) or category_of_code(finding.code) or _BY_KIND.get(finding.kind)
    if by_code or finding.kind in (FailureKind.RULE, FailureKind.CONTENT):
        return by_code
    return category_of_words(finding.validator_message or finding.message)


def unreadable(finding: Finding) -> bool:
    """Whether the answer as a whole could not be read, so that the finding has no place but the root."""
    return not finding.path and finding.kind.phase is Phase.PARSE
