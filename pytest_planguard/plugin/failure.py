"""The text of a failure: what went wrong on the first line, the evidence, and the next command to type."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..report.text import failure_reason, one_line, render_conversation
from ..retry.convergence import CheckStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..retry.convergence import Convergence
    from .case import Case


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason for which a test fails at its end."""

    reason: str
    """One line, the first that a reader sees."""
    body: str = ""
    """The evidence."""
    advice: str = ""
    """What to do: a command, or the call that mends it."""


def failure_text(case: Case, problems: Sequence[Problem]) -> str:
    """All problems of a test as one text; what to do comes last, each advice once."""
    first = problems[0].reason + (f" (and {len(problems) - 1} more)" if len(problems) > 1 else "")
    parts = [f"planguard: {first}"]
    for number, problem in enumerate(problems):
        head = [] if number == 0 else [problem.reason]
        parts.append("\n".join([*head, *([problem.body] if problem.body else [])]))
    advice = dict.fromkeys(p.advice for p in problems if p.advice)
    source = [f"recording: {case.recording}"] if case.tape is not None and case.conversations else []
    parts.append("\n".join([*source, *(f"next: {line}" for line in advice)]))
    return "\n\n".join(part for part in parts if part)


def conversation_problem(case: Case, convergence: Convergence) -> Problem:
    """A conversation that does not hold."""
    reason = f"{one_line(convergence.contract, 60)}: {failure_reason(convergence)}"
    return Problem(reason, render_conversation(convergence), _advice(case, convergence))


def _advice(case: Case, convergence: Convergence) -> str:
    failed = {c.name for c in convergence.checks if c.status is CheckStatus.FAIL}
    if failed & {"carried", "fresh"}:
        return "put what was wrong into the next request, for example validation_feedback(CONTRACT.check(answer))"
    if "stops" in failed:
        return "stop asking where another answer cannot help: after a valid one, a refusal, or a cut at the same limit"
    return f"planguard show {shlex.quote(case.recording)}" if case.path.is_file() else ""


def record_command(case: Case, mode: str) -> str:
    """The command that records this test anew, ready to paste."""
    variant = f" --planguard-variant={case.settings.variant}" if case.settings.variant else ""
    return f"pytest {shlex.quote(case.nodeid)} --planguard-record={mode}{variant}"
