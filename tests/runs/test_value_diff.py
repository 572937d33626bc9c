"""Fields of two values: laws, keyed lists, moves, absent against null against empty, volatile values."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.path import to_pointer
from pytest_planguard.runs.list_alignment import identical, surely_same
from pytest_planguard.runs.value_diff import MISSING, ChangeKind, diff_values
from pytest_planguard.runs.value_diff_options import DiffOptions, diff_options

from ..support.json_values import JSON_VALUES
from .apply_changes import apply

ITEM = st.fixed_dictionaries({"id": st.integers(0, 6)}, optional={"v": st.integers(0, 2), "n": st.lists(st.booleans())})
KEYED = st.lists(ITEM, max_size=7, unique_by=lambda item: item["id"])
WORDS = st.lists(st.sampled_from("abcd"), max_size=7)
VALUES = JSON_VALUES | KEYED | WORDS | st.dictionaries(st.sampled_from(["levers", "x"]), KEYED | WORDS | JSON_VALUES)


def rows(before: object, after: object, options: DiffOptions | None = None) -> list[tuple[str, str, object, object]]:
    """Every change as (kind, place, before, after)."""
    found = diff_values(before, after, options or DiffOptions()).changes
    return [(change.kind.value, change.where, change.before, change.after) for change in found]


@given(VALUES)
def test_equal_values_have_no_changes(value: object) -> None:
    """diff(a, a) is empty, also for a copy."""
    assert diff_values(value, copy.deepcopy(value)).changes == ()


@given(VALUES, VALUES)
def test_swapped_values_have_mirrored_changes(one: object, other: object) -> None:
    """diff(b, a) is diff(a, b) seen from the other side."""
    there = [change.mirrored() for change in diff_values(one, other).changes]
    back = list(diff_values(other, one).changes)
    assert sorted(map(str, map(_told, there))) == sorted(map(str, map(_told, back)))


@pytest.mark.slow
@given(VALUES, VALUES)
def test_applied_changes_give_the_other_value(one: object, other: object) -> None:
    """apply(diff(a, b), a) is b, and a stays as it was."""
    kept = copy.deepcopy(one)
    assert identical(apply(diff_values(one, other).changes, one), other)
    assert identical(one, kept)


@pytest.mark.slow
@given(KEYED, st.randoms())
def test_a_shuffled_keyed_list_only_moves(items: list[dict[str, object]], random: st.DataObject) -> None:
    """The same items in another order are moves and nothing else."""
    shuffled = random.sample(items, len(items))  # type: ignore[attr-defined]
    assert {change.kind for change in diff_values(items, shuffled).changes} <= {ChangeKind.MOVED}


def _told(change: object) -> tuple[object, ...]:
    return tuple(getattr(change, name) for name in ("kind", "path", "path_after", "before", "after"))


def test_missing_null_and_empty_are_three_things() -> None:
    """A field that is missing, null or empty is told apart in each direction."""
    assert rows({}, {"a": None}) == [("added", "a", MISSING, None)]
    assert rows({"a": None}, {"a": ""}) == [("changed", "a", None, "")]
    assert rows({"a": ""}, {}) == [("removed", "a", "", MISSING)]


def test_items_are_aligned_by_their_id() -> None:
    """An inserted item is one added row, not a change of every item behind it."""
    before = [{"id": "a", "n": 1}, {"id": "b", "n": 2}]
    after = [{"id": "x", "n": 9}, {"id": "a", "n": 1}, {"id": "b", "n": 3}]
    assert rows({"tasks": before}, {"tasks": after}) == [
        ("added", "tasks[id=x]", MISSING, {"id": "x", "n": 9}),
        ("changed", "tasks[id=b].n", 2, 3),
    ]


def test_one_item_that_moved_is_one_move() -> None:
    """The item that moved is named, not those that it passed, and a change inside it is told as well."""
    before = [{"id": name, "n": 1} for name in "abcde"]
    after = [before[4] | {"n": 2}, *before[:4]]
    assert rows(before, after) == [
        ("moved", "[id=e]", MISSING, MISSING),
        ("changed", "[id=e].n", 1, 2),
    ]


def test_a_named_key_is_taken_for_its_list_only() -> None:
    """`steps=label` aligns the list at that place; others keep their own key."""
    before = {"steps": [{"label": "one", "v": 1}, {"label": "two", "v": 2}]}
    after = {"steps": [{"label": "two", "v": 2}, {"label": "three", "v": 1}]}
    named = rows(before, after, diff_options(keys=["steps=label"]))
    assert [row[:2] for row in named] == [("removed", "steps[label=one]"), ("added", "steps[label=three]")]


def test_texts_without_a_key_are_paired_in_order_between_equal_ones() -> None:
    """A rewritten item is a change of that item; its equal neighbours are not touched."""
    assert rows(["a", "b", "c"], ["a", "B", "c", "d"]) == [
        ("changed", "[1]", "b", "B"),
        ("added", "[3]", MISSING, "d"),
    ]


def test_unshared_ids_are_called_unstable() -> None:
    """Items whose ids are new in every run are reported as one unstable list, with what is shared."""
    before = {"levers": [{"lever_id": f"a{n}", "name": f"x{n}"} for n in range(5)]}
    after = {"levers": [{"lever_id": f"b{n}", "name": f"x{n + 4}"} for n in range(6)]}
    (found,) = diff_values(before, after).unstable
    assert (found.path, found.key, found.shared, found.before, found.after) == (("levers",), "lever_id", 0, 5, 6)


@pytest.mark.parametrize(("kept", "is_stable"), [(2, True), (1, False)])
def test_ids_of_which_half_are_shared_are_stable(kept: int, is_stable: bool) -> None:
    """Two of four ids in both lists align the items by id; with one of four a pairing by id proves nothing."""
    before = [{"id": f"a{n}", "v": n} for n in range(4)]
    after = [{"id": f"{'a' if n < kept else 'b'}{n}", "v": n} for n in range(4)]
    assert (diff_values(before, after).unstable == ()) is is_stable


def test_new_ids_with_stable_names_are_aligned_by_name() -> None:
    """Where ids are volatile but names are not, names align and each new id is one changed field."""
    before = [{"id": f"a{n}", "name": f"x{n}"} for n in range(4)]
    after = [{"id": f"b{n}", "name": f"x{n}"} for n in range(4)]
    assert [row[1] for row in rows(before, after)] == [f"[name=x{n}].id" for n in range(4)]
    assert rows(before, after, diff_options(ignore=["[*].id"])) == []


def test_types_are_told_apart() -> None:
    """1, 1.0, true and "1" are four values."""
    for before, after in [(1, 1.0), (1, True), (1, "1"), (0, False), ([], {})]:
        assert [row[0] for row in rows(before, after)] == ["changed"]


def test_volatile_values_are_ignored_by_name_or_by_path() -> None:
    """A named normaliser covers texts everywhere; a path covers its place and what is below it."""
    before = {"at": "2026-01-02T10:00:00Z", "meta": {"duration": 3}, "n": 1}
    after = {"at": "2026-01-03T11:30:00Z", "meta": {"duration": 5}, "n": 1}
    assert rows(before, after, diff_options(ignore=["timestamp", "meta.duration"])) == []
    assert [row[1] for row in rows(before, after, diff_options(ignore=["timestamp"]))] == ["meta.duration"]


@pytest.mark.parametrize("verdict", ["levers[*].class", "class"])
def test_conclusions_are_marked(verdict: str) -> None:
    """A change of a field that was named as the verdict says so, also inside a list; a plain name fits anywhere."""
    before = {"levers": [{"id": 1, "class": "primary", "why": "x"}]}
    after = {"levers": [{"id": 1, "class": "remove", "why": "y"}]}
    found = diff_values(before, after, diff_options(verdicts=[verdict])).changes
    assert {change.where: change.verdict for change in found} == {"levers[id=1].class": True, "levers[id=1].why": False}


@pytest.mark.parametrize(
    ("rich", "before", "alike", "other"),
    [
        ({"significant_digits": 2}, 1.0001, 1.0002, 1.5),
        ({"ignore_case": True}, "Go", "GO", "Stop"),
        ({"ignore_number_type": True}, 1, 1.0, 2.0),
    ],
)
def test_rich_options_judge_single_pairs(rich: dict[str, Any], before: object, alike: object, other: object) -> None:
    """Rounding and spelling rules drop a change; without them it counts, and a real change counts with them."""
    assert len(rows({"v": before}, {"v": alike})) == 1
    assert rows({"v": before}, {"v": alike}, diff_options(**rich)) == []
    assert len(rows({"v": before}, {"v": other}, diff_options(**rich))) == 1


def test_a_custom_operator_decides() -> None:
    """A deepdiff operator is asked for a pair and may call it alike."""
    from deepdiff.operator import BaseOperator

    class Prefix(BaseOperator):
        def match(self, level: object) -> bool:
            return True

        def give_up_diffing(self, level: object, diff_instance: object) -> bool:
            return level.t1.split(".")[0] == level.t2.split(".")[0]  # type: ignore[attr-defined]

    options = diff_options(operators=[Prefix(types=[str])])
    assert rows({"v": "Go. Why"}, {"v": "Go. Because"}, options) == []
    assert len(rows({"v": "Go. Why"}, {"v": "Stop. Why"}, options)) == 1


@pytest.mark.slow
def test_depth_and_size_are_no_danger() -> None:
    """A value nested 900 deep and a list of 20,000 equal items are compared without an error."""
    deep = json.loads("[" * 900 + "1" + "]" * 900)
    other = json.loads("[" * 900 + "2" + "]" * 900)
    assert [row[2:] for row in rows(deep, other)] == [(1, 2)]
    assert len(rows([0] * 20_000, [0] * 19_999)) == 1


@pytest.mark.slow
@given(VALUES, VALUES)
def test_the_cheap_look_never_calls_different_values_the_same(one: object, other: object) -> None:
    """What it calls the same is the same, type for type; 1, 1.0 and true in a list are not."""
    assert not surely_same([one], [other]) or identical(one, other)
    assert surely_same({"a": one}, {"a": copy.deepcopy(one)})
    assert not surely_same([1], [True])
    assert not surely_same({"a": [1]}, {"a": [1.0]})


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("/rows/1/x", ["/rows/0/x", "/keys/1/x"]),
        ("/keys/1/x", ["/rows/0/x", "/rows/1/x"]),
        ("/rows/2/x", ["/rows/0/x", "/rows/1/x", "/keys/1/x"]),
    ],
)
def test_a_number_in_a_pointer_is_an_index_or_a_key(pattern: str, left: list[str]) -> None:
    """An index in a list, and a key in an object."""
    before = {"rows": [{"x": 1}, {"x": 1}], "keys": {"1": {"x": 1}}}
    after = {"rows": [{"x": 2}, {"x": 2}], "keys": {"1": {"x": 2}}}
    found = diff_values(before, after, diff_options(ignore=[pattern]))
    assert sorted(to_pointer(change.path) for change in found.changes) == sorted(left)
