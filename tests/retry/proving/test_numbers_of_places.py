"""Numbers in an app's words: which are amounts, whose bound they are, and which item they may mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard import Contract, FailureKind, Finding
from pytest_planguard.retry.proving.bounds import (
    bound_elsewhere,
    bounds_at,
    items_spelled,
    limits_missing,
    numbers_in,
    opposite_bound,
    other_faults,
    own_value,
    positions_in,
    spells_place,
    without_items,
)

from ...support.one_item import in_one_item
from .test_bounds import NUMBERS, Counting

STAY = Contract(
    {
        "title": "Stay",
        "type": "object",
        "properties": {
            "nights": {"type": "integer", "minimum": 1, "maximum": 28},
            "motto": {"type": "string", "minLength": 5, "maxLength": 400},
            "room": {"enum": ["single", "suite"]},
        },
        "required": ["nights"],
    }
)
HIGH = Finding("maximum", ("nights",), "is wrong", FailureKind.RANGE, expected="at most 28", actual="90")
MISSING = Finding("missing", ("nights",), "is missing", FailureKind.MISSING)
KIND = Finding("enum", ("rooms", 2, "kind"), "is wrong", FailureKind.ENUM)


@in_one_item
@pytest.mark.parametrize(
    "word",
    [
        *("line", "column", "col", "char", "character", "position", "offset", "index", "row", "item", "entry"),
        *("element", "step", "attempt", "status", "code", "rule", "nr", "no", "zeile", "spalte", "eintrag", "punkt"),
        *("ligne", "línea", "fila"),
    ],
)
def test_each_word_before_a_position(word: str) -> None:
    """In any case, with up to three signs between them; as the end of another word it is none."""
    for text in (f"{word} 30", f"{word.upper()}: 30", f"{word}. #30", f"at {word}(30"):
        assert numbers_in(text) == set(), text
    assert numbers_in(f"{word}    30") == {30}
    assert numbers_in(f"x{word} 30") == {30}


@in_one_item
@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("not less than 1 (now -2)", {1, -2}),
        ("\u22125 degrees", {-5}),
        *((f"1{sign}000{sign}500", {1_000_500}) for sign in (",", "\u202f", "\u00a0", "'")),
        ("2.75 and 28.", {2.75, 28}),
        ("最小30个", {30}),
        ("123456789012345", {123456789012345}),
        ("1234567890123456", set()),
        *((words, set()) for words in ("rooms[1]", "/rooms/1", "E17", "1.2.3", "2026-07-14", "12:30", "v_3", "#4")),
    ],
)
def test_each_form_of_an_amount(words: str, numbers: set[float]) -> None:
    """A separate number of up to 15 digits; none in a path, a word, a version, a date or a time."""
    assert numbers_in(words) == numbers


@in_one_item
@pytest.mark.parametrize(
    "keyword",
    [
        *("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"),
        *("minLength", "maxLength", "minItems", "maxItems"),
    ],
)
def test_each_keyword_of_a_bound(keyword: str) -> None:
    """Of the place itself, and of any other place of the schema; a truth value and a text are no bounds."""
    contract = Contract({"title": "T", "properties": {"nights": {keyword: 17}, "motto": {"multipleOf": 3}}})
    assert bounds_at(HIGH, {"nights": 90}, contract) == {17}
    motto = Finding("maximum", ("motto",), "is wrong", FailureKind.RANGE, expected="at most 5")
    deep = Contract({"title": "T", "properties": {"a": {"anyOf": [{"items": {keyword: 17}}]}}})
    assert bound_elsewhere(motto, "keep it at 17", {"motto": 9}, contract) == 17
    assert bound_elsewhere(motto, "keep it at 17", {"motto": 9}, deep) == 17
    assert bound_elsewhere(motto, "keep it at 3", {"motto": 9}, contract) is None


class Loose:
    """A contract with a schema that may hold anything."""

    def __init__(self, schema: object) -> None:
        self.json_schema = schema


@pytest.mark.parametrize("bound", [True, "17", None, [17]])
def test_what_is_no_number_is_no_bound(bound: object) -> None:
    """A schema may hold anything."""
    contract = Loose({"properties": {"nights": {"minimum": bound}, "motto": {"maximum": bound}}})
    assert bounds_at(HIGH, {"nights": 90}, contract) == set()
    assert bound_elsewhere(HIGH, "at most 17, or 1", {"nights": 90}, contract) is None


@pytest.mark.parametrize("contract", [object(), Loose(None), Loose([1])])
def test_a_contract_without_a_schema_has_no_bounds(contract: object) -> None:
    """It may be any callable."""
    assert bounds_at(HIGH, {"nights": 90}, contract) == set()
    assert opposite_bound(HIGH, "at least 1", {"nights": 90}, contract) is None
    assert bound_elsewhere(HIGH, "at least 5", {"nights": 90}, contract) is None


@in_one_item
@pytest.mark.parametrize(
    ("words", "nights", "bound"),
    [
        ("quux 1", 90, 1),
        ("quux 2", 90, 1),
        ("quux 0", 90, 1),
        ("quux 2", 2, None),
        ("quux 3", 90, None),
        ("quux 1, 28", 90, None),
        ("quux 1, 29", 90, None),
        ("quux 1, 27", 90, None),
        ("quux 1, 29", 29, 1),
        ("quux 90", 90, None),
    ],
)
def test_another_bound_of_the_place(words: str, nights: int, bound: float | None) -> None:
    """Or a number beside it, unless that is the value; none if the own bound is there as well."""
    assert opposite_bound(HIGH, words, {"nights": nights}, STAY) == bound


def test_a_finding_without_a_bound_has_no_opposite() -> None:
    """A missing field may have both."""
    assert opposite_bound(MISSING, "quux 1", {}, STAY) is None


@pytest.mark.parametrize(
    ("finding", "words", "limits"),
    [
        (MISSING, "nights: 上限 28", True),
        (MISSING, "nights: 上限 27", False),
        (MISSING, "nights: quux", False),
        (HIGH, "nights: 上限 28", False),
        (Finding("missing", ("room",), "is missing", FailureKind.MISSING), "quux single, suite", True),
        (Finding("missing", ("room",), "is missing", FailureKind.MISSING), "quux single", False),
    ],
)
def test_the_limits_of_a_field_that_is_missing(finding: Finding, words: str, limits: bool) -> None:
    """A bound of its place, or its choices."""
    assert limits_missing(finding, words, {"motto": "x"}, STAY) is limits


@in_one_item
@pytest.mark.parametrize(
    ("finding", "words", "bound"),
    [
        (HIGH, "quux 5", 5),
        (HIGH, "quux 400 or 5", 5),
        *((HIGH, f"quux 5, {own}", None) for own in (1, 2, 0, 27, 28, 29, 89, 90, 91)),
        (HIGH, "quux 6", None),
        (KIND, "quux 5", None),
        (KIND, "at most 5", 5),
        (KIND, "5 levels", None),
    ],
)
def test_a_bound_of_another_place(finding: Finding, words: str, bound: float | None) -> None:
    """The lowest; none beside a number of the own place, or where nothing is compared."""
    assert bound_elsewhere(finding, words, {"nights": 90}, STAY) == bound


@pytest.mark.parametrize(
    ("value", "words", "named"),
    [
        *((90, "got 90", True), (90, "got 9", False), (9, "got 9", False), (10, "got 10", True), (-10, "-10", True)),
        *(("x" * 12, "of 12", True), ("x" * 9, "of 9", False), ("in 1999", "1999?", True), ([1] * 10, "10", True)),
        *(({str(n): n for n in range(11)}, "11", True), (True, "1", False), (None, "10", False), (10.5, "10.5", True)),
    ],
)
def test_a_value_or_its_length_is_named_with_two_digits(value: object, words: str, named: bool) -> None:
    """A digit alone may mean anything."""
    assert own_value(HIGH, words, {"nights": value}) is named


@pytest.mark.parametrize(
    ("words", "positions"),
    [
        ("item 2 of 3", {2, 3}),
        ("28 and 90, not 4", {4}),
        ("1.5 and 7", {7}),
        ("2. nights", {2}),
        ("123456 1234567", {123456}),
    ],
)
def test_whole_numbers_may_be_positions(words: str, positions: set[int]) -> None:
    """Of up to six digits, but not those of the rule and the value."""
    assert positions_in(HIGH, words, {"nights": 90}) == positions


@in_one_item
@pytest.mark.parametrize(
    ("words", "path", "left"),
    [
        ("guest 2 is 28", ("guests", 2, "age"), ["guest   is 28"]),
        ("guest 3 is 28", ("guests", 2, "age"), ["guest   is 28"]),
        ("guest 2 of 3", ("guests", 2, "age"), ["guest   of 3", "guest 2 of  "]),
        ("guest 23 is 28", ("guests", 2, "age"), ["guest 23 is 28"]),
        ("guest 2, pet 0", ("guests", 2, "pets", 0), ["guest  , pet  "]),
        ("guest 2, pet 1", ("guests", 2, "pets", 0), ["guest 2, pet 1"]),
        ("guest 2, 2", ("guests", 2, "age"), ["guest  , 2"]),
        ("age is 28", ("age",), ["age is 28"]),
    ],
)
def test_words_without_the_numbers_of_the_items(words: str, path: Any, left: list[str]) -> None:
    """Each once, counted from 0 or from 1; if some are not there, the words stay as they are."""
    assert without_items(words, path) == left


@in_one_item
@pytest.mark.parametrize(
    ("words", "spelled", "items"),
    [
        ("rooms[2].kind", True, {2}),
        ("/rooms/2/kind", True, {2}),
        ("rooms -> 2 -> kind", True, {2}),
        ("'rooms', '2', 'kind'", True, {2}),
        ("rooms[0].kind, rooms[1].kind", False, {0, 1}),
        ("rooms[2].kinds", False, set()),
        ("my-rooms[2].kind", False, set()),
        ("rooms number 2 kind", False, set()),
        ("rooms | 2 | kind", False, set()),
        ("rooms: 1 kind", False, set()),
        ("rooms;2;kind", False, set()),
        ("rooms ...... 2.kind", False, set()),
    ],
)
def test_a_place_is_spelled_out(words: str, spelled: bool, items: set[int]) -> None:
    """With one to five signs between its steps, but no words, bars or semicolons: a table counts rows from 1."""
    assert spells_place(KIND, words) is spelled
    assert items_spelled(KIND, words) == items


@pytest.mark.parametrize("path", [("rooms",), ("rooms", 2), (2, "kind"), ("room", "kind")])
def test_only_a_field_of_an_item_spells_its_item(path: Any) -> None:
    """The item itself, an item of the whole answer, and a field of no list have none."""
    finding = Finding("enum", path, "is wrong", FailureKind.ENUM)
    assert items_spelled(finding, "rooms[2].kind, room.kind, 2.kind, rooms[2]") == set()


def test_of_a_deep_place_the_innermost_item_is_spelled() -> None:
    """Of whatever outer item."""
    finding = Finding("enum", ("rooms", 2, "beds", 0, "kind"), "is wrong", FailureKind.ENUM)
    assert items_spelled(finding, "rooms[1].beds[3].kind and rooms[2].beds[4].kind") == {3, 4}


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        ('{"nights": 90}', {"missing", "type", "range"}),
        ('{"motto": "enough"}', {"type", "range"}),
        ('{"nights": null}', {"type", "range"}),
    ],
)
def test_other_faults_of_a_place(answer: str, codes: set[str]) -> None:
    """Each kind once, except the finding's own; null is taken for missing."""
    (finding,) = STAY.check(answer).errors
    found = list(other_faults(finding, answer, STAY))
    assert all(other.path == ("nights",) for other in found)
    assert sorted(other.code for other in found) == sorted(codes - {finding.code})


@pytest.mark.parametrize(
    ("answer", "first"),
    [
        ('{"n": "one"}', ["{}", '{"n": null}']),
        ('{"n": null}', ['{"n": null}']),
        ("{}", []),
    ],
)
def test_each_value_that_may_be_wrong_in_another_way(answer: str, first: list[str]) -> None:
    """A value that is there may also be gone; null already counts as that."""
    (finding,) = NUMBERS.check(answer).errors
    contract = Counting(NUMBERS.check(answer))
    assert list(other_faults(finding, answer, contract)) == []
    assert contract.asked == [
        *first,
        *('{"n": ""}', '{"n": -1}', '{"n": 1000000}', json.dumps({"n": "x" * 2_000}), '{"n": true}', '{"n": []}'),
        '{"n": {"?": 0}}',
    ]
