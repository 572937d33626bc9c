"""What a finding may weigh: in full where the reading that it rests on is sure, else it is a remark.

A document without a named format is read on a guess. Whatever the format's grammar does not explain in it
may be the project's own way of writing, which the reader does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..reading.left_out import CODE as UNREAD_TASKS

if TYPE_CHECKING:
    from ..model.plan import Plan
    from .rule import Hit, Rule

ELEMENTS_PER_SLIP = 10
"""Elements of which at most one deviates where the deviation is a slip: one box in thirty without an id. More are the
habit of a project. A list of fewer shows no habit, so that nothing in it is a slip."""
_REQUIREMENTS = ("req-scenario", "req-text")
"""Rules on form whose elements are requirements; those of the others are tasks."""
_HEADED = ("header-format", "id-missing", "id-format")
"""Rules on form that leave steps below a task alone."""


def sure_hits(rule: Rule, plan: Plan, hits: Sequence[Hit]) -> list[bool]:
    """Return of each hit of one rule whether what it rests on was read for sure.

    A format that somebody named, or whose tool refuses other files, is sure but for rules that need all tasks where a
    list was left out: that list is the finding, and what it causes is a remark. On a guess nothing is sure where a
    list was left out; else rules on what the document has as a whole never are, rules on form where the deviation is
    a slip, and the others where all of what they rest on was read. That there is no list at all is sure at the tool's
    own path alone, where nothing looks like one (`detect`).
    """
    left_out = has_unread_list(plan)
    if is_known(plan):
        return [not (left_out and "tasks" in rule.rests_on)] * len(hits)
    if plan.known_by == "text" and "list" in rule.rests_on:
        return [False] * len(hits)
    if left_out or "document" in rule.rests_on or any(part in plan.unsure for part in (*rule.rests_on, "element")):
        return [False] * len(hits)
    if not is_slip(rule, plan, hits):
        return [False] * len(hits)
    return [hit.sure for hit in hits]


def is_known(plan: Plan) -> bool:
    """Return whether the format is no guess.

    Somebody named it, the fields of its JSON or YAML tell it, or the file stands at the path of a tool that refuses
    whatever is written otherwise. A path alone tells the tool and not how a project writes its Markdown.
    """
    return plan.known_by == "name" or (plan.known_by == "tool" and (plan.find is not None or plan.traits.validated))


def has_unread_list(plan: Plan) -> bool:
    """Return whether something that looks like a list of tasks was left out."""
    return any(defect.code == UNREAD_TASKS for defect in plan.defects)


def is_slip(rule: Rule, plan: Plan, hits: Sequence[Hit]) -> bool:
    """Return whether a document keeps to a rule on form but for a few of its elements; True for the other rules."""
    if "form" not in rule.rests_on:
        return True
    if rule.code in _REQUIREMENTS:
        elements = len(plan.requirements)
    elif rule.code in _HEADED:
        elements = sum(task.parent is None for task in plan.tasks)
    else:
        elements = len(plan.tasks)
    return len(hits) * ELEMENTS_PER_SLIP <= elements
