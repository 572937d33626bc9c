"""An answer with very many errors: only its start is looked at, and the verdict and its findings stay true."""

from __future__ import annotations

import json
import tracemalloc
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, Field, create_model

from pytest_planguard.contract import Contract
from pytest_planguard.contract.phrasing import TOO_MANY
from pytest_planguard.contract.schema import bounds
from pytest_planguard.contract.schema.bounds import start_with_errors
from pytest_planguard.document.limits import MAX_PROBLEMS

from ...support.nightly import drawn
from ...support.one_item import in_one_item
from .deep_unions.schemas import levels_without_recursion, union

WORDS = tuple(f"k{number}" for number in range(200))


class Order(BaseModel):
    """Items, and a note that comes last."""

    items: list[str] = Field(min_length=2)
    note: str
    absent: str


class Node(BaseModel):
    """A part of a union."""

    kind: str


SCHEMA = {
    "required": ["items", "note", "absent"],
    "properties": {"items": {"type": "array", "minItems": 2, "items": {"type": "string"}}},
}
CONTRACTS = {
    "schema": Contract(SCHEMA),
    "schema that cannot be cut": Contract({**SCHEMA, "unevaluatedProperties": True}),
    "model": Contract(Order),
}


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("name", CONTRACTS)
@pytest.mark.parametrize("good", drawn([0, 1, 9_000, 3_000], 2))
def test_the_first_errors_are_reported(name: str, good: int) -> None:
    """After some good items, too. What comes after the start is not missing, and what is missing is."""
    items = [*good * ["a"], *15_000 * [1]]
    verdict = CONTRACTS[name].check(json.dumps({"items": items, "note": "x"}))
    *found, note = verdict.findings
    assert note.code == TOO_MANY
    assert "and there are more" in note.message
    missing = [one.path for one in found if one.code == "missing"]
    assert missing == ([] if name == "model" else [("absent",)])  # pydantic lists it after all items
    wrong = [one.path for one in found if one.code == "type"]
    assert wrong == [("items", good + number) for number in range(len(wrong))]
    assert len(wrong) >= MAX_PROBLEMS // 2
    assert len(found) == len(wrong) + len(missing)


def _long_enough(items: list[int]) -> list[int]:
    if len(items) < 15_000:
        raise ValueError("too short")
    return items


TEXTS = {"items": {"type": "string"}}
LARGE: dict[str, tuple[Contract, Any, set[str]]] = {
    "at least": (Contract({**TEXTS, "minItems": 15_000}), 15_000 * [1], {"type"}),
    "at most": (Contract({**TEXTS, "maxItems": 3}), 15_000 * [1], {"type", "length"}),
    "a validator": (
        Contract(dict[str, Annotated[list[str], AfterValidator(_long_enough)]]),
        {"b": 15_000 * [1]},
        {"type"},
    ),
    "one item": (Contract(list[str]), [*15_000 * ["a"], 1], {"type"}),
    "one item for a schema": (Contract(TEXTS), [*15_000 * ["a"], 1], {"type"}),
    "a long literal": (Contract(list[Literal[WORDS]]), [*15_000 * ["k1"], "x"], {"enum"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_no_rule_is_broken_by_the_cut(name: str) -> None:
    """Rules of the whole list are not reported because of its missing end; a single error is found wherever it is."""
    contract, answer, codes = LARGE[name]
    found = [one for one in contract.check(json.dumps(answer)).findings if one.code != TOO_MANY]
    assert {one.code for one in found} == codes
    if len(answer) == 15_001:
        assert [one.path for one in found] == [(15_000,)]


_NODES = union("anyOf", 3)
KINDS: dict[str, Any] = {
    "schema": TEXTS,
    "recursive union": {"type": "array", "items": {"$ref": "#/$defs/n"}, "$defs": _NODES["$defs"]},
    "type": list[str],
    "union": list[Node | None] | Node,
    "literal": list[Literal[WORDS]],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", drawn(["schema", "recursive union", "literal", "type", "union"], 3))
def test_memory_does_not_grow_with_the_errors(kind: str) -> None:
    """Each error took 1 kB and more, 500 times the size of such an answer."""
    contract = Contract(KINDS[kind])
    contract.check("[1]")
    peaks = []
    for size in (10_500, 13_500):  # an answer of up to 10,000 values is not cut
        text = "[1" + size * ",1" + "]"
        tracemalloc.start()
        try:
            assert len(contract.check(text).findings) > MAX_PROBLEMS // 2
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] - peaks[0] < 20 * 2 * 3_000  # the values of the answer alone take 10 times its size


WORD_LIST: Any = list[Literal[WORDS]]
Coded = create_model("Coded", items=(WORD_LIST, ...), kind=(Literal["coded"], ...))


class Free(BaseModel):
    """The alternative that the whole answer fits."""

    items: list[str]
    kind: Literal["free"]
    more: str


def test_a_valid_answer_stays_valid_if_its_start_is_not() -> None:
    """The last keys decide the alternative of a union."""
    answer = {"items": 15_000 * ["x"], "kind": "free", "more": ""}
    for schema in (Coded | Free, Free):
        assert Contract(schema).check(json.dumps(answer)).ok
    assert not Contract(Coded).check(json.dumps(answer)).ok


@pytest.mark.slow
def test_an_answer_that_breaks_a_rule_is_rejected_even_if_its_start_breaks_only_others() -> None:
    """Here the start lacks all keys that the schema requires, and the whole answer has them."""
    keys = [f"k{number}" for number in range(1_500)]
    contract = Contract({"required": keys, "properties": {"last": {"type": "null"}}})
    answer = {"items": 15_000 * [1], **dict.fromkeys(keys, 1), "last": 1}
    assert [one.path for one in contract.check(json.dumps(answer)).errors] == [("last",)]


def test_an_answer_whose_validity_is_unknown_is_not_judged_by_its_start() -> None:
    """If `is_valid` would be slow and the schema cannot be cut, all errors are listed. Here the last key decides."""
    schema = levels_without_recursion(12)
    many = {"type": "array", "items": {"type": "string"}}
    schema["$defs"]["l0"]["anyOf"].append({"properties": {"items": many}, "unevaluatedProperties": True})
    schema["$defs"]["l0"]["anyOf"].append({"required": ["last"], "properties": {"last": {"const": 1}}})
    answer = {"items": 15_000 * [1], "last": 1}
    assert Contract(schema).check(json.dumps(answer)).ok


VALUES = st.recursive(
    st.none() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=30
)


@pytest.mark.slow
@given(VALUES, st.integers(0, 20))
def test_a_start_is_the_beginning_of_the_answer(value: Any, size: int) -> None:
    """It has as many values as asked for; only what is around its last value was cut."""
    start = bounds._start(value, size)
    if start is None:
        assert _number(value) <= size
        return
    assert _number(start.data) == size
    _is_beginning(start.data, value, start.path)


def _number(value: Any) -> int:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(1 + _number(inner) for inner in inside)


def _is_beginning(part: Any, whole: Any, path: Any) -> None:
    if path is None:
        assert part == whole
    elif isinstance(part, dict):
        assert list(part) == list(whole)[: len(part)]
        for key in part:
            _is_beginning(part[key], whole[key], path[1:] if path[:1] == (key,) else None)
    else:
        for index, inner in enumerate(part):
            _is_beginning(inner, whole[index], path[1:] if path[:1] == (index,) else None)


def test_a_small_answer_is_not_cut() -> None:
    """All errors of 10,000 values are listed."""
    assert start_with_errors(10_000 * [1], lambda _: 10_000) is None
    assert start_with_errors(10_001 * [1], lambda _: 10_000) is not None


@pytest.mark.parametrize(
    ("errors_of", "sizes"),
    [
        (lambda count: 2 * count // 5, [500, 3_000]),
        (lambda count: count, [500, 1_200]),
        (lambda count: 2 * count, [500, 1_000]),
        (lambda count: 2 * count + 1, [500]),
        (lambda count: count // 250, [500, 4_000, 32_000, 64_000]),
        (lambda _: 0, [500, 4_000, 32_000, 64_000]),
        (lambda count: min(count, 1_000), [500, 1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 76_800]),
    ],
)
def test_the_next_start_is_as_long_as_the_errors_so_far_suggest(errors_of: Any, sizes: list[int]) -> None:
    """A fifth more than the errors need, eight times the last one at most, and twice as long if that is too long."""
    tried: list[int] = []

    def counted(part: Any) -> int:
        tried.append(len(part))
        return int(errors_of(len(part)))

    start_with_errors(100_000 * [1], counted)
    assert tried == sizes
