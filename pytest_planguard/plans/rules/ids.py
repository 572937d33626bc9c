"""Rules about ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...contract.phrasing import as_json
from ...contract.severity import Severity
from ..model.index import natural
from .rule import Hit, Rule

if TYPE_CHECKING:
    from ..model.index import PlanIndex
    from ..model.plan import Plan, Task

_MOST_RELATED = 100
"""How many tasks without ids one finding points at."""
_LAST_NUMBER = re.compile(r"(\d+)\D*$")


def id_unique(_: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Every id stands once within its scope."""
    for key, tasks in index.repeated.items():
        first = tasks[0]
        for task in tasks[1:]:
            scope = f" in {task.scope}" if task.scope else ""
            yield Hit(
                task.place,
                f"the id {task.id or key} stands {len(tasks)} times{scope}, first",
                "an id that no other task has",
                as_json(task.id or key),
                "renumber the later one",
                (("first used here", first.place),),
                (first.place,),
            )


def id_missing(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Every task has an id where the format has ids."""
    if plan.traits.id_pattern is None:
        return
    if len(plan.tasks) > 1 and not any(task.id for task in plan.tasks):
        message = f"none of the {len(plan.tasks)} {plan.traits.noun}s has an id"
        severity = Severity.INFO if plan.traits.ids_optional else Severity.WARN
        others = tuple((f"{as_json(task.title)} has none", task.place) for task in plan.tasks[1:_MOST_RELATED])
        expected = f"ids like {plan.traits.id_example}"
        yield Hit(plan.tasks[0].place, message, expected, related=others, severity=severity)
        return
    for task in plan.tasks:
        if task.id is None and task.parent is None:  # steps below a task have no ids of their own
            example = plan.traits.id_example
            yield Hit(task.place, f"the {plan.traits.noun} {as_json(task.title)} has no id", f"an id like {example}")


def id_format(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Every id has the form that the format asks for."""
    if plan.traits.id_pattern is None:
        return
    pattern = re.compile(plan.traits.id_pattern)
    for task in plan.tasks:
        if task.id is not None and not pattern.fullmatch(task.id):
            expected = f"an id like {plan.traits.id_example}"
            yield Hit(task.place, f"{as_json(task.id)} is no id of this format", expected, as_json(task.id))


def id_group_match(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """The first number of "6.1" is the number of its group or parent."""
    for task in plan.tasks:
        group, dot, _rest = (task.id or "").partition(".")
        if not dot or not group.isdecimal():
            continue
        section = plan.sections[task.section] if task.section is not None else None
        number = section.number if section is not None else None
        if section is not None and number is not None and number.isdecimal() and number != group:
            message = f"{task.id} stands in group {number}"
            related = ((f"group {number} starts here", section.place),)
            yield Hit(task.place, message, f"{number}.…", as_json(task.id), None, related)


def id_order(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Ids ascend in their scope."""
    for before, task in _neighbours(plan):
        if natural(task.id or "") < natural(before.id or ""):
            related = ((f"{before.id} stands here", before.place),)
            yield Hit(
                task.place, f"{task.id} stands after {before.id}", "ascending ids", as_json(task.id), None, related
            )


def id_gap(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Ids of one scope leave no number out."""
    for before, task in _neighbours(plan):
        first, second = _LAST_NUMBER.search(before.id or ""), _LAST_NUMBER.search(task.id or "")
        if first is None or second is None or (before.id or "")[: first.start()] != (task.id or "")[: second.start()]:
            continue
        gap = int(second[1][:18]) - int(first[1][:18]) - 1
        if gap > 0:
            message = f"{gap} number{'s' if gap > 1 else ''} left out between {before.id} and {task.id}"
            yield Hit(task.place, message, None, as_json(task.id))


def _neighbours(plan: Plan) -> Iterator[tuple[Task, Task]]:
    """Tasks with ids that follow each other in one scope and under one parent."""
    last: dict[tuple[str, str | None], Task] = {}
    for task in plan.tasks:
        if task.id is None:
            continue
        place = (task.scope, task.parent)
        if place in last:
            yield last[place], task
        last[place] = task


RULES = (
    Rule(
        "id-unique",
        id_unique,
        Severity.RETRY,
        "Every id stands once within its scope: a tag, a section, a parent, or the whole plan.",
        "Two tasks are called T004.",
        "Renumber the later one and correct what refers to it.",
    ),
    Rule(
        "id-missing",
        id_missing,
        Severity.WARN,
        "Every task has an id, where the format has ids.",
        "`- [ ] Write the parser` in a list of `- [ ] T001 …`",
        "Add the next free id.",
    ),
    Rule(
        "id-format",
        id_format,
        Severity.WARN,
        "Every id has the form that the format asks for.",
        "`T01` where ids are T001, T002, …",
        "Write the id as the others are written.",
    ),
    Rule(
        "id-group-match",
        id_group_match,
        Severity.WARN,
        "The number before the dot is the number of the group that the task stands in.",
        "`6.1` under `## 7. Tests`",
        "Number the task for the group that it stands in.",
    ),
    Rule(
        "id-order",
        id_order,
        Severity.INFO,
        "Ids ascend. Off unless asked for: many teams insert tasks without renumbering.",
        "T007 stands before T005.",
        "Sort the tasks or renumber them.",
        on=False,
    ),
    Rule(
        "id-gap",
        id_gap,
        Severity.INFO,
        "Ids leave no number out. Off unless asked for: gaps are often left on purpose.",
        "T004 is followed by T006.",
        "Renumber the tasks, or leave them as they are.",
        on=False,
    ),
)
