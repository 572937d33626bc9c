"""The same fault at another item of its list."""

from __future__ import annotations

import json

from pytest_planguard import Contract
from pytest_planguard.retry.proving.changes.repair import Repaired, repair
from pytest_planguard.retry.proving.changes.sibling import Moved, moved

GUEST = {"type": "object", "properties": {"age": {"maximum": 120}}}
PARTY = Contract(
    {
        "type": "object",
        "properties": {
            "guests": {"type": "array", "items": GUEST},
        },
    }
)


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


def test_a_list_with_one_item_has_no_other() -> None:
    """Nothing is tried then."""
    assert other_item(guests=[{"age": 410}]) is None


def test_an_item_that_is_taken_out_has_no_sibling() -> None:
    """The list is shorter without it."""
    assert other_item(guests=[{"age": 4}, {"age": 5}, 3]) is None
