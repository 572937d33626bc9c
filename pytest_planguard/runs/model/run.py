"""The values of a run: all results of one test session, or of one folder or file of answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...document.path import to_pointer
from ..statistics import Rate
from .foreign_fields import RowError, count, inner, listed, maybe_text, number, objects, path_of, seen, text
from .header import NOTHING, RunHeader

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...document.path import Path
    from ...replay.refresh.rerecord_hint import RerecordHint
    from .judged_answers import Judged


# What only some cases have: samples, a canary, proofs by intervention, recordings that were removed.


@dataclass(frozen=True, slots=True)
class BadSample:
    """A sample that is not good."""

    number: int
    """From 1."""
    why: str


@dataclass(frozen=True, slots=True)
class SamplesRow:
    """How many samples of a case are good: each is one run of its body, with a recording of its own."""

    good: int
    total: int
    min_pass_rate: float = 1.0
    """The share of good samples, from 0 to 1, from which the case is good."""
    bad: tuple[BadSample, ...] = ()
    """The others, as far as the row names them."""

    @property
    def rate(self) -> Rate:
        """The same with its interval."""
        return Rate(self.good, self.total)

    @property
    def enough(self) -> bool:
        """Whether so many are good that the case is."""
        return self.good >= self.min_pass_rate * self.total - 1e-9  # 0.7 of 10 are 7, whatever floats make of it


@dataclass(frozen=True, slots=True)
class CanaryRow:
    """A case whose recording was held against the live endpoint."""

    recorded: str
    """How it ended when it was recorded."""
    live: str
    change: str
    """"same", "changed", "better", "worse" or "unanswered"."""


@dataclass(frozen=True, slots=True)
class ProofRow:
    """What an intervention has shown about one finding."""

    conversation: str
    attempt: int
    """From 1."""
    code: str
    path: Path
    fate: str
    """"proven", "not carried", "unproven" or "not judged"."""
    reason: str


def read_seldom(data: dict[str, Any]) -> Mapping[str, Any]:
    """The fields of a row's plain data that few rows have, by name. Raises RowError."""
    return {
        "rekey": maybe_text(data, "rekey"),
        "samples": _samples(inner(data, "samples")),
        "canary": _canary(inner(data, "canary")),
        "proofs": tuple([_proof(found) for found in objects(data, "proofs")]),
        "pruned": tuple(map(str, listed(data, "pruned"))),
    }


def seldom_data(row: CaseRow) -> dict[str, Any]:
    """The same fields as plain data."""
    return {
        "rekey": row.rekey,
        "samples": None if row.samples is None else _samples_data(row.samples),
        "canary": None if row.canary is None else _canary_data(row.canary),
        "proofs": [_proof_data(proof) for proof in row.proofs],
        "pruned": list(row.pruned),
    }


def _samples(data: dict[str, Any]) -> SamplesRow | None:
    if not data:
        return None
    good, total, least = count(data, "good"), count(data, "total"), number(data, "min_pass_rate")
    if good is None or not total or good > total:
        raise RowError(f"the field 'samples' must count the good ones of a total, got {seen(good)} of {seen(total)}")
    bad = [BadSample(count(one, "number") or 0, text(one, "why")) for one in objects(data, "bad")]
    return SamplesRow(good, total, 1.0 if least is None else least, tuple(bad))


def _samples_data(samples: SamplesRow) -> dict[str, Any]:
    low, high = samples.rate.interval
    counts = {"good": samples.good, "total": samples.total, "low": low, "high": high}
    bad = [{"number": one.number, "why": one.why} for one in samples.bad]
    return {**counts, "min_pass_rate": samples.min_pass_rate, "bad": bad}


def _canary(data: dict[str, Any]) -> CanaryRow | None:
    return CanaryRow(text(data, "recorded"), text(data, "live"), text(data, "change")) if data else None


def _canary_data(canary: CanaryRow) -> dict[str, Any]:
    return {"recorded": canary.recorded, "live": canary.live, "change": canary.change}


def _proof(data: dict[str, Any]) -> ProofRow:
    named = (text(data, name) for name in ("conversation", "code", "fate", "reason"))
    conversation, code, fate, reason = named
    path = path_of(maybe_text(data, "path") or "")
    return ProofRow(conversation, count(data, "attempt") or 0, code, path, fate, reason)


def _proof_data(proof: ProofRow) -> dict[str, Any]:
    return {
        "conversation": proof.conversation,
        "attempt": proof.attempt,
        "code": proof.code,
        "path": to_pointer(proof.path),
        "fate": proof.fate,
        "reason": proof.reason,
    }


UNANSWERED = ("unrecorded", "stale", "ambiguous")
"""Outcomes of a case whose requests no recording answers: neither a good nor a bad answer."""
LOST_FEEDBACK = "lost feedback"
"""First words of a miss whose request is a retry that carries no finding of the attempt before it."""


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
    """"passed", "failed", "error", "xfailed", "skipped": a test said so; None: what the judged answers say."""
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
    anew: RerecordHint | None = None
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
    def final_values(self) -> tuple[Any, ...]:
        """The final value of each conversation and each judged answer, None for one that ended without a valid one."""
        return tuple(judged.final_value for judged in self.judged)

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
