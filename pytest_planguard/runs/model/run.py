"""The data of a run: all results of a test session, or of a folder or file of answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ...contract.comparison.score import Score, mean
from ...document.path import Count, Path
from ...replay.session.rerecord import RerecordHint
from ...statistics import Rate, sum_of_known
from .judged_answers import Judged, Number, Said

if TYPE_CHECKING:
    from ...plan_search.result import SearchResult


@dataclass(frozen=True, slots=True)
class SearchRow:
    """How one search of a case ended, and what it cost. Its path is among the case's checked answers."""

    policy: str
    succeeded: bool
    reason: str
    """Why the search ended: "success", "all_pruned" and so on."""
    calls: Count
    """Number of requested answers and classifier calls."""
    classify_calls: Count = 0
    misses: Count = 0
    """Number of calls without an answer in a cassette."""
    bound_by: tuple[str, ...] = ()
    """The limits that stopped the search from requesting another answer for a prefix."""
    calls_by_step: dict[str, Count] = field(default_factory=dict)
    reopenings: dict[str, Count] = field(default_factory=dict)
    jumps: tuple[Count, ...] = ()
    """How many levels each return to an earlier step went back, in order."""
    error: str | None = None
    """The error that a step raised, or None."""


def search_row(result: SearchResult) -> SearchRow:
    """Return the row of a search."""
    return SearchRow(
        result.policy, result.succeeded, result.termination_reason.value, result.total_calls, result.classify_calls,
        result.misses, result.bound_by, dict(result.calls_by_step), dict(result.reopenings), result.jumps,
        None if result.error is None else str(result.error),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PipelineRow:
    """One use of a pipeline feature."""

    part: str
    """"stream", "gate", "models" or "stage"."""
    outcome: str
    """For a stream: "ended" or "aborted". For a gate: the result of its pause, or "open". For models: the model whose
    answer was valid, or "none". For a stage: how it ended."""
    task: str | None = None
    """The task that it was used for; None if unknown."""
    notes: tuple[str, ...] = ()
    """Details, one line each: a stream's finding, a gate's condition and event, or each model's result."""


# Parts of a row that only some cases have: samples, a live check, experiments, removed cassettes.


@dataclass(frozen=True, slots=True)
class BadSample:
    """A bad sample."""

    number: Count
    """1-based."""
    why: str


@dataclass(frozen=True, slots=True)
class SamplesRow:
    """How many samples of a case are good. Each sample is one run of the test's body, with its own cassette."""

    good: Count
    total: Count
    min_pass_rate: Number = 1.0
    """The minimum share of good samples, from 0 to 1, for the case to be good."""
    bad: tuple[BadSample, ...] = ()
    """The bad samples. The row may not list all of them."""

    def __post_init__(self) -> None:
        if not 0 <= self.good <= self.total or not self.total:
            raise ValueError(f"the good ones of a total are counted, got {self.good} of {self.total}")

    @property
    def rate(self) -> Rate:
        """The share of good samples, with its confidence interval."""
        return Rate(self.good, self.total)

    @property
    def enough(self) -> bool:
        """True if enough samples are good."""
        return self.good >= self.min_pass_rate * self.total - 1e-9  # 0.7 of 10 is 7, despite the rounding of floats


Change = Literal["same", "changed", "better", "worse", "unanswered"]


@dataclass(frozen=True, slots=True)
class LiveCheckRow:
    """The result of comparing a case's cassette with the live endpoint."""

    recorded: str
    """How the case ended when recorded: "converged after 2 attempts". Several conversations are separated by commas."""
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
    """The words that appear in the request only with the finding, one sentence per line."""


UNANSWERED = ("unrecorded", "stale", "ambiguous")
"""Outcomes of a case with a request that has no recorded answer. Such a case is neither good nor bad."""
MISSING_FEEDBACK = "missing feedback"
"""The first words of a miss if the request is a retry that feeds back no finding of the previous attempt."""
ASKS_MORE = "unexpected request"
"""The first words of a miss if every matching answer was already used."""


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case of a run: its identity, the settings it ran with, and its result."""

    key: str
    """The case key: the same case has the same key in every run."""
    test: str
    """The case's source: a test id, a file, or a line of a file."""
    inputs: str | None = None
    """Digest of the declared input; None if unknown. Cases with different inputs are not comparable."""
    model: str | None = None
    variant: str | None = None
    for_model: str | None = None
    """The model that the test names, by which an app may mean another: one of `models=[...]`, or its parameter
    `model`. None if it names none."""
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
    """The case's outcome in one word."""
    stale: tuple[str, ...] = ()
    """Reasons why the cassette no longer matches the requests; () if it matches."""
    misses: tuple[str, ...] = ()
    """Explanations of requests without a recorded answer. The first words of each give the kind."""
    judged: tuple[Judged, ...] = ()
    contracts: tuple[tuple[str, str], ...] = ()
    """The name and digest of each of the case's contracts."""
    cost: Number | None = None
    """The cost of the answers, in the currency of the price list."""
    latency_s: Number | None = None
    """The total time of the judged answers when they were recorded, not when replayed. None if the time of one is
    unknown."""
    scores: dict[str, Number] = field(default_factory=dict)
    """The user's own scores, by name."""
    expected: tuple[Score, ...] = ()
    """Scores of answers against their expected values, in the order in which the test computed them."""
    line: Count | None = None
    """1-based line of the test in its file; None if unknown."""
    rerecord: RerecordHint | None = None
    """How to record the case again; None if it is not stale."""
    asked: tuple[Said, ...] = ()
    """The messages of the first request, without secrets; () if unknown."""
    gave_up: str | None = None
    """The class of the exception that the app raised after the last rejected answer, or None."""
    rekey: str | None = None
    """The command that repairs a stale cassette without calling a model. None if more than the envelope changed."""
    samples: SamplesRow | None = None
    """The samples of the case; None if it has only one."""
    live_check: LiveCheckRow | None = None
    """How live answers compare with the recorded ones; None if not requested."""
    proofs: tuple[ProofRow, ...] = ()
    pruned: tuple[str, ...] = ()
    """Removed cassettes of older variants."""
    untracked: tuple[str, ...] = ()
    """Clients whose requests are neither replayed nor refused: 'child process: curl (subprocess)'."""
    task: str | None = None
    """The pipeline task that the case belongs to, if its test names one."""
    searches: tuple[SearchRow, ...] = ()
    """The plan searches, in the order in which they ended."""
    fidelity: str | None = None
    """For a case from a log: how faithful the log is to the original traffic ("wire", "messages" or "derived")."""
    pipeline: tuple[PipelineRow, ...] = ()
    """The streams, gates, stages and model choices that the test used, in order."""

    @property
    def score(self) -> float | None:
        """The mean score of the answers, from 0 to 1; None without expected values."""
        return mean([score.total for score in self.expected]) if self.expected else None

    @property
    def is_judged(self) -> bool:
        """True if a test or a contract decided if the case is good."""
        return self.result is not None or any(judged.outcome for judged in self.judged)

    @property
    def is_evidence(self) -> bool:
        """True if the case says something about its contract: it was judged, and its cassette answered the requests.

        A retry without feedback is evidence with any cassette, because only its own request matters.
        """
        if self.feedback_is_missing:
            return self.is_judged
        return self.is_judged and not self.stale and self.outcome not in UNANSWERED

    @property
    def feedback_is_missing(self) -> bool:
        """True if a retry got no recorded answer because it feeds back no finding of the previous attempt."""
        return any(miss.startswith(MISSING_FEEDBACK) for miss in self.misses)

    def cut_short(self, judged: Judged) -> bool:
        """Return True if only the end of the conversation is bad, possibly because a request got no answer.

        Its last answer is then not the final one, so broken rules say nothing about the model. A retry without feedback
        counts as unanswered, even if an experiment served the recorded answer.
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
        """True if every last answer satisfies its contract. Checks of conversations are ignored."""
        return all(judged.last is not None and judged.last.ok for judged in self.judged)

    @property
    def conversations(self) -> tuple[Judged, ...]:
        """The judged conversations, without single answers."""
        return tuple(judged for judged in self.judged if not judged.single)

    @property
    def answers(self) -> tuple[str, ...]:
        """The final answers of all conversations, and all single answers."""
        return tuple(judged.last.answer for judged in self.judged if judged.last is not None)

    @property
    def input_tokens(self) -> int | None:
        """Total tokens of all requests; None if no request has a count."""
        return sum_of_known(attempt.input_tokens for judged in self.judged for attempt in judged.attempts)

    @property
    def output_tokens(self) -> int | None:
        """Total tokens of all answers; None if no answer has a count."""
        return sum_of_known(attempt.output_tokens for judged in self.judged for attempt in judged.attempts)


@dataclass(frozen=True, slots=True)
class RunHeader:
    """The known facts about a whole run. Everything but the name may be unknown."""

    name: str
    """The user's name for it: a saved name, a file, a folder."""
    run: str | None = None
    """Id of the session."""
    created: str | None = None
    """Time of writing, as ISO 8601 with a zone."""
    commit: str | None = None
    dirty: bool | None = None
    """True if the working tree had changes that are not in `commit`."""
    packages: dict[str, str] = field(default_factory=dict)
    """Package name to version."""
    match: str | None = None
    """How requests were matched to cassettes: "gated", "strict", …"""
    record: str | None = None
    """The session's recording mode: "none", "missing", …"""


@dataclass(frozen=True, slots=True)
class Run:
    """A run: its header and its cases, sorted by key."""

    header: RunHeader
    rows: tuple[CaseRow, ...] = ()
    problems: tuple[str, ...] = ()
    """The parts of the run that could not be read, each with advice. Such a run may be incomplete."""

    @property
    def name(self) -> str:
        """The user's name for the run."""
        return self.header.name
