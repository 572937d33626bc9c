"""Rules: the same problem is the same rule in the words of every validator."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.retry.reading.error_category import (
    ErrorCategory,
    category_of,
    category_of_code,
    category_of_words,
    code_name,
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
    assert not unreadable(Finding("duplicate_key", ("a",), "twice", FailureKind.DUPLICATE_KEY))
