"""The same fault at another item of its list."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract
from pytest_planguard.retry.proving.moved_fault import TRIES, Item, Moved, item_in, moved, strays
from pytest_planguard.retry.proving.repair import Repaired, repair

GUEST = {"type": "object", "properties": {"age": {"maximum": 120}}}
PARTY = Contract(
    {
        "type": "object",
        "properties": {
            "guests": {"type": "array", "items": GUEST},
        },
    }
)
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "maximum": 120}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
STAY = Contract(
    {"type": "object", "properties": {"guests": {"type": "array", "items": PERSON}}, "required": ["guests"]}
)
FAULTS = ({"name": "A", "age": 410}, {"name": "A", "age": "x"}, {"age": 3}, {"name": "A", "age": 3, "pet": 1})


def other_item(**data: object) -> Moved | None:
    """Return the answer with the only finding of some data at another item."""
    verdict = PARTY.check(json.dumps(data))
    (finding,) = verdict.errors
    repaired = repair(finding, verdict, PARTY, [{"guests": [{"age": 4}, {"age": 5}]}])
    assert isinstance(repaired, Repaired)
    return moved(finding, verdict, PARTY, repaired)


def test_the_last_item_gets_the_fault_of_another_one() -> None:
    """Words that are one item off wrap around there."""
    found = other_item(guests=[{"age": 410}, {"age": 4}, {"age": 5}])
    assert found is not None
    assert json.loads(found.text) == {"guests": [{"age": 4}, {"age": 4}, {"age": 410}]}
    assert (found.item, found.to, found.items) == (0, 2, 3)
    assert found.words == "the same error at another item (guests[2].age became 410)"


def test_a_field_that_is_missing_is_removed_from_another_item() -> None:
    """And put back where it was missing."""
    people = [{"name": "A"}, {"name": "B", "age": 5}]
    found = person_elsewhere(people, good=[{"name": "A", "age": 3}, {"name": "B", "age": 5}])
    assert json.loads(found.text) == {"guests": [{"name": "A", "age": 3}, {"name": "B"}]}
    assert found.words == "the same error at another item (guests[1].age was removed)"
    assert found.numbers == (0, 1, 1, 2)


def person_elsewhere(people: list[Any], good: list[Any], contract: Contract | None = None) -> Moved:
    """Return the answer with the only finding of some people at another one."""
    contract = contract or STAY
    verdict = contract.check(json.dumps({"guests": people}, indent=1))
    (finding,) = verdict.errors
    repaired = repair(finding, verdict, contract, [{"guests": good}])
    assert isinstance(repaired, Repaired)
    found = moved(finding, verdict, contract, repaired)
    assert found is not None
    return found


def test_numbers_that_may_change_with_the_item() -> None:
    """Its position from 0 and from 1, its ordinal, the numbers in members that both items have, and its line."""
    people = [
        {"no": 101, "room": "R7/8", "tags": ["T1"], "of": {"n": 1}, "own": 5, "age": 410},
        {"no": 205, "room": "R9", "tags": ["T2"], "of": {"n": 2}, "age": 30},
    ]
    found = person_elsewhere(people, [{"age": 41}, {"age": 30}], PARTY)
    positions, ids = {("0", "1"), ("1", "2"), ("10001", "10002")}, {("101", "205"), ("7", "9"), ("8", "9")}
    assert found.marks == {*positions, *ids, ("41", "30"), ("13", "24"), ("11", "11")}


def test_a_list_with_one_item_has_no_other() -> None:
    """Nothing is tried then."""
    assert other_item(guests=[{"age": 410}]) is None


def test_an_item_that_is_taken_out_has_no_sibling() -> None:
    """The list is shorter without it."""
    assert other_item(guests=[{"age": 4}, {"age": 5}, 3]) is None


def test_items_without_the_place_are_no_tries() -> None:
    """The seventh other item is the only one with a home, and has the fault."""
    home = {"type": "object", "properties": {"age": {"maximum": 120}}}
    guests = {"type": "array", "items": {"type": "object", "properties": {"home": home}}}
    houses = Contract({"type": "object", "properties": {"guests": guests}})
    verdict = houses.check(json.dumps({"guests": [{"home": {"age": 410}}, *[{}] * TRIES, {"home": {"age": 4}}, {}]}))
    (finding,) = verdict.errors
    repaired = repair(finding, verdict, houses, [{"guests": [{"home": {"age": 5}}]}])
    assert isinstance(repaired, Repaired)
    found = moved(finding, verdict, houses, repaired)
    assert found is not None
    assert (found.item, found.to) == (0, TRIES + 1)


@given(st.lists(st.sampled_from([{"name": "B", "age": 5}, *FAULTS]), max_size=4), st.sampled_from(FAULTS), st.data())
def test_the_same_fault_stands_at_another_item(guests: list[Any], fault: Any, data: st.DataObject) -> None:
    """Law: one finding has changed its item, and nothing else; the numbers of both items are marked."""
    at = data.draw(st.integers(0, len(guests)), "item")
    text = json.dumps({"guests": [*guests[:at], fault, *guests[at:]]})
    verdict = STAY.check(text)
    (number,) = (n for n, f in enumerate(verdict.errors) if f.path[:2] == ("guests", at))
    finding = verdict.errors[number]
    repaired = repair(finding, verdict, STAY)
    change = moved(finding, verdict, STAY, repaired) if isinstance(repaired, Repaired) else None
    if change is None:
        return
    (_, _, *below) = finding.path
    others = [f.identity for f in verdict.errors if f is not finding]
    there = ("guests", change.to, *below)
    assert change.to != at
    assert sorted(f.identity for f in STAY.check(change.text).errors) == sorted([*others, (finding.code, there)])
    assert (str(at), str(change.to)) in change.marks


def test_lines_in_another_order_are_compared_by_their_numbers() -> None:
    """Row 1 that becomes row 3 follows the fault; row 2 that becomes row 1 is another item."""
    change = other_item(guests=[{"age": 410}, {"age": 4}, {"age": 5}])
    assert change is not None
    for own, there, item in ((1, 3, Item.FOLLOWS), (2, 1, Item.STRAYS)):
        words, moved_words = f"row {own}: age\nERROR: refused", f"ERROR: refused\nrow {there}: age"
        assert item_in(words, moved_words, change, {own}, set()) is item


def test_equal_words_name_no_item_or_a_wrong_one() -> None:
    """A number of another item, in the words or in a place that they spell out; a larger number may be anything."""
    change = other_item(guests=[{"age": 4}, {"age": 410}, {"age": 5}, {"age": 6}])
    assert change is not None
    assert (change.item, change.items) == (1, 4)
    for positions, spelled, item in (
        (set[int](), set[int](), Item.SILENT),
        *(({number}, set[int](), Item.STRAYS) for number in (0, 3, 4)),
        *(({number}, set[int](), Item.SILENT) for number in (1, 2, 5)),
        ({1, 3}, set[int](), Item.SILENT),
        ({9}, {3}, Item.STRAYS),
        (set[int](), {2, 3}, Item.SILENT),
    ):
        assert item_in("row: old", "row: old", change, positions, spelled) is item
    assert item_in("row: old", "", change, {3}, {3}) is None


def test_data_that_moves_with_the_fault_names_its_item_by_the_place() -> None:
    """Lists count their items from 0, at any depth; members and items that are empty name nothing."""
    change = other_item(guests=[{"age": 4}, {"age": 410}, {"age": 5}])
    assert change is not None
    assert (change.item, change.to) == (1, 2)

    def told(at: int) -> str:
        items = [{"age": ["old"]} if number == at else {} for number in range(3)]
        return json.dumps({"guests": items, "notes": [], "text": "", "of": None})

    for one, other, item in ((1, 2, Item.FOLLOWS), (0, 2, Item.STRAYS), (2, 1, Item.STRAYS), (1, 1, Item.SILENT)):
        assert item_in(told(one), told(other), change, set(), set()) is item


def test_a_heading_moves_with_the_fault() -> None:
    """Also if an error that was planted beside it keeps the heading, and where items without errors are empty."""
    change = other_item(guests=[{"age": 4}, {"age": 410}, {"age": 5}])
    assert change is not None
    assert (change.item, change.to) == (1, 2)
    for form, right, wrong in (("- no. {}\n  - too old", (2, 3), (3, 1)), ("[{}%{{age: [old]}}]", (1, 2), (2, 0))):
        told = [form.format("%{}, " * n if "%" in form else n) for n in (*right, *wrong)]
        assert not strays(told[0], told[1], change)
        assert strays(told[2], told[3], change)
