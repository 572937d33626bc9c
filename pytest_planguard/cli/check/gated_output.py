"""What `planguard check` prints where a list of known failures or a form for CI is asked for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ...report.diff.diff_data import baseline_data
from ...report.forms.text import block_lines
from ...report.words.baseline_text import baseline_blocks
from ..diff.diff_formats import rendered
from ..output import say
from .check_gate import CheckedCases, check_report
from .check_output import JsonOutput, exit_code

if TYPE_CHECKING:
    from ...report.words.comparison_words import DiffReport
    from ..diff.diff_settings import BaselineFile
    from .check_output import Output
    from .judge_file import FileReport
    from .tally import Tally


class GatedOutput:
    """A form that `planguard diff` has, too, or the check's own text with what the list of known failures says."""

    def __init__(self, form: str, listed: BaselineFile, shown: Output | None, *, alone: bool) -> None:
        """`shown` is the check's own form; None where `form` is one of diff's. `alone`: one file was named."""
        self._form, self._listed, self._shown = form, listed, shown
        self.commands = form == "github"
        self._cases = CheckedCases(alone)
        self._report: DiffReport | None = None

    def add(self, report: FileReport) -> None:
        """Take one file's report."""
        self._cases.add(report)
        if self._shown is not None:
            self._shown.add(report)

    def end(self, tally: Tally) -> str:
        """Return the whole text, and bring the list up to date where that was asked for."""
        now = datetime.now(UTC)
        baseline = self._listed.read()
        self._report = report = check_report(self._cases, tally, baseline, self._listed.path, now)
        if baseline is not None:
            written = self._listed.write(baseline, (), self._cases.rows, now.date())
            if written is not None:
                say(written, err=True)
        if self._shown is None:
            return rendered(self._form, report)
        if isinstance(self._shown, JsonOutput):
            self._shown.gate = _values(report)
            return self._shown.end(tally)
        return "\n\n".join([self._shown.end(tally), *_verdict(report, now)])

    def exit_code(self, tally: Tally) -> int:
        """Return 1 where a failure is not excused, or the list is out of date."""
        bad = self._report is not None and self._report.fails
        return exit_code(int(bad), tally.unreadable, tally.judged)


def _verdict(report: DiffReport, now: datetime) -> list[str]:
    """Return what the list says, and the result with its reasons."""
    assert report.gate is not None
    lines = [*block_lines(baseline_blocks(report.held, report.baseline_path, now))] if report.held is not None else []
    reasons = "; ".join(report.gate.why)
    return ["\n".join(lines), f"{report.gate.conclusion.upper()}{f': {reasons}' if reasons else ''}"]


def _values(report: DiffReport) -> dict[str, Any]:
    assert report.gate is not None
    return {
        "result": report.gate.conclusion.value,
        "reasons": list(report.gate.why),
        "baseline": None if report.held is None else baseline_data(report.held),
    }
