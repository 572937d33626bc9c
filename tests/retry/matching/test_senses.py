"""What words at a finding's place mean for it: its rule, another one, something unknown or nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard import FailureKind, Finding
from pytest_planguard.retry.matching.match_finding import (
    about_a_field,
    accepted,
    agrees,
    concerns,
    entry_categories,
    places,
    says_more,
    sense_of,
    standalone_message,
    verbatim,
)
from pytest_planguard.retry.reading.entry import ErrorEntry

from ...support.one_item import in_one_item

HIGH = Finding("maximum", ("nights",), "is over 28", FailureKind.RANGE, expected="at most 28", actual="90")
LOW = Finding("minimum", ("nights",), "is under 1", FailureKind.RANGE, expected="at least 1", actual="0")
MISSING = Finding("missing", ("nights",), "required, missing", FailureKind.MISSING)
TYPE = Finding("type", ("nights",), "is no number", FailureKind.TYPE, expected="an integer", actual='"ninety"')
ENUM = Finding("enum", ("room",), "not allowed", FailureKind.ENUM, actual='"cave"', allowed=("single", "suite"))
LONG = "the dates of the stay overlap with another one"
RULE = Finding("value_error", ("nights",), LONG, FailureKind.RULE)
WHOLE = Finding("value_error", (), LONG, FailureKind.RULE)


def entry(path: tuple[str, ...] | None, message: str, code: str | None = None) -> ErrorEntry:
    """Return an error that a text names."""
    return ErrorEntry(path, code, message, 0, len(message))


@in_one_item
@pytest.mark.parametrize(
    ("finding", "rules"),
    [
        (replace(HIGH, code="too_short"), {"too short", "too small", "out of range"}),
        (replace(HIGH, code="too_short", actual="[]"), {"too short", "too small", "out of range", "empty"}),
        (replace(HIGH, code="too_short", actual="{}"), {"too short", "too small", "out of range", "empty"}),
        (replace(HIGH, code="too_short", actual='""'), {"too short", "too small", "out of range", "empty"}),
        (replace(HIGH, code="too_long", actual="[]"), {"too long", "too large", "out of range"}),
        (HIGH, {"too large", "out of range"}),
        (LOW, {"too small", "out of range"}),
        (MISSING, {"missing", "empty"}),
        (TYPE, {"type"}),
        (replace(TYPE, actual="null"), {"type", "missing"}),
        (replace(TYPE, actual="None"), {"type", "missing"}),
        (replace(TYPE, validator_code="date_type"), {"type", "format"}),
        (ENUM, {"enum"}),
        (RULE, set()),
        (replace(RULE, message="must be unique"), {"duplicate"}),
        (replace(RULE, validator_message="must be unique"), {"duplicate"}),
        (Finding("truncated", (), "cut off", FailureKind.TRUNCATED), {"unreadable"}),
        (Finding("empty", (), "nothing", FailureKind.EMPTY), {"empty", "unreadable"}),
    ],
)
def test_the_rules_that_words_may_name_for_a_finding(finding: Finding, rules: set[str]) -> None:
    """Its own, and those by which some validators call the same fault."""
    assert {rule.value for rule in accepted(finding)} == rules


@in_one_item
@pytest.mark.parametrize(
    ("finding", "words", "sense"),
    [
        (HIGH, "is over 28", "agrees"),
        (HIGH, "must be at most 28", "agrees"),
        (HIGH, "must be at most 29", "agrees"),
        (HIGH, "must be at least 28", "contradicts"),
        (HIGH, "we stop at 28", "agrees"),
        (HIGH, "must be at most 20", "contradicts"),
        (HIGH, "is missing", "contradicts"),
        (HIGH, "must be a number", "contradicts"),
        (HIGH, "is malformed", "unknown"),
        (HIGH, "is missing: 90", "unknown"),
        (HIGH, "quux frob", "unknown"),
        (HIGH, "invalid", "agrees"),
        (HIGH, "90", "nothing"),
        (HIGH, "", "nothing"),
        (LOW, "0 is not allowed", "unknown"),
        (LOW, "0 is too large", "contradicts"),
        (MISSING, "invalid", "unknown"),
        (MISSING, "please add it", "agrees"),
        (MISSING, "can't be blank", "agrees"),
        (TYPE, "an integer, please", "agrees"),
        (TYPE, "should be a valid string", "contradicts"),
        (ENUM, "we don't know 'cave'", "agrees"),
        (ENUM, "use single or suite", "agrees"),
        (RULE, LONG, "agrees"),
        (RULE, "is missing", "contradicts"),
    ],
)
def test_the_sense_of_words_at_the_place(finding: Finding, words: str, sense: str) -> None:
    """Its rule in any words; a rule that it does not break; other words; or only its value."""
    assert sense_of(words, finding).value == sense


def test_a_bound_means_its_rule_where_the_place_is_clear_and_the_sentence_names_no_other() -> None:
    """And so does what fits the rule without naming it."""
    assert sense_of("stop at 28", HIGH).value == "agrees"
    assert sense_of("stop at 28", HIGH, exact=False).value == "unknown"
    assert sense_of("stop at 28", HIGH, "it is missing, stop at 28").value == "unknown"
    assert sense_of("stop at 28", HIGH, "it is too high, stop at 28").value == "agrees"
    assert sense_of("please add it", MISSING, exact=False).value == "unknown"


@in_one_item
@pytest.mark.parametrize(
    ("words", "code", "agreed"),
    [
        ("quux", "maximum", True),
        ("quux", "less_than_equal", True),
        ("quux", "lte", True),
        ("quux", "minimum", False),
        ("quux", "value_error", False),
        ("quux", None, False),
        ("invalid", None, True),
        ("invalid", "quux", False),
        ("too high (should be an integer)", None, True),
        ("must be an integer (at most 28)", None, True),
        ("too high, at most 20", None, False),
        ("out of range", None, True),
    ],
)
def test_words_and_codes_that_agree(words: str, code: str | None, agreed: bool) -> None:
    """By the rule that the code or the words name, also without a bracket; not with another bound."""
    assert agrees(words, HIGH, code) is agreed


def test_a_code_of_the_findings_own_agrees_unless_many_rules_share_it() -> None:
    """In any spelling."""
    own = replace(RULE, code="overlaps", validator_code="dates_overlap")
    assert [agrees("quux", own, code) for code in ("overlaps", "datesOverlap", "dates-overlap", "dates")] == [
        *(True, True, True, False),
    ]
    assert not agrees("quux", RULE, "value_error")


@in_one_item
@pytest.mark.parametrize(
    ("path", "about"),
    [
        (("nights",), True),
        (("rooms", "0", "kind"), True),
        (("Rooms", "Kind"), True),
        (("rooms", "KeyError"), False),
        (("ValueException",), False),
        (("Nights",), False),
        *(((label,), False) for label in ("error", "path", "where", "note", "validation")),
        (("error", "path"), True),
        ((), False),
        (None, False),
    ],
)
def test_an_entry_is_about_a_field(path: tuple[str, ...] | None, about: bool) -> None:
    """A name with a capital, a label and the name of an error are none."""
    assert about_a_field(entry(path, "x")) is about


@in_one_item
@pytest.mark.parametrize(
    ("finding", "path", "message", "code", "concerned"),
    [
        (HIGH, ("nights",), "at most 28", None, True),
        (HIGH, ("nights",), "quux", None, False),
        (HIGH, ("nights",), "quux", "maximum", True),
        (HIGH, ("days",), "at most 28", None, False),
        (HIGH, None, "at most 28", None, False),
        (HIGH, (), "at most 28", None, False),
        (HIGH, ("nights",), "90", None, False),
        (WHOLE, None, LONG, None, True),
        (WHOLE, (), LONG, None, True),
        (WHOLE, ("nights",), LONG, None, False),
    ],
)
def test_an_entry_concerns_a_finding(finding: Finding, path: Any, message: str, code: str, concerned: bool) -> None:
    """At its place, in its words or about its rule; without a place only one about the whole answer."""
    assert concerns(entry(path, message, code), finding) is concerned


def test_equal_items_may_be_reported_at_their_list() -> None:
    """Any other finding has one place."""
    twice = Finding("distinct", ("tags", 1), "twice", FailureKind.CONTENT)
    assert places(twice) == (("tags", 1), ("tags",))
    assert places(replace(twice, path=("tags", 1, "id"))) == (("tags", 1, "id"),)
    assert places(replace(twice, path=())) == ((),)
    assert places(replace(HIGH, path=("tags", 1))) == (("tags", 1),)


@in_one_item
@pytest.mark.parametrize(
    ("words", "value", "more"),
    [
        *(("", "", False), ("90", "", False), ("x", "", False), ("no", "", True), ("须", "", True), ("ไ", "", True)),
        *(("> 5", "", True), ("<=5", "", True), ("> x", "", False), ("soon", "soon", False), ("soon!", "soon", False)),
        *(("not soon", "soon", True), ("path:", "", False), ("- Where: ", "", False), ("where: at", "", True)),
        *(("field: hm", "", True), ("ab", "a", True), ("at:", "", False), ("of:", "", True)),
    ],
)
def test_words_say_more_than_the_value(words: str, value: str, more: bool) -> None:
    """Two letters, one sign of another script, or a comparison; a label of the place is no word."""
    assert says_more(words, value) is more


@in_one_item
@pytest.mark.parametrize(
    ("message", "code", "rules"),
    [
        ("string_too_short", None, {"too short"}),
        ("too long", "missing", {"too long", "missing"}),
        ("a number is required", None, {"type", "missing"}),
        ("a list is required", None, {"type", "missing"}),
        ("must be a number", None, {"type"}),
        ("quux", "quux", set()),
    ],
)
def test_the_rules_of_an_entry(message: str, code: str | None, rules: set[str]) -> None:
    """By its code and by its words."""
    assert {rule.value for rule in entry_categories(entry(None, message, code))} == rules


def test_a_message_is_found_word_for_word() -> None:
    """In any case and spacing, without what pydantic puts in front."""
    told = replace(RULE, validator_message="Value error, Dates  overlap")
    assert verbatim(f"Oh: {LONG.upper()}!", told)
    assert verbatim("the dates overlap here", told)
    assert not verbatim("the dates, overlap", told)
    assert verbatim(f"{'x ' * 1_500}{LONG}", told)
    assert not verbatim("anything", replace(RULE, message=""))
    asserted = replace(RULE, validator_message="Assertion failed, the rooms are full")
    assert verbatim("Sorry, the rooms are full.", asserted)


@in_one_item
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (LONG, True),
        (f"Please fix: {LONG}.", True),
        (f"- {LONG}\n- and more", True),
        (f"(2) {LONG} (line 4)", True),
        (f"One thing. {LONG}. And another.", True),
        (LONG.replace(" ", "\n  "), True),
        (f"They say {LONG}", False),
        (f"{LONG} today", False),
        (f"nights\n{LONG}", False),
        (f"two words\n{LONG}", True),
        (LONG.upper(), False),
        (f"{'x' * 100_000}. {LONG}", False),
    ],
)
def test_a_message_by_itself(text: str, found: bool) -> None:
    """As a whole sentence or line, and not below a single word, which may be another place."""
    at = standalone_message(RULE, text, (), ())
    assert (at is not None) is found
    if at is not None:
        assert text[slice(*at)].split() == LONG.split()


def test_a_message_belongs_to_one_finding_and_to_no_other_place() -> None:
    """Of equal messages each is another one; one of three words is ordinary speech."""
    text = f"{LONG}.\nAgain, and twice.\n{LONG}."
    assert standalone_message(RULE, text, (), ()) == (0, len(LONG))
    assert standalone_message(RULE, text, {0}, ()) == (len(text) - len(LONG) - 1, len(text) - 1)
    assert standalone_message(RULE, text, {0, len(text) - len(LONG) - 1}, ()) is None
    placed = ErrorEntry(("days",), None, LONG, 0, len(LONG))
    assert standalone_message(RULE, LONG, (), [placed]) is None
    assert standalone_message(RULE, LONG, (), [replace(placed, path=None)]) == (0, len(LONG))
    assert standalone_message(RULE, LONG, (), [replace(placed, message="another")]) == (0, len(LONG))
    behind = ErrorEntry(("days",), None, LONG, 0, 3)
    assert standalone_message(RULE, f"-- {LONG}", (), [behind]) == (3, 3 + len(LONG))
    assert standalone_message(RULE, f"-- {LONG}", (), [replace(behind, end=4)]) is None
    short = replace(RULE, message="the dates overlap")
    assert standalone_message(short, short.message, (), ()) is None
    assert standalone_message(replace(short, message="the dates do overlap"), "the dates do overlap", (), ()) == (0, 20)
    told = replace(RULE, validator_code="value_error", validator_message="Value error, the rooms are all full")
    assert standalone_message(told, "the rooms are all full", (), ()) == (0, 22)
