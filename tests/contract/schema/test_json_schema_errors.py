"""The path of an error of jsonschema-rs leads to the value that the error is about."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract
from pytest_planguard.contract.schema.json_schema_errors import KEYWORD_KINDS, ErrorPaths, findings, path_in
from pytest_planguard.document.path import value_at
from pytest_planguard.document.path_pattern import walk

from ...support.one_item import in_one_item

KEYS = st.sampled_from(["", "0", "00", "1", "a"])
DOCUMENTS = st.recursive(
    st.integers(0, 9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(DOCUMENTS)
def test_the_path_leads_to_the_value(document: Any) -> None:
    """For every place of any document, from what jsonschema-rs says of it."""
    for path, value in walk(document):
        steps = tuple(int(part) if str(part).isdigit() else part for part in path if part != "")
        assert value_at(document, path_in(document, steps, value)) == value


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"": {"n": 1}}, ("", "n")),
        ({"0": {"n": 1}}, ("0", "n")),
        ({"00": {"n": 1}, "0": {"n": "b"}}, ("00", "n")),
        ({"+1": {"n": 1}}, ("+1", "n")),
        ({"a": {"n": "b"}, "": {"n": 1}}, ("", "n")),
        ({"a": {"": {"0": {"n": 1}}}}, ("a", "", "0", "n")),
    ],
)
def test_findings_name_empty_keys_and_keys_that_are_numbers(data: Any, path: tuple[str, ...]) -> None:
    """They stand where a reader of the document finds them."""
    schema = {
        "properties": {"n": {"type": "string"}},
        "additionalProperties": {"$ref": "#"},
    }
    assert [finding.path for finding in Contract(schema).check(data).errors] == [path]


@pytest.mark.parametrize(
    "data",
    [
        {"7": "x", "07": "x", "+7": "x", "8": 1},
        {"7": {"n": "x"}, "07": {"n": "x"}},
        {"a": [{"0": "x", "00": "x"}]},
        {"": {"7": "x"}, "7": "x"},
    ],
)
@pytest.mark.parametrize("rule", [{"type": "integer"}, {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}])
def test_each_of_two_wrong_values_is_named_though_their_errors_are_alike(data: Any, rule: dict[str, Any]) -> None:
    """jsonschema-rs says 7 of each of "7", "07" and "+7"; the document tells how many such keys there are."""
    inside = {"if": {"type": "object"}, "then": {"additionalProperties": {"$ref": "#/$defs/any"}}, "else": rule}
    schema = {"$defs": {"any": {"if": {"type": "array"}, "then": {"items": {"$ref": "#/$defs/any"}}, "else": inside}}}
    found = Contract({**schema, "$ref": "#/$defs/any"}).check(data).errors
    assert sorted(finding.path for finding in found) == sorted(path for path, value in walk(data) if value == "x")


@in_one_item
@pytest.mark.parametrize(
    ("document", "steps", "value", "path"),
    [
        ({"a": [1], "": {"a": [5, 6]}}, ("a", 1), 6, ("", "a", 1)),
        ({"a": [1, 2]}, ("a", 1), 2, ("a", 1)),
        ({"a": [1]}, ("a", 1), 2, ("a", 1)),
        ({"a": {"b": 1}}, ("a", "c"), 2, ("a", "c")),
        ([{"": 1}], (0,), 1, (0, "")),
        ({"": {"": 7}}, (), 7, ("", "")),
        ({"": 7}, (), {"": 7}, ()),
        (5, (), 5, ()),
        (5, ("a",), 5, ("a",)),
        ({"7": 1}, (7,), 1, ("7",)),
        ({"+7": 1}, (7,), 1, ("+7",)),
        ({"-7": 1}, ("-7",), 1, ("-7",)),
        ({"1" * 19: 1}, (int("1" * 19),), 1, ("1" * 19,)),
        ({"1" * 20: 1}, ("1" * 20,), 1, ("1" * 20,)),
        ([1], ("0",), 1, ("0",)),
    ],
)
def test_the_path_of_a_value(document: Any, steps: Any, value: Any, path: Any) -> None:
    """The steps themselves where no way leads to the value."""
    assert path_in(document, steps, value) == path


# Every kind of error that jsonschema-rs has becomes a finding, and none makes a check raise.


COSTLY = "(x+x+)+y(?!z)"
"""Goes back 2^n times in n letters "x"."""
LONG = "x" * 40
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
BROKEN: dict[str, tuple[dict[str, Any], Any]] = {
    "AdditionalItems": ({**DRAFT_7, "items": [{}], "additionalItems": False}, [1, 2]),
    "AdditionalProperties": ({"additionalProperties": False}, {"a": 1}),
    "AnyOf": ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1),
    "Constant": ({"const": 1}, 2),
    "Contains": ({"contains": {"type": "string"}}, [1]),
    "ContentEncoding": ({**DRAFT_7, "contentEncoding": "base64"}, "!"),
    "ContentMediaType": ({**DRAFT_7, "contentMediaType": "application/json"}, "{"),
    "FromUtf8": ({**DRAFT_7, "contentEncoding": "base64", "contentMediaType": "application/json"}, "/w=="),
    "Enum": ({"enum": [1, 2]}, 3),
    "ExclusiveMaximum": ({"exclusiveMaximum": 1}, 1),
    "ExclusiveMinimum": ({"exclusiveMinimum": 1}, 1),
    "FalseSchema": ({"properties": {"a": False}}, {"a": 1}),
    "Format": ({"format": "date"}, "soon"),
    "MaxItems": ({"maxItems": 0}, [1]),
    "MaxLength": ({"maxLength": 0}, "a"),
    "MaxProperties": ({"maxProperties": 0}, {"a": 1}),
    "Maximum": ({"maximum": 1}, 2),
    "MinItems": ({"minItems": 1}, []),
    "MinLength": ({"minLength": 1}, ""),
    "MinProperties": ({"minProperties": 1}, {}),
    "Minimum": ({"minimum": 1}, 0),
    "MultipleOf": ({"multipleOf": 2}, 3),
    "Not": ({"not": {"type": "integer"}}, 1),
    "OneOfMultipleValid": ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, 1),
    "OneOfNotValid": ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, "a"),
    "Pattern": ({"pattern": "^a"}, "b"),
    "PropertyNames": ({"propertyNames": {"maxLength": 1}}, {"ab": 1}),
    "Required": ({"required": ["a"]}, {}),
    "Type": ({"type": "string"}, 1),
    "UnevaluatedItems": ({"unevaluatedItems": False}, [1]),
    "UnevaluatedProperties": ({"unevaluatedProperties": False}, {"a": 1}),
    "UniqueItems": ({"uniqueItems": True}, [1, 1]),
    "BacktrackLimitExceeded": ({"pattern": COSTLY}, LONG),
    "pattern of a member": ({"properties": {"a": {"pattern": COSTLY}}}, {"a": LONG}),
    "pattern behind a reference": ({"items": {"$ref": "#/$defs/p"}, "$defs": {"p": {"pattern": COSTLY}}}, [LONG]),
    "pattern of keys": ({"patternProperties": {COSTLY: {"type": "string"}}}, {LONG: 1}),
    "pattern of keys and no others": ({"patternProperties": {COSTLY: {}}, "additionalProperties": False}, {LONG: 1}),
    "pattern of names": ({"propertyNames": {"pattern": COSTLY}}, {LONG: 1}),
    "pattern of an alternative": ({"anyOf": [{"pattern": COSTLY, "type": "string"}, {"type": "null"}]}, LONG),
}
UNSEEN = frozenset({"Custom", "Referencing", "RegexEngineFailure"})
"""Kinds of keywords of one's own, of references that are refused when a contract is made, and of a broken engine."""


def test_every_kind_is_tried() -> None:
    """Those of the installed version."""
    kinds = {name for name in dir(jsonschema_rs.ValidationErrorKind) if name[0].isupper()}
    assert kinds - UNSEEN <= set(BROKEN)


@in_one_item
@pytest.mark.parametrize("kind", BROKEN)
def test_each_kind_rejects_with_a_finding(kind: str) -> None:
    """Alone, and as a part of something else."""
    schema, data = BROKEN[kind]
    dialect = {key: schema[key] for key in ("$schema", "$defs") if key in schema}
    for whole, answer in ((schema, data), ({**dialect, "properties": {"a": schema}}, {"a": data})):
        verdict = Contract(whole).check(json.dumps(answer))
        assert verdict.errors
        assert verdict.kind in set(KEYWORD_KINDS.values())


NO_KEYS = {"type": "object", "additionalProperties": False}


@in_one_item
@pytest.mark.parametrize(
    ("schema", "data", "found"),
    [
        (NO_KEYS, {"a": 1}, [("extra", ("a",), "not allowed here", "1")]),
        (
            NO_KEYS,
            {"a": 1, "b": {}},
            [("extra", ("a",), "not allowed here", "1"), ("extra", ("b",), "not allowed here", "{}")],
        ),
        ({"properties": {"args": NO_KEYS}}, {"args": {"a": 1}}, [("extra", ("args", "a"), "not allowed here", "1")]),
        ({"anyOf": [NO_KEYS, {"type": "null"}]}, {"a": 1}, [("extra", ("a",), "not allowed here", "1")]),
        ({"propertyNames": False}, {"a": 1}, [("rule", (), 'expected nothing here; got {"a": 1}', '{"a": 1}')]),
        ({"patternProperties": {"a": False}}, {"a": 1}, [("rule", ("a",), "expected nothing here; got 1", "1")]),
        ({"properties": {"a": False}}, {"a": 1}, [("rule", ("a",), "expected nothing here; got 1", "1")]),
        ({"properties": {"a": False}}, {"a": {}}, [("rule", ("a",), "expected nothing here; got {}", "{}")]),
        (
            {"properties": {"additionalProperties": False}},
            {"additionalProperties": {"b": 1}},
            [("rule", ("additionalProperties",), 'expected nothing here; got {"b": 1}', '{"b": 1}')],
        ),
    ],
)  # fmt: skip
def test_each_key_of_an_object_that_may_have_none_is_named(schema: Any, data: Any, found: list[Any]) -> None:
    """As the arguments of a tool that takes none. A value that may not be there at all has its own words."""
    errors = Contract(schema).check(json.dumps(data)).errors
    assert [(one.code, one.path, one.message, one.actual) for one in errors] == found


@pytest.mark.parametrize("kind", [kind for kind in BROKEN if kind.startswith("pattern of") and "no others" not in kind])
def test_a_pattern_that_goes_back_too_far_is_named(kind: str) -> None:
    """With the value that it is too costly for."""
    schema, data = BROKEN[kind]
    (found,) = Contract(schema).check(json.dumps(data)).errors
    assert found.code == "format"
    assert found.message.startswith(f"the pattern {COSTLY} is too costly for this value; got ")
    assert found.expected == f"text matching {COSTLY}"


def test_one_alternative_alone_must_fit() -> None:
    """A value that keeps two of them is no valid answer."""
    (found,) = Contract({"oneOf": [{"type": "integer"}, {"type": "number"}]}).check("3").errors
    assert (found.code, found.message) == ("rule", "expected exactly one matching alternative, not 2; got 3")


@pytest.mark.parametrize(
    ("kind", "words", "value"),
    [
        ("integer", "an integer", "x"),
        ("number", "a number", "x"),
        ("string", "a string", 1),
        ("boolean", "true or false", 1),
        ("object", "an object", 1),
        ("array", "a list", 1),
        ("null", "null", 1),
    ],
)
def test_each_type_has_words(kind: str, words: str, value: object) -> None:
    """Those that a person would use."""
    (found,) = Contract({"properties": {"a": {"type": kind}}}).check({"a": value}).errors
    assert (found.code, found.expected, found.message) == ("type", words, f"expected {words}; got {json.dumps(value)}")


LENGTHS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")
RANGES = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
RULES = (
    *(
        "additionalItems",
        "anyOf",
        "backtrackLimitExceeded",
        "contains",
        "contentEncoding",
        "contentMediaType",
        "custom",
    ),
    *("falseSchema", "fromUtf8", "not", "oneOf", "propertyNames", "regexEngineFailure", "unevaluatedItems"),
    *("uniqueItems", "dependentRequired", "dependentSchemas", "if", "then", "else", "$ref"),
)
KINDS = {
    "required": "missing",
    "additionalProperties": "extra",
    "unevaluatedProperties": "extra",
    "type": "type",
    "enum": "enum",
    "const": "enum",
    "pattern": "format",
    "format": "format",
    **{keyword: kind for kind, words in (("length", LENGTHS), ("range", RANGES), ("rule", RULES)) for keyword in words},
}


def test_each_keyword_has_a_kind() -> None:
    """The kind of a failure is part of every row: a keyword does not change it unnoticed."""
    assert {keyword: kind.value for keyword, kind in KEYWORD_KINDS.items()} == KINDS


@in_one_item
@pytest.mark.parametrize("kind", [*KINDS, "unknownKeyword"])
@pytest.mark.parametrize("details", [{}, {"error": "x"}, {"message": "x"}, {"context": []}, {"unexpected": []}])
def test_details_of_another_version_do_no_harm(kind: str, details: dict[str, Any]) -> None:
    """An error without the details that we know is a finding in the validator's words."""
    shape = SimpleNamespace(name=kind, as_dict=lambda: details)
    error = SimpleNamespace(kind=shape, instance_path=[], schema_path=[kind], instance=1, message="no")
    (found,) = findings(error, {}, ErrorPaths(1))
    assert found.severity.bad
    assert found.validator_code == kind
