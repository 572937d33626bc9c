"""amelia's plan loop around the check of the format `amelia`: its validator node, routes and revision feedback.

What the original hands from step to step is compared here; in planguard the loop is that of any contract. Files and
models come in as functions, so that a test can stand in for both.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from pytest_planguard.document.answer import Document
from pytest_planguard.errors import PlanguardWarning, UsageError
from pytest_planguard.plans.profiles.superpowers import (
    HEADER,
    MINIMUM_LENGTH,
    NO_GOAL,
    TOO_SHORT,
    defects_of,
    extract_goal,
    read,
)
from pytest_planguard.plans.reading.outline import Source
from pytest_planguard.plans.rules.judge_plan import RULES, check_plan
from pytest_planguard.plans.rules.structure import PLACEHOLDER_GOALS

if TYPE_CHECKING:
    from pytest_planguard.contract.finding import Finding

MAX_ITERATIONS = 3
"""Revisions before a person is asked."""
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
    issues = tuple(defect.message for defect in defects_of(plan_markdown, goal))
    return PlanValidationResult(not issues, issues, plan_severity(len(issues)))


def plan_severity(bad: int, minor: int = 0) -> PlanSeverity:
    """Return how bad a plan with so many issues is: minor where there are warnings alone."""
    if bad == 0:
        return PlanSeverity.MINOR if minor else PlanSeverity.NONE
    return PlanSeverity.MAJOR if bad == 1 else PlanSeverity.CRITICAL


def _strict(goal: str | None, plan_markdown: str) -> PlanValidationResult:
    """Bad findings make the plan invalid; warnings alone make it a valid plan with minor issues."""
    document = Document(plan_markdown, plan_markdown, 0, "markdown", plan_markdown)
    rules = [rule for rule in RULES.built_in if rule.code != "goal-nonempty" or goal is None]
    found = check_plan(read(Source(document)), rules)
    bad = [finding for finding in found if finding.severity.bad]
    minor = [finding for finding in found if finding.severity == "warn"]
    issues = [_line(finding) for finding in (*bad, *minor)]
    if goal is not None and goal.strip().strip(".").lower() in {*PLACEHOLDER_GOALS, ""}:
        bad.append(_goal_missing())
        issues.insert(0, NO_GOAL)
    if len(plan_markdown.strip()) < MINIMUM_LENGTH:
        bad.append(_too_short(plan_markdown))
        issues.append(TOO_SHORT)
    return PlanValidationResult(not bad, tuple(issues), plan_severity(len(bad), len(minor)), (*bad, *minor))


def _goal_missing() -> Finding:
    from pytest_planguard.contract.failure_kinds import FailureKind
    from pytest_planguard.contract.finding import Finding

    return Finding("goal-nonempty", (), NO_GOAL, FailureKind.RULE)


def _too_short(plan_markdown: str) -> Finding:
    from pytest_planguard.contract.failure_kinds import FailureKind
    from pytest_planguard.contract.finding import Finding

    length = len(plan_markdown.strip())
    expected = f"at least {MINIMUM_LENGTH} characters"
    return Finding("min-length", (), TOO_SHORT, FailureKind.LENGTH, expected=expected, actual=str(length))


def _line(finding: Finding) -> str:
    return f"line {finding.span.line}: {finding.message}" if finding.span else finding.message


def route_after_plan_validation(
    result: PlanValidationResult | None, revisions: int, max_iterations: int = MAX_ITERATIONS
) -> Literal["approved", "revise", "escalate"]:
    """Return where a plan goes next. Escalation hands it to a person, with a warning; it is no failure.

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


def extract_task_count(plan_markdown: str) -> int:
    """Task headers in the raw text; 1 where there are none, as in the original."""
    return len(HEADER.findall(plan_markdown)) or 1


def extract_key_files(plan_markdown: str) -> tuple[str, ...]:
    """Files after words such as "Create:", those in backticks first, each once."""
    quoted = _QUOTED_FILE.findall(plan_markdown)
    bare = (_ending_at_suffix(word) for word in _BARE_FILE.findall(plan_markdown))
    return tuple(dict.fromkeys([*quoted, *(name for name in bare if name)]))


def _ending_at_suffix(word: str) -> str | None:
    """Return the word up to its last known file ending; None where it has none."""
    ends = [at + len(ending) for ending in _ENDINGS if (at := word.rfind(ending)) > 0]
    return word[: max(ends)] if ends else None


def looks_like_plan(text: str) -> bool:
    """The original's quick look: at least 100 characters, three of ten marks, one task header.

    A header is three of the marks itself ("# ", "## ", "### task"), so that they need no look of their own. The
    original runs it before its validator and raises where it fails, so that no plan without headers is ever revised.
    Here it is a question and never stands before the loop.
    """
    return len(text) >= 100 and HEADER.search(text) is not None


# amelia's validator node: what it takes from a plan file, and the revision feedback that its architect gets.


@dataclass(frozen=True, slots=True)
class ValidatedPlan:
    """What the node hands on."""

    goal: str
    plan_markdown: str
    """The file, byte for byte."""
    plan_path: str
    key_files: tuple[str, ...]
    total_tasks: int
    plan_validation_result: PlanValidationResult
    plan_revision_count: int
    """How often a plan of this issue was invalid, this one included."""
    tool_calls: tuple[Any, ...] = ()
    """What the architect called, kept with the plan."""
    tool_results: tuple[Any, ...] = ()


def resolve_plan_path(pattern: str, *, date: str, issue_key: str) -> str:
    """Return the path of a plan: `docs/plans/2026-01-04-ABC-1.md`. The key is kept from leaving the folder.

    Raises:
        UsageError: the pattern has an unknown placeholder.
    """
    safe = issue_key.replace("/", "-").replace("\\", "-").replace("..", "-")
    try:
        return pattern.format(date=date, issue_key=safe)
    except (KeyError, IndexError, ValueError) as error:
        raise UsageError(f"the plan path pattern {pattern!r} may use {{date}} and {{issue_key}} only") from error


def validate_plan_file(
    path: str,
    read_text: Callable[[str], str],
    *,
    revisions: int = 0,
    mode: Literal["compat", "strict"] = "compat",
    tool_calls: Sequence[Any] = (),
    tool_results: Sequence[Any] = (),
) -> ValidatedPlan:
    """Read and check a plan file, without a model.

    Args:
        path: where the plan stands.
        read_text: reads a file without changing its line ends.
        revisions: how often a plan of this issue was invalid before.
        mode: see `validate_plan_structure`.
        tool_calls: what the architect called while it wrote the plan, kept as given.
        tool_results: what came back.

    Raises:
        ValueError: there is no such file, or it is empty; the message names the path. A bad plan is no error: its
            issues go back to the architect.
    """
    try:
        text = read_text(path)
    except FileNotFoundError as error:
        raise ValueError(f"Plan file not found at {path}") from error
    if not text.strip():
        raise ValueError(f"Plan file is empty at {path}")
    goal = extract_goal(text)
    result = validate_plan_structure(None if mode == "strict" else goal, text, mode=mode)
    count = revisions + (not result.valid)
    files, tasks = extract_key_files(text), extract_task_count(text)
    return ValidatedPlan(goal, text, path, files, tasks, result, count, tuple(tool_calls), tuple(tool_results))


def revision_feedback(result: PlanValidationResult | None) -> str:
    """Return what is added to the architect's next prompt; "" where there is nothing to revise."""
    if result is None or result.valid:
        return ""
    issues = "\n".join(f"- {issue}" for issue in result.issues)
    return (
        f"\n\n## Plan Revision Required\n\nYour previous plan had these structural issues:\n{issues}\n\n"
        "Please revise the plan file to address all issues above."
    )


def max_iterations_from(marker: int | None, ini: int | None, default: int = 3) -> int:
    """Return how many revisions are allowed: the marker says it, else the ini file, else the default.

    Raises:
        UsageError: fewer than 1.
    """
    chosen = next((value for value in (marker, ini) if value is not None), default)
    if chosen < 1:
        raise UsageError(f"max_iterations must be at least 1, got {chosen}")
    return chosen
