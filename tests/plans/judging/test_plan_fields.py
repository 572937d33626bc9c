"""Plans in fields of an answer: `plan_rules("spec-kit", at="plan_markdown")`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard import Contract, plan_rules, validation_feedback
from pytest_planguard.errors import UsageError
from pytest_planguard.report.finding_text import render_verdict

from ...support.commands import run

GOOD = """\
# Tasks: Login

## Phase 1: Setup

- [ ] T001 Create the project in src/app.py
- [ ] T002 Add tests in tests/test_app.py (depends on T001)
"""
BAD = GOOD.replace("on T001", "on T009")
AT = "line 6, column 55 of plan_markdown"


class Out(BaseModel):
    """An answer with a plan in it."""

    summary: str
    plan_markdown: str | None = None


class Listed(BaseModel):
    """An answer with a list of plans."""

    plans: list[Out]


CONTRACT = Contract(Out, rules=plan_rules("spec-kit", at="plan_markdown"))


def answer(**fields: object) -> str:
    """The answer with these fields."""
    return json.dumps({"summary": "s", **fields})


def found(contract: Contract[Any], text: str) -> list[tuple[str, tuple[str | int, ...], str | None]]:
    """Code, path and place of everything that is bad."""
    return [(one.code, one.path, one.span and str(one.span)) for one in contract.check(text).errors]


def test_a_finding_has_the_field_at_the_head_of_its_path_and_its_place_in_the_plan() -> None:
    """A good plan keeps the contract; null is no plan; fences and prose around the plan are taken off."""
    assert CONTRACT.check(answer(plan_markdown=GOOD)).ok
    assert CONTRACT.check(answer(plan_markdown=f"Here it is:\n```markdown\n{GOOD}```\n")).ok
    assert CONTRACT.check(answer(plan_markdown=None)).ok
    path = ("plan_markdown", "tasks", "T002", "dependencies", "T009")
    assert found(CONTRACT, answer(plan_markdown=BAD)) == [("dep-exists", path, "6:55")]
    assert found(CONTRACT, answer(plan_markdown="")) == [("empty", ("plan_markdown",), "1:35")]


@pytest.mark.parametrize("info", ["", "text", "md"])
@pytest.mark.parametrize("marks", ["```", "~~~", "~~~~"])
def test_any_fence_around_the_whole_plan_is_taken_off(marks: str, info: str) -> None:
    """In a field and in an answer that is the plan; a plan whose middle is code is no fence."""
    fence = marks + info
    assert CONTRACT.check(answer(plan_markdown=f"{fence}\n{GOOD}{marks}\n")).ok
    (wrong,) = CONTRACT.check(answer(plan_markdown=f"{fence}\n{BAD}{marks}")).errors
    assert wrong.path[:3] == ("plan_markdown", "tasks", "T002")
    alone = Contract(None, rules=plan_rules("spec-kit"))
    assert alone.check(f"{fence}\n{GOOD}{marks}\n").ok
    assert (
        alone.check(f"{GOOD}\n{fence}\n# Not the plan\n{marks}\n").data == f"{GOOD}\n{fence}\n# Not the plan\n{marks}"
    )


def test_a_cut_plan_is_truncated_by_its_finish_reason() -> None:
    """Its text may look whole, since a task list can end anywhere."""
    alone = Contract(None, rules=plan_rules("spec-kit"))
    assert alone.check(GOOD).ok
    assert [one.code for one in alone.check(GOOD, finish="length").errors] == ["truncated"]


def test_the_feedback_and_the_frame_show_the_line_of_the_plan() -> None:
    """A JSON answer is one line: only the plan's own lines help."""
    verdict = CONTRACT.check(answer(plan_markdown=BAD))
    assert "1. /plan_markdown/tasks/T002/dependencies/T009 (line 6): T002 depends on " in validation_feedback(verdict)
    shown = render_verdict(verdict).splitlines()
    assert f"plan_markdown.tasks.T002.dependencies.T009 ({AT})" in shown[1]
    assert [line for line in shown if "(depends on T009)" in line]
    assert shown[-1].strip(" |").startswith("^^^^") or [line for line in shown if line.endswith("^^^^")]


def test_plans_of_a_list_and_in_the_arguments_of_a_tool() -> None:
    """A wildcard judges each; without a schema a missing field is a finding."""
    listed = Contract(Listed, rules=plan_rules("spec-kit", at="plans[*].plan_markdown"))
    plans = [{"summary": "s", "plan_markdown": text} for text in (GOOD, BAD)]
    assert [path[:3] for _, path, _ in found(listed, json.dumps({"plans": plans}))] == [("plans", 1, "plan_markdown")]
    tool = Contract(None, judged="submit_plan", rules=plan_rules("spec-kit", at="plan"))
    assert [path[0] for _, path, _ in found(tool, json.dumps({"plan": BAD}))] == ["plan"]
    assert found(tool, json.dumps({"other": 1})) == [("missing", ("plan",), "1:1")]
    assert found(tool, json.dumps({"plan": 5})) == [("type", ("plan",), "1:10")]


def test_a_plan_of_data_is_a_text_or_a_value_of_the_answer() -> None:
    """As a value it has its place in the answer, as a text in itself."""
    contract = Contract(None, rules=plan_rules("update-plan", at="call"))
    call = {"plan": [{"step": "a", "status": "odd"}]}
    path = ("call", "plan", 0, "status")
    assert [one[:2] for one in found(contract, json.dumps({"call": call}))] == [
        ("status-enum", ("call", "plan", 0, "status"))
    ]
    assert [one[1] for one in found(contract, json.dumps({"call": json.dumps(call, indent=1)}))] == [path]


@pytest.mark.parametrize("options", [{"format": "json"}, {}])
def test_markdown_rules_on_a_json_answer_are_refused_where_they_are_defined(options: dict[str, Any]) -> None:
    """No answer could keep such a contract."""
    message = r'plan_rules\(spec-kit\) judges Markdown: got .*; name the field that holds the plan: at="'
    with pytest.raises(UsageError, match=message):
        Contract(Out, rules=plan_rules("spec-kit"), **options)
    assert Contract(str, rules=plan_rules("spec-kit"))


def test_a_field_that_the_schema_does_not_have_is_refused() -> None:
    """With the nearest name, and an `at` that is no path."""
    with pytest.raises(UsageError, match=r"^Out has no field 'plan_markdwn'.*'plan_markdown'"):
        Contract(Out, rules=plan_rules("spec-kit", at="plan_markdwn"))
    with pytest.raises(UsageError):
        plan_rules("spec-kit", at="a..b")


def test_the_command_names_no_line_of_the_file_for_a_line_of_the_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor would open line 6 of an answer that has one; the finding itself says where line 6 is."""
    monkeypatch.chdir(tmp_path)
    rules = 'Contract(None, name="out", rules=plan_rules("spec-kit", at="plan_markdown"))'
    text = f"from pytest_planguard import Contract, plan_rules\n\nOUT = {rules}\n"
    (tmp_path / "my_contract.py").write_text(text, encoding="utf-8")
    (tmp_path / "out.json").write_text(answer(plan_markdown=BAD), encoding="utf-8")
    shown = run("check", "out.json", "--contract", "my_contract.py:OUT").stdout.splitlines()
    assert shown[0] == "out.json: not a valid out: 1 finding"
    assert f"({AT})" in shown[1]


def test_related_places_of_a_plan_in_a_field_begin_with_the_field() -> None:
    """A plan as data: the first task of a repeated id is named by its path in the answer."""
    contract = Contract(None, rules=plan_rules("atomicguard", at="plan"))
    step = {"step_id": "a", "name": "A", "effects": ["x"], "preconditions": [], "dependencies": []}
    plan = {"plan_id": "p", "initial_state": [], "goal_state": ["x"], "steps": [step, step]}
    (repeated,) = [one for one in contract.check({"plan": plan}).findings if one.code == "id-unique"]
    assert repeated.path == ("plan", "steps", 1)
    assert [one.path for one in repeated.related] == [("plan", "steps", 0)]


def test_a_number_in_place_of_a_plan_says_what_is_expected() -> None:
    """The field must hold the text of a plan."""
    (finding,) = Contract(None, rules=plan_rules("spec-kit", at="plan")).check({"plan": 5}).errors
    assert (finding.code, finding.path, finding.expected, finding.actual) == ("type", ("plan",), "a plan as text", "5")
