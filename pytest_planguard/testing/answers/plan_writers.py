"""Write plans in their formats: reading the text gives the plan again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType

from ...plans.plan import Plan, Task
from ...plans.status import Status

_MARKS = {Status.DONE: "x", Status.ACTIVE: "-"}


def _spec_kit(plan: Plan) -> str:
    """Return the plan as tasks.md. Every task needs an id."""
    lines = [f"# {plan.title}", ""]
    lines += [_box(task) for task in plan.tasks if task.section is None]
    for number, section in enumerate(plan.sections):
        lines += ["", f"## {section.title}", ""]
        lines += [_box(task) for task in plan.tasks if task.section == number]
    return "\n".join(lines) + "\n"


def _box(task: Task) -> str:
    mark = _MARKS.get(task.status, " ") if task.status is not None else " "
    labels = "".join([" [P]" * task.parallel, *(f" [{ref.name}]" for ref in task.cites if ref.name.startswith("US"))])
    return f"- [{mark}] {task.id}{labels} {task.title}"


def _superpowers(plan: Plan) -> str:
    """Return the plan as headed tasks. Every task without a parent needs an id; steps are its children."""
    lines = [f"# {plan.title}", ""] if plan.title else []
    if plan.goal is not None:
        lines += [f"**Goal:** {plan.goal.name}", ""]
    section: int | None = None
    for task in [one for one in plan.tasks if one.parent is None]:
        if task.section != section and task.section is not None:
            lines += [f"## {plan.sections[task.section].title}", ""]
        section = task.section
        lines += _headed(plan, task)
    return "\n".join(lines).rstrip() + "\n"


def _headed(plan: Plan, task: Task) -> list[str]:
    lines = [f"### Task {task.id}: {task.title}", ""]
    if task.edges:
        lines += ["**Depends on:** " + ", ".join(f"Task {edge.text}" for edge in task.edges), ""]
    if task.files:
        lines += ["**Files:**", *(f"- Modify: `{file.name}`" for file in task.files), ""]
    steps = [step for step in plan.tasks if step.parent == task.key]
    lines += [f"- [{'x' if step.status is Status.DONE else ' '}] {step.title}" for step in steps]
    return [*lines, ""] if steps else lines


def _openspec(plan: Plan) -> str:
    """Return the plan as a task list in numbered groups. Every task needs a section."""
    lines = [f"# {plan.title}"] if plan.title else []
    for number, section in enumerate(plan.sections):
        lines += ["", f"## {section.number}. {section.title}" if section.number else f"## {section.title}", ""]
        for task in [one for one in plan.tasks if one.section == number]:
            mark = "x" if task.status is not None and not task.status.open else " "
            lines.append(f"- [{mark}] {task.id + ' ' if task.id else ''}{task.title}")
    return "\n".join(lines).lstrip("\n") + "\n"


def _atomicguard(plan: Plan) -> str:
    """Return the plan as JSON."""
    steps = [
        {
            "step_id": task.id,
            "name": task.title,
            **({"guard": task.resource.name} if task.resource else {}),
            **({"retry_budget": task.budget} if task.budget is not None else {}),
            "preconditions": [ref.name for ref in task.needs],
            "effects": [ref.name for ref in task.gives],
            "dependencies": [edge.text for edge in task.edges],
        }
        for task in plan.tasks
    ]
    states = (("initial_state", plan.start), ("goal_state", plan.goals))
    whole: dict[str, object] = {"plan_id": plan.title}
    whole |= {key: [ref.name for ref in tokens] for key, tokens in states if tokens is not None}
    if plan.budget is not None:
        whole["total_retry_budget"] = plan.budget
    return json.dumps({**whole, "steps": steps}, indent=2, ensure_ascii=False) + "\n"


WRITERS: Mapping[str, Callable[[Plan], str]] = MappingProxyType(
    {
        "spec-kit-tasks": _spec_kit,
        "superpowers": _superpowers,
        "openspec-tasks": _openspec,
        "atomicguard": _atomicguard,
    }
)
"""Maps each format that planguard can write to the function that writes it."""


def written(plan: Plan) -> str:
    """Return the plan in its format."""
    return WRITERS[plan.format](plan)
