"""Rules: whoever words an error, the same problem is the same rule."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.retry.reading.error_category import (
    Rule,
    code_name,
    rule_of,
    rule_of_code,
    rule_of_words,
    unreadable,
)


@pytest.mark.parametrize(
    ("code", "message", "rule"),
    [
        ("missing", "Field required", Rule.MISSING),
        ("required", "'a' is a required property", Rule.MISSING),
        ("extra_forbidden", "Extra inputs are not permitted", Rule.EXTRA),
        ("additionalProperties", "Additional properties are not allowed ('x' was unexpected)", Rule.EXTRA),
        ("too_short", "List should have at least 2 items after validation, not 1", Rule.TOO_SHORT),
        ("string_too_long", "String should have at most 80 characters", Rule.TOO_LONG),
        ("literal_error", "Input should be 'low', 'medium' or 'high'", Rule.ENUM),
        ("enum", 'expected one of "low", "high"; got "urgent"', Rule.ENUM),
        ("greater_than_equal", "Input should be greater than or equal to 3", Rule.TOO_SMALL),
        ("less_than", "Input should be less than 3", Rule.TOO_LARGE),
        ("int_parsing", "Input should be a valid integer, unable to parse string as an integer", Rule.TYPE),
        ("string_pattern_mismatch", "String should match pattern '^a$'", Rule.FORMAT),
        ("json_invalid", "Invalid JSON: expected `,` or `}` at line 1 column 113", Rule.UNREADABLE),
        ("uniqueItems", "[1, 1] has non-unique elements", Rule.DUPLICATE),
        ("unknown_tool", "Unknown tool name: 'x'", Rule.UNKNOWN_TOOL),
        ("no_tool_call", "Validation Error due to no tool invocation", Rule.NO_TOOL_CALL),
    ],
)
def test_codes_and_words_agree(code: str, message: str, rule: Rule) -> None:
    """Pydantic's, JSON Schema's and our codes name the same rules as their messages."""
    assert rule_of_code(code) is rule
    assert rule_of_words(message) is rule


def test_unknown_codes_and_words_say_nothing() -> None:
    """Nobody guesses."""
    assert rule_of_code(None) is None
    assert rule_of_code("value_error") is None
    assert rule_of_words("Your answer was wrong, try again") is None
    assert code_name(" minLength ") == "min_length"


def test_a_finding_is_read_by_its_validator_then_its_code_then_its_kind_then_its_words() -> None:
    """The most telling source wins; validators' own rules have none."""
    assert rule_of(Finding("length", ("a",), "expected at least 2 items", FailureKind.LENGTH)) is Rule.TOO_SHORT
    assert rule_of(Finding("x", ("a",), "no", FailureKind.MISSING)) is Rule.MISSING
    assert rule_of(Finding("x", ("a",), "no", FailureKind.RULE, validator_code="value_error")) is None
    assert rule_of(Finding("truncated", (), "cut", FailureKind.TRUNCATED)) is Rule.UNREADABLE
    assert rule_of(Finding("empty", (), "nothing", FailureKind.EMPTY)) is Rule.EMPTY
    assert not unreadable(Finding("duplicate_key", ("a",), "twice", FailureKind.DUPLICATE_KEY))
