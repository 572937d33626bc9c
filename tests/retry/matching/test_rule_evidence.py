"""What belongs to a finding by the contract's schema: its own numbers, the other bounds at its place, its choices."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard import FailureKind, Finding
from pytest_planguard.retry.matching.rule_evidence import Own, demands_otherwise, fits_rule, names_type
from pytest_planguard.retry.reading.error_category import ErrorCategory

from ...support.one_item import in_one_item


def of(kind: FailureKind, expected: str | None = None, actual: str | None = None, **known: Any) -> Finding:
    """Return a finding at the size."""
    return Finding(
        known.pop("code", kind.value), ("size",), "is wrong", kind, expected=expected, actual=actual, **known
    )


HIGH = of(FailureKind.RANGE, "at most 28", "90", code="maximum")
LOW = of(FailureKind.RANGE, "at least 1", "-2", code="minimum")
MISSING = of(FailureKind.MISSING, code="missing")
ENUM = of(FailureKind.ENUM, actual='"x"', allowed=("red", "green"), code="enum")
FORMAT = of(FailureKind.FORMAT, "text matching ^B[0-9]+$", '"x"', code="pattern")
TYPE = of(FailureKind.TYPE, "an integer", '"two"', code="type")
EXTRA = of(FailureKind.EXTRA, actual='"x"', code="extra")
SIZE: dict[str, Any] = {
    **{name: n for n, name in enumerate(("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"), 27)},
    **{name: n for n, name in enumerate(("minLength", "maxLength", "minItems", "maxItems"), 101)},
    "multipleOf": 5,
    "pattern": "^B[0-9]+$",
    "enum": ["blue"],
}


def own(finding: Finding, value: object = 90, **size: Any) -> Own:
    """Return what belongs to a finding of a size."""
    return Own.of(finding, {"size": value}, {"properties": {"size": size or SIZE}})


def test_bounds_and_choices_come_from_the_place_in_the_schema() -> None:
    """The finding's own bound is none of the others; its own choices count before those of the place."""
    found = own(HIGH)
    assert (found.limit, found.others, found.pattern) == (28, {27, 29, 30, 101, 102, 103, 104}, "^B[0-9]+$")
    assert found.finding.allowed == ("blue",)
    assert own(ENUM).finding.allowed == ("red", "green")
    assert own(HIGH, minimum=True, maximum="9", exclusiveMinimum=1.5).others == {1.5}
    bare = Own.of(HIGH, None, None)
    assert (bare.others, bare.pattern, bare.finding) == (frozenset(), None, HIGH)


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        (90, {90}),
        (2.5, {2.5}),
        (True, set()),
        (None, set()),
        ("ab 12", {5, 12}),
        (f"{'x' * 198} 12", {201, 1}),
        ([7, 8], {2}),
        ({"a": 7}, {1}),
    ],
)
def test_numbers_of_a_value(value: object, numbers: set[float]) -> None:
    """Itself, or its length and the numbers in its first 200 characters; beside those around its bound."""
    assert own(HIGH, value).numbers == {27, 28, 29, *numbers}
    assert own(MISSING, value).numbers == numbers


@in_one_item
@pytest.mark.parametrize(
    ("finding", "words", "near", "opposed"),
    [
        (HIGH, "quux 1", "quux 1", True),
        (HIGH, "quux 1", "quux 1 and 28", False),
        (HIGH, "quux 1", "quux 1 and 90", False),
        (LOW, "quux 28", "quux 28", True),
        (LOW, "quux 28", "quux 28, two, one", True),
        (HIGH, "quux 7", "quux 7", False),
        (TYPE, "quux 1", "quux 1", False),
    ],
)
def test_another_bound_opposes_a_limit(finding: Finding, words: str, near: str, opposed: bool) -> None:
    """Unless its own bound or value is near; numbers that are no bounds of the place oppose nothing."""
    value = {HIGH: 90, LOW: -2}.get(finding, "two")
    assert own(finding, value, minimum=1, maximum=28).opposes(words, near) is opposed


@in_one_item
@pytest.mark.parametrize(
    ("finding", "words", "told"),
    [
        *((HIGH, "quux 28", True), (HIGH, "quux 29", True), (HIGH, "quux 90", True), (HIGH, "quux 7", False)),
        *((HIGH, "quux red, green", False), (HIGH, "quux ^B[0-9]+$", True), (HIGH, "quux YYYY-MM-DD", False)),
        *((ENUM, "quux red, green", True), (ENUM, "quux red", False), (TYPE, "quux 'two'", True)),
        *((FORMAT, "quux ^B[0-9]+$", True), (FORMAT, "quux JJJJ-MM-TT", True), (FORMAT, "quux ISO 8601", True)),
        *((FORMAT, "quux B7", False), (MISSING, "quux", True), (MISSING, "quux 27", False), (EXTRA, "quux 27", True)),
        (MISSING, "quux 5", True),
    ],
)
def test_what_unreadable_words_tell(finding: Finding, words: str, told: bool) -> None:
    """The finding's value, bound, length, pattern, form or two of its choices; of a missing field, none of these."""
    assert own(finding, {TYPE: "two", HIGH: 90}.get(finding, "x")).is_told(words) is told


@in_one_item
@pytest.mark.parametrize(
    ("finding", "words", "beside", "certain"),
    [
        *((HIGH, "quux 28", "", True), (HIGH, "quux 28, 27", "", False), (HIGH, "quux 90", "", False)),
        *((ENUM, "quux red, green", "", True), (ENUM, "quux red", "", False)),
        *((FORMAT, "quux ^B[0-9]+$", "", True), (FORMAT, "quux YYYY-MM-DD", "", False)),
        *((EXTRA, "quux 5", "frob", True), (EXTRA, "quux", "frob 7", False), (EXTRA, "quux", "frob missing", False)),
        *((EXTRA, "quux", "frob saknas", False), (TYPE, "quux 'two'", "", False), (MISSING, "quux", "", False)),
    ],
)
def test_what_unreadable_words_mean_for_certain(finding: Finding, words: str, beside: str, certain: bool) -> None:
    """The bound and no other, the pattern, all choices; of an extra field, that no rule and no number is beside it."""
    assert own(finding, "x").is_certain(words, beside) is certain


@in_one_item
@pytest.mark.parametrize(
    ("finding", "fault", "words", "near", "excluded"),
    [
        (MISSING, None, "quux", "quux 27, 7", True),
        (MISSING, None, "quux", "quux 27", False),
        (MISSING, None, "quux", "quux 7", False),
        (HIGH, ErrorCategory.MISSING, "size puuttuu", "", True),
        (HIGH, ErrorCategory.MISSING, "size on pakollinen", "", False),
        (HIGH, ErrorCategory.TYPE, "size: celé číslo", "", True),
        (TYPE, ErrorCategory.TYPE, "size: celé číslo", "", False),
        (TYPE, ErrorCategory.MISSING, "size puuttuu", "", True),
        (ENUM, ErrorCategory.MISSING, "size olvidado", "", True),
        (ENUM, ErrorCategory.MISSING, "size отсутствует", "", False),
        (HIGH, None, "size puuttuu", "", False),
    ],
)
def test_faults_that_a_value_cannot_have(
    finding: Finding, fault: ErrorCategory | None, words: str, near: str, excluded: bool
) -> None:
    """A value that is there is not missing, a number at its limit has its type, and a missing field has no value."""
    assert own(finding, "x").excludes(fault, words, near) is excluded


@in_one_item
@pytest.mark.parametrize(
    ("finding", "words", "otherwise"),
    [
        (HIGH, "should be at least 28", True),
        (HIGH, "should not be below 28", False),
        (HIGH, "should be at least 7", False),
        (HIGH, "is at least 28", False),
        (LOW, "must have at most 1", True),
        (TYPE, "should be a valid string", True),
        (TYPE, "must be an array", True),
        (TYPE, "needs to be a number", False),
        (TYPE, "must be a string or an integer", False),
        (TYPE, "should not be a string", False),
        (TYPE, "should be null if there is none", False),
        (ENUM, "should be 'blue' or 'black'", True),
        (ENUM, 'must be one of: "blue"', True),
        (ENUM, "should be 'blue'", False),
        (ENUM, "should be 'blue' or `red`", False),
        (FORMAT, "must match pattern '^C[0-9]+$'", True),
        (FORMAT, "matches the regex: /^C/", True),
        (FORMAT, "must match the pattern '^B\\d{1,}$'", False),
        (FORMAT, "must match the pattern 'B7'", False),
        (EXTRA, "should be a valid string", False),
    ],
)
def test_demands_for_something_else(finding: Finding, words: str, otherwise: bool) -> None:
    """The opposite limit, another type, other choices, another pattern."""
    assert demands_otherwise(finding, words) is otherwise


@in_one_item
@pytest.mark.parametrize(
    ("finding", "words", "fits"),
    [
        *((MISSING, words, True) for words in ("has no size", "no size given", "please add it", "I don't see any",
          "where is it", "provide it", "it lacks a size", "you forgot it", "it was left out", "it doesn't exist")),
        *((MISSING, words, False) for words in ("no carrier of ours", "it is odd", "not so")),
        *((ENUM, words, True) for words in ("not in the list", "pick an option", "a choice", "red or green")),
        *((ENUM, words, False) for words in ("listing", "red")),
        *((TYPE, words, True) for words in ("integer, please", "digits only", "no number")),
        *((TYPE, words, False) for words in ("valid, please", "expected", "two")),
        *((of(FailureKind.RANGE, "more than 0", "-1", code="minimum"), words, True)
          for words in ("must be positive", "above zero", "必须为正数", "no negatives")),
        (HIGH, "must be positive", False),
    ],
)  # fmt: skip
def test_words_that_fit_a_rule_without_naming_it(finding: Finding, words: str, fits: bool) -> None:
    """What is absent, a list of choices, a term of the rule, or the sign of a number."""
    assert fits_rule(finding, words) is fits


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("must be an integer", True),
        ("an integer, where a string is", True),
        ("an integer", False),
        ("must be a string", False),
    ],
)
def test_a_type_is_demanded_or_found(words: str, named: bool) -> None:
    """The wanted type with a demand or beside the type of the value; only for a finding about a type."""
    assert names_type(TYPE, words) is named
    assert names_type(HIGH, words) is None
