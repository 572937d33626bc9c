"""Lists matched item by item: what is the same, what moved, and which key tells the items apart."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_planguard.runs.list_alignment import (
    NO_KEY,
    Alignment,
    KeyChoice,
    align_keyed,
    align_listed,
    choose_key,
    fingerprint,
    identical,
    surely_same,
)

from ..support.one_item import in_one_item

NAN = math.nan


@in_one_item
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1, True), (1, True, False), (1, 1.0, False), (0, None, False), ("1", 1, False), (NAN, -NAN, True),
        (NAN, 1.0, False), (1.0, NAN, False), ([1, [2]], [1, [2]], True), ([1], [1, 2], False), ([1, 2], [2, 1], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True), ({"a": 1}, {"a": True}, False), ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, {"a": 1, "b": 1}, False), ({"a": [{"b": NAN}]}, {"a": [{"b": NAN}]}, True), ([], {}, False),
    ],
)  # fmt: skip
def test_values_are_identical_with_their_types(one: Any, other: Any, same: bool) -> None:
    """In either order."""
    assert identical(one, other) is identical(other, one) is same


@in_one_item
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (["a", 1, None], ["a", 1, None], True), ([1.5], [1.5], True), ([1], [1.0], False), ([1], [True], False),
        ({"a": 1}, {"a": 1.0}, False), ({"a": "x"}, {"a": "x"}, True), ([{"a": [1]}], [{"a": [1]}], True),
        ([1], [2], False), ([object], [object], False),
    ],
)  # fmt: skip
def test_equal_containers_are_the_same_if_no_type_is_confused(one: Any, other: Any, same: bool) -> None:
    """False only means that nothing is proven."""
    assert surely_same(one, other) is same


def test_a_fingerprint_is_compact_json() -> None:
    """The same for any order of keys."""
    assert fingerprint({"b": [1, "ü"], "a": None}) == '{"a":null,"b":[1,"\\u00fc"]}'


@in_one_item
@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("ab", "ab", Alignment(((0, 0), (1, 1)))),
        ("ab", "ba", Alignment(((1, 0), (0, 1)), frozenset({(0, 1)}))),
        ("abc", "bcd", Alignment(((1, 0), (2, 1)), removed=(0,), added=(2,))),
        ("abc", "cab", Alignment(((2, 0), (0, 1), (1, 2)), frozenset({(2, 0)}))),
        ("ab", "", Alignment(removed=(0, 1))),
        ("", "ab", Alignment(added=(0, 1))),
    ],
)
def test_items_with_keys_are_paired_in_the_new_order(before: str, after: str, found: Alignment) -> None:
    """Those that keep their order stay, the others moved."""
    assert align_keyed(list(before), list(after)) == found


@in_one_item
@pytest.mark.parametrize(
    ("before", "after", "pairs", "moved", "removed", "added", "same"),
    [
        ("abc", "abc", {(0, 0), (1, 1), (2, 2)}, set(), (), (), {(0, 0), (1, 1), (2, 2)}),
        ("abc", "axc", {(0, 0), (1, 1), (2, 2)}, set(), (), (), {(0, 0), (2, 2)}),
        ("abc", "ac", {(0, 0), (2, 1)}, set(), (1,), (), {(0, 0), (2, 1)}),
        ("ac", "abc", {(0, 0), (1, 2)}, set(), (), (1,), {(0, 0), (1, 2)}),
        ("aab", "baa", {(2, 0), (0, 1), (1, 2)}, {(2, 0)}, (), (), {(2, 0), (0, 1), (1, 2)}),
        ("xabcy", "yabcx", {(4, 0), (1, 1), (2, 2), (3, 3), (0, 4)}, {(4, 0), (0, 4)}, (), (), None),
        ("a", "", set(), set(), (0,), (), set()),
        ("ab", "xyz", {(0, 0), (1, 1)}, set(), (), (2,), set()),
    ],
)
def test_items_without_keys_are_paired_by_content_and_then_by_place(
    before: str, after: str, pairs: Any, moved: Any, removed: Any, added: Any, same: Any
) -> None:
    """Repeated items first to first; what is left between those that stay is paired in order."""
    found = align_listed(list(before), list(after))
    assert found == Alignment(
        tuple(sorted(pairs, key=lambda pair: int(pair[1]))), frozenset(moved), removed, added,
        frozenset(pairs if same is None else same),
    )  # fmt: skip


def items(key: str, *values: object) -> list[dict[str, object]]:
    """Objects with these values of a key."""
    return [{key: value, "text": "x"} for value in values]


@in_one_item
@pytest.mark.parametrize(
    "key",
    ["id", "ID", "key", "uuid", "guid", "slug", "task_id", "sort_key", "my_uuid", "taskId", "taskID", "itemUuid",
     "name", "title", "x" * 57 + "_id"],
)  # fmt: skip
def test_a_key_that_looks_like_an_id_identifies_items(key: str) -> None:
    """So does a name or a title."""
    old, new = items(key, "a", "b"), items(key, "b", "c")
    assert choose_key(old, new, ()) == KeyChoice(key, shared=1, labels=(["a", "b"], ["b", "c"]))


@in_one_item
@pytest.mark.parametrize("key", ["paid", "width", "keyed", "text2", "task_ID_2", "names", "x" * 58 + "_id"])
def test_another_key_identifies_nothing(key: str) -> None:
    """It only ends or begins like an id, or is too long for a name."""
    old = items(key, "a", "b")
    assert choose_key(old, old, ()) == NO_KEY


def test_the_likeliest_key_is_tried_first() -> None:
    """The shortest id, then the name, then the title; one that is missing in an item, repeated or no label is not."""
    whole = [{"parent_id": n, "id": n, "name": f"n{n}", "title": f"t{n}"} for n in (1, 2)]
    assert choose_key(whole, whole, ()).key == "id"
    for left_out, then in (("id", "parent_id"), ("parent_id", "name"), ("name", "title"), ("title", None)):
        for item in whole:
            del item[left_out]
        assert choose_key(whole, whole, ()).key == then
    for values in ((1, 1), (1, True), (1, None), (1.5, 2.5), ([1], [2])):
        listed = items("id", *values)
        assert choose_key(listed, listed, ()) == NO_KEY, values
    assert choose_key(items("id", 1, 2), [{"id": 1}, {"name": "x"}], ()) == NO_KEY


def test_a_named_key_comes_first_even_if_hardly_shared() -> None:
    """The first that is unique in both lists."""
    old, new = [{"id": n, "a": 1, "b": n} for n in (1, 2)], [{"id": n, "a": 1, "b": n + 7} for n in (1, 2)]
    assert choose_key(old, new, ("a", "b")) == KeyChoice("b", shared=0, labels=([1, 2], [8, 9]))
    assert choose_key(old, new, ("a", "none")).key == "id"


def test_keys_that_are_not_shared_are_unstable_in_lists_of_four() -> None:
    """Half of the shorter list's keys must be in both; in fewer items they may just be different items."""

    def choice(old: range, new: range) -> tuple[str | None, str | None, int]:
        found = choose_key(items("id", *old), items("id", *new), ())
        return found.key, found.unstable, found.shared

    assert choice(range(6), range(3, 11)) == ("id", None, 3)
    assert choice(range(6), range(4, 12)) == (None, "id", 2)
    assert choice(range(4), range(4, 8)) == (None, "id", 0)
    assert choice(range(3), range(4, 8)) == (None, None, 0)
    both = [[{"id": n + more, "task_id": n + more, "name": f"n{n}"} for n in range(4)] for more in (0, 9)]
    assert choose_key(*both, ()).key == "name"
    for item in (*both[0], *both[1]):
        item["name"] = "same"
    assert choose_key(*both, ()).unstable == "id"


@pytest.mark.parametrize(("old", "new"), [([], [{"id": 1}]), ([{"id": 1}], []), ([{"id": 1}], [1]), ([1], [{"id": 1}])])
def test_lists_without_objects_have_no_key(old: list[Any], new: list[Any]) -> None:
    """Nor do empty ones, whatever key is named."""
    assert choose_key(old, new, ("id",)) == NO_KEY
