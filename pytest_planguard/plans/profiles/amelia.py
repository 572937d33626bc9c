"""amelia's own check of a plan: the same three checks of the raw text, with the same verdicts and messages.

It counts a header inside a code fence, and takes a shell comment for the title; the format `superpowers` does neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...contract.finding import Severity
from ..model.plan import Defect, Plan, Ref, Traits
from ..reading.outline import Source
from ..reading.profile import Profile
from ..rules.catalogue import RULES

MINIMUM_LENGTH = 200
"""Minimum number of characters of a plan, without white space at both ends."""
FALLBACK_GOAL = "Implementation plan"
"""The result of amelia's extraction without a goal. It does not count as a goal."""
NO_HEADERS = (
    "No '### Task N:' headers found. Plan must have structured task headers with headers like "
    "'### Task 1: Component Name'."
)
NO_GOAL = "No goal found. Plan must include a clear goal statement (e.g. '**Goal:** Add user authentication')."
TOO_SHORT = (
    f"Plan content is too short to be a complete implementation plan. Expected at least {MINIMUM_LENGTH} characters."
)
HEADER = re.compile(r"^### Task \d+(?:\.\d+)?:", re.MULTILINE)
_GOAL = re.compile(r"\*\*Goal:\*\*")
_TITLE = re.compile(r"^#[ \t]+(\S[^\n]*)", re.MULTILINE)
_SUFFIX = "implementation plan"
_CHECKS = {"header-format": Severity.RETRY, "goal-nonempty": Severity.RETRY, "min-length": Severity.RETRY}
_SEVERITIES = {**_CHECKS, "fence": Severity.WARN}
"""A plan that is one code fence is valid for amelia, which reads the raw text."""


def defects_of(text: str, goal: str | None) -> Iterator[Defect]:
    """Yield the plan's issues, as the original calls them; `goal` is the extracted goal."""
    if not HEADER.search(text):
        yield Defect("header-format", NO_HEADERS)
    if not goal or goal == FALLBACK_GOAL:
        yield Defect("goal-nonempty", NO_GOAL)
    length = len(text.strip())
    if length < MINIMUM_LENGTH:
        yield Defect("min-length", TOO_SHORT, expected=f"at least {MINIMUM_LENGTH} characters", actual=str(length))


def extract_goal(plan_markdown: str) -> str:
    """Return the text after `**Goal:**` up to a blank line, heading or bold text; else the first title or a default."""
    marked = _GOAL.search(plan_markdown)
    if marked is not None:
        lines: list[str] = []
        for line in plan_markdown[marked.end() :].replace("\r\n", "\n").split("\n"):
            if not line.strip() or line.startswith(("#", "**")):
                break
            lines.append(line.strip())
        if lines:
            return " ".join(lines)
    title = _TITLE.search(plan_markdown)
    if title is None:
        return FALLBACK_GOAL
    text = title[1].strip()
    if text.lower().endswith(_SUFFIX):
        text = text[: -len(_SUFFIX)].strip()
    return f"Implement {text}" if text else FALLBACK_GOAL


def read(source: Source) -> Plan:
    """Read as much of a plan as the original does."""
    text = source.document.text  # includes the text around the plan, as the original reads its file
    goal = extract_goal(text)
    off = frozenset(rule.code for rule in RULES.built_in) - _CHECKS.keys()
    traits = Traits(needs_tasks=False, severities=_SEVERITIES, off=off)
    return Plan("amelia", goal=Ref(goal), defects=tuple(defects_of(text, goal)), traits=traits)


PROFILES = (
    Profile(
        "amelia",
        "amelia",
        "markdown",
        "The rules of amelia's validator: `### Task N:`, a goal, 200 characters. Only if you name this format.",
        lambda _: 0,
        read,
    ),
)
