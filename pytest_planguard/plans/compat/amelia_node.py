"""amelia's validator node: what it takes from a plan file, and the revision feedback that its architect gets.

Files and models come in as functions, so that a test can stand in for both.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ...errors import UsageError
from .amelia import PlanValidationResult, extract_goal, extract_key_files, extract_task_count, validate_plan_structure

PATH_PATTERN = "docs/plans/{date}-{issue_key}.md"
"""Where the architect writes its plan."""
EXTRACTION_PROMPT = """\
Extract the implementation plan structure from the following markdown plan.

<plan>
{plan_content}
</plan>

Return:
- goal: 1-2 sentence summary of what this plan accomplishes
- plan_markdown: The full plan content (preserve as-is)
- key_files: List of files that will be created or modified
"""
"""What the optional model is asked; `{plan_content}` is the plan, byte for byte."""

Ask = Callable[[str, str | None], Awaitable[dict[str, Any]]]
"""Asks a model: takes the prompt and the model's name, gives "goal" and "key_files"."""


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
    """The path of a plan: `docs/plans/2026-01-04-ABC-1.md`. The key is kept from leaving the folder.

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


async def extract_with_model(
    plan: ValidatedPlan, ask: Ask, *, validator_model: str | None = None, model: str | None = None
) -> ValidatedPlan:
    """Let a model say goal and key files. The plan's text stays the file's, whatever the model returns.

    Errors of `ask` come through unchanged.

    Args:
        plan: what `validate_plan_file` gave.
        ask: the user's function.
        validator_model: the model for this step.
        model: the profile's model, used where no validator model is set.
    """
    prompt = EXTRACTION_PROMPT.replace("{plan_content}", plan.plan_markdown)
    answer = await ask(prompt, validator_model or model)
    files = tuple(str(name) for name in answer.get("key_files") or ())
    return replace(plan, goal=str(answer.get("goal") or plan.goal), key_files=files)


def revision_feedback(result: PlanValidationResult | None) -> str:
    """What is added to the architect's next prompt; "" where there is nothing to revise."""
    if result is None or result.valid:
        return ""
    issues = "\n".join(f"- {issue}" for issue in result.issues)
    return (
        f"\n\n## Plan Revision Required\n\nYour previous plan had these structural issues:\n{issues}\n\n"
        "Please revise the plan file to address all issues above."
    )


def max_iterations_from(marker: int | None, ini: int | None, default: int = 3) -> int:
    """How many revisions are allowed: the marker says it, else the ini file, else the default.

    Raises:
        UsageError: fewer than 1.
    """
    chosen = next((value for value in (marker, ini) if value is not None), default)
    if chosen < 1:
        raise UsageError(f"max_iterations must be at least 1, got {chosen}")
    return chosen
