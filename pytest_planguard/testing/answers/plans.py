"""Generate valid plans, in which tasks depend only on earlier ones, and damage them. `plan_writers` writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from ...errors import UsageError
from ...plans.plan import Edge, Plan, Ref, Section, Task
from ...plans.profiles.formats import PROFILES
from ...plans.status import Status
from .near_miss import NearMissKind

WORDS = st.sampled_from(["write", "read", "build", "the", "store", "an", "endpoint", "größe", "店"])
TITLES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
_FAMILY = {profile.name: profile.family for profile in PROFILES}


@st.composite
def spec_kit_plans(draw: st.DrawFn, least: int = 0) -> Plan:
    """Draw plans in the form of spec-kit's tasks.md: checkboxes, stories, files, dependencies on earlier tasks.

    They have at least `least` tasks (0 to 3). The last section adds tasks if the others have too few.
    """
    sections = [
        Section(f"Phase {n}: {draw(TITLES)}", f"Phase {n}", str(n)) for n in range(1, draw(st.integers(1, 3)) + 1)
    ]
    tasks: list[Task] = []
    for number in range(len(sections)):
        for _ in range(draw(st.integers(_lacking(least, tasks, number, sections), 4))):
            tasks.append(_spec_kit_task(draw, f"T{len(tasks) + 1:03d}", number, tasks))
    mentions = tuple(Ref(edge.target) for task in tasks for edge in task.edges)
    return Plan("spec-kit-tasks", f"Tasks: {draw(TITLES)}", None, tuple(sections), tuple(tasks), mentions=mentions)


def _lacking(least: int, tasks: list[Task], number: int, sections: list[Section]) -> int:
    """Return how many tasks a section must add: in the last section, the number still missing; elsewhere 0."""
    return max(0, least - len(tasks)) if number == len(sections) - 1 else 0


def _spec_kit_task(draw: st.DrawFn, name: str, section: int, earlier: list[Task]) -> Task:
    title = draw(TITLES)
    files = draw(st.lists(st.sampled_from(["src/a.py", "src/b.ts", "README.md"]), max_size=1))
    waits = draw(st.lists(st.sampled_from([task.key for task in earlier]), max_size=2, unique=True)) if earlier else []
    stories = draw(st.lists(st.sampled_from(["US1", "US2"]), max_size=1))
    title += "".join(f" in {file}" for file in files) + (f" (depends on {', '.join(waits)})" if waits else "")
    return Task(
        name,
        name,
        title,
        section=section,
        status=draw(st.sampled_from([Status.TODO, Status.DONE, Status.ACTIVE])),
        edges=tuple(Edge(wait, wait) for wait in waits),
        files=tuple(map(Ref, files)),
        cites=tuple(map(Ref, stories)),
        parallel=not waits and draw(st.booleans()),
    )


@st.composite
def superpowers_plans(draw: st.DrawFn, least: int = 1) -> Plan:
    """Draw plans in which each task has a heading, files, dependencies and steps."""
    tasks: list[Task] = []
    names: list[str] = []
    for number in range(1, draw(st.integers(max(least, 1), 4)) + 1):
        name = str(number)
        waits = draw(st.lists(st.sampled_from(names), max_size=2, unique=True)) if names else []
        files = draw(st.lists(st.sampled_from(["src/a.py", "src/b.ts"]), min_size=1, max_size=2, unique=True))
        edges = tuple(Edge(wait, wait) for wait in waits)
        tasks.append(Task(name, name, draw(TITLES), edges=edges, files=tuple(map(Ref, files))))
        names.append(name)
        for title in draw(st.lists(TITLES, max_size=2)):
            status = draw(st.sampled_from([Status.TODO, Status.DONE]))
            tasks.append(Task(f"?{len(tasks)}", None, title, parent=name, status=status))
    mentions = tuple(Ref(edge.target) for task in tasks for edge in task.edges)
    goal = Ref(draw(TITLES))
    return Plan("superpowers", draw(TITLES), goal, tasks=tuple(tasks), mentions=mentions)


@st.composite
def openspec_plans(draw: st.DrawFn, least: int = 0) -> Plan:
    """Draw plans of numbered checkboxes in numbered groups."""
    sections = [Section(draw(TITLES), "", str(n)) for n in range(1, draw(st.integers(1, 3)) + 1)]
    tasks: list[Task] = []
    for number, section in enumerate(sections):
        for local in range(1, draw(st.integers(_lacking(least, tasks, number, sections), 3)) + 1):
            name = f"{section.number}.{local}"
            status = draw(st.sampled_from([Status.TODO, Status.DONE]))
            tasks.append(Task(name, name, draw(TITLES), section=number, status=status))
    return Plan("openspec-tasks", draw(TITLES), None, tuple(sections), tuple(tasks))


@st.composite
def step_plans(draw: st.DrawFn, least: int = 2) -> Plan:
    """Draw valid AtomicGuard plans, in which each step requires the effects of the steps that it depends on."""
    steps: list[Task] = []
    for number in range(draw(st.integers(max(least, 2), 6))):
        waits = draw(st.lists(st.sampled_from(steps), max_size=2, unique_by=lambda step: step.key)) if steps else []
        name = f"s{number}"
        steps.append(
            Task(
                name,
                name,
                draw(TITLES),
                edges=tuple(Edge(step.key, step.key) for step in waits),
                resource=Ref("syntax"),
                needs=(*(Ref(f"t-{step.key}") for step in waits), Ref("start")),
                gives=(Ref(f"t-{name}"),),
                budget=draw(st.integers(1, 3)),
            )
        )
    goals = tuple(Ref(f"t-{step.key}") for step in steps)
    # More than all steps together may spend: 6 with 3 retries each.
    return Plan("atomicguard", draw(TITLES), tasks=tuple(steps), start=(Ref("start"),), goals=goals, budget=99)


_PLANS: Mapping[str, Callable[[int], st.SearchStrategy[Plan]]] = {
    "spec-kit-tasks": spec_kit_plans,
    "superpowers": superpowers_plans,
    "openspec-tasks": openspec_plans,
    "atomicguard": step_plans,
}
"""Maps each format that planguard can write to a strategy for its plans, given a minimum number of tasks."""


def plans_of(name: str, least: int = 1) -> st.SearchStrategy[Plan]:
    """Return a strategy for valid plans in a format or family, with at least `least` (1 or 2) named tasks.

    Raises:
        UsageError: planguard can read this format, but not write it.
    """
    known = next((one for one in _PLANS if name in (one, _FAMILY[one])), None)
    if known is None:
        raise UsageError(
            f"no plans are made up for the format {name!r}; those of {', '.join(sorted(_PLANS))} are. "
            "Pass given={'': …} with a strategy of whole answers"
        )
    return _PLANS[known](least)


# Ways to damage a plan.


@dataclass(frozen=True, slots=True)
class Defect:
    """One structural defect and the plan rule that must report it."""

    kind: NearMissKind
    code: str
    put: Callable[[Plan], Plan | None]
    """Returns the plan with the defect, or None if this plan cannot have it."""


def _named(plan: Plan) -> list[int]:
    return [at for at, task in enumerate(plan.tasks) if task.id]


def _waiting(plan: Plan, at: int, target: str) -> Plan:
    """Return the plan with one more dependency, which spec-kit writes in the title."""
    task = plan.tasks[at]
    title = task.title
    if plan.format == "spec-kit-tasks":
        title = f"{title.partition(' (depends on')[0]} (depends on {target})"
    changed = replace(task, title=title, edges=(*task.edges, Edge(target, target)), parallel=False)
    return replace(plan, tasks=(*plan.tasks[:at], changed, *plan.tasks[at + 1 :]))


def _unknown_ref(plan: Plan) -> Plan | None:
    """Make the last task wait for a name that no drawn plan has."""
    name = {"spec-kit-tasks": "T900", "superpowers": "900", "atomicguard": "nowhere"}.get(plan.format)
    return None if name is None else _waiting(plan, _named(plan)[-1], name)


def _self_reference(plan: Plan) -> Plan | None:
    """Make the last task wait for itself. Lists of OpenSpec state no dependencies."""
    at = _named(plan)[-1]
    return None if plan.format == "openspec-tasks" else _waiting(plan, at, str(plan.tasks[at].id))


def _circle(plan: Plan) -> Plan | None:
    """Make the first two tasks wait for each other."""
    if plan.format == "openspec-tasks" or len(_named(plan)) < 2:
        return None
    one, other = _named(plan)[:2]
    return _waiting(_waiting(plan, one, str(plan.tasks[other].id)), other, str(plan.tasks[one].id))


def _repeated_id(plan: Plan) -> Plan | None:
    """Give the last task the id of the first one."""
    if len(_named(plan)) < 2:
        return None
    first, last = _named(plan)[0], _named(plan)[-1]
    twin = plan.tasks[first]
    changed = replace(plan.tasks[last], id=twin.id, key=twin.key)
    return replace(plan, tasks=(*plan.tasks[:last], changed, *plan.tasks[last + 1 :]))


DEFECTS = (
    Defect("unknown_ref", "dep-exists", _unknown_ref),
    Defect("self_reference", "dep-self", _self_reference),
    Defect("cycle", "dep-cycle", _circle),
    Defect("repeated_id", "id-unique", _repeated_id),
)
