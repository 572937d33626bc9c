"""Rules about dependencies, including cycles."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...contract.finding import Severity
from ...contract.phrasing import as_json
from ..graph_algorithms import Graph, cycle_through
from ..index import PlanIndex, natural
from ..plan import Edge, Plan, Task
from .rule import Hit, Rules, reported_by_reader

RULES = Rules()

_WORD = re.compile(r"[\w.-]*\w")  # a word of a heading, including dots and dashes: "t167-1", "2.1"


@RULES.add(
    Severity.RETRY,
    "T004 has `dependencies: [T03]`, and the plan has T003.",
    "Correct the id (the nearest one is named), or add the task that is missing.",
    rests_on=("tasks",),
)
def dep_exists(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Every dependency names a task, or a whole section, that exists in the plan."""
    headed: frozenset[str] | None = None
    for task, edge in [(task, edge) for task, edge in index.edges if not index.known(edge.target)]:
        if headed is None:  # the heading may contain a task that was not read: "Task A2 and A3 — Parser"
            headed = frozenset(word for one in plan.headings for word in _WORD.findall(one.name.lower()))
        message = f"{task.name} depends on {as_json(edge.text)}, which does not exist"
        near = (edge.target.removeprefix(f"{task.scope}/"), _ids_beside(plan, task))
        sure = edge.text.lower() not in headed and index.in_own_words(task, edge)
        yield Hit(edge.place, message, "the id of a task in this plan", as_json(edge.text), near=near, sure=sure)
    for name, edge in index.plan.section_edges:
        if edge.target not in index.section_keys:
            message = f"{name} depends on {as_json(edge.text)}, which does not exist"
            known = (edge.target, sorted(index.section_keys))
            yield Hit(edge.place, message, "a section of this plan", as_json(edge.text), near=known)


def _ids_beside(plan: Plan, task: Task) -> Iterator[str]:
    """Yield the ids of the other tasks in the same scope, for a hint: few hits get one, so none is prepared here."""
    return (one.id for one in plan.tasks if one.id and one.scope == task.scope and one.key != task.key)


RULES.reported(
    "dep-unread",
    Severity.INFO,
    "Text given as a dependency names a task or a section, or is a word such as “none”.",
    "`Depends on: the go-ahead of the team`",
    "Write a task's id, or state other preconditions elsewhere.",
)


@RULES.add(Severity.RETRY, "T002 has `dependencies: [T002]`.", "Remove the entry.")
def dep_self(_: Plan, index: PlanIndex) -> Iterator[Hit]:
    """No task waits for itself."""
    for task, edge in index.edges:
        if edge.target == task.key and task.key not in index.repeated:
            message, sure = f"{task.name} depends on itself", index.in_own_words(task, edge)
            yield Hit(edge.place, message, "another task", as_json(edge.text), "remove the entry", sure=sure)


NAMED = 12
"""Maximum number of a cycle's tasks that a message names. It only counts the rest."""


@RULES.add(Severity.RETRY, "T001 depends on T003, T003 on T002, T002 on T001.", "Remove one of the named dependencies.")
def dep_cycle(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """No tasks wait for each other.

    Each group of tasks that do gets one finding. It names a shortest cycle, starting at its smallest id, with the
    line of every dependency. Repeated ids and dependencies on missing tasks have separate findings.
    """
    found = [(_cycle(index.graph, index.keys, component), len(component)) for component in index.cyclic]
    sections = {section.key: section.place for section in reversed(plan.sections)}
    stated = {(task.key, edge.target): edge for task in reversed(plan.tasks) for edge in reversed(task.edges)}
    stated |= {(name, edge.target): edge for name, edge in reversed(plan.section_edges)}
    for keys, size in sorted(found, key=lambda one: natural(one[0][0])):
        edges = [(first, stated.get((first, second))) for first, second in pairwise(keys)]
        # a section has no edge to its member, so its own place is named
        places = [edge.place if edge else sections[key] for key, edge in edges]
        steps = zip(pairwise(keys), places[:NAMED], strict=False)
        related = tuple((f"{first} depends on {second}", place) for (first, second), place in steps)
        what = "tasks" if any(key in index.by_key for key in keys) else "sections"
        inside = f"; {size:,} {what} depend on each other there" if size > len(keys) - 1 else ""
        by_task = ((index.by_key.get(key), edge) for key, edge in edges)
        sure = all(index.in_own_words(task, edge) for task, edge in by_task if task is not None and edge is not None)
        shown = keys if len(keys) <= NAMED + 1 else [*keys[: NAMED - 1], f"… {len(keys) - NAMED:,} more …", keys[-1]]
        hint = f"remove one of these dependencies, for example {keys[-2]}'s dependency on {keys[-1]}"
        message = f"dependency cycle {' -> '.join(shown)}{inside}"
        yield Hit(places[0], message, "no cycle", None, hint, related, tuple(places), sure=sure)


def _cycle(graph: Graph, keys: list[str], component: list[int]) -> list[str]:
    """Return the keys of a shortest cycle through the smallest id of a component."""
    inside = set(component)

    def by_id(node: int) -> tuple[tuple[int, int | str], ...]:
        return natural(keys[node])

    def successors(node: int) -> Sequence[int]:
        return sorted([child for child in graph[node] if child in inside], key=by_id)

    return [keys[node] for node in cycle_through(successors, min(component, key=by_id))]


@RULES.add(Severity.WARN, "`dependencies: [T001, T001]`", "Keep one of them.")
def dep_duplicate(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """A task names each dependency once."""
    yield from reported_by_reader("dep-duplicate", plan)  # a task with two lists of dependencies
    for task in [one for one in index.waiting if len(one.edges) > 1]:
        first: dict[str, Edge] = {}
        for edge in task.edges:
            if edge.target in first:
                again = (("first named here", first[edge.target].place),)
                message = f"{task.name} names the dependency {as_json(edge.text)} twice"
                yield Hit(edge.place, message, None, as_json(edge.text), "keep one of them", again)
            first.setdefault(edge.target, edge)


@RULES.add(
    Severity.INFO,
    "T003 depends on T001 and T002, and T002 depends on T001.",
    "Remove the implied entry. Some teams keep these on purpose.",
)
def dep_redundant(_: Plan, index: PlanIndex) -> Iterator[Hit]:
    """A task lists no dependency that its other dependencies already imply.

    planguard checks plans without cycles, and one finding says so if a plan is too large. This leaves out formats
    whose dependencies carry data (`needs` of workflow jobs, `context` of CrewAI).
    """
    if index.cyclic:
        return
    for task in index.waiting:
        if task.key not in index.node or len(task.edges) < 2:
            continue
        # reversed, so that of a dependency named twice the first entry counts; `dep-duplicate` reports the second
        edges = {index.node[e.target]: e for e in reversed(task.edges) if e.target in index.node}
        implied = index.reach.from_any(sorted(edges), set(edges))
        if implied is None:
            yield Hit(task.place, "the plan is too large to check the remaining dependencies for redundancy")
            return
        for node in sorted(implied):
            edge = edges[node]
            message = f"{task.name} already depends on {edge.text} through its other dependencies"
            yield Hit(edge.place, message, None, as_json(edge.text), "remove the entry, unless you want it")


@RULES.add(Severity.WARN, "T003 depends on T007 of the same phase.", "Move one of the two, or renumber them.")
def dep_order(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """If tasks are listed in working order, a task depends on earlier tasks only."""
    if not plan.traits.ordered or index.cyclic:
        return
    for task, edge, target in index.resolved:
        if task.key in index.repeated:
            continue
        # `phase_order` reports a dependency on a task of a later phase
        same = task.section == target.section or task.section is None or target.section is None
        if same and index.position[edge.target] > index.position[task.key]:
            message = f"{task.name} depends on {target.name}, which comes after it"
            related = ((f"{target.name} is here", target.place),)
            yield Hit(edge.place, message, "an earlier task", as_json(edge.text), None, related)


@RULES.add(
    Severity.WARN,
    "A task of phase 1 depends on a task of phase 3.",
    "Move one of the two to the other's phase.",
    about="sections",
)
def phase_order(_: Plan, index: PlanIndex) -> Iterator[Hit]:
    """A task depends only on tasks of the same or an earlier phase."""
    order = {section.key: at for at, section in reversed(list(enumerate(index.plan.sections))) if section.key}
    for name, edge in index.plan.section_edges:
        if name in order and edge.target in order and order[edge.target] > order[name]:
            related = ((f"{edge.target} is here", index.plan.sections[order[edge.target]].place),)
            message = f"{name} depends on {edge.target}, which comes after it"
            yield Hit(edge.place, message, "an earlier section", as_json(edge.text), None, related)
    if len(index.plan.sections) < 2 or index.cyclic:
        return
    for task, edge, target in index.resolved:
        if task.section is not None and target.section is not None and target.section > task.section:
            later = index.plan.sections[target.section]
            message = f"{task.name} depends on {target.name}, which belongs to the later {as_json(later.title)}"
            related = ((f"{target.name} is here", target.place),)
            yield Hit(edge.place, message, "a task of the same or an earlier phase", as_json(edge.text), None, related)
