"""Small formats of agents and runners: AtomicGuard's and CrewAI's steps, workflow jobs, update_plan, lists of steps."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..model.place import NOWHERE, Place
from ..model.plan import Defect, Edge, Link, Plan, Ref, Status, Task, Traits
from ..reading.parsed_data import Parts, name_of, records_of
from .profile import Profile, shape

if TYPE_CHECKING:
    from ..reading.outline import Source

_ATOMICGUARD = Traits(noun="step", tokens=True)


def read_atomicguard(source: Source) -> Plan:
    """Read a plan. A root that is no object is one finding, never an error."""
    parts = Parts.of(source)
    data = source.data
    if not isinstance(data, dict):
        parts.wrong(data, NOWHERE, "an object with plan_id and steps")
        data = {}
    elif name_of(data.get("plan_id")) is None:
        parts.defects.append(_missing("plan_id", NOWHERE))
    steps = data.get("steps")
    tasks = [_step(parts, record, place) for record, place in parts.records(steps, NOWHERE.sub("steps"))]
    return Plan(
        "atomicguard",
        name_of(data.get("plan_id")) or "",
        tasks=tuple(tasks),
        start=_tokens(parts, data, "initial_state"),
        goals=_tokens(parts, data, "goal_state"),
        budget=parts.number(data, "total_retry_budget", NOWHERE),
        prose=tuple(parts.prose),
        defects=tuple(parts.defects),
        traits=_ATOMICGUARD,
        find=source.document.locate_many,
    )


def _tokens(parts: Parts, data: dict[Any, Any], key: str) -> tuple[Ref, ...] | None:
    return parts.refs(data[key], NOWHERE.sub(key)) if data.get(key) is not None else None


def _step(parts: Parts, record: dict[Any, Any], place: Place) -> Task:
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
        edges=tuple([Edge(name, name, where) for name, where in parts.placed_names(record, "dependencies", place)]),
        resource=Ref(guard, place.sub("guard")) if guard else None,
        needs=parts.names(record, "preconditions", place),
        gives=parts.names(record, "effects", place),
        budget=budget,
    )


def _missing(field: str, place: Place) -> Defect:
    return Defect("root-shape", f"{field} is missing", place, field)


def render_atomicguard(plan: Plan) -> str:
    """Return the plan as JSON."""
    import json

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
    whole: dict[str, Any] = {"plan_id": plan.title}
    for key, tokens in (("initial_state", plan.start), ("goal_state", plan.goals)):
        if tokens is not None:
            whole[key] = [ref.name for ref in tokens]
    if plan.budget is not None:
        whole["total_retry_budget"] = plan.budget
    return json.dumps({**whole, "steps": steps}, indent=2, ensure_ascii=False) + "\n"


def _atomicguard_score(data: Any) -> int:
    if not isinstance(data, dict):
        return 0
    steps = records_of(data.get("steps"))
    fields = sum(key in data for key in ("plan_id", "initial_state", "goal_state", "total_retry_budget"))
    inner = sum(any(key in step for step in steps) for key in ("step_id", "preconditions", "effects", "retry_budget"))
    return 15 * (fields + inner) if "steps" in data and fields + inner > 1 else 0


STATUSES = {"pending": Status.TODO, "in_progress": Status.ACTIVE, "completed": Status.DONE}
_STEP_REF = re.compile(r"\$\{?(\d{1,4})\}?")
_BESIDE_STEPS = frozenset(("plan", "past_steps", "steps", "goal", "objective", "task", "thought", "response"))
"""Fields that plan-and-execute agents write beside the list. Any other makes the document a recipe, a ticket, …"""


def read_crew(source: Source) -> Plan:
    """Read CrewAI's tasks.yaml: a mapping of names to tasks; `context` names what a task builds on."""
    parts = Parts.of(source)
    tasks = []
    for name, record, place in _named(parts, source.data, NOWHERE):
        parts.text(record, "description", place)
        edges = _edges(parts, record.get("context"), place.sub("context"))
        agent = name_of(record.get("agent"))
        resource = Ref(agent, place.sub("agent")) if agent else None
        tasks.append(Task(name, name, name, place, edges=edges, resource=resource))
    return _plan(source, parts, "crewai-tasks", tasks, Traits(edges_carry_data=True))


def read_workflow(source: Source) -> Plan:
    """Read a workflow's jobs; `needs` is a name or a list of names."""
    parts = Parts.of(source)
    jobs = source.data.get("jobs") if isinstance(source.data, dict) else None
    tasks = []
    for name, record, place in _named(parts, jobs, NOWHERE.sub("jobs")):
        needs = record.get("needs")
        where = place.sub("needs")
        edges = (Edge(needs, needs, where),) if isinstance(needs, str) else _edges(parts, needs, where)
        tasks.append(Task(name, name, str(record.get("name", name)), place, edges=edges))
    return replace(_plan(source, parts, "workflow-jobs", tasks, Traits(noun="job", edges_carry_data=True)), prose=())


def read_update(source: Source) -> Plan:
    """Read the arguments of an update_plan call: steps with statuses, at most one in progress."""
    parts = Parts.of(source)
    listed = source.data.get("plan") if isinstance(source.data, dict) else None
    tasks = []
    for number, (record, place) in enumerate(parts.records(listed, NOWHERE.sub("plan")), 1):
        status = record.get("status")
        known = STATUSES.get(status) if isinstance(status, str) else None
        word = None if status is None else str(status)
        tasks.append(
            Task(str(number), str(number), parts.text(record, "step", place), place, status=known, status_text=word)
        )
    return _plan(source, parts, "update-plan", tasks, Traits(noun="step", statuses=tuple(STATUSES), one_active=True))


def read_steps(source: Source) -> Plan:
    """Read a plain list of steps; "$2" in a step uses the result of step 2."""
    parts = Parts.of(source)
    key = "steps" if isinstance(source.data, dict) and "steps" in source.data else "plan"
    listed = source.data.get(key) if isinstance(source.data, dict) else source.data
    root = NOWHERE.sub(key) if isinstance(source.data, dict) else NOWHERE
    tasks = []
    for number, (step, place) in enumerate(parts.items(listed, root), 1):
        if not isinstance(step, str):
            parts.wrong(step, place, "a string")
            continue
        edges = tuple(Edge(found[1], found[0], place) for found in _STEP_REF.finditer(step))
        tasks.append(Task(str(number), str(number), step, place, edges=edges))
    return _plan(source, parts, "step-list", tasks, Traits(noun="step", ordered=True))


def read_task_list(source: Source) -> Plan:
    """Read Claude Code's tasks: `blocks` and `blockedBy` state each relation from both sides."""
    parts = Parts.of(source)
    listed = source.data.get("tasks") if isinstance(source.data, dict) else source.data
    root = NOWHERE.sub("tasks") if isinstance(source.data, dict) else NOWHERE
    tasks, links = [], []
    for record, place in parts.records(listed, root):
        name = name_of(record.get("id"))
        key = name or place.stand_in
        status = record.get("status")
        edges = _edges(parts, record.get("blockedBy"), place.sub("blockedBy"))
        links += [Link(edge.target, key, "second", edge.place) for edge in edges]
        blocked = parts.names(record, "blocks", place)
        links += [Link(key, ref.name, "first", ref.place) for ref in blocked]
        known = STATUSES.get(status) if isinstance(status, str) else None
        word = None if status is None else str(status)
        title = parts.text(record, "subject", place)
        tasks.append(Task(key, name, title, place, status=known, status_text=word, edges=edges))
    plan = _plan(source, parts, "task-list", tasks, Traits(statuses=tuple(STATUSES)))
    return replace(plan, links=tuple(links))


def _named(parts: Parts, value: Any, place: Place) -> list[tuple[str, dict[Any, Any], Place]]:
    """Return the entries of a mapping of names to objects."""
    if not isinstance(value, dict):
        parts.wrong(value, place, "an object")
        return []
    found = []
    for name, record in value.items():
        if isinstance(record, dict):
            found.append((str(name), record, place.sub(name)))
        else:
            parts.wrong(record, place.sub(name), "an object")
    return found


def _edges(parts: Parts, value: Any, place: Place) -> tuple[Edge, ...]:
    return tuple(Edge(ref.name, ref.name, ref.place) for ref in parts.refs(value, place))


def _plan(source: Source, parts: Parts, name: str, tasks: list[Task], traits: Traits) -> Plan:
    return Plan(
        name,
        tasks=tuple(tasks),
        prose=tuple(parts.prose),
        defects=tuple(parts.defects),
        traits=traits,
        find=source.document.locate_many,
    )


def _crew_score(data: Any) -> int:
    if not isinstance(data, dict) or not data or not all(isinstance(value, dict) for value in data.values()):
        return 0
    return 80 if all({"description", "expected_output"} <= value.keys() for value in data.values()) else 0


def _workflow_score(data: Any) -> int:
    jobs = data.get("jobs") if isinstance(data, dict) else None
    if not isinstance(jobs, dict) or not jobs:
        return 0
    fits = [isinstance(job, dict) and bool({"runs-on", "uses", "steps", "needs"} & job.keys()) for job in jobs.values()]
    return 80 if all(fits) else 30 if any(fits) else 0


def _update_score(data: Any) -> int:
    steps = records_of(data.get("plan")) if isinstance(data, dict) else []
    return 80 if steps and all("step" in step and "status" in step for step in steps) else 0


def _steps_score(data: Any) -> int:
    if not isinstance(data, dict):
        return 0
    listed = data.get("steps", data.get("plan"))
    if not (isinstance(listed, list) and listed and all(isinstance(step, str) for step in listed)):
        return 0
    return 50 if _BESIDE_STEPS.issuperset(data) or any(_cites_step(step, len(listed)) for step in listed) else 10


def _cites_step(text: str, steps: int) -> bool:
    """Return whether "$2" in a text names one of so many steps; "$20" is a price where there are fewer."""
    return any(1 <= int(found[1]) <= steps for found in _STEP_REF.finditer(text))


def _task_list_score(data: Any) -> int:
    tasks = records_of(data.get("tasks") if isinstance(data, dict) else data)
    return 80 if tasks and all("subject" in task and ("blockedBy" in task or "blocks" in task) for task in tasks) else 0


PROFILES = (
    Profile(
        "atomicguard",
        "atomicguard",
        "data",
        "Steps with preconditions, effects, guards and retry budgets.",
        shape(_atomicguard_score),
        read_atomicguard,
        render_atomicguard,
    ),
    Profile(
        "crewai-tasks", "crewai", "data", "tasks.yaml: names to tasks with context.", shape(_crew_score), read_crew
    ),
    Profile("workflow-jobs", "workflow", "data", "Workflow jobs with `needs`.", shape(_workflow_score), read_workflow),
    Profile("update-plan", "update-plan", "data", "Codex's update_plan call.", shape(_update_score), read_update),
    Profile("step-list", "step-list", "data", "Plan-and-execute: a list of steps.", shape(_steps_score), read_steps),
    Profile(
        "task-list", "task-list", "data", "Tasks with blocks and blockedBy.", shape(_task_list_score), read_task_list
    ),
)
