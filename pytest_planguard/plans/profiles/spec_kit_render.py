"""Write a plan as spec-kit's tasks.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..status import Status

if TYPE_CHECKING:
    from ..model import Plan, Task

_MARKS = {Status.DONE: "x", Status.ACTIVE: "-"}


def render(plan: Plan) -> str:
    """The plan as tasks.md. Every task needs an id; what the format cannot say is left out."""
    lines = [f"# {plan.title}", ""]
    lines += [_task(task) for task in plan.tasks if task.section is None]
    for number, section in enumerate(plan.sections):
        lines += ["", f"## {section.title}", ""]
        lines += [_task(task) for task in plan.tasks if task.section == number]
    return "\n".join(lines) + "\n"


def _task(task: Task) -> str:
    mark = _MARKS.get(task.status, " ") if task.status is not None else " "
    labels = "".join([" [P]" * task.parallel, *(f" [{ref.name}]" for ref in task.cites if ref.name.startswith("US"))])
    return f"- [{mark}] {task.id}{labels} {task.title}"
