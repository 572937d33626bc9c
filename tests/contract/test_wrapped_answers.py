"""Answers that miss the schema as a whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind


class Ticket(BaseModel):
    title: str
    steps: list[str]


GOOD = {"title": "t", "steps": ["a"]}
CONTRACTS = [Contract(Ticket), Contract(Ticket.model_json_schema())]


def _only(contract: Contract, data: Any) -> tuple[FailureKind | None, str]:
    verdict = contract.check(json.dumps(data))
    (found,) = verdict.errors
    return verdict.kind, found.message


@pytest.mark.parametrize("contract", CONTRACTS, ids=["pydantic", "json schema"])
def test_the_schema_itself(contract: Contract) -> None:
    """The schema returned instead of data is one finding, not one for each field."""
    kind, message = _only(contract, Ticket.model_json_schema())
    assert kind is FailureKind.SCHEMA_ECHO
    assert message == "this is the JSON Schema itself; return data that follows it"
    assert _only(contract, {"$defs": {"Ticket": {"type": "object"}}, "$ref": "#/$defs/Ticket"})[0] == kind


@pytest.mark.parametrize("contract", CONTRACTS, ids=["pydantic", "json schema"])
def test_the_schema_as_a_request_carries_it(contract: Contract) -> None:
    """The schema with its name, as a tool, as a response format, or nothing but its properties."""
    schema = Ticket.model_json_schema()
    echoes = (
        {"name": "Ticket", "schema": schema, "strict": True},
        {"type": "json_schema", "json_schema": {"name": "Ticket", "schema": schema}},
        {"type": "function", "function": {"name": "ticket", "parameters": schema}},
        {"name": "ticket", "description": "a ticket", "input_schema": schema},
        {"properties": schema["properties"]},
    )
    for echo in echoes:
        assert _only(contract, echo)[0] is FailureKind.SCHEMA_ECHO, echo
    others = ({"name": "Ticket", "schema": "v1"}, {"schema": schema, "owner": "x"}, {"schema": schema, **GOOD})
    for other in others:
        assert contract.check(json.dumps(other)).kind is not FailureKind.SCHEMA_ECHO, other


def test_good_data_under_properties_is_no_schema() -> None:
    """Items that have a type themselves look like the members of a schema; they are data one key too deep."""

    class Item(BaseModel):
        type: str

    verdict = Contract(dict[str, Item]).check('{"properties": {"lamp": {"type": "light"}}}')
    assert verdict.kind is FailureKind.WRAPPED


def test_a_contract_about_tools_takes_their_schemas() -> None:
    """Documents that name a function and its parameters by themselves are no echo."""

    class Tool(BaseModel):
        name: str
        parameters: dict[str, Any]
        cost: int

    verdict = Contract(Tool).check(json.dumps({"name": "t", "parameters": Ticket.model_json_schema()}))
    assert [found.code for found in verdict.errors] == ["missing"]


@pytest.mark.parametrize("contract", CONTRACTS, ids=["pydantic", "json schema"])
def test_data_one_level_too_deep(contract: Contract) -> None:
    """One key or list around good data is named, with the key."""
    kind, message = _only(contract, {"ticket": GOOD})
    assert kind is FailureKind.WRAPPED
    assert message == 'the data is wrapped in the key "ticket"; return it without this wrapper'
    assert _only(contract, [GOOD])[1] == "the data is wrapped in a list; return it without this wrapper"
    echo = {"type": "object", "properties": GOOD}
    assert '"properties"' in _only(contract, echo)[1]


@pytest.mark.parametrize("contract", CONTRACTS, ids=["pydantic", "json schema"])
def test_json_inside_a_json_string(contract: Contract) -> None:
    """A quoted document is named as such."""
    assert _only(contract, json.dumps(GOOD))[0] is FailureKind.ENCODED
    assert _only(contract, "plain words")[0] is FailureKind.TYPE
    assert _only(contract, "{broken")[0] is FailureKind.TYPE


def test_what_is_none_of_these() -> None:
    """An empty object, a wrapper around bad data, and a schema whose documents are schemas stay what they are."""
    contract = CONTRACTS[0]
    assert [item.code for item in contract.check("{}").errors] == ["missing", "missing"]
    assert [item.code for item in contract.check({"ticket": {}}).errors] == ["missing", "missing"]
    assert contract.check({"ticket": {"title": 1, "steps": []}}).kind is FailureKind.MISSING
    meta = Contract({"type": "object", "required": ["name"], "properties": {"properties": {}, "name": {}}})
    assert meta.check({"type": "object", "properties": {"a": {"type": "string"}}}).kind is FailureKind.MISSING


class Loose(BaseModel):
    steps: list[str] = []
    note: str = ""


def test_a_known_key_is_no_wrapper() -> None:
    """A bad value under a key of the schema is a bad value, even where its content alone would pass."""
    assert Contract(Loose).check({"steps": {}}).kind is FailureKind.TYPE
    assert Contract(Loose).check({"steps": {"note": "x"}}).kind is FailureKind.TYPE


LINK = {"type": "object", "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/Link"}}}
ROOTS = [{"allOf": [{"$ref": "#/$defs/Link"}]}, {"anyOf": [{"$ref": "#/$defs/Link"}, {"type": "null"}]}]


@pytest.mark.parametrize("root", ROOTS, ids=["all of one", "or nothing"])
def test_a_field_of_the_contract_is_no_layer(root: dict[str, Any]) -> None:
    """Below a recursive field is what the whole should be; the field is known behind a reference, too."""
    contract = Contract({**root, "$defs": {"Link": {**LINK, "required": ["value"]}}})
    assert contract.check('{"next": {"value": 0}}').kind is not FailureKind.WRAPPED
    assert contract.check('{"link": {"value": 0}}').kind is FailureKind.WRAPPED
