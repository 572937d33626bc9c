"""References of a JSON Schema that double with each line, or run in a circle, are refused before anything is judged."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard import Contract
from pytest_planguard.contract.schema.bounds import MAX_UNFOLDED, check_references
from pytest_planguard.errors import UsageError

from ...support.cassettes import conversation
from ...support.commands import run
from ...support.cost import assert_growth, no_hang
from ...support.one_item import in_one_item


def doubling(levels: int, keyword: str = "allOf") -> dict[str, Any]:
    """Each definition asks for the one before twice."""
    definitions: dict[str, Any] = {"d0": {"type": "object"}}
    for level in range(1, levels):
        definitions[f"d{level}"] = {keyword: [{"$ref": f"#/$defs/d{level - 1}"}] * 2}
    return {"$ref": f"#/$defs/d{levels - 1}", "$defs": definitions}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_doubling_is_bounded(keyword: str) -> None:
    """Forty levels would be judged for years."""
    with no_hang(), pytest.raises(UsageError) as told:
        Contract(doubling(40, keyword))
    assert str(told.value) == (
        "the references of a JSON Schema unfold to too much: got more than 10,000 schemas at one place of the "
        "document; name each rule once"
    )


@pytest.mark.parametrize(
    ("definitions", "named"),
    [
        ({"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, r"'#/\$defs/[ab]'"),
        ({"a": {"allOf": [{"$ref": "#/$defs/a"}]}}, "got "),
        ({"a": {"if": {"not": {"$ref": "#/$defs/a"}}}}, "got "),
        ({"a": {"$ref": "#"}}, "got "),
        ({"a": {"$ref": "#b"}, "b": {"$anchor": "b", "allOf": [{"$ref": "#/$defs/a"}]}}, "got "),
    ],
)
def test_a_circle_is_refused(definitions: dict[str, Any], named: str) -> None:
    """It demands nothing, and would pass for a schema that every answer keeps."""
    with pytest.raises(UsageError, match=f"references of a JSON Schema run in a circle: .*{named}"):
        Contract({"$ref": "#/$defs/a", "$defs": definitions})


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"next": {"$ref": "#"}}, "items": {"$ref": "#"}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"b": {"allOf": [{"$ref": "#/$defs/a"}]}}}}},
        {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}], "$defs": {"a": {"type": "object"}}},
        {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "object"}}},
        {"$ref": "#/allOf/0", "allOf": [{"type": "object"}]},
        {"$ref": "#a", "$defs": {"a": {"$anchor": "a", "type": "object"}}},
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "definitions": {"a": {"$id": "#a"}},
            "items": {"$ref": "#a"},
        },
        doubling(12),
    ],
)
def test_trees_and_shared_definitions_are_fine(schema: dict[str, Any]) -> None:
    """What refers to itself for the members of a value ends where the value ends."""
    assert Contract(schema).check("{}").ok


def test_a_recorded_schema_that_is_refused_judges_nothing(tmp_path: Path) -> None:
    """`check` says why nothing was judged, and does not say that it holds."""
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    asked = {"type": "json_schema", "json_schema": {"name": "Person", "schema": schema}}
    recording = {"version": 1, "interactions": conversation('{"name": 1}', response_format=asked)}
    (tmp_path / "a.json").write_text(json.dumps(recording), "utf-8")
    done = run("check", str(tmp_path), "-v")
    assert done.exit_code == 3, done.output
    assert "the references of a JSON Schema run in a circle" in " ".join(done.output.split())


def test_ten_thousand_schemas_at_one_place_are_fine() -> None:
    """And one more is too much; the schema itself counts as one."""
    assert MAX_UNFOLDED == 10_000
    check_references({"allOf": [{}] * 9_999})
    with pytest.raises(UsageError, match="unfold to too much"):
        check_references({"allOf": [{}] * 10_000})


@in_one_item
@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef", "$recursiveRef"])
@pytest.mark.parametrize(
    ("reference", "followed"),
    [
        ("#", True),
        ("#/$defs/a~1b", True),
        ("#/$defs/c~0d", True),
        ("#/$defs/e~01f", True),
        ("#/$defs/g%20h", True),
        ("#/list/0", True),
        ("#/list/000000001", True),
        ("#new", True),
        ("#dynamic", True),
        ("#of-draft-7", True),
        ("#of-draft-4", True),
        ("#gone", False),
        ("#/list/0000000001", False),
        ("#/list/2", False),
        ("#/list/x", False),
        ("#/list/0/1", False),
        ("#/gone/a", False),
        ("#/text/0", False),
        ("other.json#/$defs/e", False),
        (5, False),
    ],
)
def test_what_a_reference_leads_to(keyword: str, reference: Any, followed: bool) -> None:
    """One within the schema, by its escapes and indices, would run in a circle here; any other is not followed."""
    own = {keyword: reference}
    names = ("a/b", "c~d", "e~1f", "g h")
    named = {"$anchor": "new"}, {"$dynamicAnchor": "dynamic"}, {"$id": "#of-draft-7"}, {"id": "#of-draft-4"}
    schema = {**own, "$defs": dict.fromkeys(names, own), "list": [own, own], "text": "ab"}
    schema["definitions"] = [{**own, **name} for name in named]
    if followed:
        with pytest.raises(UsageError, match=re.escape(f"run in a circle: got '{reference}'; let one of them say")):
            check_references(schema)
    else:
        check_references(schema)


def test_references_to_names_cost_linear_time() -> None:
    """Each name is looked up: a search of the schema for each reference is quadratic."""

    def checked(names: int) -> None:
        named = {f"d{number}": {"$anchor": f"n{number}"} for number in range(names)}
        check_references({"$defs": named, "properties": {name: {"$ref": f"#n{name[1:]}"} for name in named}})

    assert_growth(checked, 100, 800, below=24)


@pytest.mark.parametrize("keyword", ["not", "if", "then", "else", "allOf", "anyOf", "oneOf"])
def test_a_circle_of_alternatives_has_no_name(keyword: str) -> None:
    """A schema in Python may contain itself without any reference."""
    schema: dict[str, Any] = {}
    schema[keyword] = [5, schema] if keyword.endswith("Of") else schema
    with pytest.raises(UsageError) as refused:
        check_references(schema)
    assert str(refused.value) == (
        "the references of a JSON Schema run in a circle: got alternatives that contain themselves; let one of them "
        "say what the value must be"
    )


@pytest.mark.parametrize("keyword", ["properties", "items", "prefixItems", "const"])
def test_a_schema_that_contains_itself_for_a_member_is_read_once(keyword: str) -> None:
    """Members of an object and items of a list are judged at another place."""
    schema: dict[str, Any] = {"$defs": [5, None]}
    schema[keyword] = schema if keyword == "const" else [schema]
    check_references(schema)


def test_a_long_name_is_cut() -> None:
    """After eighty characters."""
    name = "#/$defs/" + "x" * 100
    with pytest.raises(UsageError, match=re.escape(f"got '{name[:80]}'; let")):
        check_references({"$ref": name, "$defs": {"x" * 100: {"$ref": name}}})


@pytest.mark.parametrize("where", ["properties", "items", "$defs"])
def test_a_circle_below_a_member_is_found(where: str) -> None:
    """Whatever is beside it."""
    circle = {"b": {"$ref": f"#/{where}/b"}}
    with pytest.raises(UsageError, match="run in a circle"):
        check_references({"title": "T", where: {"text": "x", **circle, "more": 5}, "required": ["b"], "type": "object"})
