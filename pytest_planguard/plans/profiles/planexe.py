"""PlanExe: task dependencies and the work breakdown structure (WBS) of levels 1 to 3."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..model.place import NOWHERE, Place
from ..model.plan import Defect, Edge, Pair, Plan, Ref, Section, Task, Traits
from ..reading.parsed_data import Parts, name_of, records_of
from .profile import Profile, shape

if TYPE_CHECKING:
    from ..reading.outline import Source

_LIST, _WHY = "depends_on_task_id_list", "depends_on_task_explanation_list"


def read_dependencies(source: Source) -> Plan:
    """Read the dependency file. It names tasks by id alone, so that every named id counts as a task."""
    parts = Parts.of(source)
    edges: dict[str, list[Edge]] = {}
    places: dict[str, Place] = {}
    pairs: list[Pair] = []
    details = source.data.get("task_dependency_details") if isinstance(source.data, dict) else source.data
    root = NOWHERE.sub("task_dependency_details") if isinstance(source.data, dict) else NOWHERE
    for record, place in parts.records(details, root):
        dependent = name_of(record.get("dependent_task_id"))
        targets = parts.placed_names(record, _LIST, place)
        reasons = record.get(_WHY)
        if isinstance(reasons, list):
            pairs.append(Pair((_LIST, _WHY), (len(targets), len(reasons)), place.sub(_WHY)))
        if dependent is None:
            parts.wrong(record.get("dependent_task_id"), place, "an object with dependent_task_id")
            continue
        if dependent in edges:
            parts.defects.append(_twice(dependent, place))
        places.setdefault(dependent, place)
        edges.setdefault(dependent, []).extend([Edge(name, name, where) for name, where in targets])
    for edge in [edge for listed in edges.values() for edge in listed]:
        places.setdefault(edge.target, edge.place)
    tasks = tuple(Task(key, key, "", place, edges=tuple(edges.get(key, ()))) for key, place in places.items())
    return _finished(source, parts, Plan("planexe-dependencies", tasks=tasks, pairs=tuple(pairs)))


def _twice(dependent: str, place: Place) -> Defect:
    return Defect(
        "dep-duplicate", f"{dependent} is listed as dependent twice", place, None, None, "merge the two entries"
    )


def read_level1(source: Source) -> Plan:
    """Read the project itself: a title and a final deliverable."""
    data = source.data if isinstance(source.data, dict) else {}
    goal = data.get("final_deliverable")
    plan = Plan(
        "planexe-wbs1",
        str(data.get("project_title", "")),
        Ref(goal if isinstance(goal, str) else "", NOWHERE.sub("final_deliverable")),
        traits=Traits(needs_tasks=False, needs_goal=True),
    )
    return replace(plan, find=source.document.locate_many)


def read_level2(source: Source) -> Plan:
    """Read phases with their subtasks."""
    parts = Parts.of(source)
    sections: list[Section] = []
    tasks: list[Task] = []
    for record, place in parts.records(source.data, NOWHERE):
        key = name_of(record.get("id"))
        sections.append(Section(parts.text(record, "major_phase_title", place), key or "", None, 2, place))
        for child, where in parts.records(record.get("subtasks"), place.sub("subtasks")):
            tasks.append(_task(parts, child, where, "description", len(sections) - 1))
    return _finished(source, parts, Plan("planexe-wbs2", sections=tuple(sections), tasks=tuple(tasks)))


def read_level3(source: Source) -> Plan:
    """Read the flat list of tasks with their parents."""
    parts = Parts.of(source)
    tasks = []
    for record, place in parts.records(source.data, NOWHERE):
        parts.text(record, "description", place)
        tasks.append(_task(parts, record, place, "name", None))
    return _finished(source, parts, Plan("planexe-wbs3", tasks=tuple(tasks)))


def read_project(source: Source) -> Plan:
    """Read the whole tree: a project, its phases, their tasks, as deep as it goes."""
    parts = Parts.of(source)
    project = source.data.get("wbs_project") if isinstance(source.data, dict) else None
    root = project if isinstance(project, dict) else {}
    tasks: list[Task] = []
    stack = [(record, where, None, 1) for record, where in reversed(_children(parts, root, NOWHERE.sub("wbs_project")))]
    pending: list[tuple[dict[Any, Any], Place, str | None, int]] = list(stack)
    while pending:
        record, place, parent, depth = pending.pop()
        task = _task(parts, record, place, "description", None)._replace(parent=parent)
        tasks.append(task)
        below = _children(parts, record, place)
        pending += [(child, where, task.key, depth + 1) for child, where in reversed(below)]
    plan = Plan("planexe-wbs-project", str(root.get("description", "")), tasks=tuple(tasks))
    return _finished(source, parts, plan)


def _children(parts: Parts, record: dict[Any, Any], place: Place) -> list[tuple[dict[Any, Any], Place]]:
    return list(parts.records(record.get("task_children"), place.sub("task_children")))


def _task(parts: Parts, record: dict[Any, Any], place: Place, title: str, section: int | None) -> Task:
    key = name_of(record.get("id"))
    if key is None:
        parts.wrong(record.get("id"), place, "an object with an id")
    return Task(key or place.stand_in, key, parts.text(record, title, place), place, section)


def _finished(source: Source, parts: Parts, plan: Plan) -> Plan:
    found = {"prose": tuple(parts.prose), "defects": tuple(parts.defects)}
    return replace(plan, find=source.document.locate_many, **found)  # type: ignore[arg-type]


def _fields(data: Any, *names: str) -> bool:
    records = records_of(data)[:20]
    return bool(records) and all(all(name in record for name in names) for record in records)


PROFILES = (
    Profile(
        "planexe-dependencies",
        "planexe",
        "data",
        "Which task depends on which, with a parallel list of explanations.",
        shape(
            lambda data: (
                90
                if isinstance(data, dict) and "task_dependency_details" in data
                else 90
                if _fields(data, "dependent_task_id", _LIST)
                else 0
            )
        ),
        read_dependencies,
    ),
    Profile(
        "planexe-wbs1",
        "planexe",
        "data",
        "WBS level 1: the project.",
        shape(
            lambda data: 90 if isinstance(data, dict) and {"project_title", "final_deliverable"} <= data.keys() else 0
        ),
        read_level1,
    ),
    Profile(
        "planexe-wbs2",
        "planexe",
        "data",
        "WBS level 2: phases with subtasks.",
        shape(lambda data: 90 if _fields(data, "major_phase_title", "subtasks") else 0),
        read_level2,
    ),
    Profile(
        "planexe-wbs3",
        "planexe",
        "data",
        "WBS level 3: a flat list of tasks with parents.",
        shape(lambda data: 90 if _fields(data, "id", "name", "parent_id") else 0),
        read_level3,
    ),
    Profile(
        "planexe-wbs-project",
        "planexe",
        "data",
        "The WBS as one tree.",
        shape(lambda data: 90 if isinstance(data, dict) and "wbs_project" in data else 0),
        read_project,
    ),
)
