"""Judge files in order: answers, lines of answers, cassettes and plans. No file can stop the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING

from ...document.answer import format_of
from ...errors import CassetteError, PlanguardError
from ...retry.judging.request_contracts import AutoContracts
from ..inputs.answers import BAD_ONLY, CheckedAnswer, Listing, judge_lines, lines_of
from ..inputs.sources import STDIN, Source, SourceKind, are_lines, has_lines, kind_of
from ..main import defect
from ..output import lines_with_progress
from .file_report import BadCall, FileReport
from .own_process import Watch
from .plan_files import is_no_plan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ...contract import Contract
    from ...contract.finding import Finding
    from ...plans.judging.judge_files import PlanReport
    from ...replay.files.reader import Cassette
    from ...retry.judging.grading.same_words import Answered, Places
    from ...retry.judging.judge import Judgement
    from ...retry.judging.judging_options import JudgeOptions
    from ...retry.judging.retry_listing import ListedRetry
    from ...wire.exchange import Exchange
    from .plan_files import PlanFiles


NO_CASSETTE = "not a cassette: it has no key `interactions`"
NO_ANSWER_HERE = "not a cassette, and judging an answer needs a contract. Add --contract module:NAME or file.py:NAME."
ONE_CONTRACT = "answers are judged by one contract, and several were named. Leave one --contract."
NO_CONTRACT = "no named contract judges such an answer"
STEP = "it is a step of a plan search, which its own guard judges when the test runs"
NO_BODY = "no dialect reads it"


@dataclass(frozen=True, slots=True)
class Judge:
    """How files are judged: the contracts, the strictness, and the field of a line that holds the answer."""

    contracts: tuple[Contract, ...]
    """If (), the schema comes from each request."""
    options: JudgeOptions
    auto: AutoContracts
    """Makes contracts from requests if none was named."""
    answer_field: str | None = None
    """Dotted name of a JSON line's field with the answer; None if the line is the answer."""
    plans: PlanFiles | None = None
    """Judges documents as plans; None if documents are answers."""
    listing: Listing = BAD_ONLY
    """The choice of answers that are listed one by one, in files of lines."""
    elsewhere: Answered | None = None
    """The findings that the same words answered in the other cassettes, if known."""

    def file(self, source: Source) -> FileReport:
        """Judge one file. Its content never makes this raise."""
        try:
            report = self._lines(source) if has_lines(source) else self._judged(source, source.content())
        except OSError as error:
            reason = error.strerror or type(error).__name__
            return FileReport(source.path, errors=(f"cannot be read: {reason}. Check the path and its permissions.",))
        except CassetteError as error:
            return FileReport(source.path, errors=(str(error).removeprefix(f"{source.path}: "),))
        return report.with_warnings_failed() if self.listing.warned else report

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
        if source.path == STDIN and are_lines(content):
            return self._judged_lines(source, lines_of(BytesIO(content)))
        verdict = self.contracts[0].check(content, format=format_of(source.path))
        return FileReport(source.path, answers=(CheckedAnswer(verdict),))

    def _lines(self, source: Source) -> FileReport:
        """Judge a file with one answer per line while reading it."""
        if len(self.contracts) != 1:
            return self._no_contract(source)
        with source.path.open("rb") as file:
            lines = lines_with_progress(lines_of(file), source.path.stat().st_size, f"judging {source.path.name}")
            return self._judged_lines(source, lines)

    def _judged_lines(self, source: Source, lines: Iterable[bytes]) -> FileReport:
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
        from ...plan_search.context import step_of
        from ...replay.matching.cassette_index import CONVERSATION_HEADER
        from ...retry.judging.judge import judge

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
            for_model=cassette.for_model,
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
        from ...retry.judging.after_acceptance import CLOSING_MESSAGE, SAMPLE
        from ...retry.judging.conversations import HANDED_OVER

        reason = judgement.reasons.get(exchange.number)
        if reason is not None and (reason in (CLOSING_MESSAGE, SAMPLE) or reason.startswith(HANDED_OVER)):
            return reason
        if reason is not None and reason.startswith("HTTP "):
            kind = judgement.unanswered.get(exchange.number)
            return f"{kind.value}: {reason}" if kind else reason
        return (reason or NO_CONTRACT) if self.contracts else self.auto.why_not(exchange)


def _reason(note: str | None) -> str:
    """Return a note without the address at its end, so that equal reasons are counted together.

    "no dialect knows this request (POST api.example.org/ask)" counts as "no dialect knows this request".
    """
    if note is None:
        return NO_BODY
    reason, bracket, _ = note.rpartition(" (")
    return reason if bracket and note.endswith(")") else note


OUT_OF_MEMORY = "cannot be judged: it needs more memory than is available."


def reports(judge: Judge, sources: Iterable[Source], watch: Watch) -> Iterator[FileReport]:
    """Yield the report of each file, in order.

    From the first file with unclear feedback on, reports wait until all files are read. Only then is it known which
    other findings the same words answered. Words that answer faults at different places feed back none of them:
    "Please check your answer" follows a missing title in one cassette and a wrong date in another.
    """
    answered: dict[str, frozenset[Places]] = {}
    waiting: list[tuple[Source, FileReport]] = []
    for source in sources:
        report = _report_or_error(judge, source, watch)
        for key, places in report.answered.items():
            answered[key] = answered.get(key, frozenset()) | places
        if waiting or report.has_unclear:
            waiting.append((source, report))
        else:
            yield report
    for source, report in waiting:
        again = report.has_unclear and any(answered[key] != own for key, own in report.answered.items())
        yield _report_or_error(replace(judge, elsewhere=answered), source, watch) if again else report


def _report_or_error(judge: Judge, source: Source, watch: Watch) -> FileReport:
    """Return the report of one file. A defect in planguard is an error of this file: the others are still judged."""
    if source.path in watch.ended:
        return FileReport(source.path, errors=(watch.ended[source.path],))
    watch.begins(source.path)
    try:
        return judge.file(source)
    except PlanguardError:
        raise
    except MemoryError:
        return FileReport(source.path, errors=(OUT_OF_MEMORY,))
    except Exception as error:
        return FileReport(source.path, errors=(defect(error),))
