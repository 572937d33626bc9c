"""Each keyword of a JSON Schema that differs: what is said of it, and what it does to the answers that fit."""

from typing import Any

import pytest

from pytest_planguard.runs.gate.schema_changes import MOST, NOT_ALL, TOO_DEEP, Effect, SchemaChange, schema_changes

from ...support.one_item import in_one_item

LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"]
UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"]
WHOLE: dict[str, tuple[Any, Any]] = {
    "pattern": ("a", "b"),
    "format": ("date", "time"),
    "multipleOf": (2, 4),
    "uniqueItems": (True, False),
    "not": ({"type": "null"}, {"type": "string"}),
    "if": ({"const": 1}, {"const": 2}),
    "then": ({"const": 1}, {"const": 2}),
    "else": ({"const": 1}, {"const": 2}),
    "dependentRequired": ({"a": ["b"]}, {"a": ["c"]}),
    "contains": ({"const": 1}, {"const": 2}),
    "patternProperties": ({"a": {}}, {"b": {}}),
    "propertyNames": ({"maxLength": 1}, {"maxLength": 2}),
    "unevaluatedProperties": (False, True),
    "unevaluatedItems": (False, True),
    "dependentSchemas": ({"a": {}}, {"b": {}}),
    "dependencies": ({"a": ["b"]}, {"a": ["c"]}),
}
"""Keywords that are compared as a whole, each with two values."""


def said(before: object, after: object) -> dict[str, str]:
    """The effect of each change by its text."""
    return {str(change): str(change.effect) for change in schema_changes(before, after)}


@in_one_item
@pytest.mark.parametrize("name", [*LOWER, *UPPER])
def test_a_bound_allows_more_or_less(name: str) -> None:
    """A lower minimum and a higher maximum allow more, and so does none. A bound that is no number is unclear."""
    down, up = ("wider", "narrower") if name in LOWER else ("narrower", "wider")
    assert said({name: 2}, {name: 1}) == {f"{name} 2 → 1": down}
    assert said({name: 1}, {name: 2.5}) == {f"{name} 1 → 2.5": up}
    assert said({name: 0}, {}) == {f"{name} 0 → none": "wider"}
    assert said({}, {name: 0}) == {f"{name} none → 0": "narrower"}
    assert said({name: 1}, {name: "2"}) == {f'{name} 1 → "2"': "other"}
    assert said({name: 1}, {name: 1}) == {}


@in_one_item
@pytest.mark.parametrize("name", WHOLE)
def test_a_keyword_that_is_compared_as_a_whole(name: str) -> None:
    """Another value may allow more or less; one that is gone demands nothing."""
    one, other = WHOLE[name]
    assert [*said({name: one}, {name: other}).values()] == ["other"]
    assert [*said({name: one}, {}).values()] == ["wider"]
    assert [*said({}, {name: one}).values()] == ["narrower"]
    (words,) = said({}, {name: other})
    assert words.startswith(f"{name} none → ")


@in_one_item
@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("place", ["$defs", "definitions"])
def test_a_keyword_that_refers_to_a_changed_definition_is_unclear(name: str, place: str) -> None:
    """Its own value is the same on both sides. Without a reference, or a change of definitions, nothing is said."""
    value = {"a": {"$ref": f"#/{place}/part"}}
    before, after, same = ({name: value, place: {"part": {"type": kind}}} for kind in ("string", "null", "string"))
    assert said(before, after) == {f"{name} refers to definitions that changed": "other"}
    assert said(before, same) == {}
    assert said({**before, name: "a"}, {**after, name: "a"}) == {}


@in_one_item
@pytest.mark.parametrize("name", ["title", "description", "examples", "default"])
def test_words_that_only_the_model_reads(name: str) -> None:
    """The same answers fit."""
    assert said({name: "a"}, {name: "b"}) == {f'{name} "a" → "b"': "words"}
    assert said({name: "a"}, {}) == {f'{name} "a" → none': "words"}
    assert not any(change.breaking for change in schema_changes({}, {name: "a"}))


@in_one_item
@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("integer", "number", {"integer → number": "wider"}),
        ("number", "integer", {"number → integer": "narrower"}),
        ("string", None, {"string → any type": "wider"}),
        (None, "string", {"any type → string": "narrower"}),
        ("string", "integer", {"string → integer": "other"}),
        (["string", "null"], ["string"], {"null is no longer allowed": "narrower"}),
        (["string"], ["integer", "string"], {"integer is allowed, too": "wider"}),
    ],
)
def test_types(before: object, after: object, changes: dict[str, str]) -> None:
    """Each integer is a number; otherwise another type is another answer."""
    one, other = ({} if kind is None else {"type": kind} for kind in (before, after))
    assert said(one, other) == changes


def test_allowed_values_are_listed() -> None:
    """A constant is a list of one; types count."""
    assert said({"enum": ["a", 1]}, {"enum": [1, True]}) == {
        '"a" no longer allowed': "narrower",
        "true allowed, too": "wider",
    }
    assert said({}, {"enum": ["a", "ü"]}) == {'only "a", "ü" allowed': "narrower"}
    assert said({"const": None}, {}) == {"any value is allowed": "wider"}
    assert said({"enum": "a"}, {"const": 1}) == {"only 1 allowed": "narrower"}
    assert said({"enum": [2, 1]}, {"enum": [1, 2]}) == {}


def test_fields_of_an_object() -> None:
    """What a field that came or went does depends on whether other fields are allowed."""
    closed: dict[str, Any] = {"additionalProperties": False}
    one, two = ({"properties": {key: {} for key in names}} for names in ("a", "ab"))
    assert said(two, one) == {"b: gone from the schema": "wider"}
    assert said(two, one | closed) == {
        "b: gone from the schema": "narrower",
        "other fields are no longer allowed": "narrower",
    }
    assert said(one, two) == {"b: new in the schema": "words"}
    assert said(one | closed, two | closed) == {"b: new in the schema": "wider"}
    assert said(closed, {}) == {"other fields are allowed now": "wider"}
    assert said({"required": ["b", "a", 1]}, {"required": ["c"]}) == {
        "a: no longer required": "wider",
        "b: no longer required": "wider",
        "c: required now": "narrower",
    }


def test_other_fields_of_an_object() -> None:
    """Their schema is compared at the place of any key, unless one side allows none."""
    one, other = ({"additionalProperties": {"type": kind}} for kind in ("integer", "number"))
    assert said(one, other) == {"[*]: integer → number": "wider"}
    assert said(one, {}) == {"[*]: integer → any type": "wider"}
    assert said({"additionalProperties": False}, other) == {"other fields are allowed now": "wider"}


def test_items_of_a_list() -> None:
    """All of them, or each by its position."""
    assert said({"items": {"type": "integer"}}, {"items": {"type": "number"}}) == {"[*]: integer → number": "wider"}
    assert said({}, {"items": False}) == {"[*]: not none → {}": "narrower"}
    assert said({"items": {"minimum": 1}}, {}) == {"[*]: minimum 1 → none": "wider"}
    first, second = {"type": "integer"}, {"type": "number"}
    assert said({"prefixItems": [first]}, {"prefixItems": [second]}) == {"[*]: integer → number": "wider"}
    assert said({"prefixItems": [first]}, {"prefixItems": [second, second]}) == {
        "[*]: integer → number": "wider",
        "its items by position changed": "other",
    }


def test_parts_that_hold_together() -> None:
    """One part more demands more, one less demands less, if the others are the same."""
    one, two, three = {"minimum": 1}, {"maximum": 9}, {"minimum": 0}
    assert said({"allOf": [one, two]}, {"allOf": [one]}) == {"allOf has 1 part, and 2 before": "wider"}
    assert said({"allOf": [one]}, {"allOf": [one, two]}) == {"allOf has 2 parts, and 1 before": "narrower"}
    assert said({"allOf": [one, two]}, {"allOf": [three]}) == {
        "minimum 1 → 0": "wider",
        "allOf has 1 part, and 2 before": "other",
    }
    assert said({"allOf": [one]}, {"allOf": [three]}) == {"minimum 1 → 0": "wider"}


@in_one_item
@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_alternatives(word: str) -> None:
    """Paired by title, type or values, wherever they stand; the rest came or went by that name."""
    text, number = {"type": "string"}, {"type": "number", "minimum": 1}
    assert said({word: [text, number]}, {word: [number, text]}) == {}
    assert said({word: [text, number]}, {word: [{**number, "minimum": 0}, text]}) == {"minimum 1 → 0": "wider"}
    assert said({word: [text]}, {word: [text, {"title": "Ticket", "type": "object"}]}) == {
        "Ticket is allowed, too": "wider"
    }
    assert said({word: [text, {"enum": ["a", 1]}]}, {word: [text]}) == {'"a", 1 is no longer allowed': "narrower"}
    assert said({word: [text]}, {word: [text, {"minLength": 1}]}) == {"another value is allowed, too": "wider"}
    assert said({word: [text], "required": ["a"]}, {word: [text], "required": []}) == {"a: no longer required": "wider"}


def test_demands_beside_alternatives_that_came_or_went() -> None:
    """They are unclear, since the other side has no union to hold them against; words are words."""
    union = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert said({**union, "minLength": 1}, {"type": "string"}) == {
        "null is no longer allowed": "narrower",
        "demands beside a union of types came or went": "other",
    }
    known = {"discriminator": {}, "$defs": {}, "definitions": {}, "title": "A"}
    assert said({"type": "string"}, {**union, **known}) == {
        "null is allowed, too": "wider",
        'title none → "A"': "words",
    }


def test_alternatives_of_alternatives_are_one_list() -> None:
    """Unless an inner union has demands of its own."""
    inner = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    flat = {"anyOf": [{"type": "integer"}, *inner["anyOf"]]}
    assert said({"anyOf": [{"type": "integer"}, inner]}, flat) == {}
    assert said({"anyOf": [{"type": "integer"}, {**inner, "minLength": 1}]}, flat) == {
        "another value is no longer allowed": "narrower",
        "string is allowed, too": "wider",
        "null is allowed, too": "wider",
    }


def test_references() -> None:
    """They are followed, with what stands beside them, through escaped names; a cycle demands nothing."""
    whole: dict[str, Any] = {"$defs": {"a/b~": {"type": "integer", "minimum": 1}, "next": {"$ref": "#/$defs/a~1b~0"}}}
    assert said({"$ref": "#/$defs/next", **whole}, {"type": "integer", "minimum": 0}) == {"minimum 1 → 0": "wider"}
    assert said({"$ref": "#/$defs/next", "minimum": 0, **whole}, {"type": "integer", "minimum": 0}) == {}
    for lost in ("#/$defs/none", "elsewhere.json", "#/$defs/loop"):
        found = said({"$ref": lost, "$defs": {"loop": {"$ref": "#/$defs/loop"}}}, {"type": "integer"})
        assert found == {"any type → integer": "narrower"}, lost
    assert said({"$ref": 1}, {}) == {}


@pytest.mark.parametrize(("length", "shown"), [(58, f'"{"x" * 58}"'), (59, f'"{"x" * 58}…')])
def test_a_long_value_is_cut(length: int, shown: str) -> None:
    """After 60 characters with its quotes."""
    assert said({}, {"pattern": "x" * length}) == {f"pattern none → {shown}": "narrower"}


def test_the_list_of_changes_has_an_end() -> None:
    """A change is listed once, and two hundred of them at most."""
    before = {"properties": {f"f{number:03}": {} for number in range(MOST + 1)}}
    changes = schema_changes(before, {})
    assert (len(changes), str(changes[-1])) == (200, "f199: gone from the schema")
    twice = schema_changes({"allOf": [{"minimum": 1}] * 2}, {"allOf": [{"minimum": 0}] * 2})
    assert twice == (SchemaChange("", "minimum 1 → 0", Effect.WIDER),)


def test_what_cannot_be_compared_is_said_in_these_words() -> None:
    """A reader must not take it for a schema without a change."""
    assert NOT_ALL == "the schemas have more places than are compared, so further changes are unknown"
    assert TOO_DEEP == "the schemas are nested too deep to be compared"
    assert schema_changes(1, None) == schema_changes({}, {}) == ()


def test_a_change_says_whether_answers_may_break() -> None:
    """Those that fit before and may not fit now."""
    breaking = {effect: SchemaChange("a", "x", effect).breaking for effect in Effect}
    assert breaking == {Effect.WIDER: False, Effect.NARROWER: True, Effect.OTHER: True, Effect.WORDS: False}
