"""Both channels of feedback in words, each under its own heading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...contract.feedback.entry_lines import visible
from ...contract.feedback.feedback import build_feedback
from ...contract.feedback.next_request import placed
from ...contract.feedback.styles import DIFFERENT, FAILED_BEFORE
from ...document.path import to_dotted

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from .channels import DownstreamFailure, OwnFailure

FINDINGS_SHOWN = 10
"""Findings of one downstream failure that are worded; the rest is counted."""
_MESSAGE_LIMIT = 200


def word_own(own: Sequence[OwnFailure], *, style: str = "default", max_attempts: int | None = None) -> str:
    """Return the feedback on a step's own rejected answers; "" where there is none.

    The latest answer is worded in full. Earlier ones with other findings follow, one line each, so that a model does
    not go back to a mistake that it has left.
    """
    if not own:
        return ""
    latest = own[-1]
    text = build_feedback(latest.findings, attempt=latest.attempt, max_attempts=max_attempts, style=style).text
    earlier = [f"- attempt {failure.attempt}: {_codes(failure.findings)}" for failure in own[:-1]]
    if not text or not earlier:
        return text
    return "\n".join([text, "", "Your earlier answers to this step were rejected too:", *earlier])


def word_downstream(failure: DownstreamFailure) -> str:
    """Return the text that tells a step about a failure of a later one."""
    return "\n".join([
        FAILED_BEFORE,
        "",
        f"A downstream step ({failure.failed_step}) failed validation:",
        "",
        f"**Guard feedback**: {_findings(failure.findings)}",
        "",
        "The following path was attempted:",
        *(f"- {step}: {quoted}" for step, quoted in failure.path),
        "",
        DIFFERENT,
    ])  # fmt: skip


def with_feedback(
    messages: Sequence[Mapping[str, Any]] | str,
    own: Sequence[OwnFailure],
    downstream: Sequence[DownstreamFailure],
    style: str,
    max_attempts: int,
) -> list[dict[str, Any]]:
    """Return messages with downstream failures, then own ones, at the end of the last user turn."""
    request: list[dict[str, Any]] = (
        [{"role": "user", "content": messages}] if isinstance(messages, str) else [dict(turn) for turn in messages]
    )
    texts = [*map(word_downstream, downstream), word_own(own, style=style, max_attempts=max_attempts)]
    text = "\n\n".join(filter(None, texts))
    return placed(request, "", text, placement="inject", style=style) if text else request


def _findings(findings: Sequence[Finding]) -> str:
    shown = [_finding(finding) for finding in findings[:FINDINGS_SHOWN]]
    more = len(findings) - len(shown)
    return "; ".join([*shown, f"and {more} more"] if more else shown)


def _finding(finding: Finding) -> str:
    return f"{to_dotted(finding.path)}: {visible(finding.message, _MESSAGE_LIMIT)} [{finding.code}]"


def _codes(findings: Sequence[Finding]) -> str:
    return ", ".join(f"{to_dotted(finding.path)} [{finding.code}]" for finding in findings[:FINDINGS_SHOWN])
