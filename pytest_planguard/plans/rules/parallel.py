"""Rules about work that may run at the same time."""

import re
from collections.abc import Iterator

from ...contract.finding import Severity
from ...contract.phrasing import as_json
from ..index import PlanIndex, batches
from ..plan import Edge, Plan, Ref, Task
from .rule import Hit, Rules

RULES = Rules()

_ONE_A_FOLDER = frozenset({"index", "__init__", "README", "mod", "main"})
"""File names, without suffix, that occur in many folders."""
MANY = 12
"""If at least this many tasks name one file, the rule assumes without a check that some are independent."""


@RULES.add(
    Severity.WARN,
    "`- [ ] T005 [P] … in src/a.py` and `- [ ] T006 [P] … in src/a.py`",
    "Remove the mark from one of them, or split the file.",
)
def parallel_safe(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Tasks that may run at the same time do not work on the same file.

    They are neighbours marked parallel in one phase, or members of a parallel group.
    """
    for tasks in _together(plan, index):
        users: dict[str, list[tuple[Task, Ref]]] = {}
        full = _full_paths(tasks)
        for task in tasks:
            named = (file for file in reversed(task.files) if not _is_said_in_full(file.name, task))
            for path, file in {full.get(file.name, file.name): file for file in named}.items():
                users.setdefault(path, []).append((task, file))
        for path, uses in users.items():
            if len(uses) > 1 and _some_apart(index, [task for task, _ in uses]):
                first, _ = uses[0]
                names = ", ".join(task.name for task, _ in uses[:6]) + (" …" if len(uses) > 6 else "")
                message = f"{names} may run at the same time and work on the same file {path}"
                related = tuple((f"{task.name} names it here", file.place) for task, file in uses[1:6])
                hint = "make one of them wait for the other, or split the file"
                sure = all(_works_on_one_file(task) for task, _ in uses)
                yield Hit(first.place, message, "different files", as_json(path), hint, related, sure=sure)


# Titles of tasks that do not change the file they name: "Verify src/app.py", "- Run tests/test_app.py".
_LOOKS = re.compile(
    r"\W*(?:verify|check|review|inspect|confirm|read|run|validate|audit|ensure|examine|compare)\b", re.IGNORECASE
)

_PATH = re.compile(r"(?<![\w/.@-])[\w@-]+(?:[/.][\w@-]+)*/[\w@.-]+")
"""A path. It may name the folder that a file's path is relative to: "`src/index.ts` in `apps/backend`"."""


def _works_on_one_file(task: Task) -> bool:
    """Return True if a task names only one file and changes it, instead of citing or reading it."""
    if len(task.files) != 1 or "/" not in task.files[0].name or _LOOKS.match(task.title) is not None:
        return False
    return all(path in task.files[0].name for path in _PATH.findall(task.title))


def _is_said_in_full(name: str, task: Task) -> bool:
    """Return True if a task also gives the path of a bare file name: "Create README.md in backend/README.md"."""
    in_full = any(file.name.endswith(f"/{name}") for file in task.files)
    # a bare "index.js" does not identify a file either
    return "/" not in name and (in_full or name.partition(".")[0] in _ONE_A_FOLDER)


def _some_apart(index: PlanIndex, tasks: list[Task]) -> bool:
    """Return True if at least two of the tasks do not wait for each other, so they can conflict."""
    if index.cyclic or not any(task.edges for task in tasks) or len(tasks) > MANY:
        return True
    nodes = {index.node[task.key] for task in tasks if task.key in index.node}
    reached = [index.reach.from_any([node], nodes) for node in sorted(nodes)]
    pairs = sum(len(found or ()) for found in reached)
    return pairs < len(nodes) * (len(nodes) - 1) // 2


def _full_paths(tasks: list[Task]) -> dict[str, str]:
    """Return the full path for each bare file name, if the tasks name only one path that ends in it."""
    full: dict[str, set[str]] = {}
    for task in tasks:
        for file in task.files:
            folder, slash, name = file.name.rpartition("/")
            if slash and folder:
                full.setdefault(name, set()).add(file.name)
    return {name: min(paths) for name, paths in full.items() if len(paths) == 1}


def _together(plan: Plan, index: PlanIndex) -> Iterator[list[Task]]:
    """Yield lists of tasks that may run at once: neighbours in a section marked as parallel, and stated groups."""
    for batch in batches(plan.tasks, lambda task: task) if index.batch else ():
        yield [task for task in batch if task.parallel and index.by_key[task.key] is task]
    for group in plan.groups:
        tasks = (index.by_key.get(edge.target) for edge in group)
        yield [task for task in tasks if task is not None and not task.parallel]  # those with [P] are in a batch above


@RULES.add(
    Severity.RETRY,
    "T010 depends on T009, and both are in one parallel group.",
    "Take one of them out of the group, or remove the dependency.",
)
def parallel_independent(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Tasks marked to run at the same time do not wait for each other, directly or through others."""
    if index.cyclic:
        return
    for group in plan.groups:
        yield from _waiting(index, [edge for edge in group if edge.target in index.node])
    for task, edge in index.edges if index.batch else ():
        target = index.by_key.get(edge.target)
        batch = index.batch.get(task.key)
        if target is not None and batch is not None and batch == index.batch.get(target.key) and task is not target:
            message = f"{task.name} and {target.name} are marked parallel, but {task.name} waits for the other"
            related = ((f"{target.name} is marked here", target.place),)
            expected, sure = "parallel tasks without dependencies on each other", index.in_own_words(task, edge)
            yield Hit(edge.place, message, expected, None, None, related, sure=sure)


def _waiting(index: PlanIndex, group: list[Edge]) -> Iterator[Hit]:
    nodes = {index.node[edge.target]: edge for edge in group}
    floor = index.reach.floor(nodes)
    for node, edge in nodes.items():
        reached = index.reach.from_any([node], nodes.keys(), floor)  # never the node itself, without a cycle
        if reached is None:
            message = "the plan is too large to check whether the remaining parallel tasks wait for each other"
            yield Hit(edge.place, message)
            return
        for other in sorted(reached):
            message = f"{edge.text} and {nodes[other].text} run at the same time, but {edge.text} waits for the other"
            related = ((f"{nodes[other].text} is named here", nodes[other].place),)
            yield Hit(edge.place, message, "tasks that do not wait for each other", as_json(edge.text), None, related)
