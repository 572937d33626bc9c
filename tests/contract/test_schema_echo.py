"""Each word by which the schema itself is told from data, alone and as requests carry it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard import min_length
from pytest_planguard.contract import Contract, document_findings


class Ticket(BaseModel):
    """Data with none of those words."""

    subject: str


class Tool(BaseModel):
    """Data that has some of them."""

    parameters: dict[str, Any]
    properties: dict[str, Any] = {}


SCHEMA: dict[str, Any] = {"type": "object", "properties": {"title": {"type": "string"}}}
MEMBERS = ("type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "items")
BESIDE = ("type", "required", "$schema", "title", "description", "additionalProperties", "$defs")
AROUND = ("schema", "json_schema", "parameters", "input_schema", "function", "response_format")
LABELS = ("name", "type", "strict", "description", "title")


def codes(data: Any, contract: Contract[Any] | None = None) -> list[str]:
    """Return the codes of what is wrong with an answer."""
    return [finding.code for finding in (contract or Contract(Ticket)).check(json.dumps(data)).findings]


@pytest.mark.parametrize("word", MEMBERS)
def test_each_word_that_describes_a_member(word: str) -> None:
    """Every member has one of them."""
    assert codes({"type": "object", "properties": {"a": {word: 1}}}) == ["schema_echo"]
    assert codes({"type": "object", "properties": {"a": {word: 1}, "b": {"other": 1}}}) != ["schema_echo"]


@pytest.mark.parametrize("word", BESIDE)
def test_each_word_beside_the_properties(word: str) -> None:
    """The properties alone are a schema, too; other keys beside them are data."""
    members = {"properties": {"a": {"type": "string"}}}
    assert codes({**members, word: 1}) == ["schema_echo"]
    assert codes(members) == ["schema_echo"]
    assert codes({**members, "other": 1}) != ["schema_echo"]


@pytest.mark.parametrize("word", AROUND)
def test_each_key_under_which_requests_carry_a_schema(word: str) -> None:
    """With a label beside it, and with data beside it."""
    for label in LABELS:
        assert codes({word: SCHEMA, label: "x"}) == ["schema_echo"]
    assert codes({word: SCHEMA, "other": "x"}) != ["schema_echo"]


def test_what_stands_around_a_schema_has_three_layers() -> None:
    """A response format, its JSON schema, the schema: no request has more."""
    data: dict[str, Any] = SCHEMA
    found = []
    for _ in range(5):
        found.append(codes({**data, "name": "x"} if data is not SCHEMA else data) == ["schema_echo"])
        data = {"schema": data}
    assert found == [True, True, True, True, False]


def test_definitions_alone_are_a_schema() -> None:
    """An empty object of properties is none."""
    assert codes({"$defs": {"A": {}}}) == ["schema_echo"]
    assert codes({"$defs": [], "type": "object"}) != ["schema_echo"]
    assert codes({"properties": {}, "type": "object"}) != ["schema_echo"]


def test_data_with_such_keys_of_its_own_is_no_schema() -> None:
    """The contract's own documents have them."""
    contract = Contract(Tool)
    assert codes({"properties": {"a": {"type": "string"}}, "type": "object"}, contract) == ["missing"]
    assert codes({"parameters": SCHEMA, "properties": {}}, contract) == []
    for own, echo in (("$defs", SCHEMA), ("properties", {"$defs": {"A": {}}}), ("parameters", {"schema": SCHEMA})):
        contract = Contract({"required": [own], "properties": {own: {"type": "object"}}})
        assert codes(echo, contract) == ["missing" if own != "parameters" else "schema_echo"]
        assert codes({own: {"A": {}}}, contract) == []


class Entry(BaseModel):
    """Data whose keys are also labels of a schema."""

    title: str
    description: str
    type: str
    rank: int
    name: str = ""


def test_labels_that_the_data_has_too_hide_no_schema() -> None:
    """A title, a description and a type are in nearly every schema; a name is in none, so it is data."""
    contract = Contract(Entry)
    for words in ({}, {"title": "T"}, {"description": "d"}, {"title": "T", "description": "d"}):
        assert codes({**SCHEMA, **words}, contract) == ["schema_echo"]
        assert codes({**SCHEMA, **words, "name": "n"}, contract) != ["schema_echo"]


ENCODED: dict[str, tuple[Any, list[str]]] = {
    "an object": ('{"a": 1}', ["encoded"]),
    "a list, with blanks": (" [1]", ["encoded"]),
    "broken": ('{"a": ', ["type"]),
    "words": ("words", ["type"]),
    "a number": ("5", ["type"]),
    "the longest that is tried": (json.dumps({"a": "x" * (1_000_000 - 9)}), ["encoded"]),
    "one character more": (json.dumps({"a": "x" * (1_000_000 - 8)}), ["type"]),
}


@pytest.mark.parametrize("name", ENCODED)
def test_json_within_a_json_string(name: str) -> None:
    """It is named, and what it holds is what was expected."""
    text, expected = ENCODED[name]
    finding = document_findings.diagnose(Contract(Ticket)._schema_check, text)
    assert ([finding.code] if finding else ["type"]) == expected
    if finding is not None:
        assert finding.expected == ("an object" if text.strip()[0] == "{" else "a list")
        assert str(finding.actual).startswith(json.dumps(text)[:40])
        assert finding.message == "this is a JSON string that contains the JSON; return the JSON itself, not quoted"


WRAPPED: dict[str, tuple[Any, list[str]]] = {
    "under a key": ({"ticket": {"subject": "x"}}, ["wrapped"]),
    "under its own key": ({"subject": {"subject": "x"}}, ["type"]),
    "under one of two keys": ({"ticket": {"subject": "x"}, "b": 1}, ["missing"]),
    "under properties": ({"properties": {"subject": "x"}, "type": "object"}, ["wrapped"]),
    "in a list": ([{"subject": "x"}], ["wrapped"]),
    "in a list of two": ([{"subject": "x"}, {"subject": "y"}], ["type"]),
    "in a list of nothing": ([{}], ["type"]),
    "data that does not fit": ({"ticket": {"subject": 5}}, ["missing"]),
}


@pytest.mark.parametrize("name", WRAPPED)
def test_data_one_level_too_deep(name: str) -> None:
    """It is named where what is inside keeps the schema."""
    data, expected = WRAPPED[name]
    assert codes(data) == expected


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (SCHEMA, "schema_echo"),
        ({"ticket": {"subject": "x"}}, "wrapped"),
        (json.dumps({"subject": "x"}), "encoded"),
        ([5], "type"),
        ({}, "missing"),
    ],
)
def test_what_is_wrong_with_the_whole_is_said_once(answer: Any, code: str) -> None:
    """Constraints on fields that could not be read say nothing more."""
    contract = Contract(Ticket, constraints=[min_length("subject", 3)])
    assert codes(answer, contract) == [code]
