"""Items that a text names by a value of their own, or by their place in JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard import FailureKind, Finding
from pytest_planguard.retry.matching.item_signs import shows_another_item

from ...support.one_item import in_one_item

OLD = Finding("maximum", ("guests", 0, "age"), "is over 120", FailureKind.RANGE, actual="410")
TWO = {"rooms": [{"guests": [{"age": 1}, {"age": 410}]}, {"guests": [{"age": 410}, {"age": 2}]}]}


def meant(text: str, items: list[Any]) -> list[int]:
    """Return the guests for whose age a text may be."""
    span, data = (0, len(text)), {"guests": items}
    findings = [replace(OLD, path=("guests", at, "age")) for at in range(len(items))]
    return [at for at, one in enumerate(findings) if not shows_another_item(one, text, text, [span], data)]


def named(*names: object) -> list[dict[str, object]]:
    """Return guests with these names."""
    return [{"age": 410, "name": name} for name in names]


@in_one_item
@pytest.mark.parametrize(
    ("text", "items", "found"),
    [
        ("Bo: age is high", named("Al", "Bo"), [1]),
        ("Bo and Al: age is high", named("Al", "Bo", "Cy"), [0, 1]),
        ("Bo: age is high", named("Bo", "Bo", "Cy"), [0, 1]),
        ("Bo.: age is high", named("Al", "Bo."), [1]),
        ("bo: age is high", named("Al", "Bo"), [0, 1]),
        ("Boo: age is high", named("Al", "Bo"), [0, 1]),
        ("x-Bo: age is high", named("Al", "Bo"), [0, 1]),
        ("Bo-x: age is high", named("Al", "Bo"), [0, 1]),
        ("B: age is high", named("A", "B"), [0, 1]),
        ("x 77: age is high", named(1, 77), [0, 1]),
        ("Bo: age is high", [{"age": "Al"}, {"age": "Bo"}], [0, 1]),
        ("Bo: age is high", ["Al", "Bo"], [0, 1]),
        (f"{'b' * 80}: age is high", named("Al", "b" * 80), [1]),
        (f"{'b' * 81}: age is high", named("Al", "b" * 81), [0, 1]),
    ],
)
def test_an_item_is_named_by_a_text_of_another_member(text: str, items: list[Any], found: list[int]) -> None:
    """As a word of its own, of 2 to 80 characters."""
    assert meant(text, items) == found


def test_the_names_of_200_items_are_compared() -> None:
    """More would take long."""
    items = named(*(f"N{number:03}" for number in range(202)))
    first = replace(OLD, path=("guests", 0, "age"))
    for name, shown in (("N199", True), ("N200", False)):
        text = f"{name}: age is high"
        assert shows_another_item(first, text, text, [(0, len(text))], {"guests": items}) is shown


@in_one_item
@pytest.mark.parametrize(
    ("text", "items"),
    [
        ('{"guests": [{}, {"age": ["high"]}]}', [1]),
        ('{"guests": [{}, {"age": ["high"]}, {"age": ["low"]}]}', [1, 2]),
        ('{"guests": {"1": {"age": ["high"]}, "2": {}}}', [1]),
        ('{"guests": {"1": ["a"], "x": ["b"]}}', [1]),
        ('{"age": "high"} {"guests": [{}, {"age": "high"}]}', [1]),
        ('{"guests": [{}, {}]}', [0, 1, 2, 3]),
        ('{"guests": "x"}', [0, 1, 2, 3]),
        ('[{}, {"age": ["high"]}]', [0, 1, 2, 3]),
    ],
)
def test_json_with_content_at_an_index_is_about_that_item(text: str, items: list[int]) -> None:
    """Of the same list only; an empty item has no problem."""
    assert meant(text, [{"age": 410}] * 4) == items


@in_one_item
@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("age is high", [(0, 0), (0, 1), (1, 0), (1, 1)]),
        ("the second guest, age", [(1, 1)]),
        ("guest #1: age", [(0, 0)]),
        ("index 0, age", [(0, 0)]),
        ('{"rooms": [{}, {"guests": [{"age": "high"}]}]}', [(1, 0)]),
    ],
)
def test_each_list_of_the_path_may_be_counted(text: str, places: list[tuple[int, int]]) -> None:
    """A number that says nothing of its list must fit both."""
    found = [
        (room, guest)
        for room in (0, 1)
        for guest in (0, 1)
        if not shows_another_item(
            replace(OLD, path=("rooms", room, "guests", guest, "age")), text, text, [(0, len(text))], TWO
        )
    ]
    assert found == places
