"""Feedback as other validators, templates and people word it: three findings in each, by their places and rules."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, Field

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.outcomes import DROPPED

from ....support.conversations import BROKEN, ERRORS, PLAN, WORDINGS, Plan, dialogue, grades
from ....support.one_item import in_one_item

ENUM, TYPE = ERRORS[1][2], ERRORS[2][2]
PYDANTIC = WORDINGS["pydantic text"](ERRORS)
SCHEMA_TEXT = """'goal' is a required property

Failed validating 'required' in schema:
    {'type': 'object'}

On instance:
    {'tasks': []}

'pending' is not one of ['Draft', 'Approved']

Failed validating 'enum' in schema['properties']['tasks']['items']['properties']['status']:
    {'enum': ['Draft', 'Approved']}

On instance['tasks'][0]['status']:
    'pending'

'two' is not of type 'integer'

Failed validating 'type' in schema['properties']['tasks']['items']['properties']['id']:
    {'type': 'integer'}

On instance['tasks'][1]['id']:
    'two'"""
PRINTED = (
    "[{'type': 'missing', 'loc': ('goal',), 'msg': 'Field required', 'input': {}}, {'type': 'literal_error', 'loc': "
    "('tasks', 0, 'status'), 'msg': \"Input should be 'Draft' or 'Approved'\", 'ctx': {'error': ValueError('x')}}, "
    "{'type': 'int_parsing', 'loc': ('tasks', 1, 'id'), 'msg': 'Input should be a valid integer'}]"
)

FEEDING_BACK = {
    "table": f"| Field | Problem |\n|---|---|\n| goal | Field required |\n| tasks[0].status | {ENUM} |\n"
    f"| tasks[1].id | {TYPE} |",
    "table in own words": "| # | Path | Problem |\n|--|--|--|\n| 1 | `goal` | is required |\n"
    "| 2 | `tasks[0].status` | one of Draft, Approved |\n| 3 | `tasks[1].id` | must be an integer |",
    "nested bullets": f"- goal: Field required\n- tasks\n  - 0\n    - status: {ENUM}\n  - 1\n    - id: {TYPE}",
    "YAML mapping": f"errors:\n  goal:\n    - Field required\n  tasks:\n    0:\n      status:\n        - {ENUM}\n"
    f"    1:\n      id:\n        - {TYPE}",
    "YAML records": "errors:\n- path: goal\n  message: Field required\n- path: tasks.0.status\n"
    "  message: must be one of Draft, Approved\n- path: tasks.1.id\n  message: must be an integer",
    "tuples": "('goal',): is required\n('tasks', 0, 'status'): one of Draft, Approved\n('tasks', 1, 'id'): not an int",
    "JSON lists as places": '- ["goal"]: is required\n- ["tasks", 0, "status"]: must be one of Draft, Approved\n'
    '- ["tasks", 1, "id"]: must be an integer',
    "quoted segments": '- "goal": is required\n- "tasks"."0"."status": must be one of Draft\n'
    "- tasks[1]['id']: not an int",
    "grouped by item": "goal: is required\ntasks[0]:\n  - status must be one of Draft, Approved\ntasks[1]:\n"
    "  - id must be an integer",
    "headings": "### goal\nField required\n\n### tasks[0].status\nmust be one of Draft, Approved\n\n"
    "### tasks[1].id\nmust be an integer",
    "other language, codes": "- goal：必填 [type=missing]\n- tasks[0].status：不允许 [type=literal_error]\n"
    "- tasks[1].id：不是数字 [type=int_parsing]",
    "codes alone": "goal=missing; tasks.0.status=literal_error; tasks.1.id=int_parsing",
    "JSON list of strings": json.dumps(
        {
            "errors": [
                "goal: required",
                "tasks[0].status: must be one of Draft, Approved",
                "tasks[1].id: must be an integer",
            ]
        }
    ),
    "JSON map": json.dumps(
        {"goal": ["This field is required."], "tasks.0.status": ['"pending" is not a valid choice.']}
        | {"tasks.1.id": ["A valid integer is required."]}
    ),
    "JSON map, nested": json.dumps(
        {"errors": {"goal": ["This field is required."], "tasks": {"0": {"status": ["Not a valid choice."]}}}}
    )[:-2]
    + ', "x": {}}}\n- tasks.1.id: not an integer',
    "Zod issues": json.dumps(
        [
            {"code": "invalid_type", "received": "undefined", "path": ["goal"], "message": "Required"},
            {"code": "invalid_enum_value", "path": ["tasks", 0, "status"], "message": "Invalid enum value."},
            {"code": "invalid_type", "path": ["tasks", 1, "id"], "message": "Expected number, received string"},
        ]
    ),
    "Ajv text": "data must have required property 'goal', data/tasks/0/status must be equal to one of the allowed "
    "values, data/tasks/1/id must be integer",
    "message (at path)": "- 'goal' is a required property (at $)\n- 'pending' is not one of ['Draft', 'Approved'] "
    "(at $.tasks[0].status)\n- 'two' is not of type 'integer' (at $.tasks[1].id)",
    "jsonschema's text": SCHEMA_TEXT,
    "XML": '<error path="goal">Field required</error><error path="tasks[0].status">must be one of Draft</error>'
    '<error path="tasks[1].id">must be an integer</error>',
    "prose with places": "You did not provide `goal`, which is required. The field `tasks[0].status` must be one of "
    "'Draft', 'Approved' but was 'pending'. `tasks[1].id` must be an integer, not 'two'.",
    "place behind": "Missing value for goal\nExpected one of Draft, Approved for tasks[0].status, got pending\n"
    "Expected an integer for tasks[1].id, got 'two'",
    "pydantic 1": "3 validation errors for Plan\ngoal\n  field required (type=value_error.missing)\ntasks -> 0 -> "
    "status\n  unexpected value; permitted: 'Draft' (type=value_error.const; given=pending)\ntasks -> 1 -> id\n"
    "  value is not a valid integer (type=type_error.integer)",
    "pydantic quoted": "\n".join(f"> {line}" for line in PYDANTIC.split("\n")),
    "pydantic in one line": " ".join(PYDANTIC.split()),
    "printed with exceptions": PRINTED,
    "arrows": "❌ goal → Field required\n❌ tasks[0].status → must be one of Draft\n"
    "❌ tasks[1].id → must be an integer",
    "log lines": "[ERROR] goal: Field required\n[ERROR] tasks[0].status: one of Draft\n[ERROR] tasks[1].id: not an int",
    "check boxes": "- [ ] goal: Field required\n- [ ] tasks[0].status: one of Draft\n- [ ] tasks[1].id: not an int",
}
"""Each names all three findings of BAD."""

MOVED = str.maketrans({"0": "1", "1": "0"})


@in_one_item
@pytest.mark.parametrize("wording", FEEDING_BACK)
def test_places_and_rules_are_found_in_any_layout(wording: str) -> None:
    """Tables, outlines, maps, prose with places and other validators' texts carry what they name."""
    assert "missing" not in grades(FEEDING_BACK[wording])


@in_one_item
@pytest.mark.parametrize("wording", FEEDING_BACK)
def test_other_places_in_the_same_layout_are_lost(wording: str) -> None:
    """With the indices swapped and the missing field renamed, the same text feeds back nothing."""
    assert grades(FEEDING_BACK[wording].translate(MOVED).replace("goal", "owner")) == ["wrong"] * 3


@pytest.mark.parametrize(
    "text",
    [
        "| Field | Problem |\n| goal | too long |\n| tasks[0].status | too long |\n| tasks[1].id | not unique |",
        "Field checks passed: goal, tasks[0].status, tasks[1].id. But the answer is too long.",
        "- goal: ok\n- tasks[0].status: ok\n- tasks[1].id: ok",
        "Your answer does not match the schema: " + json.dumps(Plan.model_json_schema()),
    ],
    ids=["other rules", "fields praised", "fields ticked", "schema sent again"],
)
def test_what_names_no_problem_carries_none(text: str) -> None:
    """Other rules at the right places, praise and the schema itself say nothing of what is wrong."""
    assert set(grades(text)) <= set(DROPPED)


def test_a_place_that_is_counted_is_placed():
    """A count says that something is wrong at the place, in words that name no rule."""
    assert grades("3 validation errors: 1 in goal, 2 in tasks. Fix them.") == ["partial", "wrong", "wrong"]


class Step(BaseModel):
    title: str = Field(min_length=5)


class Job(BaseModel):
    title: str = Field(min_length=5)
    steps: list[Step] = Field(min_length=1)


JOB = Contract(Job)
SHORT = json.dumps({"title": "abc", "steps": [{"title": "abcdef"}, {"title": "ab"}]})
LONGER = json.dumps({"title": "abcdef", "steps": [{"title": "abcdef"}]})


@in_one_item
@pytest.mark.parametrize(
    ("feedback", "missing"),
    [
        ("title: too short\nsteps[1]:\n  title: too short", []),
        ("job:\n  - title: too short\n  - steps[1].title: too short", []),
        ("title: length 3 is below the minimum of 5\nsteps[1].title needs at least five characters", []),
        ("Sorry: title is too short, and steps[1].title is too short as well, while steps is required.", []),
        ("steps[1]:\n  title: too short", ["/title"]),
        ("- steps\n  - 1\n    - title: too short", ["/title"]),
        (json.dumps({"steps": {"1": {"title": ["too short"]}}}), ["/title"]),
        ("title: too short", ["/steps/1/title"]),
        ("- steps\n  - 0\n    - title: too short", ["/title", "/steps/1/title"]),
        ("- String should have at least 5 characters\ntitle:\n- Field required", ["/title", "/steps/1/title"]),
        ("Use this schema: " + json.dumps(Job.model_json_schema()), ["/title", "/steps/1/title"]),
        (json.dumps({"error": "no", "schema": Job.model_json_schema()}), ["/title", "/steps/1/title"]),
        (f"Use this schema: {Job.model_json_schema()!r}", ["/title", "/steps/1/title"]),
    ],
)
def test_a_field_of_the_same_name_elsewhere_is_another(feedback: str, missing: list[str]) -> None:
    """What stands below another part of the answer is about that part; a schema sent again is about none."""
    found = judge(dialogue(feedback, bad=SHORT, good=LONGER), [JOB]).conversations[0]
    assert [
        f"/{'/'.join(map(str, c.finding.path))}" for c in found.attempts[0].fed_back if c.grade in DROPPED
    ] == missing


@pytest.mark.parametrize(
    ("feedback", "grade"),
    [
        ("json.decoder.JSONDecodeError: Expecting ',' delimiter: line 1 column 57 (char 56)", "weak"),
        ("json.decoder.JSONDecodeError: Extra data: line 1 column 60 (char 59)", "wrong"),
        ("Your answer is not good.", "missing"),
        ("- goal: Field required", "wrong"),
    ],
)
def test_a_broken_document_is_named_by_its_parser(feedback: str, grade: str) -> None:
    """The last line of a traceback says what is wrong, where it is this answer's; a schema error does not."""
    found = judge(dialogue(feedback, bad=BROKEN), [PLAN]).conversations[0]
    assert [c.label for c in found.attempts[0].fed_back] == [grade]
