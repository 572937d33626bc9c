"""The context of a call: the answers before it, two channels of feedback, and its place in a cassette."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from ..contract.feedback.entry_lines import visible
from ..contract.feedback.feedback import build_feedback
from ..contract.feedback.next_request import placed
from ..contract.feedback.styles import DIFFERENT, FAILED_BEFORE
from ..document.path import to_dotted

if TYPE_CHECKING:
    from ..contract.finding import Finding


PREVIEW_LIMIT = 200
"""Characters of an answer that a downstream failure quotes; a longer one ends in "..."."""


@dataclass(frozen=True, slots=True)
class OwnFailure:
    """An answer of this step to this prefix that its guard rejected."""

    attempt: int
    """Counts the answers to the prefix, from 1."""
    answer: str
    findings: tuple[Finding, ...]
    """The errors, without warnings."""
    node: int = 0
    """Number of the search node."""


@dataclass(frozen=True, slots=True)
class DownstreamFailure:
    """A later step that failed, and that this step is blamed for."""

    failed_step: str
    findings: tuple[Finding, ...]
    path: tuple[tuple[str, str], ...]
    """Step and preview of each answer up to the one that failed."""
    node: int = 0
    """Number of the search node that failed."""


def preview(answer: str) -> str:
    """Return the answer as a downstream failure quotes it."""
    return answer if len(answer) <= PREVIEW_LIMIT else answer[:PREVIEW_LIMIT] + "..."


# Both channels of feedback in words, each under its own heading.

FINDINGS_SHOWN = 10
"""Findings of one downstream failure that are shown; the rest is only counted."""
_MESSAGE_LIMIT = 200
"""Characters of a finding's message that a downstream failure repeats: it may quote an answer, as `preview` does."""


def word_own(own: Sequence[OwnFailure], *, style: str = "default", max_attempts: int | None = None) -> str:
    """Return the feedback on a step's own rejected answers; "" without any.

    The latest answer gets the full text. Earlier ones with other findings follow, one line each, so that a model does
    not go back to a mistake that it has left behind.
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
    """Return the text that feeds the failure of a later step back to a step."""
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


def _findings(findings: Sequence[Finding]) -> str:
    shown = [
        f"{to_dotted(finding.path)}: {visible(finding.message, _MESSAGE_LIMIT)} [{finding.code}]"
        for finding in findings[:FINDINGS_SHOWN]
    ]
    more = len(findings) - len(shown)
    return "; ".join([*shown, f"and {more} more"] if more else shown)


def _codes(findings: Sequence[Finding]) -> str:
    return ", ".join(f"{to_dotted(finding.path)} [{finding.code}]" for finding in findings[:FINDINGS_SHOWN])


# The context of a call, and its place in a cassette.


class TapeKey(NamedTuple):
    """The identity of one call of a search in a cassette.

    It is a tuple because a search makes and looks up one for every call: tuples hash and compare without Python code.
    """

    step: str
    prefix: str
    """16 hex digits over the answers before it."""
    feedback: str
    """16 hex digits over both channels as sets of codes and paths; "" if there was no feedback."""
    index: int  # type: ignore[assignment]  # hides `tuple.index`, which no caller needs
    """Position among the answers to the same prefix, from 0."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """An answer that passed its guard."""

    step: str
    answer: str
    """As text; a parsed value in canonical JSON."""
    value: Any = None
    """The validated value of the verdict."""
    node: int = 0
    """Number of the search node."""


@dataclass(frozen=True, slots=True)
class StepContext:
    """Everything that a step may build its request from."""

    key: TapeKey
    path: tuple[Artifact, ...]
    """The answers of the steps before it, first step first."""
    own: tuple[OwnFailure, ...]
    """Rejected answers of this step to this path, oldest first."""
    downstream: tuple[DownstreamFailure, ...]
    """Failures of later steps that this step is blamed for, oldest first."""
    max_attempts: int
    """Answers that the budget allows for this path."""
    previous: int | None = None
    """Number of the search node of the previous answer to the same path."""

    @property
    def step(self) -> str:
        """Name of the step."""
        return self.key.step

    @property
    def attempt(self) -> int:
        """Number of the answer to this path that is asked for, from 1."""
        return self.key.index + 1

    def messages(self, messages: Sequence[Mapping[str, Any]] | str, *, style: str = "default") -> list[dict[str, Any]]:
        """Return chat messages with both channels of feedback after the last user turn, each in its own words.

        Args:
            messages: the request without feedback; a string is one user message.
            style: the feedback style of the step's own failures.

        Raises:
            UsageError: an unknown style, or no user turn to put the feedback into.
        """
        turns: list[dict[str, Any]] = (
            [{"role": "user", "content": messages}] if isinstance(messages, str) else [dict(turn) for turn in messages]
        )
        own = word_own(self.own, style=style, max_attempts=self.max_attempts)
        text = "\n\n".join(filter(None, [*map(word_downstream, self.downstream), own]))
        return placed(turns, "", text, placement="inject", style=style) if text else turns


# Short digests of answers and feedback. They name calls in cassettes and do not change between versions.

LENGTH = 16
"""Hex digits of a digest: 64 bits, so a million answers collide by chance once in 37 million searches."""


def answer_text(answer: object) -> str:
    """Return an answer as text: the text itself, or a parsed value in canonical JSON.

    Raises:
        TypeError: neither a text nor plain JSON data.
    """
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bytes):
        return answer.decode("utf-8", "replace")
    return json.dumps(answer, sort_keys=True, ensure_ascii=False)


def chained(before: str, *parts: str) -> str:
    """Return the digest of a digest and the parts that follow it."""
    text = "\0".join((before, *parts))
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:LENGTH]


def problem_names(findings: Iterable[Finding]) -> list[str]:
    """Return the codes and paths of a failure, sorted: the digest of a channel is `chained` to them."""
    return sorted({f"{finding.code} {finding.path!r}" for finding in findings})


# The names of the calls of a search in a cassette: they hold the name of the step.

TITLE = "plan search"
# "plan search 1: g_plan after 3, answer 2"
_CALL = re.compile(rf"{TITLE} \d+: (?P<step>.+?)(?: after \d+)?, answer \d+")


def prefix_name(number: int, context: StepContext) -> str:
    """Return 'plan search 1: g_plan after 3': the answers of g_plan to the path that ends in node 3."""
    after = f" after {context.path[-1].node}" if context.path else ""
    return f"{TITLE} {number}: {context.step}{after}"


def call_name(number: int, context: StepContext) -> str:
    """Return 'plan search 1: g_plan after 3, answer 2': the second of these answers."""
    return f"{prefix_name(number, context)}, answer {context.attempt}"


def step_of(name: str | None) -> str | None:
    """Return the step in the name of a call: 'g_plan'; None for the name of another conversation."""
    found = _CALL.fullmatch(name or "")
    return found["step"] if found else None
