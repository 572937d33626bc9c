"""Rules about how far tasks are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...contract.phrasing import as_json, choices
from ...contract.severity import Severity
from ..model.status import Status
from .rule import Hit, Rule

if TYPE_CHECKING:
    from ..model.index import PlanIndex
    from ..model.plan import Plan


def status_enum(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Every status is a word that the format knows."""
    statuses = plan.traits.statuses
    for task in index.lists.with_status:
        if task.status is None and task.status_text is not None:
            actual = as_json(task.status_text)
            message = f"{task.id or as_json(task.title)} has the unknown status {actual}"
            near = (task.status_text, statuses)
            place = task.place if plan.find is None else task.place.sub("status")
            yield Hit(place, message, choices(statuses) if statuses else None, actual, near=near)
    if plan.status is None and plan.status_text is not None:
        actual = as_json(plan.status_text)
        near = (plan.status_text, statuses)
        yield Hit(plan.status_place, f"the plan has the unknown status {actual}", choices(statuses), actual, near=near)


def status_consistent(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Yield what is done rests on what is done."""
    yield from _done_before(index)
    yield from _done_with_open_children(index)
    yield from _document_done(plan)
    if plan.traits.one_active:
        yield from _more_than_one_active(plan)


def _done_before(index: PlanIndex) -> Iterator[Hit]:
    settled = (None, Status.CANCELLED, Status.DONE)
    done = [task for task in index.lists.waiting if task.status is Status.DONE]
    for task, edge in [(one, edge) for one in done for edge in one.edges]:
        target = index.task(edge.target)
        if target is None or target.status in settled or target.key in index.repeated:
            continue
        message = f"{task.id or task.key} is done, and {target.id or target.key}, which it needs, is not"
        related = ((f"{target.id or target.key} stands here", target.place),)
        yield Hit(edge.place, message, "done", str(target.status), None, related)


def _done_with_open_children(index: PlanIndex) -> Iterator[Hit]:
    for key, children in index.children.items():
        parent = index.task(key)
        if parent is None or parent.status is not Status.DONE:
            continue
        open_ = [child for child in children if child.status is not None and child.status.open and not child.optional]
        if open_:
            message = f"{parent.id or as_json(parent.title)} is done, and {len(open_)} of its subtasks are not"
            related = tuple((f"{child.id or child.title} is open", child.place) for child in open_[:5])
            yield Hit(parent.place, message, "every subtask done", None, None, related)


def _document_done(plan: Plan) -> Iterator[Hit]:
    if plan.status is not Status.DONE:
        return
    open_ = [task for task in plan.tasks if task.status is not None and task.status.open and not task.optional]
    if open_:
        message = f"the plan is done, and {len(open_)} of its {plan.traits.noun}s are not"
        related = tuple((f"{task.id or task.title} is open", task.place) for task in open_[:5])
        yield Hit(plan.status_place, message, f"every {plan.traits.noun} done", None, None, related)


def _more_than_one_active(plan: Plan) -> Iterator[Hit]:
    active = [task for task in plan.tasks if task.status is Status.ACTIVE]
    for task in active[1:]:
        related = (("the first one", active[0].place),)
        message = f"{len(active)} {plan.traits.noun}s are in progress at once"
        yield Hit(task.place, message, "at most one in progress", str(len(active)), None, related)


def blocked_reason(_: Plan, index: PlanIndex) -> Iterator[Hit]:
    """A blocked task says why. Only asked of formats that have a place for the reason."""
    for task in index.lists.with_status:
        if task.status is Status.BLOCKED and task.reason is not None and not task.reason.strip():
            message = f"{task.id or as_json(task.title)} is blocked and does not say why"
            yield Hit(task.place, message, "a reason", None, "name what it waits for")


RULES = (
    Rule(
        "status-enum",
        status_enum,
        Severity.RETRY,
        "Every status is a word that the format knows; the usual spellings of each are accepted.",
        "`status: Done`, where the words are Pending, InProgress, Completed and Blocked.",
        "Use one of the words that the finding lists.",
        guessed=Severity.WARN,
    ),
    Rule(
        "status-consistent",
        status_consistent,
        Severity.WARN,
        "What is done rests on what is done: no done task needs an open one, no done parent has open subtasks, no "
        "story is Done with open boxes, and where the format says so at most one task is in progress.",
        "Task 3 is done, and its subtask 3.2 is pending.",
        "Correct the status that is out of date.",
    ),
    Rule(
        "blocked-reason",
        blocked_reason,
        Severity.WARN,
        "A blocked task says what it waits for, in formats that have a field for it.",
        "`status: Blocked` without `blocked_reason`.",
        "Add the reason.",
    ),
)
