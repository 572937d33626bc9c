"""Rules about requirements: each must be unique, have text, and be testable."""

import re
from collections.abc import Iterator

from ...contract.finding import Severity
from ...contract.phrasing import as_json
from ..index import PlanIndex
from ..plan import NOWHERE, Plan, Requirement
from .rule import Hit, Rules

RULES = Rules()

_ENGLISH = re.compile(r"\b(?:the|an?|and|is|are|be|to|of|with|for|when|should|must|shall|can|will)\b", re.IGNORECASE)
"""A word of an English sentence. Only English uses SHALL and MUST."""
_NORMATIVE = re.compile(r"\b(?:SHALL|MUST)\b", re.ASCII)
"""ASCII, since a Chinese character next to the word is not part of it: "系统SHALL通过"."""


@RULES.add(
    Severity.RETRY,
    "A spec.md without any `- **FR-001**: …`",
    "State the requirements as the format requires.",
    unread=True,
    rests_on=("list",),
)
def has_requirements(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """A specification states at least one requirement in its format's syntax."""
    needed = plan.traits.needs_requirements
    if needed and not any(one.kind in needed for one in plan.requirements):
        yield Hit(NOWHERE, "the specification states no requirement", "at least one requirement")


@RULES.add(
    Severity.RETRY,
    "Two requirements are called FR-003.",
    "Renumber the later one and correct what refers to it.",
    about="requirements",
)
def req_unique(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Every requirement, success criterion and story has a unique id."""
    first: dict[tuple[str, str, str], Requirement] = {}
    for one in plan.requirements:
        if one.kind == "AC":  # their numbers are positions in a list
            continue
        before = first.setdefault((one.kind, one.scope, one.id), one)
        if before is not one:
            message = f"{_called(one)} appears twice, first"
            related = (("first stated here", before.place),)
            places, is_other = (before.place,), one.text != before.text  # a summary repeats the text
            yield Hit(one.place, message, "a unique id", as_json(one.id), None, related, places, sure=is_other)


def _called(one: Requirement) -> str:
    """Return a requirement with its kind, unless its id says it: "the story US1", but "FR-001"."""
    return one.id if one.id.startswith(f"{one.kind}-") else f"the {one.kind} {one.id}"


@RULES.add(
    Severity.RETRY,
    "`### Requirement: Renewal`, and a scenario right below it",
    "Write what the system shall do.",
    rests_on=("form",),
    about="requirements",
)
def req_text(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Every requirement says what is required, before its scenarios."""
    for one in plan.requirements:
        if one.text is not None and not one.text.strip():
            yield Hit(one.place, f"the {one.kind} {as_json(one.id)} has no text", "what is required")


@RULES.add(
    Severity.WARN,
    "`The client renews its session.`",
    "Use SHALL or MUST, as in `The client SHALL renew its session.`.",
    about="requirements",
)
def req_normative(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Requirements say SHALL or MUST, if the format requires it."""
    for one in plan.requirements if plan.traits.normative else ():
        if one.text is not None and one.text.strip() and _NORMATIVE.search(one.text) is None:
            message = f"the {one.kind} {as_json(one.id)} uses neither SHALL nor MUST"
            is_english = one.text.isascii() or _ENGLISH.search(one.text) is not None
            severity = None if is_english else Severity.INFO  # other languages use other words
            yield Hit(one.place, message, "SHALL or MUST", severity=severity)


@RULES.add(
    Severity.WARN,
    "A user story without acceptance scenarios",
    "Add a scenario: given, when, then.",
    rests_on=("form",),
    about="requirements",
)
def req_scenario(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Requirements and stories have at least one scenario or acceptance criterion."""
    for one in plan.requirements:
        if one.scenarios == 0:
            word = plan.traits.scenario
            yield Hit(one.place, f"the {one.kind} {as_json(one.id)} has no {word}", f"at least one {word}")


RULES.reported(
    "delta-section",
    Severity.RETRY,
    "A delta has sections of added, modified, removed or renamed requirements, and none of them is empty.",
    "`## ADDED Requirements`, and nothing below it",
    "Add a `### Requirement: …`, or remove the section.",
    unread=True,
    rests_on=("document",),
)
RULES.reported(
    "delta-scenario",
    Severity.RETRY,
    "A modified requirement keeps every scenario of the current spec, since its text replaces the old one.",
    "A requirement under MODIFIED with one of its two scenarios",
    "Copy the omitted scenarios into the delta.",
)
RULES.reported(
    "delta-target",
    Severity.WARN,
    "A delta changes requirements that the current spec has, and adds ones that it does not have.",
    "A requirement under MODIFIED that the current spec does not have",
    "Write the name as the current spec does, or archive the change that adds it first.",
)
RULES.reported(
    "delta-missing",
    Severity.WARN,
    "An open change has a delta of at least one spec, unless its `.openspec.yaml` says that it needs none.",
    "A proposal.md with tasks beside it, and no `specs` folder",
    "Write the delta, or set `skip_specs: true` in the metadata.",
)
RULES.reported(
    "delta-conflict",
    Severity.RETRY,
    "A delta does only one thing to each requirement: add, modify, remove or rename it. "
    "A rename states the old and the new name.",
    "One requirement under ADDED and under REMOVED",
    "Keep the one you mean.",
)
RULES.reported(
    "delta-orphan",
    Severity.WARN,
    "Every requirement of a delta is in one of its sections. Tools overlook requirements outside them.",
    "`### Requirement: Renewal` under `## Notes`",
    "Move it below `## ADDED Requirements`.",
)
