"""What new words say of a finding that no parsed error matches: by its value, elsewhere, or by a rule alone."""

from __future__ import annotations

import pytest

from pytest_planguard import FailureKind, Finding
from pytest_planguard.retry.linking.link import Delta, Piece
from pytest_planguard.retry.matching.fed_back import fed_back, read
from pytest_planguard.retry.results import FedBack
from pytest_planguard.wire.exchange import Role

from ...support.one_item import in_one_item

GUESTS = [{"age": 40, "name": "Meyer"}, {"age": 7, "name": "Ada"}]
DATA = {"age": 7, "name": "x", "room": "cave", "day": "ninety", "guests": GUESTS}
AGE = Finding("minimum", ("age",), "too small", FailureKind.RANGE, expected="at least 18", actual="7")
ITEM = Finding("minimum", ("guests", 1, "age"), "too small", FailureKind.RANGE, expected="at least 18", actual="7")
ROOM = Finding("enum", ("room",), "not allowed", FailureKind.ENUM, actual='"cave"', allowed=("single", "suite"))
DAY = Finding("type", ("day",), "no number", FailureKind.TYPE, expected="an integer", actual='"ninety"')
SHORT = Finding("min_items", (), "expected at least 2 items", FailureKind.LENGTH, validator_code="too_short")
NO_OBJECT = Finding("type", (), "expected an object", FailureKind.TYPE, expected="an object", actual="7")


def graded(finding: Finding, text: str, data: object = DATA) -> FedBack:
    """Return the grading of a finding by the words of one message."""
    (found,) = fed_back([finding], read([Delta(2, (Piece(text, 4, Role.USER),))]), attempt=1, data=data)
    return found


@in_one_item
@pytest.mark.parametrize(
    ("text", "code", "topic"),
    [
        ("name: required", "other-place", "name"),
        ("owner: required", "other-label", "owner"),
        ("room and name are required", "other-place", "room, name"),
        ("- name: required\n- room: required\n- day: required\n- guests: required", "other-place", "name, room, day"),
        ("- owner: required\n- name: required", "other-place", "name"),
        (f"- {'n' * 41}: required", "other-label", f"{'n' * 39}…"),
        (f"- {'n' * 40}: required", "other-label", "n" * 40),
        ("age.value must be at least 18", "other-place", "age"),
    ],
)
def test_words_about_other_places_name_them(text: str, code: str, topic: str) -> None:
    """At most three, each of 40 characters; a word that is no name of the answer is a label."""
    found = graded(AGE, text)
    assert (found.label, found.reason_code) == ("wrong", code)
    assert found.reason == f"the words are about other places ({topic}), not age"


@in_one_item
@pytest.mark.parametrize(
    ("place", "label", "code"),
    [
        ("name", "wrong", "other-place"),
        ("nit", "wrong", "other-label"),
        ("nit.foo", "wrong", "other-place"),
        ("guests[Nobody].age", "wrong", "other-place"),
        ("guests[Meyer]", "wrong", "other-label"),
        ("guests[Meyer].age", "unclear", "item"),
    ],
)
def test_the_own_rule_at_another_place(place: str, label: str, code: str) -> None:
    """A name of the answer, or a path; a value of the answer may name the item."""
    found = graded(ITEM, f"{place}: must be at least 18", {"name": "x", "guests": GUESTS})
    assert (found.label, found.reason_code) == (label, code)
    if label == "wrong":
        quote = f"request 2, message 4: {place}: must be at least 18"
        assert found.reason == f"it names the right problem at a different place ({quote})"


@pytest.mark.parametrize("sign", ["›", "»", "→"])
def test_a_path_for_people_may_count_its_items_from_one(sign: str) -> None:
    """Unless another path of the text has a 0; one of programs counts from 0."""
    path = f"guests {sign} 2 {sign} age: hm"
    found = graded(ITEM, path)
    assert (found.label, found.reason_code) == ("unclear", "item")
    assert found.evidence == f"request 2, message 4: {path}"
    assert graded(ITEM, f"{path}\nguests {sign} 0 {sign} name: hm").label == "wrong"
    assert graded(ITEM, f"guests {sign} 3 {sign} age: hm").label == "wrong"
    assert graded(ITEM, "guests.2.age: hm").label == "wrong"


@in_one_item
@pytest.mark.parametrize(
    ("finding", "text", "hint"),
    [
        (AGE, "something is too small", "it names a rule (too small), but no field"),
        (AGE, "something is missing", "it names a rule (missing), but no field"),
        (AGE, "something in JSON is too small", None),
        (AGE, "something is no longer too small", None),
        (AGE, "it is invalid JSON", None),
        (ROOM, "single, suite", "it names the allowed values, but no field"),
        (ROOM, "single", None),
        (DAY, "must be an integer", "it names a rule (type), but no field"),
        (DAY, "an integer, please", None),
        (DAY, "JSON must be an integer", None),
    ],
)
def test_a_rule_without_a_field(finding: Finding, text: str, hint: str | None) -> None:
    """It may be the finding's. A sentence about the whole answer is not about a field."""
    found = graded(finding, text)
    assert (found.label, found.reason_code) == (("unclear", "rule") if hint else ("missing", "nothing-named"))
    assert found.reason == (hint or "the new words name no field, value or rule of this answer")


@in_one_item
@pytest.mark.parametrize("word", ["JSON", "YAML", "markdown", "parse", "parser", "Syntax", "SCHEMA"])
def test_a_word_for_the_whole_answer_may_mean_any_fault_of_it(word: str) -> None:
    """In a language that planguard cannot read; an English sentence would name the fault."""
    found = graded(SHORT, f"Hjelp {word} quux")
    assert (found.label, found.reason_code) == ("unclear", "whole-answer")
    for english in ("the", "is", "are", "TO", "of"):
        assert graded(SHORT, f"Hjelp {english} {word} quux").label == "missing", english
    assert graded(SHORT, f"Hjelp {word}x quux").label == "missing"


@in_one_item
@pytest.mark.parametrize(
    ("text", "label"),
    [
        *((f"{asked} cave is it", "unclear") for asked in ("What", "what is", "what's", "why", "Replace", "change")),
        *((f"the {quoted} is", "unclear") for quoted in ('"cave"', "'cave'", "`cave`", "“cave”", "‘cave’", "«cave»")),
        *((f"cave {english} quux", "missing") for english in ("the", "is", "are", "to", "of")),
        ("hjelp cave quux", "unclear"),
        ("the cave is wrong", "weak"),
        ("instead of cave", "weak"),
        ("cave is fine", "missing"),
        ("name: cave is wrong", "wrong"),
        ("nit: cave is wrong", "weak"),
        ("name hm. cave is wrong", "wrong"),
        ("Oh.\nname hm. cave is wrong.\nOh", "wrong"),
        ("cave is wrong. name hm", "wrong"),
        ("name hm\ncave is wrong\nname hm", "weak"),
    ],
)
def test_a_sentence_with_the_value(text: str, label: str) -> None:
    """A question about it, a wish to change it or a quotation is no plain English sentence with the same word."""
    assert graded(ROOM, text).label == label


@in_one_item
@pytest.mark.parametrize(
    ("finding", "text", "label"),
    [
        (SHORT, "too_short: hm", "weak"),
        (SHORT, "hm: too_long", "wrong"),
        (SHORT, "give at least 2 items", "weak"),
        (SHORT, "must have at most 2 items", "missing"),
        (NO_OBJECT, "must be an object", "weak"),
        (NO_OBJECT, "must be a list", "missing"),
        (NO_OBJECT, "not an object, a number", "weak"),
        (NO_OBJECT, "an object, please", "missing"),
    ],
)
def test_a_rule_of_the_whole_answer(finding: Finding, text: str, label: str) -> None:
    """By its code, or in words that demand it."""
    assert graded(finding, text, 7).label == label
