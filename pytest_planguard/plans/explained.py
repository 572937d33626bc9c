"""Plan rules as explanations: what, example and fixing are those of the rule itself; here stands why they matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import CATALOGUE, Explanation, Sort, explained
from .judging.suppression import SUPPRESSION
from .rules.catalogue import RULES

if TYPE_CHECKING:
    from .rules.rule import Rule

WHY = {
    "root-shape": "A document of another shape is read as an empty plan, and an empty plan breaks no rule.",
    "format-detect": "Each format has rules of its own; in the wrong one they find what is no fault.",
    "header": "Tools find tasks by the exact form of their headers.",
    "task": "Agents work a plan off task by task, and skip what they cannot read as one.",
    "unread": "What is not read as a task is not done, and no other rule looks at it.",
    "box": "Tools tick boxes of one form and leave the others alone.",
    "goal": "Without a goal nobody can say whether the tasks reach it.",
    "required": "Readers and tools look for these sections by name.",
    "count": "A total that is wrong was copied or guessed, and so may be the list.",
    "parallel-arrays": "Code zips such lists, and drops what has no partner.",
    "id": "Dependencies and status reports name tasks by their ids.",
    "dep": "Whoever runs the plan derives the order of work from the dependencies.",
    "phase": "Phases run one after the other; what depends on a later one can never start.",
    "ref": "A reader who follows the reference finds nothing.",
    "trace": "A requirement without a task is not built; a task without a requirement was not asked for.",
    "file": "An agent that must guess the file edits the wrong one.",
    "blocks": "Tools read one of the two sides, and which one differs.",
    "resource": "A name outside the catalogue is found only when the step runs.",
    "has": "A specification without requirements is fulfilled by everything.",
    "req": "Tools and reviewers check requirements one by one, by id and scenario.",
    "delta": "A delta is applied by tools, which leave out what they cannot place.",
    "status": "Tools choose the next task by its status.",
    "blocked": "Nobody can unblock what does not say what it waits for.",
    "parallel": "Tasks that run at the same time must not need or overwrite each other's work.",
    "no": "An agent carries placeholders out word for word, or invents what they stand for.",
    "pre": "A step whose precondition nothing gives can never run.",
    "race": "Whether the step works would depend on who is faster.",
    "goal-reachable": "A plan that cannot reach its goal is found out only at its end.",
    "useless": "Work that nothing needs costs, and is often a sign of a missing link.",
    "budget": "Steps that may use more than there is end the run in the middle.",
}
"""Why, by a rule's code or the first word of it: "dep" serves "dep-cycle"."""
_CODES = (
    (
        SUPPRESSION,
        "A comment that silences findings names no rule, names an unknown one, or gives no reason.",
        "Such a comment silences nothing, and a later reader takes the rest for judged.",
        "`<!-- planguard-disable-line dep-cicle -->`",
        "Name the rule, and give the reason after two dashes.",
    ),
    (
        "min-length",
        "A plan has fewer characters than its tool accepts.",
        "amelia refuses such a plan, because it is mostly an error message or a stub.",
        "a plan of one sentence",
        "Write the plan out.",
    ),
    (
        "exploration-cap",
        "The states of a plan are too many to look through, and the search for a stuck order ended early.",
        "Nothing was found until there, which proves nothing about the rest.",
        "a plan of forty independent steps",
        "Split the plan, or raise the cap.",
    ),
)


def _of_rule(rule: Rule) -> Explanation:
    return Explanation(rule.code, Sort.RULE, rule.what, _why(rule.code), rule.example, rule.mend)


def _why(code: str) -> str:
    """Return why a rule matters; a rule of an extension says it in its own text."""
    return WHY.get(code) or WHY.get(code.split("-", 1)[0]) or "An extension demands it."


def _added(code: str) -> Explanation | None:
    """Return the explanation of a rule that an extension has added."""
    return next((_of_rule(rule) for rule in RULES if rule.code == code), None)


CATALOGUE.register([*explained(Sort.CODE, _CODES), *map(_of_rule, RULES.built_in)], _added)
