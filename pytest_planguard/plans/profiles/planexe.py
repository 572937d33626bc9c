"""PlanExe: task dependencies and the work breakdown structure (WBS) of levels 1 to 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.place import NOWHERE, Place
from ..model.plan import Defect, Edge, Pair, Plan, Ref, Section, Task, Traits
from ..reading.parsed_data import Parts, Record, listed_under, name_of, object_of, records_of
from .profile import Profile, shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..reading.outline import Source

_LIST, _WHY = "depends_on_task_id_list", "depends_on_task_explanation_list"


def read_dependencies(source: Source) -> Plan:
    """Read the dependency file. It names tasks by id alone, so that every named id counts as a task."""
    parts = Parts(source)
    edges: dict[str, list[Edge]] = {}
    places: dict[str, Place] = {}
    pairs: list[Pair] = []
    for record, place in parts.records(*listed_under(source.data, "task_dependency_details")):
        dependent = name_of(record.get("dependent_task_id"))
        targets = parts.placed_names(record, _LIST, place)
        reasons = record.get(_WHY)
        if isinstance(reasons, list):
            pairs.append(Pair((_LIST, _WHY), (len(targets), len(reasons)), place.sub(_WHY)))
        if dependent is None:
            parts.wrong(record.get("dependent_task_id"), place, "an object with dependent_task_id")
            continue
        if dependent in edges:
            message, hint = f"{dependent} is listed as dependent twice", "merge the two entries"
            parts.defects.append(Defect("dep-duplicate", message, place, hint=hint))
        places.setdefault(dependent, place)
        edges.setdefault(dependent, []).extend([Edge(name, name, where) for name, where in targets])
    for edge in [edge for listed in edges.values() for edge in listed]:
        places.setdefault(edge.target, edge.place)
    tasks = tuple(Task(key, key, "", place, edges=tuple(edges.get(key, ()))) for key, place in places.items())
    return parts.finished(Plan("planexe-dependencies", tasks=tasks, pairs=tuple(pairs)))


def read_level1(source: Source) -> Plan:
    """Read the project itself: a title and a final deliverable."""
    data = object_of(source.data)
    goal = data.get("final_deliverable")
    plan = Plan(
        "planexe-wbs1",
        str(data.get("project_title", "")),
        Ref(goal if isinstance(goal, str) else "", NOWHERE.sub("final_deliverable")),
        traits=Traits(needs_tasks=False, needs_goal=True),
    )
    return Parts(source).finished(plan)


def read_level2(source: Source) -> Plan:
    """Read phases with their subtasks."""
    parts = Parts(source)
    sections: list[Section] = []
    tasks: list[Task] = []
    for record, place in parts.records(source.data, NOWHERE):
        key = name_of(record.get("id"))
        sections.append(Section(parts.text(record, "major_phase_title", place), key or "", None, 2, place))
        for child, where in parts.records(record.get("subtasks"), place.sub("subtasks")):
            tasks.append(_task(parts, child, where, "description", len(sections) - 1))
    return parts.finished(Plan("planexe-wbs2", sections=tuple(sections), tasks=tuple(tasks)))


def read_level3(source: Source) -> Plan:
    """Read the flat list of tasks with their parents."""
    parts = Parts(source)
    tasks = []
    for record, place in parts.records(source.data, NOWHERE):
        parts.text(record, "description", place)
        tasks.append(_task(parts, record, place, "name", None))
    return parts.finished(Plan("planexe-wbs3", tasks=tuple(tasks)))


def read_project(source: Source) -> Plan:
    """Read the whole tree: a project, its phases, their tasks, as deep as it goes."""
    parts = Parts(source)
    root = object_of(object_of(source.data).get("wbs_project"))
    tasks: list[Task] = []
    pending: list[tuple[Record, Place, str | None]] = []

    def add_children(record: Record, place: Place, parent: str | None) -> None:
        below = parts.records(record.get("task_children"), place.sub("task_children"))
        pending.extend((child, where, parent) for child, where in reversed(below))

    add_children(root, NOWHERE.sub("wbs_project"), None)
    while pending:
        record, place, parent = pending.pop()
        tasks.append(_task(parts, record, place, "description", None)._replace(parent=parent))
        add_children(record, place, tasks[-1].key)
    return parts.finished(Plan("planexe-wbs-project", str(root.get("description", "")), tasks=tuple(tasks)))


def _task(parts: Parts, record: Record, place: Place, title: str, section: int | None) -> Task:
    key = name_of(record.get("id"))
    if key is None:
        parts.wrong(record.get("id"), place, "an object with an id")
    return Task(key or place.stand_in, key, parts.text(record, title, place), place, section)


def _listed(*names: str) -> Callable[[object], int]:
    """Return a score of lists whose first records all have these fields."""

    def score(data: object) -> int:
        records = records_of(data)[:20]
        return 90 if records and all(record.keys() >= set(names) for record in records) else 0

    return score


def _object(*names: str) -> Callable[[object], int]:
    """Return a score of objects that have these fields."""
    return lambda data: 90 if object_of(data).keys() >= set(names) else 0


_DEPENDENCY = _listed("dependent_task_id", _LIST)


PROFILES = (
    Profile(
        "planexe-dependencies",
        "planexe",
        "data",
        "Which task depends on which, with a parallel list of explanations.",
        shape(lambda data: _object("task_dependency_details")(data) or _DEPENDENCY(data)),
        read_dependencies,
    ),
    Profile(
        "planexe-wbs1",
        "planexe",
        "data",
        "WBS level 1: the project.",
        shape(_object("project_title", "final_deliverable")),
        read_level1,
    ),
    Profile(
        "planexe-wbs2",
        "planexe",
        "data",
        "WBS level 2: phases with subtasks.",
        shape(_listed("major_phase_title", "subtasks")),
        read_level2,
    ),
    Profile(
        "planexe-wbs3",
        "planexe",
        "data",
        "WBS level 3: a flat list of tasks with parents.",
        shape(_listed("id", "name", "parent_id")),
        read_level3,
    ),
    Profile(
        "planexe-wbs-project",
        "planexe",
        "data",
        "The WBS as one tree.",
        shape(_object("wbs_project")),
        read_project,
    ),
)
