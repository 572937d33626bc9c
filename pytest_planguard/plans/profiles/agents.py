"""Small formats of agents and runners: AtomicGuard's and CrewAI's steps, workflow jobs, update_plan, lists of steps."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ..model.place import NOWHERE, Place
from ..model.plan import Defect, Edge, Link, Plan, Ref, Status, Task, Traits
from ..reading.parsed_data import Parts, Record, listed_under, name_of, object_of, records_of, status_of
from .profile import Profile, shape

if TYPE_CHECKING:
    from ..reading.outline import Source


def read_atomicguard(source: Source) -> Plan:
    """Read a plan. A root that is no object is one finding, never an error."""
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


def render_atomicguard(plan: Plan) -> str:
    """Return the plan as JSON."""
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
    whole: dict[str, object] = {"plan_id": plan.title}
    for key, tokens in (("initial_state", plan.start), ("goal_state", plan.goals)):
        if tokens is not None:
            whole[key] = [ref.name for ref in tokens]
    if plan.budget is not None:
        whole["total_retry_budget"] = plan.budget
    return json.dumps({**whole, "steps": steps}, indent=2, ensure_ascii=False) + "\n"


def _atomicguard_score(data: object) -> int:
    data = object_of(data)
    steps = records_of(data.get("steps"))
    fields = sum(key in data for key in ("plan_id", "initial_state", "goal_state", "total_retry_budget"))
    inner = sum(any(key in step for step in steps) for key in ("step_id", "preconditions", "effects", "retry_budget"))
    return 15 * (fields + inner) if "steps" in data and fields + inner > 1 else 0


STATUSES = {"pending": Status.TODO, "in_progress": Status.ACTIVE, "completed": Status.DONE}
_STEP_REF = re.compile(r"\$\{?(\d{1,4})\}?")  # "$2", "${12}"
_BESIDE_STEPS = frozenset(["plan", "past_steps", "steps", "goal", "objective", "task", "thought", "response"])
"""Fields that plan-and-execute agents write beside the list. Any other makes the document a recipe, a ticket, …"""


def read_crew(source: Source) -> Plan:
    """Read CrewAI's tasks.yaml: a mapping of names to tasks; `context` names what a task builds on."""
    parts = Parts(source)
    tasks = []
    for name, record, place in _named(parts, source.data, NOWHERE):
        parts.text(record, "description", place)
        edges = _edges(parts, record.get("context"), place.sub("context"))
        agent = name_of(record.get("agent"))
        resource = Ref(agent, place.sub("agent")) if agent else None
        tasks.append(Task(name, name, name, place, edges=edges, resource=resource))
    return parts.finished(Plan("crewai-tasks", tasks=tuple(tasks), traits=Traits(edges_carry_data=True)))


def read_workflow(source: Source) -> Plan:
    """Read a workflow's jobs; `needs` is a name or a list of names."""
    parts = Parts(source)
    tasks = []
    for name, record, place in _named(parts, object_of(source.data).get("jobs"), NOWHERE.sub("jobs")):
        needs = record.get("needs")
        where = place.sub("needs")
        edges = (Edge(needs, needs, where),) if isinstance(needs, str) else _edges(parts, needs, where)
        tasks.append(Task(name, name, str(record.get("name", name)), place, edges=edges))
    plan = Plan("workflow-jobs", tasks=tuple(tasks), traits=Traits(noun="job", edges_carry_data=True))
    return parts.finished(plan)


def read_update(source: Source) -> Plan:
    """Read the arguments of an update_plan call: steps with statuses, at most one in progress."""
    parts = Parts(source)
    tasks = []
    for number, (record, place) in enumerate(parts.records(object_of(source.data).get("plan"), NOWHERE.sub("plan")), 1):
        status, word = status_of(record.get("status"), STATUSES)
        title = parts.text(record, "step", place)
        tasks.append(Task(str(number), str(number), title, place, status=status, status_text=word))
    traits = Traits(noun="step", statuses=tuple(STATUSES), one_active=True)
    return parts.finished(Plan("update-plan", tasks=tuple(tasks), traits=traits))


def read_steps(source: Source) -> Plan:
    """Read a plain list of steps; "$2" in a step uses the result of step 2."""
    parts = Parts(source)
    listed = listed_under(source.data, "steps" if "steps" in object_of(source.data) else "plan")
    tasks = []
    for number, (step, place) in enumerate(parts.items(*listed), 1):
        if not isinstance(step, str):
            parts.wrong(step, place, "a string")
            continue
        edges = tuple(Edge(found[1], found[0], place) for found in _STEP_REF.finditer(step))
        tasks.append(Task(str(number), str(number), step, place, edges=edges))
    return parts.finished(Plan("step-list", tasks=tuple(tasks), traits=Traits(noun="step", ordered=True)))


def read_task_list(source: Source) -> Plan:
    """Read Claude Code's tasks: `blocks` and `blockedBy` state each relation from both sides."""
    parts = Parts(source)
    tasks, links = [], []
    for record, place in parts.records(*listed_under(source.data, "tasks")):
        name = name_of(record.get("id"))
        key = name or place.stand_in
        edges = _edges(parts, record.get("blockedBy"), place.sub("blockedBy"))
        links += [Link(edge.target, key, "second", edge.place) for edge in edges]
        links += [Link(key, ref.name, "first", ref.place) for ref in parts.names(record, "blocks", place)]
        status, word = status_of(record.get("status"), STATUSES)
        title = parts.text(record, "subject", place)
        tasks.append(Task(key, name, title, place, status=status, status_text=word, edges=edges))
    plan = Plan("task-list", tasks=tuple(tasks), links=tuple(links), traits=Traits(statuses=tuple(STATUSES)))
    return parts.finished(plan)


def _named(parts: Parts, value: object, place: Place) -> list[tuple[str, Record, Place]]:
    """Return the entries of a mapping of names to objects."""
    if not isinstance(value, dict):
        parts.wrong(value, place, "an object")
        return []
    found: list[tuple[str, Record, Place]] = []
    for name, record in value.items():
        if isinstance(record, dict):
            found.append((str(name), record, place.sub(name)))
        else:
            parts.wrong(record, place.sub(name), "an object")
    return found


def _edges(parts: Parts, value: object, place: Place) -> tuple[Edge, ...]:
    return tuple(Edge(ref.name, ref.name, ref.place) for ref in parts.refs(value, place))


def _crew_score(data: object) -> int:
    if not isinstance(data, dict) or not data or not all(isinstance(value, dict) for value in data.values()):
        return 0
    return 80 if all({"description", "expected_output"} <= value.keys() for value in data.values()) else 0


def _workflow_score(data: object) -> int:
    jobs = object_of(data).get("jobs")
    if not isinstance(jobs, dict) or not jobs:
        return 0
    fits = [isinstance(job, dict) and bool({"runs-on", "uses", "steps", "needs"} & job.keys()) for job in jobs.values()]
    return 80 if all(fits) else 30 if any(fits) else 0


def _update_score(data: object) -> int:
    steps = records_of(object_of(data).get("plan"))
    return 80 if steps and all("step" in step and "status" in step for step in steps) else 0


def _steps_score(data: object) -> int:
    if not isinstance(data, dict):
        return 0
    listed = data.get("steps", data.get("plan"))
    if not (isinstance(listed, list) and listed and all(isinstance(step, str) for step in listed)):
        return 0
    cited = (int(found[1]) for step in listed for found in _STEP_REF.finditer(step))  # "$20" of three steps is a price
    return 50 if _BESIDE_STEPS.issuperset(data) or any(1 <= number <= len(listed) for number in cited) else 10


def _task_list_score(data: object) -> int:
    tasks = records_of(listed_under(data, "tasks")[0])
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
