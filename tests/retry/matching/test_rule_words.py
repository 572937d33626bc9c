"""Words of each rule at a place: what is absent, types by their names and values, and the terms of a message."""

from __future__ import annotations

import pytest

from pytest_planguard import FailureKind, Finding
from pytest_planguard.retry.matching.rule_evidence import fits_rule, has_type, is_written, names_own_type, names_type

from ...support.one_item import in_one_item
from .test_rule_evidence import ENUM, HIGH, LOW, MISSING, TYPE, of


@in_one_item
@pytest.mark.parametrize(
    "words",
    [
        *("add", "provide", "specify", "include", "enter", "give", "lack", "lacks", "forgot", "omitted", "where"),
        *("left out", "waiting", "has no", "no word given", "WHERE"),
    ],
)
def test_each_word_for_a_missing_value(words: str) -> None:
    """As a word of its own, in any case."""
    assert fits_rule(MISSING, f"oh, {words} it")
    assert not fits_rule(MISSING, f"oh, x{words} it")
    assert not fits_rule(MISSING, f"oh, {words}x it")


@in_one_item
@pytest.mark.parametrize("verb", ["have", "see", "find", "there", "send", "exist", "optional", "EXISTS"])
def test_each_word_that_is_denied_of_a_missing_value(verb: str) -> None:
    """In whatever form, at most 20 characters behind the negation."""
    assert fits_rule(MISSING, f"it's not {verb}")
    assert fits_rule(MISSING, f"can't {verb}")
    assert fits_rule(MISSING, f"not {'x' * 18} {verb}")
    assert not fits_rule(MISSING, f"not {'x' * 19} {verb}")
    assert not fits_rule(MISSING, f"nothing {verb}")
    assert not fits_rule(MISSING, f"not x{verb}")
    assert not fits_rule(MISSING, verb)


TYPES = {
    "an object": ('{"a": 1}', "object"),
    "a list": ("[1]", "list"),
    "a string": ('"two"', "string"),
    "a number": ("-7.5", "number"),
    "true or false": ("false", "boolean"),
    "null": ("null", "null"),
}
"""For each type that a finding expects: a value as JSON, and a name."""


@in_one_item
@pytest.mark.parametrize("kind", TYPES)
def test_each_type_is_known_by_its_value_and_its_name(kind: str) -> None:
    """The first character of a value in JSON shows its type; a wanted type needs a demand."""
    value, name = TYPES[kind]
    finding = of(FailureKind.TYPE, kind, value, code="type")
    assert names_own_type(finding, f"this is a {name}")
    assert names_type(finding, f"must be a {name}") is True
    for other, (_, unlike) in TYPES.items():
        if other != kind:
            assert not names_own_type(finding, f"this is a {unlike}"), other
            assert names_type(finding, f"must be a {unlike}") is False, other


def test_a_value_that_nobody_gave_is_taken_for_a_number() -> None:
    """As is "true" by its first letter for a truth value."""
    assert names_own_type(of(FailureKind.TYPE, "a list"), "a number")
    assert names_own_type(of(FailureKind.TYPE, "a list", "true"), "a boolean")


@in_one_item
@pytest.mark.parametrize(
    ("code", "written"),
    [
        *(("date_type", True), ("datetime_parsing", True), ("time_parsing", True), ("url_parsing", True)),
        *(("uuid_parsing", True), ("int_parsing", False), (None, False), ("date_from_datetime_inexact", False)),
    ],
)
def test_types_that_are_written_as_text(code: str | None, written: bool) -> None:
    """Dates, times, URLs and UUIDs: a wrong text has a wrong format."""
    kind = FailureKind.RULE if code == "date_from_datetime_inexact" else FailureKind.TYPE
    assert is_written(of(kind, validator_code=code, code=kind.value)) is written


@pytest.mark.parametrize(
    ("finding", "words", "typed"),
    [
        *((HIGH, "an integer, please", True), (LOW, "celé číslo, ne 35", True), (HIGH, "too many", False)),
        *((TYPE, "an integer, please", False), (MISSING, "an integer, please", False)),
    ],
)
def test_a_number_beyond_its_limit_has_its_type(finding: Finding, words: str, typed: bool) -> None:
    """Words that demand the type are about another fault."""
    assert has_type(finding, words) is typed


@in_one_item
@pytest.mark.parametrize(
    ("finding", "words", "fits"),
    [
        *((of(FailureKind.RANGE, "less than 0", "1", code="maximum"), words, True) for words in ("negative", "zero")),
        (of(FailureKind.RANGE, "less than 0", "1", code="maximum"), "a small one", False),
        *((ENUM, words, True) for words in ("not in our list", "two options", "the choices")),
        *((ENUM, words, False) for words in ("an optional one", "choicest")),
        (of(FailureKind.TYPE, "a number", '"x"', code="type"), "the number", True),
        (of(FailureKind.TYPE, "a number", '"x"', code="type"), "digits", True),
        (of(FailureKind.TYPE, "a list", '"x"', code="type"), "digits", False),
        (of(FailureKind.TYPE, "a list", '"x"', code="type"), "list", True),
        (of(FailureKind.TYPE, "a date", '"date"', code="type"), "the date", False),
        *((of(FailureKind.TYPE, f"{word} thing", '"x"', code="type"), word, False)
          for word in ("expected", "valid", "input", "should", "value", "that", "must", "error", "type", "unable",
                       "interpret")),
    ],
)  # fmt: skip
def test_terms_of_a_rule(finding: Finding, words: str, fits: bool) -> None:
    """Words of four letters or more, except those of all messages and those of the value itself."""
    assert fits_rule(finding, words) is fits
