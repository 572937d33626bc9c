"""autospec's YAML artifacts: spec, plan, tasks, analysis, checklist, constitution."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from ...contract.finding import Severity
from ..plan import NOWHERE, Defect, Edge, Link, Place, Plan, Ref, Requirement, Section, Task, Traits
from ..reading.outline import Source
from ..reading.parsed_data import Parts, Record, name_of, object_of
from ..reading.profile import Profile
from ..reading.task_forms import wrong_total
from ..status import Status

_CONTENT = ("has-tasks", "goal-nonempty", "has-requirements", "req-unique", "trace-backward")
_FURTHER: dict[str, Severity] = dict.fromkeys((*_CONTENT, "parallel-independent", "no-placeholders"), Severity.WARN)
"""Rules that autospec's validators do not have: what they find is worth a warning, and autospec accepts the file."""
_WITHOUT_TASKS = Traits(
    needs_tasks=False,
    severities={**_FURTHER, **dict.fromkeys(("id-unique", "dep-exists", "dep-self", "dep-cycle"), Severity.WARN)},
)


def _begun(source: Source) -> tuple[Parts, Record]:
    """Return the parts of a document and its object. Any other root is a defect, and yields an empty object."""
    parts = Parts(source)
    if not isinstance(source.data, dict):
        parts.wrong(source.data, NOWHERE, "an object")
    return parts, object_of(source.data)


def read_spec(source: Source) -> Plan:
    """Read spec.yaml: user stories and requirements."""
    parts, data = _begun(source)
    found: list[Requirement] = []
    for record, place in parts.records(data.get("user_stories"), NOWHERE.sub("user_stories")):
        found += _requirement(record, "story", place)
    requirements = object_of(data.get("requirements"))
    for kind in ("functional", "non_functional"):
        for record, place in parts.records(requirements.get(kind), NOWHERE.sub("requirements", kind)):
            found += _requirement(record, "FR" if kind == "functional" else "NFR", place)
            parts.text(record, "description", place)
    return parts.finished(Plan("autospec-spec", requirements=tuple(found), traits=_WITHOUT_TASKS))


def _requirement(record: Record, kind: str, place: Place) -> list[Requirement]:
    name = name_of(record.get("id"))
    return [Requirement(name, kind, place.sub("id"))] if name else []


def read_plan(source: Source) -> Plan:
    """Read plan.yaml: phases that depend on phases."""
    parts, data = _begun(source)
    tasks = []
    for record, place in parts.records(data.get("implementation_phases"), NOWHERE.sub("implementation_phases")):
        key = name_of(record.get("phase"))
        edges = tuple(_phase_edges(parts, record, place))
        title = parts.text(record, "name", place)
        tasks.append(Task(key or place.stand_in, key, title, place, edges=edges))
    goal = data.get("summary")
    ref = Ref(goal, NOWHERE.sub("summary")) if isinstance(goal, str) else None
    plan = Plan("autospec-plan", goal=ref, tasks=tuple(tasks), traits=replace(_WITHOUT_TASKS, noun="phase"))
    return parts.finished(plan)


def _phase_edges(parts: Parts, record: Record, place: Place) -> Iterator[Edge]:
    """Yield dependencies given by number: 1, "1", "Phase 1". Ignore other texts."""
    for ref in parts.names(record, "dependencies", place):
        number = ref.name.lower().removeprefix("phase").strip(" _-:")
        if number.isdecimal():
            yield Edge(number, ref.name, ref.place)


def _other(name: str) -> Callable[[Source], Plan]:
    """Return a reader of an artifact without tasks and requirements."""
    return lambda source: _begun(source)[0].finished(Plan(name, traits=_WITHOUT_TASKS))


STATUSES = {"Pending": Status.TODO, "InProgress": Status.ACTIVE, "Completed": Status.DONE, "Blocked": Status.BLOCKED}
TASKS = Traits(id_pattern=r"T\d+[A-Za-z]?", id_example="T001", statuses=tuple(STATUSES), severities=_FURTHER)


def read_tasks(source: Source) -> Plan:
    """Read tasks.yaml: phases of tasks, their order, their parallel groups and the stated totals."""
    parts, data = _begun(source)
    sections: list[Section] = []
    tasks: list[Task] = []
    for record, place in parts.records(data.get("phases"), NOWHERE.sub("phases")):
        number = name_of(record.get("number"))
        title = parts.text(record, "title", place)
        sections.append(Section(title, f"phase {number}" if number else "", number, 2, place))
        stories = _listed(record, "story_reference", place)
        for task, where in parts.records(record.get("tasks"), place.sub("tasks")):
            tasks.append(_task(parts, task, where, len(sections) - 1, stories))
    parts.defects += _totals(data, len(tasks), len(sections))
    plan = Plan(
        "autospec-tasks",
        sections=tuple(sections),
        tasks=tuple(tasks),
        links=(
            *_links(parts, data, "phase_order", "phase", "phase "),
            *_links(parts, data, "user_story_order", "story_id"),
        ),
        groups=tuple(_groups(parts, data)),
        traits=TASKS,
    )
    return parts.finished(plan)


def _listed(record: Record, key: str, place: Place) -> tuple[Ref, ...]:
    """Return the names in a field that may hold several: "US-003, US-004"."""
    names = (name.strip() for name in (name_of(record.get(key)) or "").split(","))
    return tuple(Ref(name, place.sub(key)) for name in names if name)


def _task(parts: Parts, record: Record, place: Place, section: int, stories: tuple[Ref, ...]) -> Task:
    task_id = name_of(record.get("id"))
    status = record.get("status")
    files = _listed(record, "file_path", place)
    named = (task_id or place.stand_in, task_id, parts.text(record, "title", place), place, section)
    return Task(
        *named,
        status=STATUSES.get(status) if isinstance(status, str) else None,
        status_text=None if status is None else str(status),
        edges=parts.edges(record, "dependencies", place),
        files=tuple(file for file in files if not file.name.endswith("/")),  # "src/" is a folder, which tasks may share
        cites=_listed(record, "story_id", place) or stories,
        parallel=record.get("parallel") is True,
    )


def _totals(data: Record, tasks: int, phases: int) -> Iterator[Defect]:
    summary = object_of(data.get("summary"))
    for key, what, actual in (("total_tasks", "tasks", tasks), ("total_phases", "phases", phases)):
        if isinstance(stated := summary.get(key), int) and not isinstance(stated, bool):
            yield from wrong_total(what, stated, actual, NOWHERE.sub("summary", key))


def _groups(parts: Parts, data: Record) -> Iterator[tuple[Edge, ...]]:
    for record, place in parts.records(data.get("parallel_execution"), NOWHERE.sub("parallel_execution")):
        for group, where in parts.records(record.get("parallel_groups"), place.sub("parallel_groups")):
            yield parts.edges(group, "tasks", where)


def _links(parts: Parts, data: Record, order: str, name: str, prefix: str = "") -> Iterator[Link]:
    """Yield both sides of each statement about phases or stories in one of the orders below `dependencies`."""
    orders = object_of(data.get("dependencies"))
    for record, place in parts.records(orders.get(order), NOWHERE.sub("dependencies", order)):
        own = f"{prefix}{record.get(name)}"
        blocks = parts.names(record, "blocks", place)
        waits = parts.names(record, "depends_on", place)
        yield from (Link(own, prefix + ref.name, "first", ref.place, name) for ref in blocks)
        yield from (Link(prefix + ref.name, own, "second", ref.place, name) for ref in waits)


def _artifact(kind: str, about: str, read: Callable[[Source], Plan], *keys: str) -> Profile:
    """Return a format that is detected by top-level keys and the value of `_meta.artifact_type`."""

    def score(source: Source) -> int:
        data = object_of(source.data)
        stated, own = object_of(data.get("_meta")).get("artifact_type"), len([key for key in keys if key in data])
        if stated is not None:
            return 70 + own if stated == kind else 0
        return 25 * own if own * 2 > len(keys) else 0

    return Profile(f"autospec-{kind}", "autospec", f"{kind}.yaml{about}.", score, read, "data")


PROFILES = (
    _artifact("tasks", ": phases of tasks, orders, parallel groups, totals", read_tasks, "tasks", "summary", "phases"),
    _artifact("spec", ": user stories and requirements", read_spec, "feature", "user_stories", "requirements"),
    _artifact("plan", ": technical context and phases", read_plan, "plan", "summary", "technical_context"),
    _artifact("analysis", "", _other("autospec-analysis"), "analysis", "findings", "summary"),
    _artifact("checklist", "", _other("autospec-checklist"), "checklist", "categories"),
    _artifact("constitution", "", _other("autospec-constitution"), "constitution", "principles"),
)
