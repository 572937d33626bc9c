"""Which rule an error is about, whoever words it: pydantic's and JSON Schema's codes, our own, or plain English."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind, Phase

if TYPE_CHECKING:
    from ...contract.finding import Finding


class Rule(StrEnum):
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


_CODES = {
    Rule.MISSING: "missing missing_argument required missing_keyword_only_argument dependent_required",
    Rule.EXTRA: "extra extra_forbidden unexpected_keyword_argument additional_properties unevaluated_properties",
    Rule.TOO_SHORT: "too_short string_too_short bytes_too_short min_length min_items min_properties "
    "non_empty minlength",
    Rule.TOO_LONG: "too_long string_too_long bytes_too_long max_length max_items max_properties maxlength",
    Rule.TOO_SMALL: "greater_than greater_than_equal minimum exclusive_minimum min gt gte",
    Rule.TOO_LARGE: "less_than less_than_equal maximum exclusive_maximum max lt lte",
    Rule.ENUM: "enum literal_error one_of oneof const union_tag_invalid invalid_enum_value allowed",
    Rule.FORMAT: "format pattern regex string_pattern_mismatch",
    Rule.DUPLICATE: "distinct unique unique_items duplicate duplicate_key",
    Rule.EMPTY: "empty",
    Rule.UNKNOWN_TOOL: "unknown_tool",
    Rule.NO_TOOL_CALL: "no_tool_call",
    Rule.UNREADABLE: "json_invalid json_type invalid_json invalid_yaml json_decode_error parse_error truncated prose "
    "fence thinking multiple too_deep too_large",
}
_BY_CODE = {code: rule for rule, codes in _CODES.items() for code in codes.split()}
_BY_KIND = {
    FailureKind.MISSING: Rule.MISSING,
    FailureKind.EXTRA: Rule.EXTRA,
    FailureKind.TYPE: Rule.TYPE,
    FailureKind.ENUM: Rule.ENUM,
    FailureKind.FORMAT: Rule.FORMAT,
    FailureKind.UNKNOWN_TOOL: Rule.UNKNOWN_TOOL,
    FailureKind.NO_TOOL_CALL: Rule.NO_TOOL_CALL,
    FailureKind.EMPTY: Rule.EMPTY,
}
GENERIC = frozenset({"value_error", "assertion_error", "rule", "content", "error", "custom_error", "length", "range"})
"""Codes that many different rules share: they agree only together with their message."""

_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)"
_COUNTED = rf" {_NUMBER} (?:more )?(?:item|char|element|entr|key|word|propert|step|option|letter)"
_NAMES = (
    r"(?:readonly ?)?"
    r"(?:string|int|str|integer|number|float|bool|boolean|list|array|dict|dictionary|object|null|none|true or false)\b"
)
_IS = r"\b(?:is|are|was|were) "
"""A fault that is told ("0 is less than 1") names the other limit than a demand ("must be less than 1")."""
_DATES = r"(?:date|time|date-?time|timestamp|url|uri|email|uuid)\b"
_WRITTEN = (
    r"(?:(?:in|as|of|string|str|iso|iso-?8601|8601|rfc ?\d{4}|calendar|full|format|type|to|match|matching|the) ){0,4}"
)
"""What stands between a demand and the name of a written type: not "must be before the end date"."""
_MORE, _LESS = "(?:greater|bigger|larger|higher|more) ", "(?:less|smaller|lower) "
_ENSURE = r"\b(?:ensure|make sure|check) [^.\n]{0,60}"
_SIGN = r"\b(?:be|is|not|was|value|number|expected|to|int|integer|float|decimal)`?\s*"
# The first that fits names the rule, so the more telling words stand first. None of them can backtrack far.
_WORDS: tuple[tuple[Rule, tuple[str, ...]], ...] = (
    (Rule.NO_TOOL_CALL, ("no tool (?:call|invocation)", "(?:in|via|with) a (?:tool|function) call", "must call")),
    (Rule.UNKNOWN_TOOL, ("unknown (?:tool|function)", "no (?:such )?(?:tool|function)", "tool .{0,80}not found")),
    (
        Rule.UNREADABLE,
        (
            "(?:invalid|malformed|valid|parse|decode|unparsable|broken) (?:as )?(?:the )?(?:json|yaml)",
            "json ?decode|not json|parse error|failed to parse|could not be parsed|malformed",
            "(?:json|yaml) (?:is |was )?(?:invalid|malformed|broken|truncated)|cut off|truncated",
            "unterminated|trailing (?:comma|characters)|unexpected end|eof while",
            "expecting (?:value|property|',|',')|not the document",
        ),
    ),
    (Rule.TYPE, ("a valid " + _NAMES + " is required",)),
    (
        Rule.MISSING,
        (
            r"field required|(?:is|are) required|required (?:property|field|key)|\bmissing\b|is mandatory",
            r"\Arequired\W*\Z|must be (?:present|provided|given|set)|\babsent\b",
            "not (?:been )?(?:provided|present|given)|(?:did|do|does) not provide",
            r"requires (?:the )?propert|(?:received|got|found|actual|was):? undefined\b|must be defined",
            r"(?:must|does not|doesn't|should) (?:contain|have)(?: the)? (?:(?:field|key|propert)\w*:? )?[\[({]['\"`]",
            r"\byou (?:also )?(?:forgot|omitted|left out)\b",
        ),
    ),
    (
        Rule.EXTRA,
        (
            "not permitted|not allowed(?! value)|not (?:in|part of) the schema|additional propert",
            "(?:extra|unexpected|unknown|unrecognized|unrecognised|no such|wrong) (?:input|field|key|propert)",
            r"(?:must|should) be removed|is unexpected\b|expected (?:a value of type )?`?never\b|must not contain",
            r"\bno ['\"`]?\w{1,80}['\"`]? (?:field|key|property) in",
        ),
    ),
    (Rule.DUPLICATE, ("duplicate", "distinct", r"\bunique\b", "all be different", "more than once", "repeat(?:s|ed)")),
    (Rule.EMPTY, ("(?:is|was|be|are) empty", "non-empty", "blank")),
    (Rule.TOO_SHORT, ("(?:must|should|needs to) be longer",)),
    (Rule.TOO_LONG, ("(?:must|should|needs to) be shorter",)),
    (Rule.FORMAT, ("(?:wrong|invalid|incorrect) (?:date |time )?format",)),
    (
        Rule.TOO_SHORT,
        (
            "(?:at least|minimum(?: of)?|fewer than|less than|needs)" + _COUNTED,
            "too (?:short|few)|shorter than|min(?:imum)?[ _]?(?:length|items)",
            r"length (?:of \w{1,20} )?(?:(?:must|should) be )?(?:to be )?(?:>=?|≥|at least|greater)|at least length",
        ),
    ),
    (
        Rule.TOO_LONG,
        (
            "(?:at most|maximum(?: of)?|more than|up to)" + _COUNTED,
            "too (?:long|many)|longer than|max(?:imum)?[ _]?(?:length|items)",
            r"length (?:of \w{1,20} )?(?:(?:must|should) be )?(?:to be )?(?:<=?|≤|at most|less)|at most length",
        ),
    ),
    (
        Rule.ENUM,
        (
            r"one of|(?:should|must) be (?:either )?['\"`]|must be either|\benum\b|valid (?:choice|option)",
            r"\bexpected ['\"][^'\"\n]{1,80}['\"],? (?:but )?(?:actual|got|found|received) ['\"\d]",
            r"(?:allowed|permitted|accepted|valid) (?:values|options|choices)|(?:allowed|permitted):",
            r"\bnot (?:one of|in) [\[({]|\bonly [^.\n]{1,80} (?:is|are) allowed",
            r"['\"`] ?\| ?['\"`]|(?:un|dis)allowed value|any variant|no enum match|\bin (?:the )?list \[",
        ),
    ),
    (Rule.FORMAT, (r"\bmatch(?:es|ing|ed)? (?:the |required )*(?:pattern|reg)",)),
    (
        Rule.FORMAT,
        (
            r"\biso ?(?:format|8601)\b|\brfc ?3339\b",
            rf"(?:invalid|must be|expected|not) (?:an? )?(?:valid )?{_WRITTEN}['\"]?{_DATES}",
        ),
    ),
    (
        Rule.RANGE,
        (
            r"\bexactly (?:length )?\d",
            r"between [`'\"]?-?\d[\d.,]*[`'\"]? and [`'\"]?(?:-?\d|infinity)",
            r"out of range|(?:in|outside) (?:of )?(?:the )?range",
        ),
    ),
    (
        Rule.RANGE,
        (
            _MORE + r"than [^.\n]{1,40}\band " + _LESS + "than",
            _LESS + r"than [^.\n]{1,40}\band " + _MORE + "than",
        ),
    ),
    (Rule.TOO_SMALL, (_ENSURE + "(?:greater|larger|more) than",)),
    (Rule.TOO_LARGE, (_ENSURE + "(?:less|smaller|lower) than",)),
    (
        Rule.TOO_SMALL,
        (r"at least -?\d", r"\bmin value\b", "too small", "minimum", "below", _IS + "(?:less|smaller|lower) than"),
    ),
    (
        Rule.TOO_LARGE,
        (
            r"at most -?\d",
            r"\bmax value\b",
            "too large",
            "maximum",
            "above",
            "exceeds",
            _IS + "(?:greater|larger|more) than",
        ),
    ),
    (
        Rule.TOO_SMALL,
        (
            "(?:greater|bigger|larger|higher) (?:than|or equal)|be positive|be non-negative",
            "an? (?:positive|non-negative) (?:number|int)",
            _SIGN + r"(?:>|≥)=?\s*-?\d",
            r"\d or (?:more|greater|higher|above)\b",
        ),
    ),
    (
        Rule.TOO_LARGE,
        (
            "(?:less|smaller|lower) (?:than|or equal)|be negative",
            _SIGN + r"(?:<|≤)=?\s*-?\d",
            r"\d or (?:less|fewer|lower|below)\b",
        ),
    ),
    (
        Rule.TYPE,
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
    (Rule.FORMAT, ("pattern|\\bregex|\\bformat\\b|text matching", "valid (?:date|time|url|uri|email|uuid)")),
    (Rule.ENUM, (r"not a valid \w|invalid (?:choice|option|enum)|choose (?:one|from|between)|unexpected value",)),
    (Rule.FORMAT, (r"\bmatch(?:es|ing|ed)?\b|\b(?:of|in) the form\b",)),
)
_PATTERNS = tuple((rule, re.compile("|".join(words), re.IGNORECASE)) for rule, words in _WORDS)
_LIMITED = re.compile(
    r"([A-Za-z][\w-]{1,40})(?:\s?[:=]\s?\S{1,80}| (?:[-+]?\d\S{0,80}|true|false)|(?<=type) \S{1,80})", re.IGNORECASE
)
_INVALID = re.compile(
    r"(?:(?:this |the )?(?:value|field|it) )?(?:is )?"
    r"(?:invalid|incorrect|not (?:a )?valid|wrong)(?: value| input)?[.!]?",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_READ_LIMIT = 2_000  # characters of one message that are searched: a rule is named early


def code_name(code: str) -> str:
    """A foreign code in snake case: "minLength" and "min-length" give "min_length"."""
    return _CAMEL.sub("_", code.strip()).replace("-", "_").replace(" ", "_").lower()


def rule_of_code(code: str | None) -> Rule | None:
    """The rule that a code stands for; None for a code nobody knows or one that says nothing.

    Of a dotted code ("value_error.missing", pydantic 1) the last part that is known counts.
    """
    if not code:
        return None
    *outer, name = code_name(code).split(".")
    if outer and name not in _BY_CODE:
        return rule_of_code(".".join(outer)) or (Rule.TYPE if outer[0] == "type_error" else None)
    return _BY_CODE.get(name) or (Rule.TYPE if name.endswith(("_type", "_parsing")) or name == "type" else None)


def rule_of_limit(message: str) -> Rule | None:
    """The rule of a code with its limit and no other word: `min 1`, `maxlength: 60`, `type=boolean`; no "Max Fry"."""
    found = _LIMITED.fullmatch(message.strip())
    return rule_of_code(found[1]) if found else None


def only_invalid(message: str) -> bool:
    """Whether the words say that something is wrong, and nothing of what: "Invalid", "is not a valid value"."""
    return _INVALID.fullmatch(message.strip()[:_READ_LIMIT]) is not None


def rule_of_words(message: str) -> Rule | None:
    """The rule that a message speaks of; None where its words do not tell."""
    return _rule_of_words(message[:_READ_LIMIT])


@lru_cache(maxsize=256)  # every finding asks about every message of the feedback
def _rule_of_words(text: str) -> Rule | None:
    return next((rule for rule, pattern in _PATTERNS if pattern.search(text)), None)


def rule_of(finding: Finding) -> Rule | None:
    """The rule that a finding is about; None for validators and constraints whose rule only their message says."""
    if unreadable(finding):
        return Rule.EMPTY if finding.kind is FailureKind.EMPTY else Rule.UNREADABLE
    by_code = rule_of_code(finding.validator_code) or rule_of_code(finding.code) or _BY_KIND.get(finding.kind)
    if by_code or finding.kind in (FailureKind.RULE, FailureKind.CONTENT):
        return by_code
    return rule_of_words(finding.validator_message or finding.message)


def unreadable(finding: Finding) -> bool:
    """Whether the answer as a whole could not be read, so that the finding has no place but the root."""
    return not finding.path and finding.kind.phase is Phase.PARSE
