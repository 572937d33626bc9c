"""autospec's YAML artifacts: spec, plan, tasks, analysis, checklist, constitution."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..model.place import NOWHERE, Place
from ..model.plan import Count, Edge, Link, Plan, Ref, Requirement, Section, Status, Task, Traits
from ..reading.parsed_data import Parts, name_of
from .profile import Profile, shape

if TYPE_CHECKING:
    from ..reading.outline import Source


# autospec's artifacts without tasks: spec.yaml, plan.yaml and the rest.


def root_of(parts: Parts, data: Any) -> dict[Any, Any]:
    """Return the document as an object; an empty one, and a defect, where it is something else."""
    if isinstance(data, dict):
        return data
    parts.wrong(data, NOWHERE, "an object")
    return {}


def finished(source: Source, parts: Parts, plan: Plan) -> Plan:
    """Return the plan with what was noticed on the way."""
    find = source.document.locate_many
    return replace(plan, prose=tuple(parts.prose), defects=tuple(parts.defects), find=find)


def read_spec(source: Source) -> Plan:
    """Read spec.yaml: user stories and requirements."""
    parts = Parts()
    data = root_of(parts, source.data)
    found: list[Requirement] = []
    for record, place in parts.records(data.get("user_stories"), NOWHERE.sub("user_stories")):
        found += _requirement(record, "story", place)
    requirements = data.get("requirements")
    requirements = requirements if isinstance(requirements, dict) else {}
    for kind in ("functional", "non_functional"):
        for record, place in parts.records(requirements.get(kind), NOWHERE.sub("requirements", kind)):
            found += _requirement(record, "FR" if kind == "functional" else "NFR", place)
            parts.text(record, "description", place)
    plan = Plan("autospec-spec", requirements=tuple(found), traits=Traits(needs_tasks=False))
    return finished(source, parts, plan)


def _requirement(record: dict[Any, Any], kind: str, place: Place) -> list[Requirement]:
    name = name_of(record.get("id"))
    return [Requirement(name, kind, place.sub("id"))] if name else []


def read_plan(source: Source) -> Plan:
    """Read plan.yaml: phases that depend on phases."""
    parts = Parts()
    data = root_of(parts, source.data)
    tasks = []
    for record, place in parts.records(data.get("implementation_phases"), NOWHERE.sub("implementation_phases")):
        key = name_of(record.get("phase"))
        edges = tuple(_phase_edges(parts, record, place))
        title = parts.text(record, "name", place)
        tasks.append(Task(key or place.stand_in, key, title, place, edges=edges))
    goal = data.get("summary")
    ref = Ref(goal, NOWHERE.sub("summary")) if isinstance(goal, str) else None
    plan = Plan("autospec-plan", goal=ref, tasks=tuple(tasks), traits=Traits(noun="phase", needs_tasks=False))
    return finished(source, parts, plan)


def _phase_edges(parts: Parts, record: dict[Any, Any], place: Place) -> list[Edge]:
    """Dependencies by number: 1, "1", "Phase 1"; other texts are left alone."""
    edges = []
    for ref in parts.names(record, "dependencies", place):
        number = ref.name.lower().removeprefix("phase").strip(" _-:")
        if number.isdecimal():
            edges.append(Edge(number, ref.name, ref.place))
    return edges


def other(name: str) -> Any:
    """Return a reader of an artifact that has neither tasks nor requirements."""

    def read(source: Source) -> Plan:
        parts = Parts()
        root_of(parts, source.data)
        return finished(source, parts, Plan(name, traits=Traits(needs_tasks=False)))

    return read


STATUSES = {
    "Pending": Status.TODO,
    "InProgress": Status.ACTIVE,
    "Completed": Status.DONE,
    "Blocked": Status.BLOCKED,
}
TASKS = Traits(id_pattern=r"T\d+[A-Za-z]?", id_example="T001", statuses=tuple(STATUSES))


def read_tasks(source: Source) -> Plan:
    """Read tasks.yaml: phases of tasks, their order, their parallel groups and the stated totals."""
    parts = Parts()
    data = root_of(parts, source.data)
    sections: list[Section] = []
    tasks: list[Task] = []
    for record, place in parts.records(data.get("phases"), NOWHERE.sub("phases")):
        number = name_of(record.get("number"))
        title = parts.text(record, "title", place)
        sections.append(Section(title, f"phase {number}" if number else "", number, 2, place))
        for task, where in parts.records(record.get("tasks"), place.sub("tasks")):
            tasks.append(_task(parts, task, where, len(sections) - 1))
    plan = Plan("autospec-tasks", sections=tuple(sections), tasks=tuple(tasks), traits=TASKS)
    links = tuple(_phase_links(parts, data)) + tuple(_story_links(parts, data))
    counts = tuple(_counts(data, len(tasks), len(sections)))
    return finished(source, parts, replace(plan, counts=counts, links=links, groups=tuple(_groups(parts, data))))


def _task(parts: Parts, record: dict[Any, Any], place: Place, section: int) -> Task:
    task_id = name_of(record.get("id"))
    status = record.get("status")
    known = STATUSES.get(status) if isinstance(status, str) else None
    reason = record.get("blocked_reason", "")
    story, file = name_of(record.get("story_id")), name_of(record.get("file_path"))
    listed = parts.names(record, "dependencies", place)
    return Task(
        task_id or place.stand_in,
        task_id,
        parts.text(record, "title", place),
        place,
        section,
        status=known,
        status_text=None if status is None else str(status),
        edges=tuple(Edge(ref.name, ref.name, ref.place) for ref in listed),
        files=(Ref(file, place.sub("file_path")),) if file and not file.endswith("/") else (),
        cites=(Ref(story, place.sub("story_id")),) if story else (),
        parallel=record.get("parallel") is True,
        reason=reason if isinstance(reason, str) else "",
    )


def _counts(data: dict[Any, Any], tasks: int, phases: int) -> list[Count]:
    summary = data.get("summary")
    if not isinstance(summary, dict):
        return []
    place = NOWHERE.sub("summary")
    stated = (("total_tasks", "tasks", tasks), ("total_phases", "phases", phases))
    return [
        Count(what, summary[key], actual, place.sub(key))
        for key, what, actual in stated
        if isinstance(summary.get(key), int)
    ]


def _groups(parts: Parts, data: dict[Any, Any]) -> list[tuple[Edge, ...]]:
    groups = []
    for record, place in parts.records(data.get("parallel_execution"), NOWHERE.sub("parallel_execution")):
        for group, where in parts.records(record.get("parallel_groups"), place.sub("parallel_groups")):
            refs = parts.names(group, "tasks", where)
            groups.append(tuple(Edge(ref.name, ref.name, ref.place) for ref in refs))
    return groups


def _order(parts: Parts, data: dict[Any, Any], key: str) -> list[tuple[dict[Any, Any], Place]]:
    holder = data.get("dependencies")
    place = NOWHERE.sub("dependencies", key)
    return list(parts.records(holder.get(key), place)) if isinstance(holder, dict) else []


def _phase_links(parts: Parts, data: dict[Any, Any]) -> list[Link]:
    return _links(parts, _order(parts, data, "phase_order"), "phase", "phase ")


def _story_links(parts: Parts, data: dict[Any, Any]) -> list[Link]:
    return _links(parts, _order(parts, data, "user_story_order"), "story_id", "")


def _links(parts: Parts, records: list[tuple[dict[Any, Any], Place]], name: str, prefix: str) -> list[Link]:
    links = []
    for record, place in records:
        own = f"{prefix}{record.get(name)}"
        blocks = parts.names(record, "blocks", place)
        waits = parts.names(record, "depends_on", place)
        links += [Link(own, prefix + ref.name, "first", ref.place, name) for ref in blocks]
        links += [Link(prefix + ref.name, own, "second", ref.place, name) for ref in waits]
    return links


def _keys(*wanted: str, kind: str) -> Any:
    """Return a score by top-level keys and by what `_meta.artifact_type` says."""

    def score(data: Any) -> int:
        if not isinstance(data, dict):
            return 0
        meta = data.get("_meta")
        stated = meta.get("artifact_type") if isinstance(meta, dict) else None
        own = len([key for key in wanted if key in data])
        if stated is not None:
            return 70 + own if stated == kind else 0
        return 25 * own if own * 2 > len(wanted) else 0

    return shape(score)


PROFILES = (
    Profile(
        "autospec-tasks",
        "autospec",
        "data",
        "tasks.yaml: phases of tasks, orders, parallel groups, totals.",
        _keys("tasks", "summary", "phases", kind="tasks"),
        read_tasks,
    ),
    Profile(
        "autospec-spec",
        "autospec",
        "data",
        "spec.yaml: user stories and requirements.",
        _keys("feature", "user_stories", "requirements", kind="spec"),
        read_spec,
    ),
    Profile(
        "autospec-plan",
        "autospec",
        "data",
        "plan.yaml: technical context and phases.",
        _keys("plan", "summary", "technical_context", kind="plan"),
        read_plan,
    ),
    *(
        Profile(
            f"autospec-{kind}", "autospec", "data", f"{kind}.yaml.", _keys(*keys, kind=kind), other(f"autospec-{kind}")
        )
        for kind, keys in (
            ("analysis", ("analysis", "findings", "summary")),
            ("checklist", ("checklist", "categories")),
            ("constitution", ("constitution", "principles")),
        )
    ),
)
