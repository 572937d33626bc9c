"""Schemas of nested and recursive alternatives, and answers for them, as Hypothesis strategies."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = ("n", "m", "k")
KEYS = ("child", "other", "")

LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer"},
        {"type": "null"},
        {"const": "x"},
        {"enum": [1, "x", None]},
        {"minimum": 1},
        {"required": ["child"]},
        {"minItems": 1},
        {"propertyNames": {"maxLength": 5}},
        {"type": "object", "additionalProperties": False, "properties": {"child": {}}},
        True,
        False,
        {},
    ]
)


def _applied(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return schemas that judge parts of an object or a list."""
    keys = st.sampled_from(KEYS)
    return st.one_of(
        st.dictionaries(keys, inner, min_size=1).map(lambda members: {"properties": members}),
        inner.map(lambda one: {"additionalProperties": one}),
        st.tuples(inner, inner).map(lambda two: {"properties": {"child": two[0]}, "additionalProperties": two[1]}),
        inner.map(lambda one: {"patternProperties": {"^c": one}}),
        inner.map(lambda one: {"items": one}),
        st.tuples(inner, inner).map(lambda two: {"prefixItems": [two[0]], "items": two[1]}),
        st.tuples(inner, st.integers(0, 2)).map(lambda two: {"contains": two[0], "minContains": two[1]}),
        inner.map(lambda one: {"contains": one, "maxContains": 1}),
        inner.map(lambda one: {"dependentSchemas": {"child": {"properties": {"other": one}}}}),
    )


def _here(part: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return schemas of alternatives and conditions on one value."""
    some = st.lists(part, min_size=1, max_size=3)
    return st.one_of(
        some.map(lambda parts: {"anyOf": parts}),
        some.map(lambda parts: {"oneOf": parts}),
        some.map(lambda parts: {"allOf": parts}),
        part.map(lambda one: {"not": one}),
        st.tuples(part, part, part).map(lambda three: {"if": three[0], "then": three[1], "else": three[2]}),
        st.tuples(part, part).map(
            lambda two: {**(two[0] if isinstance(two[0], dict) else {}), "anyOf": [two[1], True]}
        ),
    )


def schemas() -> st.SearchStrategy[dict[str, Any]]:
    """Return schemas of two or three definitions that refer to each other for parts of a value, not for the value."""
    reference = st.sampled_from(NAMES).map(lambda name: {"$ref": f"#/$defs/{name}"})
    below = _applied(reference | LEAVES)
    part = LEAVES | below
    node = _here(part | _here(part))
    return st.fixed_dictionaries(dict.fromkeys(NAMES, node)).map(lambda defs: {"$ref": "#/$defs/n", "$defs": defs})


def answers() -> st.SearchStrategy[Any]:
    """Return answers that such schemas may take, two to four levels deep."""
    leaves = st.sampled_from(["x", "y", 1, 0, None, True, 1.0, 2.5])
    return st.recursive(
        leaves,
        lambda inner: st.dictionaries(st.sampled_from(KEYS), inner, max_size=2) | st.lists(inner, max_size=3),
        max_leaves=8,
    )


def nested(levels: int, leaf: Any, key: str = "child", **beside: Any) -> Any:
    """Return a value under `levels` objects."""
    for _ in range(levels):
        leaf = {**beside, key: leaf}
    return leaf


def union(keyword: str, number: int, **more: Any) -> dict[str, Any]:
    """Return a recursive union of `number` objects that differ in a constant, and a text."""
    objects = [
        {
            "type": "object",
            "properties": {"kind": {"const": f"k{index}"}, "child": {"$ref": "#/$defs/n"}},
            "required": ["kind"],
        }
        for index in range(number)
    ]
    return {"$ref": "#/$defs/n", "$defs": {"n": {keyword: [*objects, {"type": "string"}]}}, **more}


def mutual(number: int) -> dict[str, Any]:
    """Return models that each hold a union of all of them, as pydantic writes `child: Union[A, B, C]`."""
    alternatives = [{"$ref": f"#/$defs/m{index}"} for index in range(number)]
    child = {"anyOf": [*alternatives, {"type": "string"}]}
    models = {f"m{index}": {"type": "object", "properties": {"child": child}} for index in range(number)}
    return {**child, "$defs": models}


def levels_without_recursion(number: int) -> dict[str, Any]:
    """Return definitions of which each leads to the next one twice."""
    defs: dict[str, Any] = {f"l{number}": {"type": "integer"}}
    for level in range(number):
        below = {"type": "object", "properties": {"child": {"$ref": f"#/$defs/l{level + 1}"}}}
        defs[f"l{level}"] = {"anyOf": [{**below, "required": ["child"]}, below]}
    return {"$ref": "#/$defs/l0", "$defs": defs}
