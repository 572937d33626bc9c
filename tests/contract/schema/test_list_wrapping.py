"""A bare list for a schema whose object has one list field: read as that field where the contract allows it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from pytest_planguard import Contract, UsageError, distinct, max_length, validation_feedback
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Related, Severity


class Task(BaseModel):
    """One task."""

    id: int
    title: str


class Plan(BaseModel):
    """An object that holds nothing but a list."""

    tasks: list[Task]
    note: str | None = None


SCHEMA = {
    "type": "object",
    "title": "Plan",
    "required": ["tasks"],
    "properties": {"tasks": {"$ref": "#/$defs/tasks"}, "note": {"type": "string"}},
    "$defs": {"tasks": {"type": "array", "items": {"type": "object", "required": ["id"]}}},
}
BARE = '[{"id": 1, "title": "Look"},\n {"id": 2, "title": "Cut"}]'
TASKS = st.lists(st.fixed_dictionaries({"id": st.integers(), "title": st.text(max_size=5)}), max_size=4)


def test_off_by_default() -> None:
    """Without the option the list stays what it is: no object."""
    assert Contract(Plan).check(BARE).kind == "type"
    assert Contract(Plan, wrap_list=True).digest != Contract(Plan).digest


@pytest.mark.parametrize("schema", [Plan, SCHEMA])
def test_a_bare_list_is_read_as_the_field_and_said_so(schema: Any) -> None:
    """The answer is good, and a note names the field. A JSON Schema's value is the object, too."""
    verdict = Contract(schema, wrap_list=True).check(BARE)
    assert verdict.ok
    assert [(note.code, note.severity, note.message) for note in verdict.findings] == [
        *([("defaulted", Severity.WARN, "left out, took the default null")] if schema is Plan else []),
        ("list_wrapped", Severity.INFO, 'a bare list was read as the field "tasks"'),
    ]
    assert (verdict.findings[-1].expected, verdict.findings[-1].kind) == ("an object", FailureKind.WRAPPED)
    value = verdict.value.model_dump() if schema is Plan else verdict.value
    assert value["tasks"] == [{"id": 1, "title": "Look"}, {"id": 2, "title": "Cut"}]


@given(TASKS)
def test_it_is_the_object_that_was_meant(tasks: list[dict[str, Any]]) -> None:
    """The value of a bare list is that of the object around it; an object is judged as ever."""
    contract = Contract(Plan, wrap_list=True)
    assert contract.check(tasks).value == contract.check({"tasks": tasks}).value
    assert contract.check({"tasks": tasks}).findings == Contract(Plan).check({"tasks": tasks}).findings


def test_what_is_wrong_in_the_list_stands_where_it_was_written() -> None:
    """Paths are those of the answer, so that place and feedback fit what the model wrote."""
    verdict = Contract(Plan, wrap_list=True).check(BARE.replace('"Cut"', "7"))
    (finding,) = verdict.findings
    assert (finding.path, finding.span and (finding.span.line, finding.span.column)) == ((1, "title"), (2, 21))
    assert "/1/title (line 2)" in validation_feedback(verdict)


def test_constraints_and_rules_see_the_object() -> None:
    """They are written for the schema; their findings stand in the list."""

    def two(data: Any, _: Any) -> list[Finding]:
        return [Finding("few", ("tasks", 0), "one more is needed", FailureKind.RULE)] if len(data["tasks"]) < 3 else []

    contract = Contract(Plan, wrap_list=True, constraints=[distinct("tasks[*].title")], rules=[two])
    found = contract.check(BARE.replace("Cut", "Look")).errors
    assert {(one.code, one.path[:1]) for one in found} == {("distinct", (1,)), ("few", (0,))}


def test_what_is_related_stands_in_the_list_too() -> None:
    """Of a repeated title, the first one; findings without another place have none."""

    def rule(data: Any, _: Any) -> list[Finding]:
        below, beside = Related("below", ("tasks", 1)), Related("beside", ("note",))
        return [Finding("own", ("note",), "no", FailureKind.RULE, related=(below, beside)) for _ in data["tasks"][:1]]

    contract = Contract(Plan, wrap_list=True, constraints=[distinct("tasks[*].title")], rules=[rule])
    related = {found.code: [one.path for one in found.related] for found in contract.check(BARE).errors}
    assert related == {"own": [(1,), ("note",)]}
    twice = contract.check(BARE.replace("Cut", "Look")).errors
    assert {found.code: (found.path, [one.path for one in found.related]) for found in twice} == {
        "own": (("note",), [(1,), ("note",)]),
        "distinct": ((1, "title"), [(0, "title")]),
    }
    whole = contract.check({"tasks": json.loads(BARE)}).errors
    assert [[one.path for one in found.related] for found in whole] == [[("tasks", 1), ("note",)]]


def test_a_list_that_is_not_the_whole_answer_stays_wrong() -> None:
    """Where another field is required, the list alone is no answer, and the finding is the one without the option."""
    schema = {**SCHEMA, "required": ["tasks", "note"]}
    assert Contract(schema, wrap_list=True).check(BARE).findings == Contract(schema).check(BARE).findings


@pytest.mark.parametrize(("schema", "seen"), [(Task, "none"), (list[Task], "none"), (None, "none")])
def test_a_schema_without_one_list_field_is_refused(schema: Any, seen: str) -> None:
    """It is said where the contract is written."""
    with pytest.raises(UsageError, match=f"^wrap_list needs a schema with one list field: got {seen} in "):
        Contract(schema, wrap_list=True)


def test_two_list_fields_are_named() -> None:
    """Which one is meant is not guessed."""
    schema = {"type": "object", "title": "Two", "properties": {"a": {"type": "array"}, "b": {"type": "array"}}}
    with pytest.raises(UsageError) as raised:
        Contract(schema, wrap_list=True)
    assert str(raised.value) == ("wrap_list needs a schema with one list field: got a, b in Two; leave wrap_list out")


class Named(BaseModel):
    """Takes its fields by two names."""

    model_config = ConfigDict(populate_by_name=True)
    items: list[int] = Field(alias="Items")
    note: str = Field("", alias="Note")


def test_other_names_of_the_model_are_taken_too() -> None:
    """A constraint may speak of a field by any of its names; without them a name that is not there is refused."""
    contract = Contract(Named, wrap_list=True, constraints=[max_length("note", 3)])
    assert contract.check("[1]").ok
    assert contract.check('{"Items": [1], "note": "ab"}').ok
    with pytest.raises(UsageError, match=r"^Plan has no field 'Note'"):
        Contract(Plan, wrap_list=True, constraints=[max_length("Note", 3)])
    assert (contract.name, Contract(Plan, wrap_list=True).name) == ("Named", "Plan")


@pytest.mark.parametrize(
    ("members", "seen"),
    [
        ({"a": {"type": ["array", "null"]}}, "a"),
        ({"a": {"anyOf": [{"type": "array"}, {"type": "null"}]}}, "a"),
        ({"a": {"type": ["string", "null"]}, "b": {"type": "object"}, "c": {"items": {}}, "d": {}}, None),
        ({"a": {"type": "array"}, "b": {"type": ["null", "array"]}}, None),
        ({}, None),
    ],
)
def test_which_member_is_a_list(members: dict[str, Any], seen: str | None) -> None:
    """One that may be null is one; one of no type is none."""
    schema = {"type": "object", "properties": members}
    if seen is None:
        with pytest.raises(UsageError):
            Contract(schema, wrap_list=True)
    else:
        assert Contract(schema, wrap_list=True).check("[1]").value == {seen: [1]}


def test_what_has_no_place_is_said_last_in_its_phase() -> None:
    """The note about the list stands nowhere; a default that was taken stands where its object does."""
    found = Contract(Plan, wrap_list=True, constraints=[distinct("tasks[*].title")]).check(BARE.replace("Cut", "Look"))
    assert [(one.code, one.span is None) for one in found.findings] == [
        ("defaulted", False),
        ("list_wrapped", True),
        ("distinct", False),
    ]
