"""Turn the results of `planguard check` into rows of a run, for the reports and baseline of `diff`."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ...report.case_words import baseline_blocks
from ...report.comparison_words import DiffReport
from ...report.diff_data import baseline_data
from ...report.page import Verdict
from ...report.plain_text import count
from ...runs.compare.deltas import overall_delta, rule_deltas, valid_delta
from ...runs.compare.run_diff import Bucket, CaseDiff, RunDiff
from ...runs.gate.gate import FailOn, gate
from ...runs.load.load import named_by_tests
from ...runs.model.broken_rules import broken_rules
from ...runs.model.run import RunHeader
from ..diff.diff_formats import prefix, rendered
from ..output import say
from .check_output import JsonOutput, Output, TextOutput

if TYPE_CHECKING:
    from ...runs.model.run import CaseRow
    from ..commands import BaselineFile
    from .file_report import FileReport
    from .tally import Tally

NAME = "check"
"""The name of the run in SARIF's id."""


class GatedOutput(Output):
    """A report in a form of `planguard diff`, or in the check's own text or JSON, with the baseline's state."""

    def __init__(self, form: str, listed: BaselineFile, shown: JsonOutput | TextOutput | None, *, alone: bool) -> None:
        """`shown` is the check's own form; None if `form` is one of diff's. `alone` is True if one file was named."""
        self.commands = form == "github"
        self._form, self._listed, self._shown, self._alone = form, listed, shown, alone
        self._rows: list[CaseRow] = []
        self._surprises: list[str] = []
        self._unjudged: list[tuple[str, str]] = []
        self._unlisted = 0
        self._fails = False

    def add(self, report: FileReport) -> None:
        """Add one file's report."""
        self._rows += report.rows(alone=self._alone) if not report.on_purpose else ()
        # No baseline can excuse a cassette that doesn't fail as expected, or bad answers that are only counted.
        self._unlisted += (report.surprise is not None) + (report.lines.unlisted if report.lines is not None else 0)
        if report.logs is not None:
            self._unlisted += report.logs.bad - sum(listed.order[0] == 0 for listed in report.logs.listed)
        self._surprises += [f"{report.path}: {report.surprise}"] if report.surprise else []
        reasons = [*report.all_errors]
        if report.logs is not None:
            reasons += [f"{count(number, 'record')}: {reason}" for reason, number in report.logs.unread.items()]
        self._unjudged += [(report.path.as_posix(), reason) for reason in reasons]
        if self._shown is not None:
            self._shown.add(report)

    def end(self, tally: Tally) -> str:
        """Return the whole text, and update the baseline if requested."""
        now = datetime.now(UTC)
        baseline = self._listed.read()
        self._rows = [*named_by_tests(self._rows, (entry.case for entry in baseline.entries) if baseline else ())]
        report = self._report(tally, now)
        assert report.gate is not None
        self._fails = report.fails
        written = self._listed.write(baseline, (), self._rows, now.date()) if baseline is not None else None
        if written is not None:
            say(written, err=True)
        if self._shown is None:
            return rendered(self._form, report)
        word, why, held = report.gate.conclusion, report.gate.why, report.held
        if isinstance(self._shown, JsonOutput):
            listed = None if held is None else baseline_data(held)
            self._shown.gate = {"result": word.value, "reasons": list(why), "baseline": listed}
            return self._shown.end(tally)
        blocks = baseline_blocks(held, report.baseline_path, now) if held is not None else ()
        return self._shown.end(tally, blocks, Verdict(word.upper(), tuple(why)))

    def fails(self, tally: Tally) -> bool:  # noqa: ARG002 - the baseline decides
        """Return True if the baseline does not excuse a failure, or is out of date."""
        return self._fails

    def _report(self, tally: Tally, now: datetime) -> DiffReport:
        """Return the cases as a comparison without a base. Every failure outside the baseline fails."""
        cases = tuple(
            sorted(map(_case, self._rows), key=lambda case: (case.bucket is not Bucket.NEW_FAILURE, case.key))
        )
        unjudged = tuple(self._unjudged) if tally.judged or self._unjudged else (("", "nothing was judged"),)
        nothing = (overall_delta([]), valid_delta([]), rule_deltas([]))
        unread = bool(unjudged or self._surprises)
        found = RunDiff(
            RunHeader(""), RunHeader(NAME), (), cases, *nothing, notes=tuple(self._surprises), unread=unread
        )
        result = gate(found, (FailOn.NEW,), now.date(), baseline=self._listed.read())
        known = {id(case) for case in result.known}
        bad = sum(case.bucket is Bucket.NEW_FAILURE and id(case) not in known for case in cases) + self._unlisted
        failing = [f"{bad:,} {'failure' if bad == 1 else 'failures'}"] if bad else []
        outdated = [reason for reason in result.reasons if "new failure" not in reason]
        result = replace(result, reasons=(*failing, *outdated))
        path = str(self._listed.baseline or "")
        return DiffReport(found, result, path, now, prefix=prefix(), judged=_judged(tally), unjudged=unjudged)


def _case(row: CaseRow) -> CaseDiff:
    bucket = Bucket.UNCHANGED if row.ok else Bucket.NEW_FAILURE
    return CaseDiff(row.key, bucket, candidate=(row,), broken=broken_rules([row]))


def _judged(tally: Tally) -> str:
    """Return text such as '3 of 10 answers are bad, 1 of 2 conversations is bad'."""
    logged = (tally.logs.bad, tally.logs.conversations) if tally.logs is not None else (0, 0)
    bad_ones = tally.conversations - tally.ok - tally.on_purpose + logged[0]
    kinds = (
        (bad_ones, tally.conversations + logged[1], "conversation"),
        (tally.answers - tally.answers_ok, tally.answers, "answer"),
        (tally.plans - tally.plans_ok, tally.plans, "plan"),
    )
    parts = [
        f"{bad:,} of {total:,} {name}{'' if total == 1 else 's'} {'is' if 1 in (bad, total) else 'are'} bad"
        for bad, total, name in kinds
        if total
    ]
    return ", ".join(parts) or "nothing was judged"
