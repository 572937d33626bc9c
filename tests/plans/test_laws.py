"""Laws: round trips, monotone rules, one defect found, and no text that raises."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_planguard.document.answer import Document, read
from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.plan import NOWHERE, Edge, Plan, Ref, Section, Task, Traits
from pytest_planguard.plans.profiles.formats import PROFILES, read_plan
from pytest_planguard.plans.rules.judge_plan import BY_CODE, RULES, check_plan
from pytest_planguard.plans.status import Status
from pytest_planguard.testing.answers.plan_writers import WRITERS
from pytest_planguard.testing.answers.plans import (
    openspec_plans,
    spec_kit_plans,
    step_plans,
    superpowers_plans,
)

from ..support.one_item import in_one_item
from ..support.plans import NAMES, text_of

BY_NAME = {profile.name: profile for profile in PROFILES}
RENDERED = {
    "spec-kit-tasks": spec_kit_plans(),
    "superpowers": superpowers_plans(),
    "openspec-tasks": openspec_plans(),
    "atomicguard": step_plans(),
}


def written(plan: Plan) -> str:
    """The plan in its own format."""
    return WRITERS[plan.format](plan)


def parsed(text: str, name: str) -> Plan:
    """The text read as one format."""
    markdown = BY_NAME[name].medium == "markdown"
    plan = read_plan(Document(text, text, 0, "markdown", text) if markdown else read(text), name)
    assert plan is not None
    return plan


def test_every_format_that_renders_is_tested_here() -> None:
    """What is written promises a round trip."""
    assert WRITERS.keys() == RENDERED.keys()


@pytest.mark.slow
@settings(deadline=None)  # the first example loads a parser
@given(st.one_of(*RENDERED.values()))
def test_reading_a_rendered_plan_gives_the_plan(plan: Plan) -> None:
    """parse(render(plan)) == plan but for remarks on empty groups; tasks alone tell the format."""
    text = written(plan)
    found = parsed(text, plan.format)
    assert replace(found, defects=tuple(one for one in found.defects if one.code != "task-text")) == plan
    if plan.tasks:
        found = check_text(text, path="x.md" if BY_NAME[plan.format].medium == "markdown" else "x.json").plan
        assert found is not None
        assert found.format == plan.format


@pytest.mark.slow
@settings(deadline=None)  # the first example loads a parser
@given(st.one_of(*RENDERED.values()))
def test_a_valid_plan_has_nothing_to_retry(plan: Plan) -> None:
    """What the strategies call valid is valid to the rules: at most warnings."""
    findings = check_plan(parsed(written(plan), plan.format))
    assert [finding for finding in findings if finding.severity.bad and finding.code != "has-tasks"] == []


@in_one_item
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("change", ["\r\n", "trailing", "twice"])
def test_reading_is_stable(name: str, change: str) -> None:
    """CRLF, blank lines at the end and a second reading change nothing about a plan."""
    _, text = text_of(name)
    other = {"\r\n": text.replace("\n", "\r\n"), "trailing": f"{text}\n\n", "twice": text}[change]
    file = text_of(name)[0]
    assert check_text(other, path=file).plan == check_text(text, path=file).plan


def _append(text: str, line: str) -> tuple[str, int]:
    whole = f"{text.rstrip()}\n{line}\n"
    return whole, whole.count("\n")


def _duplicate(plan: Plan, text: str, at: int) -> tuple[str, int, str]:
    whole, line = _append(text, f"- [ ] {plan.tasks[at].id} once more")
    return whole, line, "id-unique"


def _dangling(plan: Plan, text: str, _: int) -> tuple[str, int, str]:
    whole, line = _append(text, "- [ ] T900 new (depends on T899)")
    return whole, line, "dep-exists"


def _self(plan: Plan, text: str, _: int) -> tuple[str, int, str]:
    whole, line = _append(text, "- [ ] T900 new (depends on T900)")
    return whole, line, "dep-self"


def _cycle(plan: Plan, text: str, _: int) -> tuple[str, int, str]:
    whole, line = _append(text, "- [ ] T900 new (depends on T901)\n- [ ] T901 newer (depends on T900)")
    return whole, line - 1, "dep-cycle"


def _placeholder(plan: Plan, text: str, _: int) -> tuple[str, int, str]:
    whole, line = _append(text, "- [ ] T900 [NEEDS CLARIFICATION: which?]")
    return whole, line, "no-placeholders"


def _bad_id(plan: Plan, text: str, _: int) -> tuple[str, int, str]:
    whole, line = _append(text, "- [ ] T9 new")
    return whole, line, "id-format"


@pytest.mark.slow
@settings(deadline=None)  # the first example loads a parser
@given(
    spec_kit_plans().filter(lambda plan: plan.tasks and plan.tasks[-1].section == len(plan.sections) - 1),
    st.sampled_from([_duplicate, _dangling, _self, _cycle, _placeholder, _bad_id]),
    st.integers(0, 99),
)
def test_any_defect_in_any_valid_markdown_plan_is_found_on_its_line(
    plan: Plan, defect: Callable[[Plan, str, int], tuple[str, int, str]], at: int
) -> None:
    """One defect of the catalogue, put into a generated plan: the right code on the right line."""
    text, line, code = defect(plan, written(plan), at % len(plan.tasks))
    findings = check_plan(parsed(text, plan.format))
    assert (code, line) in {(finding.code, finding.span.line if finding.span else None) for finding in findings}


STEP_DEFECTS: dict[str, Callable[[dict[str, Any], dict[str, Any]], object]] = {
    "dep-exists": lambda plan, step: step["dependencies"].append("nowhere"),
    "dep-self": lambda plan, step: step["dependencies"].append(step["step_id"]),
    "pre-satisfied": lambda plan, step: step["preconditions"].append("never"),
    "goal-reachable": lambda plan, step: plan["goal_state"].append("never"),
    "root-shape": lambda plan, step: step.update(retry_budget="3"),
    "id-unique": lambda plan, step: step.update(step_id=plan["steps"][step is plan["steps"][0]]["step_id"]),
    "resource-exists": lambda plan, step: step.update(guard="none"),
}


@pytest.mark.slow
@settings(deadline=None)  # the first example loads a parser
@given(step_plans(), st.sampled_from(sorted(STEP_DEFECTS)), st.integers(0, 99))
def test_any_defect_in_any_valid_json_plan_is_found_inside_its_step(plan: Plan, code: str, at: int) -> None:
    """The same for JSON, where the place of the finding lies inside the step that was broken."""
    whole = json.loads(written(plan))
    steps = whole["steps"]
    step = steps[at % len(steps)]
    STEP_DEFECTS[code](whole, step)
    findings = check_plan(parsed(json.dumps(whole, indent=1), "atomicguard"), catalogue={"syntax"})
    hits = [finding for finding in findings if finding.code == code]
    assert hits
    broken = {("steps", steps.index(step)), ("goal_state", len(whole["goal_state"]) - 1)}
    if code == "id-unique":  # the later one of the two is reported
        broken = {("steps", number) for number, other in enumerate(steps) if other["step_id"] == step["step_id"]}
    assert any(hit.path[:2] in broken and hit.span is not None for hit in hits)


NAMES_OF_TASKS = st.sampled_from("abcdef")
EDGES = st.builds(partial(Edge, place=NOWHERE), NAMES_OF_TASKS, NAMES_OF_TASKS)


def _task(*given: Any, **named: Any) -> Task:
    """Return a task; of the class itself, Hypothesis would make up the fields that are not given."""
    return Task(*given, **named)


@st.composite
def any_plans(draw: st.DrawFn) -> Plan:
    """Plans of every shape, sound or not."""
    tasks = draw(
        st.lists(
            st.builds(
                _task,
                NAMES_OF_TASKS,
                st.one_of(st.none(), NAMES_OF_TASKS),
                section=st.one_of(st.none(), st.just(0)),
                parent=st.one_of(st.none(), NAMES_OF_TASKS),
                status=st.one_of(st.none(), st.sampled_from(Status)),
                status_text=st.one_of(st.none(), st.just("?")),
                edges=st.lists(EDGES, max_size=3).map(tuple),
                files=st.lists(st.builds(Ref, NAMES_OF_TASKS), max_size=2).map(tuple),
                needs=st.lists(st.builds(Ref, NAMES_OF_TASKS), max_size=2).map(tuple),
                gives=st.lists(st.builds(Ref, NAMES_OF_TASKS), max_size=2).map(tuple),
                parallel=st.booleans(),
            ),
            max_size=8,
        )
    )
    traits = Traits(ordered=True, needs_goal=True, one_active=True, id_pattern="[abc]", id_example="a")
    sections = (Section("x", draw(st.sampled_from(["", "x"])), "1"),)
    return Plan(
        "any", sections=sections, tasks=tuple(tasks), goals=draw(st.sampled_from([None, (Ref("a"),)])), traits=traits
    )


@pytest.mark.slow
@settings(deadline=None)  # the first example loads a parser
@given(any_plans(), st.sets(st.sampled_from(sorted(BY_CODE))), st.sets(st.sampled_from(sorted(BY_CODE))))
def test_adding_a_rule_never_removes_a_finding(plan: Plan, some: set[str], more: set[str]) -> None:
    """What a few rules find, more rules find too: nothing is suppressed by another rule's being there."""

    def found(codes: set[str]) -> set[tuple[str, str]]:
        rules = [rule for rule in RULES if rule.code in codes]
        return {(finding.code, finding.message) for finding in check_plan(plan, rules)}

    assert found(some) <= found(some | more)


@pytest.mark.slow
@settings(deadline=None)  # the first example loads a parser
@given(any_plans())
def test_findings_do_not_depend_on_anything_but_the_plan(plan: Plan) -> None:
    """Checking is a function: twice the same, in the same order."""
    assert check_plan(plan) == check_plan(plan)


KEYS = [
    *("tasks", "id", "title", "status", "dependencies", "steps", "phases", "summary", "plan", "step", "jobs", "needs"),
    *("context", "subtasks", "blocks", "preconditions", "effects", "number", "risks", "wbs_project", "task_children"),
    *("depends_on_task_id_list", "goal", "user_stories", "requirements", "parallel_execution", "blockedBy"),
]
"""Keys that some reader looks at."""
ANY_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.sampled_from(["1", "T001", "done"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=15,
)


@settings(deadline=None)  # the first example loads a parser
@given(ANY_JSON, st.sampled_from([profile.name for profile in PROFILES]))
def test_no_json_makes_a_reader_raise(value: Any, name: str) -> None:
    """Every reader takes every value, whatever is missing or of the wrong type."""
    check_text(json.dumps(value), path="x.json", format=name)


@settings(deadline=None)  # the first example loads a parser
@given(
    st.text(alphabet="#-*[]xT01. :\n\r\t`>a_P(|)Taskgol,–", max_size=300), st.sampled_from([p.name for p in PROFILES])
)
def test_no_text_makes_a_reader_raise(text: str, name: str) -> None:
    """Every reader takes every text."""
    check_text(text, path="x.md", format=name)


@settings(deadline=None)  # the first example loads a parser
@given(st.binary(max_size=100))
def test_no_bytes_make_a_check_raise(data: bytes) -> None:
    """Wrong encodings and NUL bytes are findings."""
    for path in (None, "a.md", "a.yaml", "a.json"):
        check_text(data, path=path)
