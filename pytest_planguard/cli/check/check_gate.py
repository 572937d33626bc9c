"""What `planguard check` found, as cases that the forms and the list of known failures of `planguard diff` take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...report.words.comparison_words import DiffReport
from ...runs.compare.rule_delta import overall_delta, rule_deltas, valid_delta
from ...runs.compare.run_diff import Bucket, CaseDiff, RunDiff
from ...runs.gate.gate import FailOn, GateResult, gate
from ...runs.judge_cases import conversation_row, verdict_row
from ...runs.model.broken_rules import broken_rules
from ...runs.model.header import RunHeader
from ...runs.model.judged_answers import AttemptRow, Judged
from ...runs.model.run import CaseRow
from ...runs.store.cassette_folders import recorded_case
from ..diff.diff_formats import prefix

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from ...plans.judging.judge_files import PlanReport
    from ...runs.gate.known_failures import Baseline
    from ..inputs.answers import CheckedAnswer
    from .judge_file import FileReport
    from .tally import Tally

NAME = "check"
"""How the run is called in SARIF's id of it."""


@dataclass(slots=True)
class CheckedCases:
    """The cases of a whole `planguard check`, one for each cassette, answer and plan."""

    alone: bool = False
    """Whether one file was named: its lines are then called by their own key, as `planguard diff` calls them."""
    rows: list[CaseRow] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Why a file, or a line of it, could not be read."""
    unlisted: int = 0
    """Bad answers that are counted only, and cassettes that do not fail as expected: no list can excuse them."""

    def add(self, report: FileReport) -> None:
        """Take one file's report."""
        self.rows += self._rows(report) if not report.on_purpose else ()
        if report.surprise is not None:
            self.problems.append(f"{report.path}: {report.surprise}")
            self.unlisted += 1
        self.problems += [f"{report.path}: {error}" for error in report.errors]
        if report.lines is not None:
            self.problems += [f"{report.path}: {problem}" for problem in report.lines.problems]
            self.unlisted += report.lines.unlisted

    def run_diff(self) -> RunDiff:
        """Return the cases as a comparison without a base: what is bad is a failure."""
        cases = tuple(sorted(map(_case, self.rows), key=lambda case: (case.bucket is not Bucket.NEW_FAILURE, case.key)))
        problems = tuple(self.problems)
        nothing = (overall_delta([]), valid_delta([]), rule_deltas([]))
        return RunDiff(RunHeader(""), RunHeader(NAME), (), cases, *nothing, notes=problems, unread=bool(problems))

    def held(self, baseline: Baseline | None, now: datetime) -> tuple[RunDiff, GateResult]:
        """Return the cases and what the gate says of them: every failure that no list excuses fails."""
        found = self.run_diff()
        result = gate(found, (FailOn.NEW,), now.date(), baseline=baseline)
        known = {id(case) for case in result.known}
        bad = sum(case.bucket is Bucket.NEW_FAILURE and id(case) not in known for case in found.cases) + self.unlisted
        failing = [f"{bad:,} {'failure' if bad == 1 else 'failures'}"] if bad else []
        outdated = [reason for reason in result.reasons if "new failure" not in reason]
        return found, replace(result, reasons=(*failing, *outdated))

    def _rows(self, report: FileReport) -> Iterator[CaseRow]:
        path = report.path.as_posix()
        stem = report.path.with_suffix("").as_posix()
        if report.conversations:
            judged = tuple(conversation_row(each, {}) for each in report.conversations)
            case = recorded_case(stem)
            yield CaseRow(stem if case is None else case.key, path, cassette=path, judged=judged)
        for answer in report.answers:
            yield CaseRow(stem, path, judged=(verdict_row(answer.verdict),))
        for answer in report.lines.listed if report.lines is not None else ():
            key = _line_key(answer)
            yield CaseRow(
                key if self.alone else f"{stem}/{key}", f"{path}:{answer.line}", judged=(verdict_row(answer.verdict),)
            )
        if report.plan is not None:
            yield CaseRow(stem, path, judged=(_plan_row(report.plan),))


def check_report(
    cases: CheckedCases, tally: Tally, baseline: Baseline | None, path: Path | None, now: datetime
) -> DiffReport:
    """Return the report that every form renders."""
    found, result = cases.held(baseline, now)
    return DiffReport(found, result, str(path or ""), now, prefix=prefix(), judged=_judged(tally))


def _judged(tally: Tally) -> str:
    """Return '3 of 10 answers are bad, 1 of 2 conversations is bad'."""
    kinds = (
        (tally.conversations - tally.converged - tally.on_purpose, tally.conversations, "conversation"),
        (tally.answers - tally.answers_ok, tally.answers, "answer"),
        (tally.plans - tally.plans_ok, tally.plans, "plan"),
    )
    parts = [
        f"{bad:,} of {total:,} {name}{'' if total == 1 else 's'} {'is' if 1 in (bad, total) else 'are'} bad"
        for bad, total, name in kinds
        if total
    ]
    return ", ".join(parts) or "nothing was judged"


def _case(row: CaseRow) -> CaseDiff:
    bucket = Bucket.UNCHANGED if row.ok else Bucket.NEW_FAILURE
    return CaseDiff(row.key, bucket, candidate=(row,), broken=broken_rules([row]))


def _line_key(answer: CheckedAnswer) -> Any:
    return answer.key if answer.key is not None else answer.line


def _plan_row(report: PlanReport) -> Judged:
    bad = next((finding.kind.value for finding in report.findings if finding.severity.bad), None)
    attempt = AttemptRow(report.text, report.ok, bad, report.findings)
    return Judged((attempt,), "valid" if report.ok else "invalid", report.ok, contract="plan", single=True)
