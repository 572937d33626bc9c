"""amelia's check of a Markdown plan, verdict for verdict, and a strict mode that reads Markdown as Markdown.

The compat mode looks at the raw text with regular expressions, as the original does, with the original's words. It
counts a header inside a code fence and takes a shell comment for the title; the strict mode does neither.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from ...document.answer import Document
from ...errors import PlanguardWarning
from ..check import check_plan
from ..profiles.superpowers import read
from ..rules.structure import PLACEHOLDER_GOALS
from ..rules.table import RULES
from ..source import Source

if TYPE_CHECKING:
    from ...contract.finding import Finding

MINIMUM_LENGTH = 200
"""Characters of the shortest plan, white space at both ends left out."""
MAX_ITERATIONS = 3
"""Revisions before a person is asked."""
FALLBACK_GOAL = "Implementation plan"
"""What the original's extraction gives where it finds no goal; it counts as no goal."""
NO_HEADERS = (
    "No '### Task N:' headers found. Plan must have structured task headers with headers like "
    "'### Task 1: Component Name'."
)
NO_GOAL = "No goal found. Plan must include a clear goal statement (e.g. '**Goal:** Add user authentication')."
TOO_SHORT = (
    f"Plan content is too short to be a complete implementation plan. Expected at least {MINIMUM_LENGTH} characters."
)
_HEADER = re.compile(r"^### Task \d+(?:\.\d+)?:", re.MULTILINE)
_GOAL = re.compile(r"\*\*Goal:\*\*")
_TITLE = re.compile(r"^#[ \t]+(\S[^\n]*)", re.MULTILINE)
_SUFFIX = "implementation plan"
_VERBS = r"(?:Create|Modify|Test|Edit|Update|Delete)"
_QUOTED_FILE = re.compile(rf"{_VERBS}:\s*`([^`]+)`", re.IGNORECASE)
_BARE_FILE = re.compile(rf"{_VERBS}:\s*([^\s`]\S*)", re.IGNORECASE)
_ENDINGS = (".py", ".tsx", ".ts", ".jsx", ".js", ".go", ".rs", ".md")


class PlanSeverity(StrEnum):
    """How bad a plan is."""

    NONE = "none"
    MINOR = "minor"
    """Only strict mode: what is wrong would not keep anyone from working on the plan."""
    MAJOR = "major"
    """One issue."""
    CRITICAL = "critical"
    """Two issues or more."""


@dataclass(frozen=True, slots=True)
class PlanValidationResult:
    """What is wrong with the structure of a plan."""

    valid: bool
    issues: tuple[str, ...] = ()
    severity: PlanSeverity = PlanSeverity.NONE
    findings: tuple[Finding, ...] = ()
    """Strict mode only: the issues as findings, with their places."""


def validate_plan_structure(
    goal: str | None, plan_markdown: str, *, mode: Literal["compat", "strict"] = "compat"
) -> PlanValidationResult:
    """Check a plan for task headers, a goal and a minimum length; strict mode also for every structural rule.

    Args:
        goal: what was extracted as the plan's goal. Strict mode looks for the goal itself where this is None.
        plan_markdown: the plan.
        mode: "compat" gives the original's verdicts; "strict" reads Markdown by its own rules.
    """
    if mode == "strict":
        return _strict(goal, plan_markdown)
    issues = []
    if not _HEADER.search(plan_markdown):
        issues.append(NO_HEADERS)
    if not goal or goal == FALLBACK_GOAL:
        issues.append(NO_GOAL)
    if len(plan_markdown.strip()) < MINIMUM_LENGTH:
        issues.append(TOO_SHORT)
    return PlanValidationResult(not issues, tuple(issues), _severity(len(issues)))


def _severity(bad: int, minor: int = 0) -> PlanSeverity:
    if bad == 0:
        return PlanSeverity.MINOR if minor else PlanSeverity.NONE
    return PlanSeverity.MAJOR if bad == 1 else PlanSeverity.CRITICAL


def _strict(goal: str | None, plan_markdown: str) -> PlanValidationResult:
    """Bad findings make the plan invalid; warnings alone make it a valid plan with minor issues."""
    document = Document(plan_markdown, plan_markdown, 0, "markdown", plan_markdown)
    found = check_plan(read(Source(document)), [rule for rule in RULES if rule.code != "goal-nonempty" or goal is None])
    bad = [finding for finding in found if finding.severity.bad]
    minor = [finding for finding in found if finding.severity == "warn"]
    issues = [_line(finding) for finding in (*bad, *minor)]
    if goal is not None and goal.strip().strip(".").lower() in {*PLACEHOLDER_GOALS, ""}:
        bad.append(_goal_missing())
        issues.insert(0, NO_GOAL)
    if len(plan_markdown.strip()) < MINIMUM_LENGTH:
        bad.append(_too_short(plan_markdown))
        issues.append(TOO_SHORT)
    return PlanValidationResult(not bad, tuple(issues), _severity(len(bad), len(minor)), (*bad, *minor))


def _goal_missing() -> Finding:
    from ...contract.failure_kinds import FailureKind
    from ...contract.finding import Finding

    return Finding("goal-nonempty", (), NO_GOAL, FailureKind.RULE)


def _too_short(plan_markdown: str) -> Finding:
    from ...contract.failure_kinds import FailureKind
    from ...contract.finding import Finding

    length = len(plan_markdown.strip())
    expected = f"at least {MINIMUM_LENGTH} characters"
    return Finding("min-length", (), TOO_SHORT, FailureKind.LENGTH, expected=expected, actual=str(length))


def _line(finding: Finding) -> str:
    return f"line {finding.span.line}: {finding.message}" if finding.span else finding.message


def route_after_plan_validation(
    result: PlanValidationResult | None, revisions: int, max_iterations: int = MAX_ITERATIONS
) -> Literal["approved", "revise", "escalate"]:
    """Where a plan goes next. Escalation hands it to a person, with a warning; it is no failure.

    Args:
        result: None where no validation ran, which approves.
        revisions: how often the plan was found invalid so far, this time included.
        max_iterations: revisions before a person is asked.
    """
    if result is None or result.valid:
        return "approved"
    if revisions < max_iterations:
        return "revise"
    message = f"the plan is invalid after {revisions} revisions and goes to a person: {'; '.join(result.issues)}"
    warnings.warn(message, PlanguardWarning, stacklevel=2)
    return "escalate"


def extract_goal(plan_markdown: str) -> str:
    """The text after `**Goal:**` up to a blank line, a heading or bold text; else the first title; else a stand-in."""
    marked = _GOAL.search(plan_markdown)
    if marked is not None:
        lines: list[str] = []
        for line in plan_markdown[marked.end() :].replace("\r\n", "\n").split("\n"):
            if (lines and not line.strip()) or line.startswith(("#", "**")):
                break
            if not lines and not line.strip():
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


def extract_task_count(plan_markdown: str) -> int:
    """Task headers in the raw text; 1 where there are none, as in the original."""
    return len(_HEADER.findall(plan_markdown)) or 1


def extract_key_files(plan_markdown: str) -> tuple[str, ...]:
    """Files after words such as "Create:", those in backticks first, each once."""
    quoted = _QUOTED_FILE.findall(plan_markdown)
    bare = (_ending_at_suffix(word) for word in _BARE_FILE.findall(plan_markdown))
    return tuple(dict.fromkeys([*quoted, *(name for name in bare if name)]))


def _ending_at_suffix(word: str) -> str | None:
    """The word up to its last known file ending; None where it has none."""
    ends = [at + len(ending) for ending in _ENDINGS if (at := word.rfind(ending)) > 0]
    return word[: max(ends)] if ends else None


def looks_like_plan(text: str) -> bool:
    """The original's quick look: at least 100 characters, three of ten marks, one task header.

    The original runs it before its validator and raises where it fails, so that no plan without headers is ever
    revised. Here it is a question and never stands before the loop.
    """
    if len(text) < 100:
        return False
    lower = text.lower()
    marks = ("# ", "## ", "### task", "### step", "## phase", "**goal:**", "**architecture:**", "**tech stack:**")
    found = sum(mark in lower for mark in (*marks, "implementation plan", "```"))
    return found >= 3 and _HEADER.search(text) is not None
