"""Rules: the same problem is the same rule in the words of every validator."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.retry.reading.error_category import (
    ErrorCategory,
    categories_of_codes,
    category_of,
    category_of_code,
    category_of_words,
    code_name,
    firm_category,
    only_invalid,
    unreadable,
)

from ...support.one_item import in_one_item


@in_one_item
@pytest.mark.parametrize(
    ("code", "message", "rule"),
    [
        ("missing", "Field required", ErrorCategory.MISSING),
        ("required", "'a' is a required property", ErrorCategory.MISSING),
        ("extra_forbidden", "Extra inputs are not permitted", ErrorCategory.EXTRA),
        ("additionalProperties", "Additional properties are not allowed ('x' was unexpected)", ErrorCategory.EXTRA),
        ("too_short", "List should have at least 2 items after validation, not 1", ErrorCategory.TOO_SHORT),
        ("string_too_long", "String should have at most 80 characters", ErrorCategory.TOO_LONG),
        ("literal_error", "Input should be 'low', 'medium' or 'high'", ErrorCategory.ENUM),
        ("enum", 'expected one of "low", "high"; got "urgent"', ErrorCategory.ENUM),
        ("greater_than_equal", "Input should be greater than or equal to 3", ErrorCategory.TOO_SMALL),
        ("less_than", "Input should be less than 3", ErrorCategory.TOO_LARGE),
        ("int_parsing", "Input should be a valid integer, unable to parse string as an integer", ErrorCategory.TYPE),
        ("type", "The JSON value could not be converted to System.Int32", ErrorCategory.TYPE),
        ("string_pattern_mismatch", "String should match pattern '^a$'", ErrorCategory.FORMAT),
        ("type", "Value type not permitted by 'type' constraint.", ErrorCategory.TYPE),
        ("pattern", "Required to match validation pattern.", ErrorCategory.FORMAT),
        ("required", "goal is required to be present", ErrorCategory.MISSING),
        ("pattern", "goal failed regular expression validation", ErrorCategory.FORMAT),
        ("format", "String is not a RFC3339 date.", ErrorCategory.FORMAT),
        ("additionalProperties", "Invalid property name.", ErrorCategory.EXTRA),
        ("json_invalid", "Invalid JSON: expected `,` or `}` at line 1 column 113", ErrorCategory.UNREADABLE),
        ("uniqueItems", "[1, 1] has non-unique elements", ErrorCategory.DUPLICATE),
        ("unknown_tool", "Unknown tool name: 'x'", ErrorCategory.UNKNOWN_TOOL),
        ("no_tool_call", "Validation Error due to no tool invocation", ErrorCategory.NO_TOOL_CALL),
    ],
)
def test_codes_and_words_agree(code: str, message: str, rule: ErrorCategory) -> None:
    """Pydantic's, JSON Schema's and our codes name the same rules as their messages."""
    assert category_of_code(code) is rule
    assert category_of_words(message) is rule


def test_unknown_codes_and_words_say_nothing() -> None:
    """Planguard does not guess."""
    assert category_of_code(None) is None
    assert category_of_code("value_error") is None
    for words in ("Your answer was wrong, try again", "That is not good enough", "The object is not well-formatted"):
        assert category_of_words(words) is None
    assert code_name(" minLength ") == "min_length"


def test_a_finding_is_read_by_its_validator_then_its_code_then_its_kind_then_its_words() -> None:
    """The most telling source wins; validators' own rules have none."""
    assert (
        category_of(Finding("length", ("a",), "expected at least 2 items", FailureKind.LENGTH))
        is ErrorCategory.TOO_SHORT
    )
    assert category_of(Finding("x", ("a",), "no", FailureKind.MISSING)) is ErrorCategory.MISSING
    assert category_of(Finding("x", ("a",), "no", FailureKind.RULE, validator_code="value_error")) is None
    assert category_of(Finding("truncated", (), "cut", FailureKind.TRUNCATED)) is ErrorCategory.UNREADABLE
    assert category_of(Finding("empty", (), "nothing", FailureKind.EMPTY)) is ErrorCategory.EMPTY
    assert unreadable(Finding("truncated", (), "cut", FailureKind.TRUNCATED)) is True
    assert unreadable(Finding("rule", (), "no", FailureKind.RULE)) is False
    assert unreadable(Finding("duplicate_key", ("a",), "twice", FailureKind.DUPLICATE_KEY)) is False


def test_codes_among_words_name_rules() -> None:
    """Each rule once, in the order of the words; parts of paths and unknown names are none."""
    words = "a=model_type, b=too_short, c=int_type, /string_too_long, odd_one"
    assert categories_of_codes(words) == (ErrorCategory.TYPE, ErrorCategory.TOO_SHORT)
    assert category_of_words("the answer=model_type") is ErrorCategory.TYPE


CODES = {
    "missing": "missing missing_argument required missing_keyword_only_argument dependent_required missing.odd",
    "extra": "extra extra_forbidden unexpected_keyword_argument additional_properties unevaluated_properties",
    "too short": "too_short string_too_short bytes_too_short min_length min_items min_properties non_empty minlength",
    "too long": "too_long string_too_long bytes_too_long max_length max_items max_properties maxlength",
    "too small": "greater_than greater_than_equal minimum exclusive_minimum min gt gte minLength.gt",
    "too large": "less_than less_than_equal maximum exclusive_maximum max lt lte",
    "enum": "enum literal_error one_of oneof const union_tag_invalid invalid_enum_value allowed",
    "format": "format pattern regex string_pattern_mismatch",
    "duplicate": "distinct unique unique_items duplicate duplicate_key",
    "empty": "empty",
    "unknown tool": "unknown_tool",
    "no tool call": "no_tool_call",
    "unreadable": "json_invalid json_type invalid_json invalid_yaml json_decode_error parse_error truncated prose "
    "fence thinking multiple too_deep too_large",
    "type": "type string_type int_parsing type_error.integer type_error.none.not_allowed model_type",
}
GENERIC = "value_error assertion_error rule content error custom_error length range value_error.odd odd"


@in_one_item
@pytest.mark.parametrize("rule", CODES)
def test_each_code_stands_for_one_rule(rule: str) -> None:
    """In any spelling, also behind a dot or as a word of a message."""
    for code in CODES[rule].split():
        camel = "".join(word if not at else word.capitalize() for at, word in enumerate(code.split("_")))
        dotted = () if rule == "type" else (f"value_error.{code}",)
        for spelling in (code, camel, code.replace("_", "-"), code.replace("_", " "), *dotted):
            assert category_of_code(spelling) == rule, spelling


@pytest.mark.parametrize("code", GENERIC.split())
def test_a_code_of_many_rules_stands_for_none(code: str) -> None:
    """Only its message says which is meant."""
    assert category_of_code(code) is None


FIRM = {
    "no tool call": ("no tool call", "no tool invocation", "you must call it", "answer in a tool call"),
    "unknown tool": ("unknown tool", "no such tool", "tool 'x' was not found"),
    "unreadable": (
        *(
            "no valid JSON",
            "valid yaml expected",
            "JSONDecodeError",
            "json decode",
            "parse the JSON",
            "parse your json",
        ),
        *("parse error", "could not be parsed", "malformed", "cut off", "truncated", "unterminated", "unexpected end"),
        *("trailing comma", "expecting value", "expecting property", "Expecting ',' delimiter"),
    ),
    "missing": (
        *("is required", "a required field", "requires property 'x'", "mandatory", "it is missing", "absent"),
        *(
            "must be present",
            "was not provided",
            "not given",
            "has not been set",
            "received undefined",
            "you forgot it",
        ),
    ),
    "extra": (
        *("not permitted", "is not allowed", "not in the schema", "not part of the schema", "additional property"),
        *(
            "must be removed",
            "extra field",
            "unknown key",
            "unexpected property",
            "unrecognized input",
            "no such field",
        ),
        *(
            "is unexpected",
            "invalid property name",
            "invalid key name",
            "expected never",
            "expected a value of type never",
        ),
    ),
    "duplicate": (
        "a duplicate",
        "must be distinct",
        "must be unique",
        "must all be different",
        "more than once",
        "repeats",
    ),
    "empty": ("is empty", "must be non-empty", "can't be blank"),
    "format": (
        *(
            "wrong format",
            "invalid format",
            "must match pattern",
            "matches the required regex",
            "fits the required regular expression, to match regex",
            "an ISO 8601 day",
        ),
        *("an RFC 3339 time", "invalid date", "must be a valid url", "expected an email", "not in iso format uuid"),
    ),
    "enum": (
        *("one of a, b", "should be 'a'", "must be either 'a'", "enum", "a valid choice", "'a' | 'b'", "not in ['a']"),
        *(
            "expected 'a', got 'b'",
            "in the list [a]",
            "allowed values",
            "permitted: a",
            'expected "a" but received "b"',
        ),
    ),
    "out of range": (
        "exactly 5",
        "exactly length 5",
        "out of range",
        "in the range",
        "outside the range",
        "between 1 and 5",
    ),
}


@in_one_item
@pytest.mark.parametrize("rule", FIRM)
def test_words_that_mean_one_rule_only(rule: str) -> None:
    """They may contradict a finding."""
    for words in FIRM[rule]:
        assert firm_category(words) == rule, words
        assert category_of_words(words.upper()) == rule, words


LOOSE = {
    "type": (
        *(
            "a valid integer",
            "should be a string",
            "expected number",
            "not a list",
            "of type 'dict'",
            "needs to be bool",
        ),
        *("needs an array", "a list is required", "not of a type", "wrong type", "invalid type", "type not allowed"),
        *("TypeError", "a whole number", "an instance of int", "must not be null", "converted to System.Int32"),
    ),
    "enum": (
        "not a valid fruit",
        "invalid one",
        "choose one",
        "invalid option",
        "choose from these",
        "unexpected value",
    ),
    "format": (
        "the pattern",
        "a regex",
        "regular expression",
        "formato",
        "a valid uuid",
        "it matches",
        "of the form x",
    ),
    "too small": ("must be positive", "must be non-negative", "may not be negative"),
    "too large": ("must be negative",),
}


@in_one_item
@pytest.mark.parametrize("rule", LOOSE)
def test_words_that_may_mean_several_rules(rule: str) -> None:
    """They may agree with a finding, and never contradict it."""
    for words in LOOSE[rule]:
        assert (category_of_words(words), firm_category(words)) == (rule, None), words


@pytest.mark.parametrize(
    "words",
    [
        *(
            "is required to match it",
            "| 'goal' | 'Goal' is odd",
            "integrity",
        ),
        *("a listener", "must be before the end date", "at least one of", "x"),
    ],
)
def test_words_that_are_like_those_of_a_rule(words: str) -> None:
    """They mean another one, or none."""
    assert firm_category(words) not in ("missing", "extra", "enum", "format", "type")


@pytest.mark.parametrize(
    "words",
    [
        *(
            "Invalid",
            "invalid.",
            "This value is not valid.",
            "not a valid value",
            "no válido",
            "incorrect",
            "wrong",
        ),
        *("Ungültiger Wert", "nicht erlaubt", "值无效", "输入无效。", "forbidden", "invalid input", "non valide"),
    ],
)
def test_words_that_only_say_that_something_is_wrong(words: str) -> None:
    """The whole message; a word more names what is wrong."""
    assert only_invalid(words)
    assert not only_invalid(f"{words} date")
    assert not only_invalid(f"one two three {words}")
