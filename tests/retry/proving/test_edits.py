"""What may fix a finding: the model's own later words first, then the same value in another form."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict

from pytest_planguard import Contract, FailureKind, Finding
from pytest_planguard.contract.constraints.builders import contains, distinct, excludes
from pytest_planguard.document.edit import Edit
from pytest_planguard.retry.proving.edits import edits


class Order(BaseModel):
    """One field of each type that models get wrong."""

    model_config = ConfigDict(extra="forbid")
    count: int = 1
    sent: bool = True
    name: str = "x"
    tags: list[str] = []
    level: Literal["low", "high"] = "low"


def proposed(data: dict[str, Any], contract: Contract | None = None, donors: tuple[Any, ...] = ()) -> list[Edit]:
    """The edits for the only finding of an answer."""
    judge = contract or Contract(Order, strict=True)
    (finding,) = judge.check(data).errors
    return list(edits(finding, data, judge, donors))


@pytest.mark.parametrize(
    ("field", "wrong", "right"),
    [
        ("count", "2", 2),
        ("count", [2], 2),
        ("sent", "False", False),
        ("name", 7, "7"),
        ("name", None, ""),
        ("tags", "a, b", ["a", "b"]),
        ("level", "hi", "low"),
    ],
)
def test_the_same_value_in_the_right_form_is_tried(field: str, wrong: Any, right: Any) -> None:
    """The value that the contract takes is among the first three that are tried, and only its place is touched."""
    found = proposed({field: wrong})
    assert Edit("put", (field,), right) in found[:3]
    assert {edit.path for edit in found} == {(field,)}


@pytest.mark.parametrize(
    ("data", "donor", "first"),
    [
        ({"count": "many"}, {"count": 12}, Edit("put", ("count",), 12)),
        ({"count": "many"}, {"name": "y"}, Edit("drop", ("count",))),
        ({"level": True}, {"level": 1}, Edit("put", ("level",), 1)),
    ],
)
def test_what_the_model_itself_wrote_later_comes_first(data: Any, donor: Any, first: Edit) -> None:
    """A later answer of the conversation gives the value, or shows that the place is better left out."""
    assert proposed(data, donors=(donor,))[0] == first


def test_a_missing_member_is_added() -> None:
    """The later answer's value is added first; after it a value that the schema allows."""

    class Named(BaseModel):
        name: str

    found = proposed({}, Contract(Named), ({"name": "Ann"},))
    assert found[:2] == [Edit("add", ("name",), "Ann"), Edit("add", ("name",), "sample")]


def test_what_is_too_much_is_dropped_and_nothing_else_tried() -> None:
    """A member that the schema forbids has one fixing; an item of a list may be fixed or dropped."""
    assert proposed({"colour": "red"}) == [Edit("drop", ("colour",))]
    assert proposed({"tags": ["a", 3]})[-1] == Edit("drop", ("tags", 1))


@pytest.mark.parametrize(
    ("rule", "name", "first"),
    [
        (contains("name", "paper", "ink", language="en"), "out of", "out of paper ink"),
        (excludes("name", "damn", language="en"), "Damn printer, damn", "other printer, other"),
    ],
)
def test_rules_about_words_are_met_with_words(rule: Any, name: str, first: str) -> None:
    """Wanted words are added to the text, and forbidden ones replaced however they are spelt."""
    contract = Contract(Order, constraints=[rule])
    (put,) = (edit for edit in proposed({"name": name}, contract) if edit.value == first)
    assert contract.check({"name": put.value}).ok


def test_a_repeated_item_gets_words_of_its_own() -> None:
    """An item that stands twice is made another one."""
    contract = Contract(Order, constraints=[distinct("tags")])
    found = proposed({"tags": ["a", "a"]}, contract)
    assert any(contract.check({"tags": ["a", edit.value]}).ok for edit in found if edit.path == ("tags", 1))


def test_values_of_the_other_items_of_the_innermost_list_are_tried() -> None:
    """Those of its first four items, at the same place in each, but not the own one and none that is not there."""

    def tried(rows: list[Any], *path: str | int) -> list[Any]:
        finding = Finding("type", path, "is wrong", FailureKind.TYPE)
        free = Contract({"title": "Free"})
        return [edit.value for edit in edits(finding, {"rows": rows}, free) if edit.action == "put"]

    rows = [{"who": {"age": {"n": number}}} for number in range(6)]
    others = [{"n": 1}, {"n": 2}, {"n": 3}]
    assert tried(rows, "rows", 0, "who", "age") == others
    assert tried(rows, "rows", 4, "who", "age") == [{"n": 0}, *others]
    assert tried([rows[0], {"who": 1}, {}, rows[3]], "rows", 0, "who", "age") == [{"n": 3}]
    assert tried([[{"a": 1}, {"a": 2}], [{"a": 3}, {"a": 4}]], "rows", 1, 0) == [{"a": 4}]
    assert tried([{"a": [{"n": 1}, {"n": 2}]}], "rows", 0, "a", 1) == [{"n": 1}]
