"""How often a schema judges one value."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from pytest_planguard.contract.schema.deep_type import core_schema_parts, count_visits, visits_by
from pytest_planguard.contract.schema.schema_growth import (
    MANY,
    OverBudgetError,
    Part,
    Questions,
    Work,
    is_valid_is_quick,
    json_schema_parts,
    most_judgements,
)

from .schemas import levels_without_recursion, mutual, nested, union
from .test_deep_answers import Node, TaggedNode


def _tree(**more: Any) -> dict[str, Any]:
    """Return a tree in which each place has one schema."""
    node = {"type": "object", "properties": {"title": {"type": "string"}, **more}}
    return {"$ref": "#/$defs/n", "$defs": {"n": node}}


REF = {"$ref": "#/$defs/n"}
HOLDS = {"properties": {"a": REF}}
ONCE = {
    "a list of children": _tree(children={"type": "array", "items": REF}),
    "a child or null": _tree(child={"anyOf": [REF, {"type": "null"}]}),
    "two children of different names": _tree(left=REF, right=REF),
    "a pair": _tree(pair={"type": "array", "prefixItems": [REF, REF]}),
    "a union of flat objects": {"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]},
}
AGAIN = {
    "a union": union("anyOf", 2),
    "one of two": union("oneOf", 2),
    "all of two": {
        "$ref": "#/$defs/n",
        "$defs": {"n": {"allOf": [HOLDS, HOLDS]}},
    },
    "a name and a pattern": {"properties": {"a": {"$ref": "#"}}, "patternProperties": {"a": {"$ref": "#"}}},
    "a condition": {"if": {"properties": {"a": {"$ref": "#"}}}, "then": {"properties": {"a": {"$ref": "#"}}}},
    "levels": levels_without_recursion(8),
    "models": mutual(3),
}


@pytest.mark.parametrize("schema", ONCE.values(), ids=list(ONCE))
def test_one_way_leads_to_each_value(schema: dict[str, Any]) -> None:
    """However deep the answer is, and whatever refers to itself."""
    assert most_judgements(schema, json_schema_parts(schema)) <= 2
    assert is_valid_is_quick(schema)


@pytest.mark.parametrize("schema", AGAIN.values(), ids=list(AGAIN))
def test_ways_multiply_with_each_level(schema: dict[str, Any]) -> None:
    """Twice as many at least."""
    counts = [most_judgements(schema, json_schema_parts(schema), levels) for levels in range(1, 8)]
    assert [count >= 2**level for level, count in enumerate(counts, 1) if 2**level <= MANY] == [True] * 6
    assert counts[-1] == MANY + 1


@pytest.mark.parametrize(
    ("schema", "quick"),
    [
        (union("anyOf", 9), True),
        (mutual(6), True),
        (mutual(7), False),
        (levels_without_recursion(6), True),
        (levels_without_recursion(7), False),
    ],
)
def test_is_valid_is_quick_where_few_schemas_refer_to_each_other(schema: dict[str, Any], quick: bool) -> None:
    """The validator remembers its answers where a circle closes, and nowhere else."""
    assert is_valid_is_quick(schema) == quick


@pytest.mark.parametrize(("type_", "doubles"), [(Node, True), (TaggedNode, False)])
def test_the_visits_of_pydantic(type_: Any, doubles: bool) -> None:
    """Those of a union double with each level, those of a discriminated one are added."""
    schema = TypeAdapter(type_).core_schema
    kind = "optional" if doubles else "other"
    counted = [
        count_visits(schema, core_schema_parts(schema), nested(levels, "x", kind=kind), 10_000)
        for levels in (10, 11, 12)
    ]
    first, second, third = (0 if one is None else one.total for one in counted)
    assert first
    assert (1.9 < second / first < 2.1) if doubles else (second - first == third - second)


def test_visits_are_not_counted_beyond_their_limit() -> None:
    """None for an answer of too many parts."""
    schema = TypeAdapter(list[int]).core_schema
    assert count_visits(schema, core_schema_parts(schema), [1] * 100, 50) is None


@pytest.mark.parametrize(("alternatives", "visits"), [(0, 0), (7, 0), (8, 9), (99, 100)])
def test_up_to_eight_visits_a_pair_are_not_counted(alternatives: int, visits: int) -> None:
    """Then the answer is merely large."""

    def parts_of(node: Any, _: object = None) -> list[tuple[Part, Any]]:
        return [(Part.HERE, "alternative")] * (alternatives if node == "root" else 0)

    assert visits_by("root", parts_of, 1) == visits  # type: ignore[arg-type] # any node will do


@pytest.mark.parametrize(
    ("judged", "value", "visits"),
    [
        (Part.MEMBERS, {"a": 1, "b": 2}, 3),
        (Part.MEMBERS, [1, 2], 1),
        (Part.ITEMS, [1, 2, 3], 4),
        (Part.ITEMS, {"a": 1}, 1),
        (Part.HERE, 5, 2),
        ("a", {"a": 1, "b": 2}, 2),
        ("c", {"a": 1}, 1),
        (0, [7], 2),
        (1, [7], 1),
        (0, {0: 7}, 1),
        ("a", ["a"], 1),
    ],
)
def test_a_part_of_a_schema_visits_its_part_of_the_value(judged: Any, value: Any, visits: int) -> None:
    """All members, all items, one of either, or the value itself; nothing of a value of another kind."""

    def parts_of(node: Any, _: object = None) -> list[tuple[Any, Any]]:
        return [(judged, "below")] if node == "root" else []

    counted = count_visits("root", parts_of, value, 100)
    assert counted is not None
    assert counted.total == visits


@pytest.mark.parametrize(("parts", "many"), [(50_000, False), (50_001, True)])
def test_growth_is_assumed_beyond_fifty_thousand_parts(parts: int, many: bool) -> None:
    """All of them at one place; the schema itself counts as one."""

    def parts_of(node: str) -> list[tuple[Part, str]]:
        return [(Part.HERE, "leaf")] * (parts - 1) if node == "root" else []

    assert (most_judgements("root", parts_of) > MANY) is many


def test_as_many_judgements_as_levels_allow() -> None:
    """Two alternatives double them with each level; one more than a hundred is as many as are counted."""

    def twice(node: Any) -> list[tuple[Part, Any]]:
        return [(Part.ITEMS, node), (Part.ITEMS, node)]

    assert [most_judgements("root", twice, levels) for levels in range(9)] == [1, 2, 4, 8, 16, 32, 64, 101, 101]
    assert MANY == 100


@pytest.mark.parametrize(
    ("first", "second", "most"),
    [
        ("a", "a", 2),
        ("a", "b", 1),
        ("a", Part.MEMBERS, 2),
        (Part.MEMBERS, Part.MEMBERS, 2),
        (0, 0, 2),
        (0, 1, 1),
        (0, Part.ITEMS, 2),
        (Part.ITEMS, Part.ITEMS, 2),
        ("a", Part.ITEMS, 1),
        (0, Part.MEMBERS, 1),
        (Part.MEMBERS, Part.ITEMS, 1),
        (Part.NAMES, Part.NAMES, 0),
    ],
)
def test_which_parts_judge_the_same_value(first: Any, second: Any, most: int) -> None:
    """A named member is one of all members, an item with an index one of all items."""
    parts = {"root": [(first, "one"), (second, "two")]}
    assert most_judgements("root", lambda node: parts.get(node, []), levels=1) == most


def test_each_keyword_judges_its_part() -> None:
    """A schema in each of them, and what it is about; a value that is no schema is none."""
    parts: dict[str, Any] = {
        **dict.fromkeys(("not", "if", "then", "else"), Part.HERE),
        **dict.fromkeys(("additionalProperties", "unevaluatedProperties"), Part.MEMBERS),
        **dict.fromkeys(("items", "additionalItems", "unevaluatedItems", "contains"), Part.ITEMS),
        "propertyNames": Part.NAMES,
    }
    maps: dict[str, Any] = {
        "patternProperties": Part.MEMBERS,
        "dependentSchemas": Part.HERE,
        "dependencies": Part.HERE,
        "properties": "a",
    }
    lists: dict[str, Any] = {**dict.fromkeys(("allOf", "anyOf", "oneOf"), Part.HERE), "prefixItems": 1, "items": 1}
    inner = {"type": "string"}
    for keyword, judged in parts.items():
        assert _found({keyword: inner}) == [(judged, inner)]
        assert _found({keyword: True}) == []
    for keyword, judged in maps.items():
        assert _found({keyword: {"a": inner, "b": True}}) == [(judged, inner)]
        assert _found({keyword: True}) == []
    for keyword, judged in lists.items():
        assert _found({keyword: [True, inner]}) == [(judged, inner)]
    assert _found({"title": inner, "enum": [inner], "const": inner, "default": inner}) == []


def _found(schema: dict[str, Any]) -> list[Any]:
    return [*json_schema_parts(schema)(schema)]


@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef", "$recursiveRef"])
def test_a_reference_leads_to_a_part_at_the_same_place(keyword: str) -> None:
    """Unless it is one at which to stop. In drafts 4 to 7 it hides what stands beside it."""
    target, beside = {"type": "string"}, {"type": "integer"}
    schema = {keyword: "#/$defs/a", "items": beside, "$defs": {"a": target}}
    assert _found(schema) == [(Part.HERE, target), (Part.ITEMS, beside)]
    assert [*json_schema_parts(schema, frozenset({id(target)}))(schema)] == [(Part.ITEMS, beside)]
    legacy = {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
    assert (Part.HERE, target) in _found(legacy)
    assert ((Part.ITEMS, beside) in _found(legacy)) is (keyword != "$ref")


def test_a_question_is_answered_once_and_within_its_limit() -> None:
    """By its key; one step for each question that another one asks."""
    asked = []

    def work(number: int) -> Work[int, int]:
        asked.append(number)
        return 1 if number < 2 else (yield number - 1) + (yield number - 2)

    questions: Questions[int, int] = Questions(work, lambda number: number, 18)
    assert (questions.answer(10), questions.steps, len(asked)) == (89, 18, 11)
    with pytest.raises(OverBudgetError):
        Questions(work, lambda number: number, 17).answer(10)
