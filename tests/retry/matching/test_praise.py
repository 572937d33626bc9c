"""Words of praise and of complaint, and values that are listed."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.retry.matching.own_evidence import lists_allowed
from pytest_planguard.retry.matching.praise import affirms, clauses, complains

STATUS = Finding("enum", ("status",), "not allowed", FailureKind.ENUM, allowed=("Draft", "Approved", "Done"))


@pytest.mark.parametrize(
    "words",
    ["status is fine", "status: ok", "- goal: ✓", "no longer too short", "it now matches", "nights is at least 1"],
)
def test_praise_is_no_complaint(words: str) -> None:
    """What is well is passed over."""
    assert affirms(words)
    assert not affirms(f"{words}, but must be 2")


PRAISE = (
    *("no longer short", "as required", "it passed", "is ok", "are okay"),
    *(
        "looks fine",
        "is now good",
        "is correct",
        "goal: ok",
        "goal = fine",
        "goal | good",
        "- ✔",
        "goal > ✅",
        "goal - okay.",
    ),
    *("now matches", "already fits", "now is short", "already has it", "now have it", "now valid", "is at least 1"),
    *("is at most 2", "is one of them", "every id matches"),
)
NO_PRAISE = (
    *("28 nights are fine", "it is fine only here", "it is good if short", "okay when short", "is fine from 5 on"),
    *(
        "is correct up to 5",
        "all is fine apart from it",
        "fine, besides the goal",
        "okay: goal",
        "any item",
        "is small",
    ),
    *("finely", "is goodness", "now a match", "every match"),
)


@pytest.mark.parametrize("words", PRAISE)
def test_each_form_of_praise(words: str) -> None:
    """In any case."""
    assert affirms(words)
    assert affirms(words.upper())


@pytest.mark.parametrize("words", NO_PRAISE)
def test_words_that_are_like_praise(words: str) -> None:
    """A limit, a condition, an exception or another word."""
    assert not affirms(words)


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("a is short, b is long", ["a is short", "b is long"]),
        (
            "a is short and b is long but c is odd while d is fine",
            ["a is short ", " b is long ", " c is odd ", " d is fine"],
        ),
        ("1,5 sandy buttons", ["1,5 sandy buttons"]),
        ('"goal":"x","status":"y"', ['"goal":"x"', '"status":"y"']),
        ('"keywordLocation":"#/a","instanceLocation":"#/b"', ['"keywordLocation":"#/a","instanceLocation":"#/b"']),
    ],
)
def test_clauses_may_each_be_about_another_field(sentence: str, parts: list[str]) -> None:
    """At a comma before white space, at "and", "but" and "while", and between the members of JSON."""
    assert clauses(sentence) == parts


@pytest.mark.parametrize(
    "words",
    ["3 or fewer are fine", "nights is fine up to 28", "all is fine except the goal", "is at least 1 and must be 2"],
)
def test_a_limit_or_an_exception_is_no_praise(words: str) -> None:
    """They say what is wrong in friendly words."""
    assert not affirms(words)


@pytest.mark.parametrize(
    "words",
    [
        *(
            "must be short",
            "cannot be read",
            "das ist kein Datum",
            "n'est pas valide",
            "应为整数",
            "ValueError",
            "invalid",
        ),
        *("It is no JSON.", "that’s no valid JSON", "the answer was no YAML"),
    ],
)
def test_demands_denials_and_faults_complain(words: str) -> None:
    """The demands and denials are those of comparisons, in five languages."""
    assert complains(words)


@pytest.mark.parametrize(
    "words",
    [
        *("here is the plan", "notes and errands", "guests[1].no is fine", "a valid date"),
        *("there is no JSON document in it", "there’s no JSON"),
    ],
)
def test_other_words_do_not_complain(words: str) -> None:
    """A word that begins like a denial is none, and neither is the name `no` in a path."""
    assert not complains(words)


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        ("must be Draft or Approved", True),
        ("use draft or done", True),
        ("Draft, Approved, Done", False),
        ("must be Draft", False),
        ("must be items.Draft or Approved/x", False),
    ],
)
def test_two_allowed_values_and_a_demand_list_them(words: str, listed: bool) -> None:
    """One value may be any word, and a part of a path is no value."""
    assert lists_allowed(STATUS, words) is listed
