"""A JSON Schema as a contract's schema."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from pytest_planguard.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.schema.json_schema import JsonSchemaCheck
from pytest_planguard.contract.schema.json_schema_errors import MOST_HINTS
from pytest_planguard.errors import UsageError

from ...support.cost import no_hang
from ...support.one_item import in_one_item

SCHEMA = {
    "title": "Ticket",
    "type": "object",
    "required": ["title"],
    "additionalProperties": False,
    "properties": {
        "title": {"type": "string", "minLength": 3, "maxLength": 5, "pattern": "^[a-z]+$"},
        "level": {"enum": ["low", "high"]},
        "version": {"const": 1},
        "count": {"type": "integer", "minimum": 1, "maximum": 5, "multipleOf": 1},
        "share": {"exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "steps": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "string"}, "uniqueItems": True},
        "day": {"type": "string", "format": "date"},
        "names": {"propertyNames": {"pattern": "^a"}, "maxProperties": 1},
        "pet": {
            "anyOf": [
                {"type": "object", "required": ["kind", "lives"], "properties": {"kind": {"const": "cat"}}},
                {
                    "type": "object",
                    "required": ["kind"],
                    "properties": {"kind": {"const": "dog"}, "age": {"type": "integer"}},
                },
                {"type": "null"},
            ]
        },
        "never": {"not": {}},
        "inner": {"title": "Inner", "type": "object", "required": ["x"], "properties": {"x": {}}},
    },
}
CASES: list[tuple[dict[str, Any], str, str]] = [
    ({"title": 1}, "type", "expected a string; got 1"),
    ({"title": "ab"}, "length", 'expected at least 3 characters; got "ab"'),
    ({"title": "abcdef"}, "length", 'expected at most 5 characters; got "abcdef"'),
    ({"title": "ABC"}, "format", 'expected text matching ^[a-z]+$; got "ABC"'),
    ({"level": "hihg"}, "enum", 'expected one of "low", "high"; got "hihg"'),
    ({"version": 2}, "enum", "expected 1; got 2"),
    ({"count": 0}, "range", "expected at least 1; got 0"),
    ({"count": 6}, "range", "expected at most 5; got 6"),
    ({"share": 0}, "range", "expected greater than 0; got 0"),
    ({"share": 1}, "range", "expected less than 1; got 1"),
    ({"steps": ["a"]}, "length", 'expected at least 2 items; got ["a"]'),
    ({"steps": ["a", "a"]}, "rule", 'expected different items; got ["a", "a"]'),
    ({"day": "soon"}, "format", 'expected text in the format date; got "soon"'),
    ({"names": {"a": 1, "ab": 2}}, "length", 'expected at most 1 property; got {"a": 1, "ab": 2}'),
    ({"pet": 3}, "type", "expected an object or null; got 3"),
    ({"never": 1}, "rule", 'expected a value that does not fit the schema under "not"; got 1'),
]


@in_one_item
@pytest.mark.parametrize(("data", "code", "message"), CASES, ids=[f"{n}-{c}" for n, (_, c, _) in enumerate(CASES)])
def test_code_and_words(data: dict[str, Any], code: str, message: str) -> None:
    """Every family of JSON Schema keywords has our code and the rule in words."""
    (found,) = Contract(SCHEMA).check({"title": "abc", **data}).errors
    assert (found.code, found.message, found.path) == (code, message, (next(iter(data)),))


def test_hints_for_unknown_keys_are_bounded() -> None:
    """To compare thousands of unknown keys with hundreds of known ones would take seconds."""
    schema = {"additionalProperties": False, "properties": {f"item{n}": {} for n in range(20)}}
    found = Contract(schema).check({f"itemz{n}": 1 for n in range(MOST_HINTS + 5)}).errors
    assert len(found) == MOST_HINTS + 5
    assert sum(item.hint is not None for item in found) == MOST_HINTS


def test_paths_hints_and_owners() -> None:
    """Missing and extra keys stand at their own paths, with the title of their object and the nearest known key."""
    found = Contract(SCHEMA).check({"titel": "abc", "inner": {}}).errors
    assert {(item.code, item.path, item.owner, item.hint) for item in found} == {
        ("missing", ("title",), "Ticket", None),
        ("extra", ("titel",), "Ticket", 'did you mean "title"?'),
        ("missing", ("inner", "x"), "Inner", None),
    }


def test_the_best_alternative_alone_is_reported() -> None:
    """Of anyOf the alternative that fits best speaks; the others are noise."""
    (found,) = Contract(SCHEMA).check({"title": "abc", "pet": {"kind": "dog", "age": "x"}}).errors
    assert (found.code, found.path) == ("type", ("pet", "age"))


def test_a_bad_key_name_stands_at_its_key() -> None:
    """PropertyNames speaks of the key."""
    (found,) = Contract(SCHEMA).check({"title": "abc", "names": {"b": 1}}).errors
    assert (found.code, found.path) == ("format", ("names", "b"))


def test_value_and_schema_come_back() -> None:
    """A valid answer gives the plain data; the schema is the one given."""
    contract = Contract(SCHEMA)
    assert contract.check('{"title": "abc"}').value == {"title": "abc"}
    assert contract.json_schema == SCHEMA
    assert contract.name == "Ticket"
    assert Contract({"type": "object"}).name == "schema"


def test_a_hostile_pattern_cannot_hang() -> None:
    """A pattern that goes back exponentially ends early, and counts as not matching.

    Below planguard's limit the value is refused for what it is; the library's own limit is ten times as high.
    """
    contract = Contract({"type": "string", "pattern": "(x+x+)+y(?!z)"})
    costly = "the pattern (x+x+)+y(?!z) is too costly"
    for length, said in ((12, "expected text matching"), (18, costly), (5_000, costly)):
        with no_hang():
            (found,) = contract.check('"' + "x" * length + '"').findings
        assert found.message.startswith(said)


@pytest.mark.parametrize("schema", [{"type": "nothing"}, {"pattern": "("}, {"$ref": "http://127.0.0.1:1/schema"}])
def test_a_broken_schema_is_a_usage_error(schema: dict[str, Any]) -> None:
    """A schema that is none is refused when the contract is defined, without touching the network."""
    with pytest.raises(UsageError, match=r"^not a valid JSON Schema"):
        Contract(schema)


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without jsonschema-rs the way out is named."""
    monkeypatch.setattr("pytest_planguard.contract.schema.json_schema.find_spec", lambda _: None)
    with pytest.raises(UsageError) as refused:
        Contract({"type": "object"})
    assert str(refused.value) == (
        "a JSON Schema as a contract needs the optional package jsonschema-rs: "
        "pip install 'pytest-planguard[jsonschema]'"
    )
    assert importlib.util.find_spec("jsonschema_rs")


def test_values_that_are_no_json() -> None:
    """A lone surrogate, which the validator cannot take, is a finding and no exception."""
    assert Contract({"type": "string"}).check(r'"\ud800"').kind is not None
    (found,) = Contract({"type": "string"}).check(r'"\ud800"').findings
    assert (found.code, found.path, found.kind) == ("type", (), "type")
    assert found.validator_message is not None
    assert found.message == f"not a JSON value: {found.validator_message}"
    assert "surrogates not allowed" in found.message


def test_what_no_validator_takes_has_a_kind() -> None:
    """A lone surrogate, and data that a schema takes as it is."""
    check = JsonSchemaCheck({"type": "object", "properties": {"a": {"type": "string"}}})
    assert [found.kind for found in check.validate({"a": 1})[1]] == [FailureKind.TYPE]
    assert [found.kind for found in check.validate({"\ud800": 1})[1]] == [FailureKind.TYPE]
    assert Contract(SCHEMA).check('{"title": "\\ud800"}').kind is FailureKind.TYPE
    assert (check.plain(1, {"a": "x"}), check.validate({"a": "x"})) == ({"a": "x"}, ({"a": "x"}, []))


def test_a_rule_sees_what_a_json_schema_took() -> None:
    """The data as it is, without defaults."""
    seen: list[Any] = []
    contract = Contract({"properties": {"a": {"default": 1}}}, rules=[lambda data, _: seen.append(data) or []])  # type: ignore[func-returns-value]
    assert contract.check('{"b": 2}').ok
    assert seen == [{"b": 2}]


def _objects(*alternatives: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [{"type": "object", **one} for one in alternatives]}


TEXTS = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}}}
TWO = {"a": {"type": "string"}, "b": {"type": "string"}}
BEST: dict[str, tuple[dict[str, Any], list[str]]] = {
    "two wrong values, or one key too few": (_objects({"required": ["z"]}, TEXTS), ["type", "type", "type"]),
    "one key too many, or one too few": (
        _objects({"required": ["z"]}, {"properties": {"a": {}, "b": {}}, "additionalProperties": False}),
        ["extra"],
    ),
    "two keys too many, or three too few": (
        _objects({"required": ["x", "y", "z"]}, {"properties": {"a": {}}, "additionalProperties": False}),
        ["extra", "extra"],
    ),
    "another constant, or four keys too few": (
        _objects({"properties": {"a": {"const": 0}}}, {"required": ["w", "x", "y", "z"]}),
        ["missing", "missing", "missing", "missing"],
    ),
    "another constant, or six keys too few": (
        _objects({"required": ["u", "v", "w", "x", "y", "z"]}, {"properties": {"a": {"const": 0}}}),
        ["enum"],
    ),
    "one wrong value, or two": (
        _objects(TEXTS, {"properties": {"a": {"type": "string"}}}),
        ["type"],
    ),
    "one key too many, or two wrong values": (
        _objects({"properties": {"a": {}, "b": {}}, "additionalProperties": False}, {"properties": TWO}),
        ["type", "type"],
    ),
    "two keys too many, or one too few": (
        _objects({"required": ["z"]}, {"properties": {"a": {}}, "additionalProperties": False}),
        ["missing"],
    ),
    "another type, or a wrong value": ({"anyOf": [{"type": "array"}, {"type": "object", **TEXTS}]}, ["type"] * 3),
}


@pytest.mark.parametrize("name", BEST)
def test_which_alternative_fits_best(name: str) -> None:
    """Wrong values count least, then keys too many, then keys too few, then constants; the order does not count."""
    schema, codes = BEST[name]
    turned = {"anyOf": schema["anyOf"][::-1]}
    for one in (schema, turned, {"oneOf": schema["anyOf"]}):
        assert [found.code for found in Contract(one).check({"a": 1, "b": 2, "c": 3}).errors] == codes
