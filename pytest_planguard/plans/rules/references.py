"""Rules about what tasks refer to: tasks mentioned in prose, requirements, files, guards and agents."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from ...contract.finding import Severity
from ...contract.phrasing import as_json
from ..index import PlanIndex
from ..plan import EVERY, Plan
from .rule import Hit, Rules

RULES = Rules()

CITATIONS_PER_SLIP = 5
"""Broken citations are mistakes if at most one in this many is broken: "cites 7" in a story with six criteria."""
HABIT = 3
"""If at least this many citations name a missing requirement, the project numbers requirements differently."""
_DIGITS = re.compile(r"\d+")  # "R2.1" and "R3.4" have the shape "R0.0"


@RULES.add(Severity.WARN, '"after T048", and the last task is T047.', "Correct the id.", rests_on=("tasks",))
def ref_exists(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """A task id in prose, outside code, belongs to a task of the plan. `dep-exists` covers dependencies."""
    if not plan.tasks:
        return
    # `dep-exists` reports these
    dangling = {(edge.target, edge.place.line) for _, edge in index.edges if not index.known(edge.target)}
    for mention in plan.mentions:
        part_of = mention.name.rstrip("abcdefgh")  # "T048a": part (a) of T048
        is_part = plan.known_by != "name" and index.known(part_of)
        exists = is_part or index.known(mention.name)
        if not exists and (mention.name, mention.place.line) not in dangling:
            own = {task.id for task in index.on_line.get(mention.place.line, ())}
            near = (mention.name, (task.id for task in plan.tasks if task.id and task.id not in own))
            message = f"{mention.name} is mentioned but does not exist"
            expected = "the id of a task in this plan"
            yield Hit(mention.place, message, expected, as_json(mention.name), near=near, sure=False)  # or of another
    for edge in chain.from_iterable(plan.groups):
        if edge.target not in index.by_key:
            message = f"{edge.text} is in a parallel group but does not exist"
            known = (edge.text, (task.id for task in plan.tasks if task.id))
            yield Hit(edge.place, message, "the id of a task in this plan", as_json(edge.text), near=known)


@RULES.add(
    Severity.WARN,
    "No task cites AC 4 of a story.",
    "Add the citation, or the task that is missing.",
    rests_on=("tasks", "requirements"),
    about="requirements",
)
def trace_forward(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Every requirement, acceptance criterion or story is cited by a task, in plans that cite them at all."""
    cited = {ref.name for task in plan.tasks for ref in task.cites} | {ref.name for ref in plan.cites}
    spoken_of = frozenset(plan.spoken_of)
    by_all, severity = ("; one cites all of them", Severity.INFO) if EVERY in cited else ("", None)
    kinds = {requirement.kind for requirement in plan.requirements if requirement.id in cited}
    # a task that cites 1.2 also serves 1
    outer = {name[:end] for name in cited for end in range(len(name)) if name[end] == "."}
    for kind in sorted(kinds):
        every = [requirement for requirement in plan.requirements if requirement.kind == kind]
        left = [one for one in every if not {one.id, one.id.partition(".")[0]} & cited and one.id not in outer]
        if len(left) * 2 > len(every):  # the plan cites only a few, so report one hit for all
            message = f"no task cites {len(left)} of the {len(every)} {kind}s, {left[0].id} and others{by_all}"
            yield Hit(left[0].place, message, "a task citing each of them", severity=severity, sure=False)
        else:
            for one in left:
                message = f"no task cites {one.id}{by_all}"
                sure = not spoken_of & {one.id, EVERY}
                yield Hit(one.place, message, f"a task that cites {one.id}", severity=severity, sure=sure)


@RULES.add(
    Severity.RETRY,
    "`_Requirements: 9.1_`, and the requirements end at 8.",
    "Correct the number.",
    rests_on=("requirements", "references"),
    about="requirements",
)
def trace_backward(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Every requirement that a task cites exists."""
    known = {requirement.id for requirement in plan.requirements}
    shapes = {_DIGITS.sub("0", name) for name in known}  # "R2.1" belongs to another list than "2.1"
    cited = Counter(ref.name for task in plan.tasks for ref in task.cites)
    is_counted = counts_on(known)
    headed = {ref.name for ref in plan.cites if plan.known_by != "name" and not is_counted}  # "Phase 4: User Story 2"
    numbers = {name: many for name, many in cited.items() if not name[:1].isalpha()}
    astray = sum(many for name, many in numbers.items() if name not in known)
    # a bare number in another form belongs to a list that was not read
    is_read = all(_DIGITS.sub("0", name) in shapes for name in numbers)
    is_slip = is_read and astray * CITATIONS_PER_SLIP <= sum(numbers.values())
    is_dotted = is_counted and any("." in name for name in known)  # criteria of requirements: "2.1"
    is_error = is_read and is_dotted and astray * 2 <= sum(numbers.values())
    for task in plan.tasks:
        for ref in task.cites:
            # "NFR-1" in a plan with FR-1 alone is a requirement of another document, not a slip
            if ref.name not in known and ref.name not in headed and _DIGITS.sub("0", ref.name) in shapes:
                message = f"{task.id or as_json(task.title)} cites {ref.name}, which does not exist"
                # A number such as "7" is a position, perhaps in another list. "FR-018" is a literal id.
                is_number = not ref.name[:1].isalpha()
                severity = Severity.WARN if plan.known_by == "text" and is_number else None
                hit = Hit(ref.place, message, "a requirement of this plan", as_json(ref.name), near=(ref.name, known))
                is_story = ref.name.startswith("US")
                sure = is_counted if is_story else not is_number or is_error or (is_slip and cited[ref.name] < HABIT)
                yield replace(hit, severity=severity, sure=sure)


_COUNTED = re.compile(r"(?P<list>US|\d+\.|)(?P<number>\d{1,4})")  # "US3", "2.1", "4"


def counts_on(names: Iterable[str]) -> bool:
    """Return True if stories, requirements and the criteria of each count from 1 without a gap: all of them were read.

    Then a number beyond the last one is wrong, regardless of what else the plan cites.
    """
    listed: dict[str, set[int]] = {}
    for name in names:
        if (found := _COUNTED.fullmatch(name)) is not None:
            listed.setdefault(found["list"], set()).add(int(found["number"]))
    return bool(listed) and all(numbers == set(range(1, len(numbers) + 1)) for numbers in listed.values())


@RULES.add(Severity.INFO, "`- [ ] T003 Improve error handling`", "Name the file.", on=False)
def file_path_present(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Every task names the file it works on. Off by default: most real plans leave it out somewhere."""
    for task in plan.tasks:
        if not task.files:
            yield Hit(task.place, f"{task.id or as_json(task.title)} names no file", "the path of the file it changes")


@RULES.add(Severity.WARN, "A blocks B, and B's `blockedBy` is empty.", "Correct the side that is wrong.", about="links")
def blocks_symmetric(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """If a plan states both what a task blocks and what it waits for, the two agree, directly or through others."""
    sides: dict[tuple[str, str], dict[str, list[str]]] = {}
    for link in plan.links:
        sides.setdefault((link.relation, link.stated_by), {}).setdefault(link.first, []).append(link.second)
    budget = [20 * len(plan.links) + 1000]
    for link in plan.links:
        other = sides.get((link.relation, "second" if link.stated_by == "first" else "first"))
        if other is None or _leads_to(other, link.first, link.second, budget):
            continue
        if link.stated_by == "first":
            message = f"{link.first} blocks {link.second}, but {link.second} does not say so"
        else:
            message = f"{link.second} waits for {link.first}, but {link.first} does not say so"
        yield Hit(link.place, message, "both sides to say the same")


def _leads_to(following: dict[str, list[str]], first: str, second: str, budget: list[int]) -> bool:
    """Return True if `second` can be reached from `first`, or if the budget is used up."""
    seen, stack = {first}, [first]
    while stack:
        for name in following.get(stack.pop(), ()):
            budget[0] -= 1
            if name == second or budget[0] < 0:  # what could not be looked at is no breach
                return True
            if name not in seen:
                seen.add(name)
                stack.append(name)
    return False


@RULES.add(Severity.WARN, "`guard: syntx`, and the catalogue has `syntax`.", "Correct the name.")
def resource_exists(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """A guard, agent or runner that a task names is in the given catalogue."""
    if index.catalogue is None:
        return
    known = sorted(index.catalogue)
    for task in plan.tasks:
        if task.resource is not None and task.resource.name not in index.catalogue:
            name = task.resource.name
            message = f"{task.name} names {as_json(name)}, which is not in the catalogue"
            yield Hit(task.resource.place, message, "a name of the catalogue", as_json(name), near=(name, known))
