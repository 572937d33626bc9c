"""The values of a run: all results of one test session, or of one folder or file of answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ...contract.comparison.score import Score, mean
from ...document.path import Count, Path
from ...replay.session.rerecord import RerecordHint
from ...statistics import Rate, sum_of_known
from .header import RunHeader
from .judged_answers import Judged, Number
from .part_rows import PipelineRow, SearchRow
from .request_words import Said

# What only some cases have: samples, a live check, proofs by experiment, cassettes that were removed.


@dataclass(frozen=True, slots=True)
class BadSample:
    """A sample that is not good."""

    number: Count
    """From 1."""
    why: str


@dataclass(frozen=True, slots=True)
class SamplesRow:
    """How many samples of a case are good: each is one run of its body, with its own cassette."""

    good: Count
    total: Count
    min_pass_rate: Number = 1.0
    """The share of good samples, from 0 to 1, from which the case is good."""
    bad: tuple[BadSample, ...] = ()
    """The others, as far as the row names them."""

    def __post_init__(self) -> None:
        if not 0 <= self.good <= self.total or not self.total:
            raise ValueError(f"the good ones of a total are counted, got {self.good} of {self.total}")

    @property
    def rate(self) -> Rate:
        """The same with its interval."""
        return Rate(self.good, self.total)

    @property
    def enough(self) -> bool:
        """Whether so many are good that the case is."""
        return self.good >= self.min_pass_rate * self.total - 1e-9  # 0.7 of 10 are 7, whatever floats make of it


Change = Literal["same", "changed", "better", "worse", "unanswered"]


@dataclass(frozen=True, slots=True)
class LiveCheckRow:
    """A case whose cassette was held against the live endpoint."""

    recorded: str
    """How it ended when it was recorded: "converged after 2 attempts"; several conversations joined by a comma."""
    live: str
    change: Change
    """"worse" where more conversations are bad than in the cassette, "better" where fewer are; "unanswered" where the
    endpoint gave nothing to judge."""


@dataclass(frozen=True, slots=True)
class ProofRow:
    """What an experiment has shown about one finding."""

    conversation: str
    attempt: Count
    """From 1."""
    code: str
    path: Path
    result: str
    """"proven", "reacts", "wrong", "missing", "unclear", "unproven" or "not judged"."""
    reason: str
    said: str = ""
    """The words that come and go with the finding, one sentence a line."""


UNANSWERED = ("unrecorded", "stale", "ambiguous")
"""Outcomes of a case whose requests no cassette answers: neither a good nor a bad answer."""
MISSING_FEEDBACK = "missing feedback"
"""First words of a miss whose request is a retry that feeds back no finding of the attempt before it."""
ASKS_MORE = "unexpected request"
"""First words of a miss for which every fitting answer was served already."""


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case of a run: what identifies it, the axes it was run under, and its result."""

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
    cassette: str | None = None
    """Path of the cassette; None where there is none."""
    cassette_digest: str | None = None
    exchanges: Count | None = None
    """How many the cassette holds; None where there is none, or nobody counted them."""
    result: str | None = None
    """"passed", "failed", "error", "xfailed", "skipped": a test said so; None: what the judged answers say."""
    outcome: str | None = None
    """The case in one word."""
    stale: tuple[str, ...] = ()
    """Why the cassette no longer fits what is sent; () where it does."""
    misses: tuple[str, ...] = ()
    """Requests that got no recorded answer, each explained; its first words tell the kind."""
    judged: tuple[Judged, ...] = ()
    contracts: tuple[tuple[str, str], ...] = ()
    """Name and digest of every contract of the case."""
    cost: Number | None = None
    """What the answers cost, in the currency of the price list."""
    latency_s: Number | None = None
    """Seconds that the judged answers took while they were recorded, added up; never the time of a replay. None where
    one of them is unknown."""
    scores: dict[str, Number] = field(default_factory=dict)
    """What the user's own code measured, by name."""
    expected: tuple[Score, ...] = ()
    """How right each answer is that was held against its expected value, in the order of the test."""
    line: Count | None = None
    """Line of the test in its file, from 1; None where unknown."""
    rerecord: RerecordHint | None = None
    """How a stale case is re-recorded; None for one that is not stale."""
    asked: tuple[Said, ...] = ()
    """The messages of the first request, without secrets; () where none is known."""
    gave_up: str | None = None
    """Class of the exception by which the app gave up after the last rejected answer; None where it raised none."""
    rekey: str | None = None
    """The command that repairs a stale cassette without a call; None where more than the envelope changed."""
    samples: SamplesRow | None = None
    """Of a case of several samples; None for one."""
    live_check: LiveCheckRow | None = None
    """How the live answers compare with the recorded ones; None where they were not asked to be."""
    proofs: tuple[ProofRow, ...] = ()
    """What experiments have shown."""
    pruned: tuple[str, ...] = ()
    """Cassettes of older variants that were removed."""
    untracked: tuple[str, ...] = ()
    """Whose requests are neither replayed nor refused: 'child process: curl (subprocess)'."""
    task: str | None = None
    """The task of a pipeline that the case belongs to, where its test names one."""
    searches: tuple[SearchRow, ...] = ()
    """Its plan searches, in the order in which they ended."""
    fidelity: str | None = None
    """Of a case from a log: how near it is to what went over the wire: "wire", "messages" or "derived"."""
    pipeline: tuple[PipelineRow, ...] = ()
    """What its streams, gates and choices of models saw, in the order in which they were used."""

    @property
    def score(self) -> float | None:
        """How right its answers are, from 0 to 1: the mean; None where no expected value is known."""
        return mean([score.total for score in self.expected]) if self.expected else None

    @property
    def is_judged(self) -> bool:
        """False where neither a test nor a contract says whether the case is good."""
        return self.result is not None or any(judged.outcome for judged in self.judged)

    @property
    def is_evidence(self) -> bool:
        """Whether the case says something about its contract: judged, on a cassette that answers what was sent.

        A retry that loses its feedback says so on any cassette: only its own request counts.
        """
        if self.feedback_is_missing:
            return self.is_judged
        return self.is_judged and not self.stale and self.outcome not in UNANSWERED

    @property
    def feedback_is_missing(self) -> bool:
        """Whether a retry got no recorded answer because it feeds back no finding of the attempt before it."""
        return any(miss.startswith(MISSING_FEEDBACK) for miss in self.misses)

    def cut_short(self, judged: Judged) -> bool:
        """Return whether only the end of a conversation is bad, and an unanswered request may have ended it.

        Then its last answer is not the final one, and what that answer breaks says nothing about the model. A retry
        that dropped its feedback is such a request, also where the old answer was served to tell by experiment.
        """
        ended = bool(self.misses) and not judged.single and not judged.ok
        by_the_end = ("valid", "feedback") if self.feedback_is_missing else ("valid",)
        return ended and all(check.name in by_the_end for check in judged.checks if check.status == "fail")

    @property
    def ok(self) -> bool:
        """Whether the case is good. An unjudged case is not bad."""
        if self.result is not None:
            return self.result == "passed"
        return all(judged.ok for judged in self.judged)

    @property
    def valid(self) -> bool:
        """Whether every last answer keeps its contract, whatever the checks of its conversation say."""
        return all(judged.last is not None and judged.last.ok for judged in self.judged)

    @property
    def conversations(self) -> tuple[Judged, ...]:
        """What is judged, without single answers."""
        return tuple(judged for judged in self.judged if not judged.single)

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
        return sum_of_known(attempt.input_tokens for judged in self.judged for attempt in judged.attempts)

    @property
    def output_tokens(self) -> int | None:
        """Tokens of all answers; None where none was counted."""
        return sum_of_known(attempt.output_tokens for judged in self.judged for attempt in judged.attempts)


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
