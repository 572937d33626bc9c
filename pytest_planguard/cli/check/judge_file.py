"""One file judged: a cassette's conversations, or answers one by one. No file can end the others."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from ...errors import CassetteError
from ...retry.judging.contracts.request_contracts import AutoContracts
from ..inputs.answer_stream import BAD_ONLY, JudgedLines, Listing, judge_lines
from ..inputs.answers import CheckedAnswer, check_warnings_fail, plan_warnings_fail, warnings_fail, whole_answer
from ..inputs.progress import lines_with_progress
from ..inputs.sources import Source, SourceKind, has_lines, kind_of
from .plan_files import is_no_plan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ...contract import Contract
    from ...contract.finding import Finding
    from ...plans.judging.judge_files import PlanReport
    from ...replay.files.reader import Cassette
    from ...retry.judging.grading.same_words import Answered
    from ...retry.judging.judge import Judgement
    from ...retry.judging.judging_options import JudgeOptions
    from ...retry.judging.retry_listing import ListedRetry
    from ...retry.results import Convergence
    from ...runs.logs.summary import LogSummary
    from ...wire.exchange import Exchange
    from ..inputs.kept_proofs import ShownProof
    from .plan_files import PlanFiles

NO_CASSETTE = "not a cassette: it has no key `interactions`"
NO_ANSWER_HERE = "not a cassette, and judging an answer needs a contract. Add --contract module:NAME or file.py:NAME."
ONE_CONTRACT = "answers are judged by one contract, and several were named. Leave one --contract."
NO_CONTRACT = "no named contract judges such an answer"
STEP = "it is a step of a plan search, which its own guard judges when the test runs"
NO_BODY = "no dialect reads it"


class BadCall(NamedTuple):
    """A call of an ordinary tool whose arguments break the schema that the request declares for it."""

    exchange: int
    """Number of the exchange whose answer makes the call."""
    tool: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class FileReport:
    """What came of one file."""

    path: Path
    conversations: tuple[Convergence, ...] = ()
    answers: tuple[CheckedAnswer, ...] = ()
    cassette: bool = False
    """Whether it is a cassette, however few exchanges it has."""
    exchanges: int = 0
    raw: Counter[str] = field(default_factory=Counter)
    """Exchanges kept as raw text, by reason."""
    unjudged: Counter[str] = field(default_factory=Counter)
    """Understood exchanges that no contract judges, by reason."""
    errors: tuple[str, ...] = ()
    """Why the file, or a line of it, could not be read, and what to do."""
    skipped: str | None = None
    """Why a file of a folder was left out; None where it was judged."""
    plan: PlanReport | None = None
    """What the rules found, where it is a plan."""
    unanswered: Counter[str] = field(default_factory=Counter)
    """Requests that no model answered, by failure kind: `auth`, `transport`."""
    retries: tuple[ListedRetry, ...] = ()
    """All retries of a cassette, those that no contract judges as well."""
    steps: Counter[str] = field(default_factory=Counter)
    """Steps of a cassette by their kind."""
    calls: int = 0
    """Calls of ordinary tools whose arguments were checked by the declared schema."""
    bad_calls: tuple[BadCall, ...] = ()
    on_purpose: bool = False
    """Whether it fails as the `expected.yaml` beside it says."""
    surprise: str | None = None
    """How it differs from what is expected of it; None where nothing is, or where it is so."""
    lines: JudgedLines | None = None
    """What came of its lines, where each is an answer; those are not in `answers` and `errors`."""
    logs: LogSummary | None = None
    """What came of all logs together, where they are no cassettes and no answers."""
    new_rules: tuple[str, ...] | None = None
    """Rules that conversations in logs break now, and did not in the run before; None where all failures count."""
    doubts: tuple[str, ...] = ()
    """Why a cassette may not hold what was recorded: it was edited by hand."""
    answered: Answered = field(default_factory=dict)
    """Of a cassette: what the new words of each retry answered."""
    proofs: tuple[ShownProof, ...] = ()
    """What experiments in kept runs have shown of the findings in doubt. Nothing is decided by it."""


@dataclass(frozen=True, slots=True)
class Judge:
    """How files are judged: by which contracts, how strictly, and where a line has its answer."""

    contracts: tuple[Contract, ...]
    """() takes the schema from each request."""
    options: JudgeOptions
    auto: AutoContracts
    """Makes contracts from requests where none was named."""
    answer_field: str | None = None
    """Dotted name of the field of a JSON line that holds the answer; None where the line is the answer."""
    plans: PlanFiles | None = None
    """Judges documents that are plans; None where documents are answers."""
    listing: Listing = BAD_ONLY
    """Which answers of a file of lines are listed one by one."""
    elsewhere: Answered | None = None
    """What words answered in the other cassettes, as far as it is known."""

    def file(self, source: Source) -> FileReport:
        """Judge one file. Never raises for what the file contains."""
        report = self._file(source)
        return _with_warnings_failed(report) if self.listing.warned else report

    def _file(self, source: Source) -> FileReport:
        try:
            return self._lines(source) if has_lines(source) else self._judged(source, source.content())
        except OSError as error:
            reason = error.strerror or type(error).__name__
            return FileReport(source.path, errors=(f"cannot be read: {reason}. Check the path and its permissions.",))
        except CassetteError as error:
            return FileReport(source.path, errors=(str(error).removeprefix(f"{source.path}: "),))

    def _judged(self, source: Source, content: bytes) -> FileReport:
        plans = self.plans.which if self.plans else "no"
        kind = kind_of(source, content, with_contract=bool(self.contracts), plans=plans)
        if kind is SourceKind.PLAN and self.plans is not None:
            return self._plan(source, self.plans.report(source, content), self.plans)
        if kind is SourceKind.CASSETTE:
            from ...replay.files.reader import read_cassette

            return self._conversations(source.path, read_cassette(source.path))
        if kind is SourceKind.OTHER:
            return FileReport(source.path, skipped=NO_CASSETTE)
        if len(self.contracts) != 1:
            return self._no_contract(source)
        return FileReport(source.path, answers=(whole_answer(content, self.contracts[0], source.path),))

    def _lines(self, source: Source) -> FileReport:
        """Judge a file with an answer a line while it is read."""
        if len(self.contracts) != 1:
            return self._no_contract(source)
        with source.path.open("rb") as file:
            lines = lines_with_progress(file, source.path.stat().st_size, f"judging {source.path.name}")
            judged = judge_lines(lines, self.contracts[0], self.answer_field, self.listing)
        return FileReport(source.path, lines=judged)

    def _no_contract(self, source: Source) -> FileReport:
        return FileReport(source.path, errors=(ONE_CONTRACT if self.contracts else NO_ANSWER_HERE,))

    def _plan(self, source: Source, report: PlanReport, plans: PlanFiles) -> FileReport:
        if not is_no_plan(report):
            return FileReport(source.path, plan=report)
        why = plans.why_not(source)
        return FileReport(source.path, errors=(why,)) if source.named else FileReport(source.path, skipped=why)

    def _conversations(self, path: Path, cassette: Cassette) -> FileReport:
        from ...replay.matching.cassette_index import CONVERSATION_HEADER
        from ...retry.judging.judge import judge
        from ...search.context import step_of

        steps = {
            n for n, raw in enumerate(cassette.interactions, 1) if step_of(raw.request.headers.get(CONVERSATION_HEADER))
        }
        exchanges = [exchange for exchange in cassette.exchanges if exchange.number not in steps]
        contracts = self.contracts or self.auto.of(exchanges)
        judgement = judge(exchanges, contracts, options=self.options, elsewhere=self.elsewhere)
        calls = [
            BadCall(exchange.number, tool, tuple(findings))
            for exchange in (() if self.contracts else exchanges)  # with a contract, tools are not judged by schemas
            for tool, findings in self.auto.arguments(exchange)
        ]
        return FileReport(
            path,
            conversations=judgement.conversations,
            cassette=True,
            exchanges=len(cassette.exchanges),
            raw=Counter(_reason(e.note) for e in exchanges if not e.is_generation),
            unjudged=Counter(self._why_not(e, judgement) for e in judgement.unjudged if e.is_generation)
            + Counter({STEP: len(steps)}),
            unanswered=Counter(kind.value for kind in judgement.unanswered.values()),
            doubts=cassette.doubts,
            answered=judgement.answered,
            retries=self._retries(exchanges, judgement),
            steps=Counter(kind.value for kind in judgement.kinds if kind is not None),
            calls=len(calls),
            bad_calls=tuple(call for call in calls if call.findings),
        )

    def _retries(self, exchanges: Sequence[Exchange], judgement: Judgement) -> tuple[ListedRetry, ...]:
        from ...retry.judging.retry_listing import list_retries

        def findings(exchange: Exchange) -> Sequence[Finding]:
            return () if self.contracts else self.auto.findings(exchange)

        return list_retries(exchanges, judgement, findings, lambda exchange: self._why_not(exchange, judgement))

    def _why_not(self, exchange: Exchange, judgement: Judgement) -> str:
        from ...retry.judging.conversations import HANDED_OVER
        from ...retry.judging.endings import CLOSING_MESSAGE, SAMPLE

        reason = judgement.reasons.get(exchange.number)
        if reason is not None and (reason in (CLOSING_MESSAGE, SAMPLE) or reason.startswith(HANDED_OVER)):
            return reason
        if reason is not None and reason.startswith("HTTP "):
            kind = judgement.unanswered.get(exchange.number)
            return f"{kind.value}: {reason}" if kind else reason
        return (reason or NO_CONTRACT) if self.contracts else self.auto.why_not(exchange)


def _with_warnings_failed(report: FileReport) -> FileReport:
    """Return a report in which warnings are failures; those of lines are counted where the lines are judged."""
    return replace(
        report,
        conversations=tuple(map(check_warnings_fail, report.conversations)),
        answers=tuple(replace(answer, verdict=warnings_fail(answer.verdict)) for answer in report.answers),
        plan=None if report.plan is None else plan_warnings_fail(report.plan),
    )


def _reason(note: str | None) -> str:
    """Return a note without the address at its end, so that the same reason counts together wherever it was met."""
    if note is None:
        return NO_BODY
    reason, bracket, _ = note.rpartition(" (")
    return reason if bracket and note.endswith(")") else note
