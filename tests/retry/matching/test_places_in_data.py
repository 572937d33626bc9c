"""Places in data of any notation: an index counts before a name, from 0 or 1 as the notation does."""

from __future__ import annotations

import json

import pytest

from pytest_planguard import Contract
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.outcomes import NOT_FED_BACK, Grade

from ...support.conversations import dialogue
from ...support.one_item import in_one_item

STAY = Contract(
    {
        "title": "Stay",
        "type": "object",
        "properties": {
            "nights": {"type": "integer", "maximum": 28},
            "rooms": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"kind": {"enum": ["single", "double"]}, "beds": {"type": "integer"}},
                    "required": ["kind"],
                },
            },
        },
        "required": ["nights", "rooms"],
    }
)
GOOD = {"nights": 3, "rooms": [{"kind": "single", "beds": 1}, {"kind": "double", "beds": 2}, {"kind": "single"}]}
FROM_0 = [
    '{{"at": "input.rooms[{0}]", "message": "the key \'kind\' is required but was not present"}}',
    '{{"property": "kind", "path": ["rooms", {0}], "message": "is missing"}}',
    '{{\n  "property": "kind",\n  "in": "/rooms/{0}",\n  "message": "is missing"\n}}',
    '{{:rooms {{{0} {{:kind ["missing required key"]}}}}}}',
    '{{:rooms=>{{{0}=>{{:kind=>["is missing"]}}}}}}',
    "{{rooms: {{{0} => {{kind: ['is missing']}}}}}}",
    '%{{rooms: {{{0}, %{{kind: ["is missing"]}}}}}}',
    "{{'rooms': {{{0}: {{'kind': ['is missing']}}}}}}",
    'is missing (through reference chain: Stay["rooms"]->java.util.ArrayList[{0}]->Room["kind"])',
    'Problem with property "rooms": at index {0}: Problem with property "kind": it is missing',
    "rooms\n└─ #{0}\n   └─ kind: is missing",
    "$['rooms'][{0}]['kind']: is missing",
    "In: [:rooms {0} :kind] - is missing",
    "codingPath: [rooms, Index {0}, kind] is missing",
    '(stringValue: "rooms"), _JSONKey(stringValue: "Index {0}", intValue: {0}), (stringValue: "kind"): missing',
    '<rooms><room index="{0}"><kind>is missing</kind></room></rooms>',
]
FROM_1 = [
    "kind of rooms entry {1} is missing",
    "rooms #{1}: kind is missing",
    "- rooms\n  - item {1}\n    - kind is missing",
]


def said(text: str, bad: int, fault: str = "") -> str:
    """Return what becomes of one room's kind, which is missing or a fault, below a text."""
    rooms = [{**room, "kind": fault} if at == bad else room for at, room in enumerate(GOOD["rooms"])]  # type: ignore[arg-type]
    if not fault:
        del rooms[bad]["kind"]
    talk = dialogue(text, bad=json.dumps({**GOOD, "rooms": rooms}), good=json.dumps(GOOD), task="Book a stay")
    (found,) = judge(talk, [STAY]).conversations[0].attempts[0].fed_back
    return found.label


@in_one_item
@pytest.mark.parametrize("notation", [*FROM_0, *FROM_1])
def test_the_item_that_is_spelled_in_data_is_meant_and_no_other(notation: str) -> None:
    """Words about another item feed nothing back."""
    assert said(notation.format(1, 2), 1) in ("verbatim", "located", "weak")
    assert said(notation.format(1, 2), 0) in NOT_FED_BACK
    assert said(notation.format(1, 2), 2) in NOT_FED_BACK


def test_a_path_for_people_may_count_from_1() -> None:
    """It is unclear for both items that it may mean, unless it names item 0 elsewhere or quotes the value."""
    assert said("rooms › 2 › kind: is missing", 1) == "unclear"
    assert said("rooms › 1 › kind: is missing", 1) == "unclear"
    assert said('[{"path": "rooms › 2 › kind", "message": "is missing"}]', 2) == "unclear"
    assert said("rooms › 1 › kind: is missing\nrooms › 0 › beds: is fine", 1) == "located"
    assert said("rooms › 1 › kind: 'twin' is not one of single, double", 1, "twin") == "located"
    assert said("rooms › 2 › kind: is missing\nrooms › 0 › beds: is fine", 1) == "wrong"


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ('Inappropriate value for attribute "nights": a number is required.', '"three"'),
        ('Field "Stay.nights" of required type "Int!" was not provided.', None),
        ('Got invalid value { rooms: [{ beds: 1 }] }; Field "nights" of required type "Int!" was not provided.', None),
        ("nights: a number is required", None),
        ("nights必须小于等于28", "90"),
        ("nights must be fewer than 29", "90"),
    ],
)
def test_words_of_single_validators(text: str, bad: str | None) -> None:
    """What is required may be a type; what quotes the answer in JavaScript's notation is no place."""
    old, new = '"nights": 3, ', f'"nights": {bad}, ' if bad else ""
    good = json.dumps(GOOD)
    talk = dialogue(text, bad=good.replace(old, new), good=good, task="Book a stay")
    (found,) = judge(talk, [STAY]).conversations[0].attempts[0].fed_back
    assert found.grade is Grade.FED_BACK


def test_values_that_touch_other_scripts() -> None:
    """A sign of Chinese ends a value."""
    assert said("rooms[0].kind必须是single、double之一", 0, "twin") == "located"


def test_a_block_of_code_names_no_place() -> None:
    """A class that is sent again says of no field what is wrong with it."""
    text = "It failed.\n```python\nclass Stay:\n    nights: int\n    kind: str\n```\nPlease try again."
    assert said(text, 0) == "missing"
