"""What good answers have in common: their places, the forms of their texts, and their references."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.contract.strength.evidence import (
    GoodAnswer,
    Place,
    Reference,
    Site,
    all_distinct,
    evidence_of,
    format_of_all,
    id_places,
    is_conclusion,
    negated,
    references,
    siblings,
    span,
    stale_date,
)

from ...support.one_item import in_one_item


def answers(*data: Any) -> list[GoodAnswer]:
    """Values as good answers."""
    return [GoodAnswer(f"answer {at}", value) for at, value in enumerate(data)]


@in_one_item
@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (["2026-11-22", "2000-01-01"], "date of this century"),
        (["2026-11-22", "1999-01-01"], None),
        (["2026-11-22T10:00", "2026-11-22 10:00:00Z"], "date and time of this century"),
        (["2026-11-22", "2026-11-22T10:00"], None),
        (["123e4567-e89b-12d3-a456-426614174000", "ABCDEF01-0000-0000-0000-000000000000"], "UUID"),
        (["123e4567-e89b-12d3-a456-42661417400"], None),
        (["https://a.test/b", "http://c"], "URL"),
        (["https://a.test/b c"], None),
        (["ftp://a.test"], None),
        (["ada@a.test", "b.c@d.e.f"], "e-mail address"),
        (["ada@test"], None),
        (["ada b@a.test"], None),
        (["T1", "T-12", "task_123"], "id of a prefix and a number"),
        (["abcdefghij12345678"], "id of a prefix and a number"),
        (["abcdefghijk1"], None),
        (["a123456789"], None),
        (["1", "2.5", "1.2.3.4"], "number"),
        (["1.2.3.4.5"], None),
        (["123456789"], None),
        (["T1", "1"], None),
        ([], None),
        ([""], None),
    ],
)
def test_the_form_that_all_texts_have(texts: list[str], name: str | None) -> None:
    """The strictest one; none if a single text has another."""
    found = format_of_all(texts)
    assert (found and found[0]) == name


@pytest.mark.parametrize(
    ("text", "stale"),
    [
        ("2026-11-22", "1926-11-22"),
        ("2026-11-22T10:00:00Z", "1926-11-22T10:00:00Z"),
        ("1999-11-22 at noon", "1899-11-22 at noon"),
        ("3026-11-22", None),
        ("2026-11-22x", None),
        ("on 2026-11-22", None),
        ("2026-11", None),
    ],
)
def test_a_stale_date_is_a_hundred_years_old(text: str, stale: str | None) -> None:
    """With its time; of a text that is no date there is none."""
    assert stale_date(text) == stale


@in_one_item
@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("Go", "No-Go"),
        ("no-go", "Go"),
        ("NO GO", "Go"),
        ("Yes", "No"),
        ("No", "Yes"),
        ("Approved", "Rejected"),
        ("rejected", "Approved"),
        ("Approve", "Reject"),
        ("Reject", "Approve"),
        ("Pass", "Fail"),
        ("fail", "Pass"),
        ("True", "False"),
        ("False", "True"),
        ("Go with caution, or no go", "No-Go with caution, or no go"),
    ],
)
def test_the_opposite_conclusion(text: str, opposite: str) -> None:
    """In place of the first word alone."""
    assert is_conclusion(text)
    assert negated(text) == opposite


@pytest.mark.parametrize("text", ["Gone", "We go", "Passing", "", "Approval", "Nothing"])
def test_a_text_that_does_not_begin_with_a_conclusion(text: str) -> None:
    """Is none."""
    assert not is_conclusion(text)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [([2], "2 items"), ([1, 1], "1 item"), ([3, 6, 4], "3 to 6 items"), ([0, 1], "0 to 1 item")],
)
def test_the_span_of_numbers(numbers: list[int], words: str) -> None:
    """From the smallest to the largest."""
    assert span(numbers, "item") == words


@pytest.mark.parametrize(
    ("lists", "distinct"),
    [
        ([["a", "b"], ["a"]], True),
        ([["a", " A "]], False),
        ([["1", 1]], True),
        ([[1, 1.0]], True),
        ([["a"], [{"x": 1, "y": 2}, {"y": 2, "x": 1}]], False),
        ([], True),
    ],
)
def test_lists_without_equal_items(lists: list[Any], distinct: bool) -> None:
    """Texts are equal whatever their case and white space; two lists may share an item."""
    assert all_distinct(lists) is distinct


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        ([1, 2], {int, float}),
        ([1, 2.5], {float}),
        ([True], {bool}),
        ([True, 1], set()),
        (["a"], {str}),
        (["a", None], set()),
        ([[]], {list}),
        ([{}], {dict}),
    ],
)
def test_the_types_of_all_values_of_a_place(values: list[Any], kinds: set[type]) -> None:
    """An integer is a number too, and a truth value is none."""
    place = Place("a", [Site(at, ("a",), value) for at, value in enumerate(values)])
    assert {kind for kind in (int, float, bool, str, list, dict) if place.holds(kind)} == kinds


def test_places_by_name() -> None:
    """The whole answer is "", and a list has one place for all of its items."""
    found = evidence_of(answers({"a": [{"b": 1}, {"b": "x"}]}, {"a": []}))
    assert list(found) == ["", "a", "a[*]", "a[*].b"]
    assert [(site.answer, site.path) for site in found["a[*].b"].sites] == [(0, ("a", 0, "b")), (0, ("a", 1, "b"))]
    assert (found["a[*].b"].values, found["a[*].b"].texts) == ([1, "x"], ["x"])
    assert [site.answer for site in found["a"].sites] == [0, 1]


@pytest.mark.parametrize(
    ("path", "names"),
    [(("a",), ["a", "c"]), (("a", 0, "b"), ["a[*].b", "a[*].d"]), (("a", 0), []), (("c", "e"), ["c.e"])],
)
def test_the_members_of_the_same_object(path: Any, names: list[str]) -> None:
    """The root is no member, and neither are the items of a list."""
    found = evidence_of(answers({"a": [{"b": 1, "d": 2}], "c": {"e": 3}}))
    assert [place.name for place in siblings(found, path)] == names


TASKS = {"tasks": [{"id": "a", "after": []}, {"id": "b", "after": ["a"]}, {"id": "c", "after": ["a", "b"]}]}


@in_one_item
@pytest.mark.parametrize(
    ("data", "found"),
    [
        ([TASKS], [("tasks[*].after[*]", "tasks[*].id")]),
        ([{"tasks": TASKS["tasks"][:2]}], []),
        ([{"tasks": [*TASKS["tasks"], {"id": "d", "after": ["z"]}]}], []),
        ([{"tasks": [*TASKS["tasks"], {"id": "a", "after": []}]}], []),
        ([{**TASKS, "first": "a"}] * 3, [("tasks[*].after[*]", "tasks[*].id"), ("first", "tasks[*].id")]),
        ([TASKS, {"tasks": [{"id": "d", "after": ["a"]}]}], []),
        ([{"tasks": [{"task_id": n, "after": n} for n in range(3)]}], [("tasks[*].after", "tasks[*].task_id")]),
        ([{"tasks": [{"key": n, "after": n} for n in range(3)]}], [("tasks[*].after", "tasks[*].key")]),
        ([{"tasks": [{"name": n, "after": n} for n in range(3)]}], [("tasks[*].after", "tasks[*].name")]),
        ([{"tasks": [{"taskId": n, "after": n} for n in range(3)]}], [("tasks[*].after", "tasks[*].taskId")]),
        ([{"tasks": [{"title": n, "after": n} for n in range(3)]}], []),
        ([{"tasks": [{"id": n, "after": None} for n in range(3)]}], []),
        ([{"tasks": [{"id": n, "done": True} for n in range(3)]}], []),
        ([{"id": 1, "after": 1}] * 3, []),
    ],
)
def test_references_to_ids(data: list[Any], found: list[tuple[str, str]]) -> None:
    """Three values at least, each of which is an id of the same answer; ids are members of objects in a list."""
    evidence = evidence_of(answers(*data))
    assert references(evidence) == [Reference(*pair) for pair in found]
    assert {source for source, _ in found} | {target for _, target in found} <= id_places(evidence)


def test_the_places_of_ids_and_of_references() -> None:
    """Ids that nothing refers to are among them, and other texts are not."""
    data = {"tasks": [{"id": "a", "title": "x"}, {"id": "b", "title": "x"}], "title": "y"}
    assert id_places(evidence_of(answers(data))) == {"tasks[*].id"}
