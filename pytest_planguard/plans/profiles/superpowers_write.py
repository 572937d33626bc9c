"""Write a plan of headed tasks as Markdown, and read the JSON form that amelia's write_plan tool takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Plan, Ref, Task, Traits
from ..place import NOWHERE
from ..status import Status
from .shapes import Parts, name_of

if TYPE_CHECKING:
    from ..source import Source


def render(plan: Plan) -> str:
    """The plan as Markdown. Every task without a parent needs an id; steps are its children."""
    lines = [f"# {plan.title}", ""] if plan.title else []
    if plan.goal is not None:
        lines += [f"**Goal:** {plan.goal.name}", ""]
    section: int | None = None
    for task in plan.tasks:
        if task.parent is not None:
            continue
        if task.section != section and task.section is not None:
            lines += [f"## {plan.sections[task.section].title}", ""]
        section = task.section
        lines += _task(plan, task)
    return "\n".join(lines).rstrip() + "\n"


def _task(plan: Plan, task: Task) -> list[str]:
    lines = [f"### Task {task.id}: {task.title}", ""]
    if task.edges:
        lines += ["**Depends on:** " + ", ".join(f"Task {edge.text}" for edge in task.edges), ""]
    if task.files:
        lines += ["**Files:**", *(f"- Modify: `{file.name}`" for file in task.files), ""]
    steps = [step for step in plan.tasks if step.parent == task.key]
    lines += [f"- [{'x' if step.status is Status.DONE else ' '}] {step.title}" for step in steps]
    return [*lines, ""] if steps else lines


def read_sidecar(source: Source) -> Plan:
    """Read the JSON form: a goal and tasks with files and steps."""
    parts = Parts()
    data = source.data if isinstance(source.data, dict) else {}
    goal = data.get("goal")
    tasks: list[Task] = []
    for record, place in parts.records(data.get("tasks"), NOWHERE.sub("tasks")):
        number = name_of(record.get("number"))
        key = number or f"?{place.path}"
        files = [ref for field in ("files_to_create", "files_to_modify") for ref in parts.names(record, field, place)]
        tasks.append(Task(key, number, parts.text(record, "title", place), place, files=tuple(files)))
        for step, where in parts.items(record.get("steps"), place.sub("steps")):
            title = step if isinstance(step, str) else ""
            tasks.append(Task(f"?{where.path}", None, title, where, parent=key, status=Status.TODO))
    return Plan(
        "superpowers-sidecar",
        goal=Ref(goal, NOWHERE.sub("goal")) if isinstance(goal, str) else None,
        tasks=tuple(tasks),
        prose=tuple(parts.prose),
        defects=tuple(parts.defects),
        traits=Traits(id_pattern=r"[1-9]\d*(?:\.[1-9]\d*)?", id_example="1 or 2.1", needs_goal=True, ordered=True),
        find=source.document.locate_many,
    )
