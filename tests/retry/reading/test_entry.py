"""Places: every spelling of a path is the same path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.retry.reading.entry import parse_place, place, same_place

from ...support.one_item import in_one_item

PATH = ("tasks", 0, "status")


@in_one_item
@pytest.mark.parametrize(
    "spelling",
    [
        "tasks.0.status",
        "tasks[0].status",
        "/tasks/0/status",
        "#/tasks/0/status",
        "$.tasks[0].status",
        "$['tasks'][0]['status']",
        'tasks[0]["status"]',
        "tasks -> 0 -> status",
        "tasks → 0 → status",
        "tasks > 0 > status",
        "`tasks[0].status`",
        "('tasks', 0, 'status')",
        '["tasks", 0, "status"]',
    ],
)
def test_every_spelling_is_the_same_place(spelling: str) -> None:
    """Dots, brackets, pointers, JSON paths and arrows agree."""
    assert same_place(parse_place(spelling), PATH)


@pytest.mark.parametrize("spelling", ["", "$", "(whole answer)", "`$`", "root", "/"])
def test_the_root_has_many_names(spelling: str) -> None:
    """The whole answer is the empty path."""
    assert parse_place(spelling) == ()


@pytest.mark.parametrize(
    "other", ["tasks[1].status", "tasks.status", "tasks[0]", "tasks[0].status.x", "task[0].status"]
)
def test_other_places_differ(other: str) -> None:
    """A wrong index, a missing or an added segment is another place."""
    assert not same_place(parse_place(other), PATH, {"tasks": [{"status": 1}, {"status": 2}]})


def test_union_tags_are_dropped() -> None:
    """Pydantic's names of union members do not stand in the document."""
    data = {"pet": {"name": "Rex"}, "size": 3, "cats": [{}]}
    assert same_place(("pet", "Cat", "name"), ("pet", "name"), data)
    assert same_place(("size", "int"), ("size",), data)
    assert same_place(("pet", "function-after[check(), Cat]", "name"), ("pet", "name"), data)
    assert same_place(("cats", "0", "Cat", "name"), ("cats", 0, "name"), data)
    assert same_place(("pet", "Cat", "name"), ("pet", "name"))
    assert not same_place(("cats", "7", "name"), ("cats", 0, "name"), data)
    assert not same_place(("pet", "name", "age"), ("pet", "name"), data)


def test_a_field_with_a_capital_is_no_union_tag() -> None:
    """A tag or a heading alone is about the whole answer; a field of the answer is not, however it begins."""
    data = {"status": "a", "dueDate": "b"}
    for word in ("Cat", "Failures", "Date"):
        assert same_place((word,), (), data)
        assert same_place((word, "status"), ("status",), data)
    for word in ("Status", "DueDate"):
        assert not same_place((word,), (), data)
        assert same_place((word,), (), [])


@pytest.mark.slow
@given(
    st.lists(
        st.one_of(st.integers(0, 99), st.from_regex(r"[a-z_][a-z_0-9]{0,8}", fullmatch=True)), min_size=1, max_size=6
    )
)
def test_spellings_parse_back(path: list[str | int]) -> None:
    """Each usual spelling of a path is read as that path."""
    if path[0] == "root" or (len(path) == 1 and path[0] in ("root", "document", "__root__")):
        return
    for spelling in spellings(path):
        assert parse_place(spelling) == place(tuple(path)), spelling


def spellings(path: list[str | int]) -> list[str]:
    """Return the usual spellings of a path."""
    steps = list(map(str, path))
    brackets = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    joined = [sign.join(steps) for sign in (".", " -> ", " → ", " > ")]
    return [brackets, *joined, "/" + "/".join(steps)]


def test_pointers_are_unescaped() -> None:
    """RFC 6901: ~1 is a slash, ~0 a tilde."""
    assert parse_place("/a~1b/c~0d") == ("a/b", "c~d")


def test_the_name_of_a_list_may_stand_behind_the_position_again() -> None:
    """Revalidator writes `extras.0.extras`; a field of that name is the field."""
    path = ("extras", 0)
    assert same_place(("extras", "0", "extras"), path, {"extras": ["limousine"]})
    assert not same_place(("extras", "1", "extras"), path, {"extras": ["limousine"]})
    assert not same_place(("extras", "0", "extras"), path, {"extras": [{"extras": "x"}]})


def test_a_position_alone_is_no_place_of_the_whole_answer() -> None:
    """Feedback that says `0: required` is read as well where the answer as a whole is wrong."""
    assert not same_place(("0",), (), {"goal": 1})
    assert not same_place(("0",), (), [1])
    assert not same_place(("7",), (), [1])
