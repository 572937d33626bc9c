"""Rules about ids."""

import re
from collections.abc import Iterator
from itertools import pairwise

from ...contract.finding import Severity
from ...contract.phrasing import as_json
from ..index import PlanIndex, natural
from ..plan import Plan, Task
from ..reading.section_names import names_section
from .rule import MOST_RELATED, Hit, Rules

RULES = Rules()

_BARE = re.compile(r"\d+ \d+")  # two whole numbers: "3 4", not "T003 T004" or "3.1 3.2"
_LIKE_AN_ID = re.compile(r"\W{0,4}(?:[A-Za-z]{0,5}[-.]?\d+[\w.-]*[.:)]?|[A-Z]{1,3}[.:)])(?:\s|$)")
"""The start of a title that may be an id in another form: "14a. Adapters", "A) Setup"."""
_LAST_NUMBER = re.compile(r"(\d+)\D*$")  # the 12 of "T012a"


@RULES.add(Severity.RETRY, "Two tasks are called T004.", "Renumber the later one and correct what refers to it.")
def id_unique(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Every id is unique within its scope: a tag, a section, a parent, or the whole plan.

    If the format was guessed, ids that restart in each phase, or repeat with the same text, only get a remark.
    """
    again, listed_again = _counted_again(plan), _listed_again(plan, index)
    for key, (first, *others) in index.repeated.items():
        related = (("first used here", first.place),)
        for task in others:
            is_habit = task.section in again or task.key in listed_again or task.title == first.title
            scope, name = f" in {task.scope}" if task.scope else "", task.id or key
            message = f"the id {name} is used {len(others) + 1} times{scope}, first"
            hint, sure = "renumber the later one", plan.known_by != "text" or not is_habit
            told = (message, "an id that no other task has", as_json(name), hint, related, (first.place,))
            yield Hit(task.place, *told, sure=sure)


def _counted_again(plan: Plan) -> frozenset[int | None]:
    """Return the sections with several ids that all repeat earlier ones: the project restarts its numbers in each."""
    seen: dict[str, int | None] = {}
    repeats: dict[int | None, list[bool]] = {}
    for task in plan.tasks:
        if task.id is not None:
            where = seen.setdefault(task.id, task.section)
            repeats.setdefault(task.section, []).append(where != task.section)
    return frozenset(section for section, ids in repeats.items() if len(ids) > 1 and all(ids))


def _listed_again(plan: Plan, index: PlanIndex) -> frozenset[str]:
    """Return consecutive bare numbers that repeat, such as "1, 2, 3" in a review of the tasks or in another list."""
    numbered = [task for task in plan.tasks if task.id is not None]
    repeated = index.repeated
    pairs = [pair for pair in pairwise(numbered) if all(one.key in repeated for one in pair)]
    bare = [(one, two) for one, two in pairs if one.id != two.id and _BARE.fullmatch(f"{one.id} {two.id}")]
    return frozenset(task.key for pair in bare for task in pair)


@RULES.add(
    Severity.WARN, "`- [ ] Write the parser` in a list of `- [ ] T001 …`", "Add the next free id.", rests_on=("form",)
)
def id_missing(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Every task has an id, if the format has ids."""
    if plan.traits.id_pattern is None:
        return
    if any(defect.code == "header-format" and defect.actual is None for defect in plan.defects):
        return  # already reported: no task has a header
    if len(plan.tasks) > 1 and not any(task.id for task in plan.tasks):
        message = f"none of the {len(plan.tasks)} {plan.traits.noun}s has an id"
        severity = Severity.INFO if plan.traits.ids_optional else Severity.WARN
        others = tuple((f"{as_json(task.title)} has none", task.place) for task in plan.tasks[1:MOST_RELATED])
        expected = f"ids like {plan.traits.id_example}"
        yield Hit(plan.tasks[0].place, message, expected, related=others, severity=severity, sure=False)
        return
    for task in [one for one in plan.tasks if one.id is None and one.parent is None]:  # a task's steps have no ids
        title = plan.sections[task.section].title if task.section is not None else ""
        if plan.known_by != "name" and names_section(title, "checklist"):
            continue  # an item below "Verification"
        message = f"the {plan.traits.noun} {as_json(task.title)} has no id"
        sure = not plan.traits.ids_optional and _LIKE_AN_ID.match(task.title) is None
        yield Hit(task.place, message, f"an id like {plan.traits.id_example}", sure=sure)


@RULES.add(Severity.WARN, "`T01` where ids are T001, T002, …", "Write the id like the others.", rests_on=("form",))
def id_format(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Every id has the form that the format requires."""
    if plan.traits.id_pattern is None:
        return
    pattern = re.compile(plan.traits.id_pattern)
    numbered = [task for task in plan.tasks if task.id is not None]
    if plan.known_by == "text" and len(numbered) > 1 and not any(pattern.fullmatch(task.id or "") for task in numbered):
        return  # the project's own ids
    for task in numbered:
        counts_from_0 = plan.known_by != "name" and task.id == "0"  # if the format is named, the tool decides
        if task.id is not None and not pattern.fullmatch(task.id) and not counts_from_0:
            expected = f"an id like {plan.traits.id_example}"
            yield Hit(task.place, f"{as_json(task.id)} is not a valid id in this format", expected, as_json(task.id))


@RULES.add(
    Severity.WARN, "`6.1` under `## 7. Tests`", "Number the task after its group.", rests_on=("form",), about="sections"
)
def id_group_match(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """The number before the dot is the number of the task's group."""
    if not any(section.number for section in plan.sections):
        return
    for task in plan.tasks:
        group, dot, _rest = (task.id or "").partition(".")
        if not dot or not group.isdecimal():
            continue
        section = plan.sections[task.section] if task.section is not None else None
        number = section.number if section is not None else None
        if section is not None and number is not None and number.isdecimal() and number != group:
            message = f"{task.id} is in group {number}"
            related = ((f"group {number} starts here", section.place),)
            yield Hit(task.place, message, f"{number}.…", as_json(task.id), None, related)


@RULES.add(Severity.INFO, "T007 comes before T005.", "Sort the tasks or renumber them.", on=False)
def id_order(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Ids are in ascending order. Off by default: many teams insert tasks without renumbering."""
    for before, task in _neighbours(plan):
        if natural(task.id or "") < natural(before.id or ""):
            related = ((f"{before.id} is here", before.place),)
            message = f"{task.id} comes after {before.id}"
            yield Hit(task.place, message, "ascending ids", as_json(task.id), None, related)


@RULES.add(Severity.INFO, "T004 is followed by T006.", "Renumber the tasks, or leave them as they are.", on=False)
def id_gap(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Ids have no gaps. Off by default: teams often leave gaps on purpose."""
    for before, task in _neighbours(plan):
        first, second = _LAST_NUMBER.search(before.id or ""), _LAST_NUMBER.search(task.id or "")
        if first is None or second is None or (before.id or "")[: first.start()] != (task.id or "")[: second.start()]:
            continue
        gap = int(second[1][:18]) - int(first[1][:18]) - 1  # Python reads no number of more than 4,300 digits
        if gap > 0:
            message = f"{gap} number{'s' if gap > 1 else ''} left out between {before.id} and {task.id}"
            yield Hit(task.place, message, None, as_json(task.id))


def _neighbours(plan: Plan) -> Iterator[tuple[Task, Task]]:
    """Yield consecutive tasks with ids in one scope and under one parent."""
    last: dict[tuple[str, str | None], Task] = {}
    for task in plan.tasks:
        if task.id is None:
            continue
        place = (task.scope, task.parent)
        if place in last:
            yield last[place], task
        last[place] = task
