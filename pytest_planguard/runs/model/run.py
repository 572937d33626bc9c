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

# Parts that only some cases have: samples, a live check, proofs by experiment, removed cassettes.


@dataclass(frozen=True, slots=True)
class BadSample:
    """A sample that is not good."""

    number: Count
    """1-based."""
    why: str


@dataclass(frozen=True, slots=True)
class SamplesRow:
    """How many samples of a case are good. Each sample is one run of the test's body, with its own cassette."""

    good: Count
    total: Count
    min_pass_rate: Number = 1.0
    """The share of good samples, from 0 to 1, that makes the case good."""
    bad: tuple[BadSample, ...] = ()
    """The bad samples, as far as the row lists them."""

    def __post_init__(self) -> None:
        if not 0 <= self.good <= self.total or not self.total:
            raise ValueError(f"the good ones of a total are counted, got {self.good} of {self.total}")

    @property
    def rate(self) -> Rate:
        """The share of good samples, with its interval."""
        return Rate(self.good, self.total)

    @property
    def enough(self) -> bool:
        """True if enough samples are good."""
        return self.good >= self.min_pass_rate * self.total - 1e-9  # 0.7 of 10 is 7, despite the rounding of floats


Change = Literal["same", "changed", "better", "worse", "unanswered"]


@dataclass(frozen=True, slots=True)
class LiveCheckRow:
    """A case whose cassette was compared with the live endpoint."""

    recorded: str
    """How it ended when recorded: "converged after 2 attempts". Commas separate several conversations."""
    live: str
    change: Change
    """"worse" if more conversations are bad than in the cassette, "better" if fewer are, "unanswered" if the endpoint
    gave nothing to judge.
    """


@dataclass(frozen=True, slots=True)
class ProofRow:
    """The result of an experiment about one finding."""

    conversation: str
    attempt: Count
    """1-based."""
    code: str
    path: Path
    result: str
    """"proven", "reacts", "wrong", "missing", "unclear", "unproven" or "not judged"."""
    reason: str
    said: str = ""
    """The words that come and go with the finding, one sentence per line."""


UNANSWERED = ("unrecorded", "stale", "ambiguous")
"""Outcomes of a case with a request that no cassette answers. The answer is then neither good nor bad."""
MISSING_FEEDBACK = "missing feedback"
"""First words of a miss whose request is a retry that feeds back no finding of the previous attempt."""
ASKS_MORE = "unexpected request"
"""First words of a miss for which every fitting answer was already served."""


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case of a run: its identity, the axes it ran under, and its result."""

    key: str
    """The case key: the same case has the same key in every run."""
    test: str
    """Its source: a test id, a file, a line of a file."""
    inputs: str | None = None
    """Digest of the declared input; None if unknown. Cases with different inputs are not comparable."""
    model: str | None = None
    variant: str | None = None
    prompt: str | None = None
    """Digest of the prompt; None if unknown."""
    cassette: str | None = None
    """Path of the cassette, or None."""
    cassette_digest: str | None = None
    exchanges: Count | None = None
    """Number of exchanges in the cassette; None if there is no cassette, or they were not counted."""
    result: str | None = None
    """The test's result: "passed", "failed", "error", "xfailed", "skipped". If None, the judged answers decide."""
    outcome: str | None = None
    """The case in one word."""
    stale: tuple[str, ...] = ()
    """Reasons why the cassette no longer matches the requests; () if it does."""
    misses: tuple[str, ...] = ()
    """Requests without a recorded answer, each with an explanation whose first words give the kind."""
    judged: tuple[Judged, ...] = ()
    contracts: tuple[tuple[str, str], ...] = ()
    """Name and digest of every contract of the case."""
    cost: Number | None = None
    """The cost of the answers, in the currency of the price list."""
    latency_s: Number | None = None
    """Seconds that the judged answers took when recorded, in total; never the time of a replay. None if one is unknown.
    """
    scores: dict[str, Number] = field(default_factory=dict)
    """The user's own scores, by name."""
    expected: tuple[Score, ...] = ()
    """The scores of answers against their expected values, in the order of the test."""
    line: Count | None = None
    """Line of the test in its file, 1-based; None if unknown."""
    rerecord: RerecordHint | None = None
    """How to record a stale case again; None if it is not stale."""
    asked: tuple[Said, ...] = ()
    """The messages of the first request, without secrets; () if unknown."""
    gave_up: str | None = None
    """Class of the exception with which the app gave up after the last rejected answer, or None."""
    rekey: str | None = None
    """The command that repairs a stale cassette without a call. None if more than the envelope changed."""
    samples: SamplesRow | None = None
    """The samples of the case; None if it has only one."""
    live_check: LiveCheckRow | None = None
    """How the live answers compare with the recorded ones. None if this was not requested."""
    proofs: tuple[ProofRow, ...] = ()
    pruned: tuple[str, ...] = ()
    """Removed cassettes of older variants."""
    untracked: tuple[str, ...] = ()
    """Clients whose requests are neither replayed nor refused: 'child process: curl (subprocess)'."""
    task: str | None = None
    """The pipeline task that the case belongs to, if its test names one."""
    searches: tuple[SearchRow, ...] = ()
    """Its plan searches, in the order in which they ended."""
    fidelity: str | None = None
    """For a case from a log, how close it is to the original traffic: "wire", "messages" or "derived"."""
    pipeline: tuple[PipelineRow, ...] = ()
    """The uses of its streams, gates and model choices, in order."""

    @property
    def score(self) -> float | None:
        """The mean score of its answers, from 0 to 1. None if no expected value is known."""
        return mean([score.total for score in self.expected]) if self.expected else None

    @property
    def is_judged(self) -> bool:
        """False if neither a test nor a contract says whether the case is good."""
        return self.result is not None or any(judged.outcome for judged in self.judged)

    @property
    def is_evidence(self) -> bool:
        """True if the case says something about its contract: it is judged, and its cassette answers the requests.

        A retry that loses its feedback is evidence on any cassette, since only its own request counts.
        """
        if self.feedback_is_missing:
            return self.is_judged
        return self.is_judged and not self.stale and self.outcome not in UNANSWERED

    @property
    def feedback_is_missing(self) -> bool:
        """True if a retry got no recorded answer because it feeds back no finding of the previous attempt."""
        return any(miss.startswith(MISSING_FEEDBACK) for miss in self.misses)

    def cut_short(self, judged: Judged) -> bool:
        """Return True if only the conversation's end is bad, and an unanswered request may have caused that.

        Then its last answer is not the final one, so its broken rules say nothing about the model. A retry without
        feedback is such a request, even if the old answer was served for an experiment.
        """
        ended = bool(self.misses) and not judged.single and not judged.ok
        by_the_end = ("valid", "feedback") if self.feedback_is_missing else ("valid",)
        return ended and all(check.name in by_the_end for check in judged.checks if check.status == "fail")

    @property
    def ok(self) -> bool:
        """True if the case is good. An unjudged case is not bad."""
        if self.result is not None:
            return self.result == "passed"
        return all(judged.ok for judged in self.judged)

    @property
    def valid(self) -> bool:
        """True if every last answer satisfies its contract. The checks of the conversations don't count."""
        return all(judged.last is not None and judged.last.ok for judged in self.judged)

    @property
    def conversations(self) -> tuple[Judged, ...]:
        """The judged conversations, without single answers."""
        return tuple(judged for judged in self.judged if not judged.single)

    @property
    def answers(self) -> tuple[str, ...]:
        """The final answer of each conversation and each judged answer."""
        return tuple(judged.last.answer for judged in self.judged if judged.last is not None)

    @property
    def final_values(self) -> tuple[Any, ...]:
        """The final value of each conversation and judged answer; None for those without a valid answer."""
        return tuple(judged.final_value for judged in self.judged)

    @property
    def input_tokens(self) -> int | None:
        """Tokens of all requests; None if none was counted."""
        return sum_of_known(attempt.input_tokens for judged in self.judged for attempt in judged.attempts)

    @property
    def output_tokens(self) -> int | None:
        """Tokens of all answers; None if none was counted."""
        return sum_of_known(attempt.output_tokens for judged in self.judged for attempt in judged.attempts)


@dataclass(frozen=True, slots=True)
class Run:
    """A run: its header and its cases, sorted by key."""

    header: RunHeader
    rows: tuple[CaseRow, ...] = ()
    problems: tuple[str, ...] = ()
    """The unreadable parts of the run, each with a way out. A run with problems may lack cases."""

    @property
    def name(self) -> str:
        """The user's name for the run."""
        return self.header.name
