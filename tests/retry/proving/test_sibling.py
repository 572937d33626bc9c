"""The same fault at another item of the list: exactly that, and the numbers that then go with it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_planguard import Contract
from pytest_planguard.document.edit import Edit
from pytest_planguard.retry.proving.changes.repair import Repaired, repair
from pytest_planguard.retry.proving.changes.sibling import Moved, moved

GUEST = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "maximum": 120}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
STAY = Contract({"type": "object", "properties": {"guests": {"type": "array", "items": GUEST}}, "required": ["guests"]})
FAULTS = ({"name": "A", "age": 410}, {"name": "A", "age": "x"}, {"age": 3}, {"name": "A", "age": 3, "pet": 1})


def moved_from(text: str, contract: Contract, at: int = 0) -> Moved | None:
    """Return the answer with one of its findings at another item."""
    verdict = contract.check(text)
    finding = verdict.errors[at]
    repaired = repair(finding, verdict, contract)
    return moved(finding, verdict, contract, repaired) if isinstance(repaired, Repaired) else None


@settings(max_examples=40)
@given(st.lists(st.sampled_from([{"name": "B", "age": 5}, *FAULTS]), max_size=4), st.sampled_from(FAULTS), st.data())
def test_the_same_fault_stands_at_another_item(guests: list[Any], fault: Any, data: st.DataObject) -> None:
    """Law: one finding has changed its item, and nothing else; the numbers of both items are marked."""
    at = data.draw(st.integers(0, len(guests)), "item")
    text = json.dumps({"guests": [*guests[:at], fault, *guests[at:]]})
    verdict = STAY.check(text)
    (number,) = (n for n, f in enumerate(verdict.errors) if f.path[:2] == ("guests", at))
    change = moved_from(text, STAY, number)
    if change is None:
        return
    (_, _, *below), finding = verdict.errors[number].path, verdict.errors[number]
    others = [f.identity for f in verdict.errors if f is not finding]
    there = ("guests", change.to, *below)
    assert change.to != at
    assert sorted(f.identity for f in STAY.check(change.text).errors) == sorted([*others, (finding.code, there)])
    assert (str(at), str(change.to)) in change.marks


def test_a_sound_item_beside_a_bad_one_takes_its_fault() -> None:
    """The last one is tried first."""
    change = moved_from(
        '{"guests": [{"name": "A", "age": 410}, {"name": "B", "age": 1}, {"name": "C", "age": 2}]}', STAY
    )
    assert change is not None
    assert json.loads(change.text)["guests"][2] == {"name": "C", "age": 410}
    assert json.loads(change.text)["guests"][0]["age"] != 410


def test_the_last_item_of_a_list_may_be_taken_out_by_the_repair() -> None:
    """No item of the repaired list has its position then."""
    text, sound = '{"guests": [{"name": "A", "age": 1}, 3]}', '{"guests": [{"name": "A", "age": 1}]}'
    verdict = STAY.check(text)
    taken_out = Repaired(sound, Edit("drop", ("guests", 1)), json.loads(text), json.loads(sound), valid=True)
    change = moved(verdict.errors[0], verdict, STAY, taken_out)
    assert change is not None
    assert (change.item, change.to, json.loads(change.text)) == (1, 0, {"guests": [3]})
