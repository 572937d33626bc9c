"""Cases as read from files, before they are judged. Every reader in `runs.load` returns these."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding

if TYPE_CHECKING:
    from ...wire.exchange import Exchange
    from .judged_answers import Said
    from .run import CaseRow, RunHeader


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """One unjudged answer."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ToolVerdict:
    """Another evaluation tool's verdict on a case. It is used if no contract judges the answer."""

    tool: str
    """"promptfoo" or "pydantic-evals"."""
    result: str
    """"passed", "failed" or "error"."""
    findings: tuple[Finding, ...] = ()
    """The assertions that fail."""


@dataclass(frozen=True, slots=True)
class RawCase:
    """One case of a run before judging: its source, request and answer.

    It has either an answer, the exchanges of a cassette, or an already judged row. After an error, it has none of them.
    """

    key: str
    """The case key: the same case has the same key in every run."""
    place: str
    """The file, or the line of a file, that the case was read from."""
    answer: RawAnswer | None = None
    exchanges: tuple[Exchange, ...] | None = None
    """All exchanges of a cassette; None if the case is not from a cassette."""
    row: CaseRow | None = None
    """The case as saved in a run record, with its verdicts."""
    verdict: ToolVerdict | None = None
    inputs: str | None = None
    """Digest of the declared input; None if unknown."""
    model: str | None = None
    variant: str | None = None
    prompt: str | None = None
    """Digest of the prompt; None if unknown."""
    cost: float | None = None
    latency_s: float | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    """The user's own scores, by name."""
    asked: tuple[Said, ...] = ()
    """The messages of the first request; () if unknown."""


@dataclass(frozen=True, slots=True)
class ReadProblem:
    """Something that could not be read or judged."""

    place: str
    """The file or line; "" if `reason` already names it."""
    reason: str
    """The problem, and what to do about it."""


@dataclass(frozen=True, slots=True)
class RawRun:
    """All cases of a run before judging."""

    cases: tuple[RawCase, ...] = ()
    problems: tuple[ReadProblem, ...] = ()
    header: RunHeader | None = None
    """The header of a run record. Other files have none."""


def tool_finding(code: str, reason: object) -> Finding:
    """Convert another tool's finding to a finding about the whole answer."""
    return Finding(code, (), str(reason) if reason else "does not hold", FailureKind.CONTENT)


def digest_of(value: object) -> str:
    """Return the digest (12 hex digits) of the declared input."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def problem_lines(problems: tuple[ReadProblem, ...]) -> tuple[str, ...]:
    """Return one line for each group of problems with the same reason: "a.yaml and 3 more: it is not JSON"."""
    places: dict[str, list[str]] = {}
    for problem in problems:
        places.setdefault(problem.reason, []).append(problem.place)
    return tuple(_line(reason, where) for reason, where in places.items())


def _line(reason: str, places: list[str]) -> str:
    more = f" and {len(places) - 1:,} more" if len(places) > 1 else ""
    return f"{places[0]}{more}: {reason}" if places[0] else reason
