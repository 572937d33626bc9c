"""How often a schema judges one value."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from pytest_planguard.contract.schema.deep_type import core_schema_parts, count_visits
from pytest_planguard.contract.schema.schema_growth import (
    MANY,
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
