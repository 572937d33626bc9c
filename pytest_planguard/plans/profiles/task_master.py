"""Task Master's tasks.json: tags that hold tasks, tasks that hold subtasks, numeric ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.place import NOWHERE, Place
from ..model.plan import Edge, Plan, Section, Status, Task, Traits
from ..reading.parsed_data import Parts, Record, name_of, records_of
from .profile import Profile, shape

if TYPE_CHECKING:
    from collections.abc import Collection

    from ..reading.outline import Source

STATUSES = {
    "pending": Status.TODO,
    "in-progress": Status.ACTIVE,
    "in_progress": Status.ACTIVE,
    "review": Status.REVIEW,
    "blocked": Status.BLOCKED,
    "done": Status.DONE,
    "completed": Status.DONE,
    "deferred": Status.DEFERRED,
    "cancelled": Status.CANCELLED,
}
"""The three vocabularies that the tool itself uses, together."""
TRAITS = Traits(
    statuses=("pending", "in-progress", "review", "blocked", "done", "deferred", "cancelled"), needs_tasks=False
)


def read(source: Source) -> Plan:
    """Read tasks.json, tagged or not."""
    parts = Parts(source)
    sections: list[Section] = []
    tasks: list[Task] = []
    tags = list(_tags(source.data))
    for tag, holder, place in tags:
        scope = tag if len(tags) > 1 else ""
        if len(tags) > 1:
            sections.append(Section(tag, f"tag {tag}", None, 1, place))
        for record, where in parts.records(holder.get("tasks"), place.sub("tasks")):
            tasks += _task(parts, record, where, scope, len(sections) - 1 if sections else None)
    known = {task.key for task in tasks}
    resolved = tuple([_resolved(task, known) if task.parent else task for task in tasks])
    return parts.finished(Plan("task-master", sections=tuple(sections), tasks=resolved, traits=TRAITS))


def _tags(data: object) -> list[tuple[str, Record, Place]]:
    """Tags with what they hold; the old form is one nameless tag."""
    if not isinstance(data, dict):
        return []
    if isinstance(data.get("tasks"), list):
        return [("", data, NOWHERE)]
    tags = [(str(tag), value) for tag, value in data.items() if isinstance(value, dict) and "tasks" in value]
    return [(tag, value, NOWHERE.sub(tag)) for tag, value in tags]


def _task(parts: Parts, record: Record, place: Place, scope: str, section: int | None) -> list[Task]:
    task = _one(parts, record, place, scope, section, None)
    below = record.get("subtasks")
    if not below and below is not False:
        return [task]
    children = parts.records(below, place.sub("subtasks"))
    return [task, *[_one(parts, child, where, scope, section, task) for child, where in children]]


def _one(parts: Parts, record: Record, place: Place, scope: str, section: int | None, parent: Task | None) -> Task:
    number = name_of(record.get("id"))
    local = f"{parent.id}.{number}" if parent is not None and number and "." not in number else number
    key = (f"{scope}/{local}" if scope else local) if local else place.stand_in
    status = record.get("status")
    for field in ("description", "details", "testStrategy") if parts.looks else ():
        parts.text(record, field, place)
    needs = parts.placed_names(record, "dependencies", place)
    return Task(
        key,
        local,
        parts.text(record, "title", place),
        place,
        section,
        parent.key if parent else None,
        scope,
        STATUSES.get(status.lower()) if isinstance(status, str) else None,
        None if status is None else str(status),
        tuple([Edge(f"{scope}/{name}" if scope else name, name, where) for name, where in needs]) if needs else (),
    )


def _resolved(task: Task, known: Collection[str]) -> Task:
    """Return a subtask whose bare numbers are siblings, as the tool looks for its next task: `2` in 1.1 is 1.2.

    Without such a sibling it is a top-level task, as the tool's own validation accepts.
    """
    edges = [(edge, f"{task.parent}.{edge.text}") for edge in task.edges]
    named = [edge._replace(target=own) if _is_sibling(edge, own, known) else edge for edge, own in edges]
    return task._replace(edges=tuple(named))


def _is_sibling(edge: Edge, sibling: str, known: Collection[str]) -> bool:
    return "." not in edge.text and (sibling in known or edge.target not in known)


def _score(data: object) -> int:
    tags = _tags(data)
    first = [record for _, holder, _ in tags for record in records_of(holder.get("tasks"))[:20]][:20]
    if not first:
        return 15 if tags and all(holder.get("tasks") == [] for _, holder, _ in tags) else 0
    if [record for record in first if records_of(record.get("dependencies"))]:
        return 0  # shrimp-task-manager's file of the same name: dependencies are objects
    if [record for record in first if "id" not in record or "title" not in record]:
        return 0
    fields = ("subtasks", "testStrategy", "priority", "dependencies", "details", "status")
    return 30 + 8 * sum(any(field in record for record in first) for field in fields)


PROFILES = (
    Profile(
        "task-master",
        "task-master",
        "data",
        "tasks.json with tags, tasks and subtasks.",
        shape(_score),
        read,
        places=(r"\.taskmaster/",),
    ),
)
