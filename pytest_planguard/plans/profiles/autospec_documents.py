"""autospec's artifacts without tasks: spec.yaml, plan.yaml and the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..model import Edge, Plan, Ref, Requirement, Task, Traits
from ..place import NOWHERE, Place
from .shapes import Parts, name_of

if TYPE_CHECKING:
    from ..source import Source


def root_of(parts: Parts, data: Any) -> dict[Any, Any]:
    """The document as an object; an empty one, and a defect, where it is something else."""
    if isinstance(data, dict):
        return data
    parts.wrong(data, NOWHERE, "an object")
    return {}


def finished(source: Source, parts: Parts, plan: Plan) -> Plan:
    """The plan with what was noticed on the way."""
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
        tasks.append(Task(key or f"?{place.path}", key, title, place, edges=edges))
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
    """A reader of an artifact that has neither tasks nor requirements."""

    def read(source: Source) -> Plan:
        parts = Parts()
        root_of(parts, source.data)
        return finished(source, parts, Plan(name, traits=Traits(needs_tasks=False)))

    return read
