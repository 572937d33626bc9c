"""AtomicGuard's plans: steps with preconditions and effects, guards and retry budgets."""

from __future__ import annotations

from ..model.place import NOWHERE, Place
from ..model.plan import Defect, Plan, Ref, Task, Traits
from ..reading.outline import Source
from ..reading.parsed_data import Parts, Record, name_of, object_of, records_of
from ..reading.profile import Profile, shape


def read_atomicguard(source: Source) -> Plan:
    """Read a plan. A root that is not an object is one finding, never an error."""
    parts = Parts(source)
    data = source.data
    if not isinstance(data, dict):
        parts.wrong(data, NOWHERE, "an object with plan_id and steps")
        data = {}
    elif name_of(data.get("plan_id")) is None:
        parts.defects.append(_missing("plan_id", NOWHERE))
    steps = parts.records(data.get("steps"), NOWHERE.sub("steps"))
    plan = Plan(
        "atomicguard",
        name_of(data.get("plan_id")) or "",
        tasks=tuple([_step(parts, record, place) for record, place in steps]),
        start=_tokens(parts, data, "initial_state"),
        goals=_tokens(parts, data, "goal_state"),
        budget=parts.number(data, "total_retry_budget", NOWHERE),
        traits=Traits(noun="step", tokens=True),
    )
    return parts.finished(plan)


def _tokens(parts: Parts, data: Record, key: str) -> tuple[Ref, ...] | None:
    return parts.refs(data[key], NOWHERE.sub(key)) if data.get(key) is not None else None


def _step(parts: Parts, record: Record, place: Place) -> Task:
    step_id = name_of(record.get("step_id"))
    for field in ("step_id", "name"):
        if name_of(record.get(field)) is None:
            parts.defects.append(_missing(field, place))
    budget = parts.number(record, "retry_budget", place)
    if budget is not None and budget <= 0:
        message = f"{step_id or place.stand_in} has the retry budget {budget}"
        parts.defects.append(Defect("root-shape", message, place.sub("retry_budget"), "more than 0", str(budget)))
    guard = name_of(record.get("guard"))
    return Task(
        step_id or place.stand_in,
        step_id,
        parts.text(record, "name", place),
        place,
        edges=parts.edges(record, "dependencies", place),
        resource=Ref(guard, place.sub("guard")) if guard else None,
        needs=parts.names(record, "preconditions", place),
        gives=parts.names(record, "effects", place),
        budget=budget,
    )


def _missing(field: str, place: Place) -> Defect:
    return Defect("root-shape", f"{field} is missing", place, field)


_ABOUT = "Steps with preconditions, effects, guards and retry budgets."


def _score(data: object) -> int:
    data = object_of(data)
    steps = records_of(data.get("steps"))
    fields = sum(key in data for key in ("plan_id", "initial_state", "goal_state", "total_retry_budget"))
    inner = sum(any(key in step for step in steps) for key in ("step_id", "preconditions", "effects", "retry_budget"))
    return 15 * (fields + inner) if "steps" in data and fields + inner > 1 else 0


PROFILES = (Profile("atomicguard", "atomicguard", "data", _ABOUT, shape(_score), read_atomicguard),)
