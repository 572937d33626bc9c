"""Turn a file's report into rows of a run, as a test session keeps them: one per cassette, answer and plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...runs.judge_cases import conversation_row, verdict_row
from ...runs.model.judged_answers import AttemptRow, Judged
from ...runs.model.run import CaseRow
from ...runs.store.cassette_folders import recorded_case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...plans.judging.judge_files import PlanReport
    from .judge_file import FileReport


def rows_of(report: FileReport, *, alone: bool) -> Iterator[CaseRow]:
    """Yield the rows of one file. `alone` is True if it is the only file that was named.

    Then its lines are named by their own keys, as in `planguard diff`.
    """
    path = report.path.as_posix()
    stem = report.path.with_suffix("").as_posix()
    if report.conversations:
        judged = tuple(conversation_row(each, {}) for each in report.conversations)
        case = recorded_case(stem)
        yield CaseRow(stem if case is None else case.key, path, cassette=path, judged=judged)
    for answer in report.answers:
        yield CaseRow(stem, path, judged=(verdict_row(answer.verdict),))
    for answer in report.lines.listed if report.lines is not None else ():
        key = str(answer.key if answer.key is not None else answer.line)
        name = key if alone else f"{stem}/{key}"
        yield CaseRow(name, f"{path}:{answer.line}", judged=(verdict_row(answer.verdict),))
    if report.logs is not None:
        from ...runs.model.codec import read_row

        yield from (read_row(CaseRow, listed.row) for listed in report.logs.listed)
    if report.plan is not None:
        yield CaseRow(stem, path, judged=(_plan(report.plan),))


def _plan(report: PlanReport) -> Judged:
    bad = next((finding.kind.value for finding in report.findings if finding.severity.bad), None)
    attempt = AttemptRow(report.text, report.ok, bad, report.findings)
    return Judged((attempt,), "valid" if report.ok else "invalid", report.ok, contract="plan", single=True)
