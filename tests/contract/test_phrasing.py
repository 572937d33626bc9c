"""How values, lists of choices and names near a slip are put into words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.contract.phrasing import (
    UNCOUNTED,
    as_json,
    choices,
    clip,
    did_you_mean,
    expected_got,
    fold,
    nearest,
    not_asked,
    plural,
    too_many,
    unread,
)
from pytest_planguard.document.limits import ACTUAL_LIMIT

from ..support.one_item import in_one_item

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,  # a line of JSON is longer than the 40 characters that it is cut to
)


@given(VALUES, st.integers(1, 40))
def test_a_value_is_shown_as_the_beginning_of_its_json(value: Any, limit: int) -> None:
    """As many characters as the limit says, with "…" for what is cut off."""
    assert as_json(value, limit) == clip(json.dumps(value, ensure_ascii=False), limit)
    assert len(as_json(value, limit)) <= limit


@pytest.mark.parametrize(("length", "shown"), [(3, "xxx"), (4, "xxxx"), (5, "xxx…"), (9, "xxx…")])
def test_a_text_is_cut_where_it_is_longer_than_its_limit(length: int, shown: str) -> None:
    """The sign for the rest counts as a character."""
    assert clip("x" * length, 4) == shown


def test_a_value_that_goes_on_where_its_limit_is_reached_is_cut() -> None:
    """Also where a part of it ends there: "[1, 2" has five characters."""
    assert [as_json([1, 2], limit) for limit in (3, 4, 5, 6)] == ["[1…", "[1,…", "[1, …", "[1, 2]"]


def test_values_have_sixty_characters() -> None:
    """Where nothing else is said."""
    assert ACTUAL_LIMIT == 60
    assert (len(as_json("x" * 58)), as_json("x" * 58)[-1]) == (60, '"')
    assert as_json("x" * 59) == clip(json.dumps("x" * 59)) == '"' + "x" * 58 + "…"


def test_what_json_cannot_say_is_shown_as_a_text() -> None:
    """A circle is cut where it is found."""
    circle: list[Any] = [1]
    circle.append(circle)
    assert as_json({"a": {1}}) == '{"a": "{1}"}'
    assert as_json(circle) == "[1, …"
    assert as_json({"a": 1, (1, 2): 3}) == '{"a": 1…'


CHOICES = {
    (1,): '"0"',
    (2,): 'one of "0", "1"',
    (12,): "one of " + ", ".join(f'"{n}"' for n in range(12)),
    (13,): "one of " + ", ".join(f'"{n}"' for n in range(12)) + " and 1 more",
    (15,): "one of " + ", ".join(f'"{n}"' for n in range(12)) + " and 3 more",
}


@pytest.mark.parametrize("count", [count for (count,) in CHOICES])
def test_twelve_choices_are_listed(count: int) -> None:
    """The rest is counted."""
    assert choices([str(n) for n in range(count)]) == CHOICES[(count,)]


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [
        (0, "item", "0 items"),
        (1, "item", "1 item"),
        (2, "item", "2 items"),
        (1, "property", "1 property"),
        (3, "property", "3 properties"),
    ],
)
def test_plurals(count: int, noun: str, words: str) -> None:
    """One is one; words that end in y change it."""
    assert plural(count, noun) == words


NEAREST: dict[str, tuple[Any, list[Any], str | None]] = {
    "a letter less": ("hgh", ["low", "high"], "high"),
    "another case": ("HIGH", ["low", "high"], "high"),
    "more blanks": ("  very   high ", ["very high"], "very high"),
    "the beginning": ("high!!", ["low", "high"], "high"),
    "the longest beginning": ("high-risk: yes", ["high", "high-risk"], "high-risk"),
    "a beginning within a word": ("highest", ["high"], "high"),
    "a beginning of another word": ("lowercase", ["low"], None),
    "nothing near": ("urgent", ["low", "high"], None),
    "nothing to say": (" ", ["low"], None),
    "no text": (5, ["5"], None),
    "nothing known": ("low", [], None),
    "known numbers": ("low", [1, None, "low"], "low"),
    "a blank name": ("low", ["", " "], None),
    "the first of two in another case": ("HIGH", ["High", "high"], "High"),
    "few letters in common": ("abc", ["abxyzw"], None),
    "six of ten alike": ("abcdefghij", ["abcdefwxyz"], "abcdefwxyz"),
    "five of ten alike": ("abcdefghij", ["abcdevwxyz"], None),
    "half of the letters in common": ("aaaabbbbcd", ["aaaabbbbef"], "aaaabbbbef"),
    "two of five letters in common": ("aaaabbbbcde", ["aaaabbbbfgh"], None),
    "the last that is compared": ("target", ["x"] * 999 + ["target"], "target"),
    "the first that is not": ("target", ["x"] * 1000 + ["target"], None),
    "what follows a hundred characters": ("a" * 100 + "b", ["a" * 100 + "c", "a" * 100 + "b"], "a" * 100 + "c"),
    "the hundredth character": ("a" * 99 + "b", ["a" * 99 + "c", "a" * 99 + "b"], "a" * 99 + "b"),
    "a hundred characters": ("a" * 100 + "b" * 300, ["a" * 100 + "c" * 300], "a" * 100 + "c" * 300),
}


@in_one_item
@pytest.mark.parametrize("name", NEAREST)
def test_the_nearest_name(name: str) -> None:
    """A beginning or another case wins over mere likeness."""
    value, known, expected = NEAREST[name]
    assert nearest(value, known) == expected


def test_a_name_is_offered_where_it_differs() -> None:
    """None where the value is the name, or near none."""
    assert did_you_mean("hgh", ["high"]) == 'did you mean "high"?'
    assert did_you_mean("high", ["high"]) is None
    assert did_you_mean("urgent", ["high"]) is None


def test_what_is_compared_and_what_is_said() -> None:
    """Space and case do not count; a value that is missing is not shown."""
    assert fold("  Very\t HIGH ") == "very high"
    assert expected_got("an integer", '"two"') == 'expected an integer; got "two"'
    assert expected_got("an integer", None) == "expected an integer"


ASKED = "the validators of T were not asked: the alternatives of its unions take"
INFO, RETRY = Severity.INFO, Severity.RETRY


@pytest.mark.parametrize(
    ("finding", "message", "severity", "hinted"),
    [
        (too_many(1_000, known_bad=True), "1,000 errors were looked at, and there are more", INFO, False),
        (too_many(9, known_bad=False), "9 errors were looked at, and there are more", RETRY, True),
        (too_many(9, of=1_200, known_bad=True), "9 of 1,200 errors were looked at", INFO, False),
        (too_many(0, of=12, steps=5, known_bad=False), "0 of 12 errors were looked at", RETRY, True),
        (too_many(9, steps=1_000, known_bad=True), "9 errors were looked at in 1,000 steps, then no more", INFO, False),
        (
            unread(1_000, known_bad=True),
            "0 of pydantic's 1,000 errors were looked at; the findings are those of the JSON Schema",
            INFO,
            True,
        ),
        (
            unread(7, known_bad=False),
            "0 of pydantic's 7 errors were looked at; the JSON Schema rejects nothing",
            RETRY,
            True,
        ),
        (not_asked("T", None, known_bad=True), f"{ASKED} too many steps", INFO, True),
        (not_asked("T", 1_000, known_bad=False), f"{ASKED} 1,000 steps", RETRY, True),
        (not_asked("T", UNCOUNTED, known_bad=False), f"{ASKED} 1,000,000,000 steps or more", RETRY, True),
    ],
)
def test_a_check_that_hit_a_limit_says_what_it_saw(
    finding: Finding, message: str, severity: Severity, *, hinted: bool
) -> None:
    """It is a note beside other errors, and else the error of an answer that nothing shows to be valid."""
    assert (finding.message, finding.severity, finding.hint is not None) == (message, severity, hinted)
