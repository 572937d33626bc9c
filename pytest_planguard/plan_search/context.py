"""The context of a call: earlier answers, two channels of feedback, and the call's key in a cassette."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from ..contract.feedback.entry_lines import safe_line
from ..contract.feedback.feedback import DIFFERENT, FAILED_BEFORE, build_feedback
from ..contract.feedback.next_request import placed
from ..document.path import to_dotted

if TYPE_CHECKING:
    from ..contract.finding import Finding


PREVIEW_LIMIT = 200
"""Maximum characters of an answer that a downstream failure quotes. A longer answer is cut and ends in "..."."""


@dataclass(frozen=True, slots=True)
class OwnFailure:
    """An answer of this step to this prefix that its guard rejected."""

    attempt: int
    """1-based number of the answer among those to the same prefix."""
    answer: str
    findings: tuple[Finding, ...]
    """The errors, without warnings."""
    node: int = 0
    """Number of the search node."""


@dataclass(frozen=True, slots=True)
class DownstreamFailure:
    """A failure of a later step that is blamed on this step."""

    failed_step: str
    findings: tuple[Finding, ...]
    path: tuple[tuple[str, str], ...]
    """Step and preview of each answer before the failed one, and of that one."""
    node: int = 0
    """Number of the search node that failed."""


def preview(answer: str) -> str:
    """Return the answer as a downstream failure quotes it."""
    return answer if len(answer) <= PREVIEW_LIMIT else answer[:PREVIEW_LIMIT] + "..."


# Turns both channels of feedback into text, each under its own heading.

FINDINGS_SHOWN = 10
"""Maximum number of findings of one downstream failure to show. The rest are only counted."""
_MESSAGE_LIMIT = 200
"""Maximum number of characters of a finding's message in a downstream failure, since a message may quote an answer."""


def word_own(own: Sequence[OwnFailure], *, style: str = "default", max_attempts: int | None = None) -> str:
    """Return the feedback on a step's own rejected answers; "" without any.

    The latest answer gets the full text. Earlier ones with other findings follow, one line each, so that the model does
    not repeat a mistake that it has already corrected.
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
        f"{to_dotted(finding.path)}: {safe_line(finding.message, _MESSAGE_LIMIT)} [{finding.code}]"
        for finding in findings[:FINDINGS_SHOWN]
    ]
    more = len(findings) - len(shown)
    return "; ".join([*shown, f"and {more} more"] if more else shown)


def _codes(findings: Sequence[Finding]) -> str:
    return ", ".join(f"{to_dotted(finding.path)} [{finding.code}]" for finding in findings[:FINDINGS_SHOWN])


# The context of a call, and its place in a cassette.


class TapeKey(NamedTuple):
    """The identity of one call of a search in a cassette.

    A tuple, because a search creates and looks up a key for every call, and tuples hash and compare in C.
    """

    step: str
    prefix: str
    """16 hex digits: a digest of the answers before the call."""
    feedback: str
    """16 hex digits: a digest of the codes and paths in both channels; "" if there was no feedback."""
    index: int  # type: ignore[assignment]  # hides `tuple.index`, which no caller needs
    """0-based position among the answers to the same prefix."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """An answer that passed its guard."""

    step: str
    answer: str
    """The answer's text. A parsed value is stored as canonical JSON."""
    value: Any = None
    """The validated value, from the verdict."""
    node: int = 0
    """Number of the search node."""


@dataclass(frozen=True, slots=True)
class StepContext:
    """Everything that a step can use to build its request."""

    key: TapeKey
    path: tuple[Artifact, ...]
    """The answers of the steps before it, first step first."""
    own: tuple[OwnFailure, ...]
    """Rejected answers of this step on this path, oldest first."""
    downstream: tuple[DownstreamFailure, ...]
    """Failures of later steps that this step is blamed for, oldest first."""
    max_attempts: int
    """Number of answers on this path that the budget allows."""
    previous: int | None = None
    """Number of the search node of the previous answer on the same path."""

    @property
    def step(self) -> str:
        """Name of the step."""
        return self.key.step

    @property
    def attempt(self) -> int:
        """1-based number of the requested answer on this path."""
        return self.key.index + 1

    def messages(self, messages: Sequence[Mapping[str, Any]] | str, *, style: str = "default") -> list[dict[str, Any]]:
        """Return chat messages with both channels of feedback after the last user turn, each under its own heading.

        Args:
            messages: the request without feedback; a string is one user message.
            style: the feedback style of the step's own failures.

        Raises:
            UsageError: an unknown style, or no user turn to put the feedback into.
        """
        turns: list[dict[str, object]] = (
            [{"role": "user", "content": messages}] if isinstance(messages, str) else [dict(turn) for turn in messages]
        )
        own = word_own(self.own, style=style, max_attempts=self.max_attempts)
        text = "\n\n".join(filter(None, [*map(word_downstream, self.downstream), own]))
        return placed(turns, "", text, placement="inject", style=style) if text else turns


# Short digests of answers and feedback. They identify calls in cassettes, so they must not change between versions.

LENGTH = 16
"""Number of hex digits of a digest. They are 64 bits, so a million answers collide by chance once in 37 million
searches."""


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
    """Return the digest of `before` followed by `parts`."""
    text = "\0".join((before, *parts))  # so that ("ab", "c") and ("a", "bc") differ
    # an answer may hold half of a surrogate pair, which UTF-8 has not
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:LENGTH]


def problem_names(findings: Iterable[Finding]) -> list[str]:
    """Return the sorted codes and paths of a failure, as input for `chained`."""
    return sorted({f"{finding.code} {finding.path!r}" for finding in findings})


# Names of a search's calls in a cassette. Each contains the name of the step.

TITLE = "plan search"
# "plan search 1: g_plan after 3, answer 2"
_CALL = re.compile(rf"{TITLE} \d+: (?P<step>.+?)(?: after \d+)?, answer \d+")


def prefix_name(number: int, context: StepContext) -> str:
    """Return 'plan search 1: g_plan after 3', which names the answers of g_plan to the path that ends in node 3."""
    after = f" after {context.path[-1].node}" if context.path else ""
    return f"{TITLE} {number}: {context.step}{after}"


def call_name(number: int, context: StepContext) -> str:
    """Return 'plan search 1: g_plan after 3, answer 2', which names the second of these answers."""
    return f"{prefix_name(number, context)}, answer {context.attempt}"


def step_of(name: str | None) -> str | None:
    """Return the step named in a call's name: 'g_plan'; None if the name is not that of a search call."""
    found = _CALL.fullmatch(name or "")
    return found["step"] if found else None
