"""What words have of a finding itself: its messages, its value, its bound and its choices, each by its own function."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard import FailureKind, Finding
from pytest_planguard.retry.matching.own_evidence import (
    bound_of,
    limit_of,
    lists_allowed,
    names_allowed,
    names_bound,
    other_bound,
    own_bound,
    own_words,
    positions,
    quotes_alone,
    quotes_value,
    rejects_value,
    value_of,
)

from ...support.one_item import in_one_item

HIGH = Finding("maximum", ("nights",), "is wrong", FailureKind.RANGE, expected="at most 28", actual="90")
TEXT = Finding("x", ("room",), "is wrong", FailureKind.RULE, actual='"penthouse"')
ENUM = Finding("enum", ("room",), "is wrong", FailureKind.ENUM, allowed=("single", "double", "suite"))


@in_one_item
@pytest.mark.parametrize(
    "code", ["value_error", "assertion_error", "rule", "content", "error", "custom_error", "length", "range"]
)
def test_each_code_whose_message_is_the_users_own(code: str) -> None:
    """The message of a validator is one of the finding's own, without what pydantic puts in front."""
    finding = replace(TEXT, validator_code=code)
    assert own_words(replace(finding, validator_message="Too dear")) == ["is wrong", "Too dear"]
    assert own_words(replace(finding, validator_message="Value error, Too dear")) == ["is wrong", "Too dear"]
    assert own_words(replace(finding, validator_message="Assertion failed, Too dear")) == ["is wrong", "Too dear"]
    assert own_words(replace(finding, validator_message="")) == ["is wrong"]
    assert own_words(finding) == ["is wrong"]


@pytest.mark.parametrize("code", ["missing", "string_type", None, "value_error.odd"])
def test_a_message_of_a_known_rule_is_not_the_users_own(code: str | None) -> None:
    """Its code says enough."""
    assert own_words(replace(TEXT, validator_code=code, validator_message="Too dear")) == ["is wrong"]


def test_a_message_of_blanks_is_none() -> None:
    """It would be in every text."""
    assert own_words(replace(TEXT, message=" ", validator_code="rule", validator_message="Value error, ")) == []


@in_one_item
@pytest.mark.parametrize(
    ("actual", "words", "data", "quoted"),
    [
        ('"penthouse"', "what is penthouse?", None, True),
        ('"penthouse"', "a penthouse.", {"a": "penthouse"}, True),
        ('"penthouse"', "a penthouse.", {"a": "penthouse", "b": ["penthouse"]}, False),
        ('"penthouse"', "penthouses", None, False),
        ('"penthouse"', "my-penthouse", None, False),
        ('"penthouse"', "a.penthouse", None, False),
        ('"penthouse"', "penthouse_2", None, False),
        ('"penthouse"', "Penthouse", None, False),
        ("9", "got 9", None, False),
        ("90", "got 90", None, True),
        ("90", "got 90.", None, True),
        ("90", "got 90.5", None, False),
        ("90", "got 190", None, False),
        ('"wholly unkn…', "wholly unknown", None, True),
        ('"wholly unkn…', "wholly un", None, False),
        ("[1, 2, 3, …", "[1, 2, 3, 4]", None, False),
        (None, "got None", None, False),
    ],
)
def test_words_quote_a_value(actual: str | None, words: str, data: object, quoted: bool) -> None:
    """As a word of its own, of two characters or more, that the answer has once; of a cut one the beginning."""
    assert quotes_value(replace(TEXT, actual=actual), words, data) is quoted


@pytest.mark.parametrize(
    ("words", "rejects"),
    [("penthouse is invalid", True), ("penthouse, please", False), ("that is invalid", False)],
)
def test_words_reject_a_value_that_they_quote(words: str, rejects: bool) -> None:
    """With a fault beside it."""
    assert rejects_value(TEXT, words) is rejects


def test_a_value_that_is_a_complaint_rejects_nothing() -> None:
    """The fault has to be beside it."""
    broken = replace(TEXT, actual='"broken"')
    assert not rejects_value(broken, "it says broken")
    assert rejects_value(broken, "broken is wrong")


@in_one_item
@pytest.mark.parametrize(
    ("actual", "words", "alone"),
    [
        *(("null", f"got {word}", True) for word in ("null", "None", "nil", "undefined")),
        *(("null", f"got {word}", False) for word in ("none", "NULL", "nullable", "0")),
        *(("0", "got 0", True), ("0", "got 0, not 1", False), ("0", "got 10", False), ("90", "90!", True)),
        *(('"0"', "got 0", False), ("-1", "got -1", False), (None, "got 0", False)),
    ],
)
def test_a_value_that_is_the_only_number(actual: str | None, words: str, alone: bool) -> None:
    """Or null by one of its names."""
    assert quotes_alone(replace(TEXT, actual=actual), words) is alone


@in_one_item
@pytest.mark.parametrize(
    ("known", "limit"),
    [
        ({"expected": "at most 28"}, 28),
        ({"expected": "a number", "validator_message": "must be at most 7"}, 7),
        ({"expected": None, "message": "must be at least 1,000"}, 1000),
        ({"expected": "at most 28", "validator_message": "at most 7", "message": "at most 8"}, 28),
        ({"expected": "an integer"}, None),
        ({"expected": "too long"}, None),
    ],
)
def test_the_limit_of_a_rule(known: dict[str, Any], limit: float | None) -> None:
    """From what is expected, then from the validator's words, then from the message."""
    assert limit_of(replace(HIGH, **known)) == limit


def test_only_a_finding_about_a_limit_has_a_bound() -> None:
    """A type may be compared as well: "at most 28 as a number"."""
    typed = Finding("type", ("nights",), "is wrong", FailureKind.TYPE, expected="at most 28")
    assert (bound_of(HIGH), bound_of(typed), limit_of(typed)) == (28, None, 28)


@in_one_item
@pytest.mark.parametrize(
    ("words", "own", "named", "other"),
    [
        ("at most 28", True, True, False),
        ("at least 28", True, True, False),
        ("we stop at 28", False, True, False),
        ("at most 29", False, False, False),
        ("at most 27", False, False, False),
        ("at most 26", False, False, True),
        ("at most 30", False, False, True),
        ("at most 30, got 90", False, False, False),
        ("at most 30, or 28", False, True, False),
        ("30", False, False, False),
        ("at most", False, False, False),
        ("too long", False, False, False),
    ],
)
def test_words_compare_with_the_own_bound_or_with_another(words: str, own: bool, named: bool, other: bool) -> None:
    """One beside the own bound may be the same in other words."""
    assert (own_bound(HIGH, words), names_bound(HIGH, words), other_bound(HIGH, words)) == (own, named, other)


def test_a_value_that_is_its_own_bound_names_none() -> None:
    """0 of "more than 0"."""
    zero = replace(HIGH, expected="more than 0", actual="0")
    assert not names_bound(zero, "an integer, not 0")
    assert names_bound(replace(zero, actual="-1"), "an integer, not 0")


def test_a_length_and_a_position_are_no_other_bound() -> None:
    """The length of a text that is too long, and the number of the item, from 0 or from 1."""
    long = Finding(
        "too_long", ("rows", 2, "name"), "is wrong", FailureKind.LENGTH, expected="at most 28", actual='"abcdef"'
    )
    assert positions(long) == {2, 3}
    assert positions(HIGH) == set()
    for words, other in (("at most 9", True), ("at most 9, got 6", False), ("at most 2", False), ("at most 3", False)):
        assert other_bound(long, words) is other, words
    assert other_bound(long, "at most 4")
    assert other_bound(replace(long, actual="123456"), "at most 9, got 6")


@in_one_item
@pytest.mark.parametrize(
    ("words", "two", "every"),
    [
        ("single, double, suite", True, True),
        ("SINGLE or Suite", True, False),
        ("single", False, False),
        ("rooms.single or x/double", False, False),
        ("single[0] or double-x", False, False),
        ("single.x or double", False, False),
        ("single. double.", True, False),
        ("必须是single、double之一", True, False),
        ("singles or doubles", False, False),
    ],
)
def test_words_name_choices(words: str, two: bool, every: bool) -> None:
    """Two of them, or all; none as a part of a path or of another word."""
    assert names_allowed(ENUM, words) is two
    assert names_allowed(ENUM, words, every=True) is every


def test_choices_that_are_no_texts_are_not_named() -> None:
    """And one choice alone is none."""
    assert not names_allowed(replace(ENUM, allowed=("single",)), "single")
    assert not names_allowed(replace(ENUM, allowed=(1, 2, "")), "1 or 2")
    assert names_allowed(replace(ENUM, allowed=(1, "single", "double")), "single double", every=True)


def test_a_hundred_choices_are_searched() -> None:
    """Each takes time."""
    first, last = (replace(ENUM, allowed=("tent",) * more + ("single", "suite")) for more in (98, 99))
    assert names_allowed(first, "single or suite")
    assert not names_allowed(last, "single or suite")


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        *((f"{word} single, double", True) for word in ("only", "allowed:", "Use", "must be")),
        *((f"{word} single, double", False) for word in ("users of", "lonely", "the")),
        ("only single", False),
    ],
)
def test_choices_are_listed_with_a_demand(words: str, listed: bool) -> None:
    """Otherwise they describe the format."""
    assert lists_allowed(ENUM, words) is listed


def test_a_value_is_shown_without_its_quotes() -> None:
    """None is no text."""
    assert [value_of(replace(TEXT, actual=actual)) for actual in ('"a"', "90", None)] == ["a", "90", ""]
