"""The values of a run: all results of one test session, or of one folder or file of answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .header import NOTHING, RunHeader

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from ..document.path import Path
    from ..replay.anew import Anew
    from .seldom import CanaryRow, ProofRow, SamplesRow

UNANSWERED = ("unrecorded", "stale", "ambiguous")
"""Outcomes of a case whose requests no recording answers: neither a good nor a bad answer."""
LOST = "lost"
"""Grade of a finding that the next request does not carry."""
LOST_FEEDBACK = "lost feedback"
"""First words of a miss whose request is a retry that carries no finding of the attempt before it."""


@dataclass(frozen=True, slots=True)
class CarriedRow:
    """What the next request did with one finding."""

    code: str
    path: Path
    grade: str
    """"verbatim", "located", "weak", "lost" or "not judged"."""
    evidence: str | None = None
    """The words of the request that carry it; None where none do."""
    reason: str | None = None
    """Why it is lost, or not judged."""


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One judged answer."""

    answer: str
    """The raw text that was judged."""
    ok: bool
    kind: str | None = None
    """Failure kind of the answer; None when ok."""
    findings: tuple[Finding, ...] = ()
    """All severities. Places in the text are kept, related places are not."""
    model: str | None = None
    finish: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    carried: tuple[CarriedRow, ...] = ()
    """Per finding what the request of the next attempt did with it; () for the last attempt, and where unknown."""
    latency_s: float | None = None
    """Seconds that the answer took while it was recorded; None where the recording does not tell."""
    steps: int = 0
    """Tool steps between the attempt before and this one."""
    transport_retries: int = 0
    """Failed or repeated sends before this answer."""
    exchange: int | None = None
    """Its place among the exchanges of the test, from 1; None where there are none."""

    @property
    def lost(self) -> tuple[CarriedRow, ...]:
        """The findings that the next request does not carry."""
        return tuple(found for found in self.carried if found.grade == LOST)


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A named check over a conversation that did not pass."""

    name: str
    status: str
    """"warn", "fail" or "not judged"."""
    message: str = ""
    evidence: tuple[str, ...] = ()
    """One line for each offending place."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One conversation of a case, or one answer that a test had judged."""

    attempts: tuple[AttemptRow, ...]
    outcome: str
    """How it ended: "converged", "stuck", …; "valid" or "invalid" for a single answer; "" where nothing judged it."""
    ok: bool
    name: str = "1"
    contract: str = ""
    digest: str | None = None
    """12 hex digits of the contract that judged it; None where unknown."""
    checks: tuple[CheckRow, ...] = ()
    single: bool = False
    """A single answer, no conversation."""
    max_attempts: int | None = None
    """How many were allowed; None where unknown, and for a single answer."""

    @property
    def last(self) -> AttemptRow | None:
        """The last attempt; None where there was none."""
        return self.attempts[-1] if self.attempts else None

    @property
    def valid_at(self) -> int | None:
        """Number of the first valid attempt, from 1; None where none is."""
        for number, attempt in enumerate(self.attempts, 1):
            if attempt.ok:
                return number
        return None


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case of a run: what identifies it, the axes it was run under, what came of it."""

    key: str
    """The case key: the same case has the same key in every run."""
    test: str
    """Where it comes from: a test id, a file, a line of a file."""
    inputs: str | None = None
    """Digest of the declared input; None where none is known. Cases with different ones are not comparable."""
    model: str | None = None
    variant: str | None = None
    prompt: str | None = None
    """Digest of what was asked; None where unknown."""
    recording: str | None = None
    """Path of the recording; None where there is none."""
    recording_digest: str | None = None
    result: str | None = None
    """"passed", "failed" or "error" where a test said so; None: what the judged answers say counts."""
    outcome: str | None = None
    """The case in one word."""
    stale: tuple[str, ...] = ()
    """Why the recording no longer fits what is sent; () where it does."""
    misses: tuple[str, ...] = ()
    """Requests that got no recorded answer, each explained; its first words tell the kind."""
    judged: tuple[Judged, ...] = ()
    contracts: tuple[tuple[str, str], ...] = ()
    """Name and digest of every contract of the case."""
    cost: float | None = None
    """What the answers cost, in the currency of the price list."""
    latency_s: float | None = None
    """Seconds that the judged answers took while they were recorded, added up; never the time of a replay. None where
    one of them is unknown."""
    scores: Mapping[str, float] = field(default_factory=lambda: NOTHING)
    """What the user's own code measured, by name."""
    line: int | None = None
    """Line of the test in its file, from 1; None where unknown."""
    anew: Anew | None = None
    """How a stale case is recorded anew; None for one that is not."""
    rekey: str | None = None
    """The command that mends a stale recording without a call; None where more than the envelope changed."""
    samples: SamplesRow | None = None
    """Of a case of several samples; None for one."""
    canary: CanaryRow | None = None
    """How the live answers compare with the recorded ones; None where they were not asked to be."""
    proofs: tuple[ProofRow, ...] = ()
    """What interventions have shown."""
    pruned: tuple[str, ...] = ()
    """Recordings of older variants that were removed."""

    @property
    def is_judged(self) -> bool:
        """False where neither a test nor a contract says whether the case is good."""
        return self.result is not None or any(judged.outcome for judged in self.judged)

    @property
    def is_evidence(self) -> bool:
        """Whether the case says something about its contract: judged, on a recording that answers what was sent."""
        return self.is_judged and not self.stale and self.outcome not in UNANSWERED

    @property
    def lost_feedback(self) -> bool:
        """Whether a retry got no recorded answer because it carries no finding of the attempt before it."""
        return any(miss.startswith(LOST_FEEDBACK) for miss in self.misses)

    def cut_short(self, judged: Judged) -> bool:
        """Whether only the end of one of its conversations is bad, and a request without an answer may have ended it.

        Then its last answer is not the final one, and what that answer breaks says nothing about the model.
        """
        ended = bool(self.misses) and not judged.single and not judged.ok
        return ended and all(check.name == "valid" for check in judged.checks if check.status == "fail")

    @property
    def ok(self) -> bool:
        """Whether the case is good. What nobody judged is not bad."""
        if self.result is not None:
            return self.result == "passed"
        return all(judged.ok for judged in self.judged)

    @property
    def valid(self) -> bool:
        """Whether every last answer keeps its contract, whatever the checks of its conversation say."""
        return all(judged.last is not None and judged.last.ok for judged in self.judged)

    @property
    def answers(self) -> tuple[str, ...]:
        """The final answer of each conversation and each judged answer."""
        return tuple(judged.last.answer for judged in self.judged if judged.last is not None)

    @property
    def input_tokens(self) -> int | None:
        """Tokens of all requests; None where none was counted."""
        return _total(attempt.input_tokens for judged in self.judged for attempt in judged.attempts)

    @property
    def output_tokens(self) -> int | None:
        """Tokens of all answers; None where none was counted."""
        return _total(attempt.output_tokens for judged in self.judged for attempt in judged.attempts)


@dataclass(frozen=True, slots=True)
class Run:
    """A run: its header and its cases, sorted by key."""

    header: RunHeader
    rows: tuple[CaseRow, ...] = ()
    problems: tuple[str, ...] = ()
    """What could not be read of it, each with the way out; a run with problems may lack cases."""

    @property
    def name(self) -> str:
        """How the user calls the run."""
        return self.header.name


def _total(numbers: Any) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None
