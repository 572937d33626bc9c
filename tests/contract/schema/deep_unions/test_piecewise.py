"""A schema asked piece by piece says what the validator says of the whole."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_planguard.contract.schema.schema_pieces import InseparableError, Judged, Pieces, Piecewise

from ....support.one_item import in_one_item
from .schemas import answers, levels_without_recursion, mutual, nested, schemas, union

MANY = 8 * settings.default.max_examples  # faults of these laws are rare among made-up inputs


def judged(schema: dict[str, Any], answer: Any, *, quick: bool = False) -> Judged:
    """Return what comes of an answer, whatever the size of the schema."""
    return Piecewise(Pieces(schema), jsonschema_rs.validator_for, quick=quick).judge(answer)


@pytest.mark.slow
@given(schemas(), answers(), st.booleans())
@settings(max_examples=MANY)
def test_the_verdict_is_the_validators(schema: dict[str, Any], answer: Any, quick: bool) -> None:
    """Whether `is_valid` may be asked of the pieces or not. The path of a finding leads somewhere in the answer.

    For a missing or an unwanted key, and for a key as such, the path around it does.
    """
    result = judged(schema, answer, quick=quick)
    assert result.complete
    assert (not result.findings) == jsonschema_rs.validator_for(schema).is_valid(answer)
    for finding in result.findings:
        here = answer
        for key in finding.path[:-1]:
            here = here[key]
        assert not finding.path or finding.code == "missing" or finding.path[-1] in here or isinstance(here, list)


SELF: dict[str, Any] = {"properties": {"child": {"$ref": "#/$defs/n"}}}
"""A reference to the schema around it, so that the keyword above it is cut."""
WHOLE, TEXT = {"type": "integer", **SELF}, {"type": "string", **SELF}


@pytest.mark.parametrize(
    ("node", "answer"),
    [
        ({"anyOf": [WHOLE, {"type": "null"}]}, "a"),
        ({"oneOf": [WHOLE, {"type": "null"}]}, "a"),
        ({"oneOf": [WHOLE, {"minimum": 0}]}, 1),
        ({"oneOf": [WHOLE, {"minimum": 0}, {"maximum": 1}]}, 1),
        ({"not": TEXT}, "a"),
        ({"contains": WHOLE}, ["a"]),
        ({"contains": TEXT, "minContains": 2}, ["a"]),
        ({"contains": TEXT, "maxContains": 0}, ["a"]),
        ({"$ref": "#/$defs/n/anyOf/0", "anyOf": [TEXT, WHOLE]}, 1),
    ],
)
def test_a_keyword_that_was_cut_says_what_the_validator_says(node: dict[str, Any], answer: Any) -> None:
    """A retry may feed the validator's words back, and is recognised by them."""
    schema = {"$ref": "#/$defs/n", "$defs": {"n": node}}
    (error,) = jsonschema_rs.validator_for(schema).iter_errors(answer)
    (found,) = judged(schema, answer).findings
    assert found.validator_message is not None
    assert found.validator_code in {*node, "type"}
    if found.validator_code == "not":  # its schema is clipped, with the keys in another order
        assert found.validator_message.endswith(' is not allowed for "a"')
        assert error.message.endswith(' is not allowed for "a"')
    else:
        assert found.validator_message == error.message


LEGACY = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize("dialect", [None, LEGACY, "http://json-schema.org/draft-04/schema#"])
def test_what_stands_beside_a_reference_counts_by_the_dialect(dialect: str | None) -> None:
    """Drafts 4 to 7 ignore it."""
    node = {"anyOf": [{"properties": {"child": {"$ref": "#/$defs/n", "required": ["child"]}}, "type": "object"}, {}]}
    schema = {"$ref": "#/$defs/n", "$defs": {"n": {**node, "anyOf": node["anyOf"][:1]}}}
    schema |= {} if dialect is None else {"$schema": dialect}
    for answer in ({"child": {}}, {"child": {"child": {}}}, {}):
        assert (not judged(schema, answer).findings) == jsonschema_rs.validator_for(schema).is_valid(answer)


def test_a_reference_may_lead_into_an_alternative() -> None:
    """As generators write it that name what they saw before by its place."""
    node = {"type": "object", "properties": {"child": {"$ref": "#/$defs/n/anyOf/1"}, "kind": {"$ref": "#/$defs/n"}}}
    schema = {"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [node, {"type": "integer"}]}}}
    assert not judged(schema, {"child": 1, "kind": {"child": 2}}).findings
    assert [one.path for one in judged(schema, {"kind": {"child": "x"}}).findings] == [("kind", "child")]


def test_a_schema_may_have_the_word_that_marks_a_cut() -> None:
    """Its own `not` stays its own."""
    node = {"anyOf": [{"not": {"$comment": "cut 0"}}, {"properties": {"child": {"$ref": "#/$defs/n"}}}]}
    schema = {"$ref": "#/$defs/n", "$defs": {"n": {**node, "not": {"$comment": "cut 1"}}}}
    assert {(one.validator_code, one.path) for one in judged(schema, {"child": 1}).findings} == {
        ("not", ("child",)),
        ("not", ()),
    }


@pytest.mark.parametrize(
    "more",
    [
        {"unevaluatedProperties": False},
        {"$dynamicRef": "#n"},
        {"$ref": "#name"},
        {"$ref": "other.json"},
        {"$id": "urn:x"},
        {"id": "urn:x"},
        {"$anchor": "x"},
        {"$dynamicAnchor": "x"},
        {"propertyNames": {"$ref": "#/$defs/n"}},
    ],
    ids=lambda more: next(iter(more)),
)
def test_what_depends_on_the_whole_schema_is_not_cut(more: dict[str, Any]) -> None:
    """Such a schema is left to the validator."""
    schema = union("anyOf", 2)
    schema["$defs"]["n"] |= more
    with pytest.raises(InseparableError):
        Pieces(schema)


REF = {"$ref": "#/$defs/n"}


@in_one_item
@pytest.mark.parametrize(
    ("node", "cut"),
    [
        ({"anyOf": [WHOLE, TEXT]}, ["anyOf"]),
        ({"oneOf": [WHOLE, TEXT]}, ["oneOf"]),
        ({"not": TEXT}, ["not"]),
        ({"if": TEXT}, ["if"]),
        ({"if": {"type": "object"}, "then": TEXT}, []),
        ({"contains": TEXT}, ["contains"]),
        ({"properties": {"a": {"$ref": "#/$defs/n"}}, "anyOf": [WHOLE]}, ["anyOf"]),
        ({"anyOf": [{"type": "integer"}], "properties": {"a": REF}}, []),
        ({"allOf": [WHOLE], "items": WHOLE}, []),
    ],
)
def test_which_keywords_are_cut(node: dict[str, Any], cut: list[str]) -> None:
    """Those of alternatives and conditions whose parts refer to a schema with references. So do such references."""
    pieces = Pieces({**REF, "$defs": {"n": node}})
    assert {one.keyword for one in pieces.cuts.values()} == {"$ref", *cut}


DEEP_TEXT = {"properties": {"a": {"type": "string"}, "child": REF}}
DEEP_NUMBER = {"properties": {"b": {"type": "integer"}, "child": REF}}
IS_GROUP = {"required": ["kind"], "properties": {"kind": {"const": "group"}, "child": REF}}
PLACES = [
    ({"if": IS_GROUP, "then": DEEP_TEXT, "else": DEEP_NUMBER}, {"kind": "group", "a": 1, "b": "x"}, [("a",)]),
    ({"if": IS_GROUP, "then": DEEP_TEXT, "else": DEEP_NUMBER}, {"a": 1, "b": "x"}, [("b",)]),
    ({"if": IS_GROUP, "then": DEEP_TEXT}, {"a": 1}, []),
    ({"if": IS_GROUP, "else": DEEP_TEXT}, {"kind": "group", "a": 1}, []),
    ({"if": IS_GROUP, "else": DEEP_TEXT}, {"child": {"a": 1}}, [("child", "a")]),
    ({"not": DEEP_TEXT}, {"a": 1}, []),
    ({"not": {"not": DEEP_TEXT}}, {"a": 1}, [()]),
    ({"contains": DEEP_TEXT}, [{"a": 1}, {"a": "x"}], []),
    ({"contains": DEEP_TEXT}, [{"a": 1}], [()]),
    ({"contains": DEEP_TEXT}, {"a": 1}, []),
    ({"contains": DEEP_TEXT, "minContains": 0}, [{"a": 1}], []),
    ({"contains": DEEP_TEXT, "minContains": 2}, [{"a": "x"}, {"a": "y"}], []),
    ({"contains": DEEP_TEXT, "maxContains": 1}, [{"a": "x"}], []),
    ({"contains": DEEP_TEXT, "maxContains": 1}, [{"a": "x"}, {"a": "y"}], [()]),
    ({"anyOf": [DEEP_TEXT, DEEP_NUMBER]}, {"a": 1, "b": 2}, []),
    ({"oneOf": [DEEP_TEXT, DEEP_NUMBER]}, {"a": 1, "b": 2}, []),
    ({"oneOf": [DEEP_TEXT, DEEP_NUMBER]}, {"a": "x", "b": 2}, [()]),
]


@in_one_item
@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize(("node", "answer", "paths"), PLACES)
def test_a_keyword_that_was_cut_judges_as_the_validator_does(
    node: dict[str, Any], answer: Any, paths: list[tuple[str, ...]], quick: bool
) -> None:
    """Each branch of a condition, each bound of `contains`, and both sides of the others."""
    schema = {**REF, "$defs": {"n": node}}
    assert [one.path for one in judged(schema, answer, quick=quick).findings] == paths
    assert jsonschema_rs.validator_for(schema).is_valid(answer) is (not paths)
    below = {"properties": {"deep": REF}, "$defs": {"n": node}}
    assert [one.path for one in judged(below, {"deep": answer}, quick=quick).findings] == [("deep", *p) for p in paths]


# The work: pieces and errors looked at, counted instead of timed.

SHAPES = {
    "any of two": (union("anyOf", 2), {"kind": "k1"}),
    "one of five": (union("oneOf", 5), {"kind": "k4"}),
    "models that all hold each other": (mutual(20), {}),
    "levels without recursion": (levels_without_recursion(60), {}),
}


def parts(value: Any) -> int:
    """Return how many values a value has, itself included."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(parts, inside))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_the_steps_grow_with_the_schema_and_the_answer(shape: str) -> None:
    """At most two for each pair of their parts, where a walk through every way would take 2^60."""
    schema, beside = SHAPES[shape]
    for levels in (5, 10, 20, 40, 60):
        answer = nested(levels, 1.5, **beside)
        result = judged(schema, answer)
        assert result.findings
        assert result.steps <= 2 * parts(schema) * parts(answer)


@pytest.mark.slow
@given(schemas(), answers(), st.integers(0, 12))
@settings(max_examples=MANY)
def test_the_steps_are_bounded_for_any_schema(schema: dict[str, Any], leaf: Any, levels: int) -> None:
    """The same for schemas that nobody chose."""
    answer = nested(levels, leaf)
    assert judged(schema, answer).steps <= 2 * parts(schema) * parts(answer)


UNION = union("anyOf", 2)["$defs"]


@pytest.mark.parametrize(
    "items",
    [REF, UNION["n"], {"allOf": [{"$ref": "#/$defs/other"}]}],
    ids=["a reference", "alternatives", "a reference to a reference"],
)
def test_the_steps_end_at_their_limit(monkeypatch: pytest.MonkeyPatch, items: dict[str, Any]) -> None:
    """What was found for sure until then is kept, each once."""
    monkeypatch.setattr("pytest_planguard.contract.schema.schema_pieces.STEP_LIMIT", 300)
    schema = {"type": "array", "items": items, "$defs": {**UNION, "other": {"allOf": [REF]}}}
    result = judged(schema, [nested(3, 1, kind="k1") for _ in range(100)])
    assert not result.complete
    assert result.steps == 301
    found = [one.path for one in result.findings]
    assert len(found) > 3
    assert found == [(number, "child", "child", "child") for number in range(len(found))]


def test_all_levels_that_are_read_are_judged() -> None:
    """200 levels of alternatives on the way down, without the interpreter's stack."""
    (finding,) = judged(union("anyOf", 2), nested(200, 1, kind="k1")).findings
    assert len(finding.path) == 200
