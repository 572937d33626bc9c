"""The committed list of known failures in a test session. A listed failure is reported, but fails nothing.

Registered only with a baseline. Each process that runs tests reads the list as of the start. The controlling process
compares all rows with it at the end, and updates the file on request.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from ...errors import ContractFailed, RunError
from ...printable import visible
from ...report.case_words import ask, baseline_blocks, baseline_head, known_reason, left_out
from ...report.forms.text import block_lines
from ...runs.gate.known_failures import (
    Baseline,
    BaselineReport,
    KnownFailure,
    check_baseline,
    covering,
    pruned,
    read_baseline,
    updated,
    write_baseline,
)
from ...runs.model.broken_rules import broken_rules
from ..case import CASE
from ..marker.identity import shown_path
from ..options import settings_of
from ..outcome.failure import failure_text
from ..outcome.lifecycle import SECTION
from ..outcome.problems import leftovers
from ..plan_items import PlanItem
from ..recording.unused_cassettes import DESELECTED

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from ...runs.model.run import CaseRow

PLUGIN = "planguard-baseline"
UPDATE, PRUNE = "--planguard-baseline-update", "--planguard-baseline-prune"
KNOWN = "planguard_known"
"""Attribute on the report of a test whose failure is listed."""
NOT_FAILING = ("skipped", "xfailed")
"""Results of tests whose failure, if any, is expected in the test itself. The list does not cover them."""
OWN = "planguard_own"
"""Attribute on the report of a test that fails for one more reason, which no entry about its answers covers."""


class KnownFailures:
    """Hooks of a run with a baseline."""

    def __init__(self, config: pytest.Config) -> None:
        settings = settings_of(config)
        assert settings.baseline is not None
        self._config, self._settings = config, settings
        self._path = settings.baseline
        self._now = datetime.now(UTC)
        self.shown_path = shown_path(config, self._path)
        self.listed = _listed(config)
        self.known: set[str] = set()
        """Ids of the tests whose failure is listed."""
        self._own: set[str] = set()
        self._able: tuple[KnownFailure, ...] = ()
        """New failures that can be listed. A test that fails regardless of the list has none."""
        self.report = BaselineReport()
        self.written = ""
        """The change to the file, on one line; "" without a change."""
        self._session: pytest.Session | None = None

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Keep the session, which counts failures."""
        self._session = session

    def pytest_report_header(self) -> str:
        """Return the file, the number of its entries, and its age."""
        return f"planguard baseline: {baseline_head(self.shown_path, self.listed, self._now)}"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Report a listed failure as expected, with its reason. Wraps planguard's own hook, which renders it."""
        report = yield
        if report.when == "call" and report.failed and call.excinfo is not None:
            try:
                self._judge(report, item, call.excinfo.value)
            except Exception as error:  # an exception here would end the whole session
                report.sections.append(("planguard could not look up known failures", f"{error!r}"))
        return report

    def _judge(self, report: pytest.TestReport, item: pytest.Item, error: BaseException) -> None:
        row = row_at_call(item)
        if row is None:
            return
        # A stale case is still judged by its old answers if staleness alone does not fail it.
        keeps_verdict = row.stale and not row.misses and not self._settings.stale_fails
        if not (row.is_evidence or keeps_verdict):
            return
        if not _is_ours(item, error):
            setattr(report, OWN, True)
            return
        entries = covering(self.listed, row, broken_rules([row]), self._now.date())
        left = _left_over(item) if entries else ""
        if left:  # the app gives up earlier than recorded, which no entry says
            setattr(report, OWN, True)
            report.sections.append((SECTION, left))
        elif entries:
            report.outcome = "skipped"
            report.wasxfail = known_reason(entries)
            setattr(report, KNOWN, True)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note in the controlling process which tests failed as listed. A rerun replaces the earlier result."""
        if report.when == "call" and type(report) is pytest.TestReport:
            # pytest-rerunfailures reports a call several times: the last one counts.
            (self.known.add if hasattr(report, KNOWN) else self.known.discard)(report.nodeid)
            (self._own.add if hasattr(report, OWN) else self._own.discard)(report.nodeid)

    def conclude(self, found: Sequence[CaseRow]) -> bool:
        """Compare all rows with the list, and update the file. Return True if the run may pass.

        Raises RunError if the file cannot be written.
        """
        rows = [row for row in found if row.result not in NOT_FAILING]
        today = self._now.date()
        self.report = check_baseline(self.listed, rows, today)
        able = [row for row in rows if row.result != "error" and row.test not in self._own]
        self._able = check_baseline(self.listed, able, today).new
        listed = updated(self.listed, able, today) if self._settings.baseline_update else self.listed
        listed = pruned(listed, rows, today) if self._prunes else listed
        if listed is not self.listed:
            write_baseline(self._path, listed)
            old, new = ({entry.identity for entry in known.entries} for known in (self.listed, listed))
            self.written = f"{self.shown_path}: {len(new - old)} added, {len(old - new)} removed, {len(new)} listed"
        return self._partial or not self.report.fixed

    @property
    def _fails(self) -> bool:
        """True if the run fails by the list as of its start."""
        return bool(self.report.new or self.report.expired or (self.report.fixed and not self._partial))

    @property
    def _prunes(self) -> bool:
        return self._settings.baseline_prune and not self._partial

    @property
    def _partial(self) -> bool:
        """True if only some tests of a case may have run, so that no entry can count as fixed."""
        options = self._config.option
        narrowed = any(getattr(options, name, None) for name in ("keyword", "markexpr", "lf"))
        return (
            narrowed
            or self._stopped
            or self._config.stash.get(DESELECTED, False)
            # "test_app.py::test_it[a]" leaves out the other models of a case, whose entries would look fixed.
            or any("::" in arg for arg in self._config.args)
        )

    @property
    def _stopped(self) -> bool:
        """True if the session may have stopped early. The controller of xdist stops without telling the session."""
        session, most = self._session, self._config.option.maxfail
        if session is None:
            return False
        return bool(session.shouldfail or session.shouldstop or (most and session.testsfailed >= most))

    def lines(self) -> Iterator[tuple[str, bool]]:
        """Yield the end of the terminal's section: each line, and True if it is why the run fails."""
        yield from ((line, False) for line in block_lines(baseline_blocks(self.report, self.shown_path, self._now)))
        if self._partial and self.report.fixed:
            yield "only some of the tests ran: entries that no longer fail stay listed, and do not fail the run", False
        able = {entry.identity for entry in self._able}  # a run may have thousands of failures
        rest = [entry for entry in self.report.new if entry.identity not in able]
        if rest:
            yield left_out(rest), True
        if self.written:
            yield self.written + ("; this run still fails by the old list" if self._fails else ""), False
        else:
            yield from (
                (line, True)
                for line in ask(replace(self.report, new=self._able), UPDATE, PRUNE, gone=not self._partial)
            )


def row_at_call(item: pytest.Item) -> CaseRow | None:
    """Return the row of a test that has just failed; None if planguard does not judge it."""
    case = item.stash.get(CASE, None)
    if case is not None:
        from .rows import case_row

        case.result = "failed"
        return case_row(case)
    if not isinstance(item, PlanItem) or item.report is None:
        return None
    from ..plan_judge import plan_row

    return plan_row(item, item.report, "invalid", item.digest)


def _is_ours(item: pytest.Item, error: BaseException) -> bool:
    """Return True if planguard failed the test, or the app by giving up. Entries don't cover a test's own failures."""
    case = item.stash.get(CASE, None)
    if isinstance(error, ContractFailed):
        return True
    return case is not None and (case.failure is not None or case.gave_up is not None)


def _left_over(item: pytest.Item) -> str:
    """Return the text about recorded answers that the test never requested; "" without any."""
    case = item.stash.get(CASE, None)
    if case is None or case.recording.misses or not case.recording.unplayed:
        return ""
    return visible(failure_text(case, [*leftovers(case)]))


def _listed(config: pytest.Config) -> Baseline:
    settings = settings_of(config)
    assert settings.baseline is not None
    if settings.baseline_update and not settings.baseline.exists():
        return Baseline()
    try:
        return read_baseline(settings.baseline, UPDATE)
    except RunError as error:
        raise pytest.UsageError(str(error)) from None


def known_failures(config: pytest.Config) -> KnownFailures | None:
    """Return the hooks of this run's baseline, if any."""
    found: KnownFailures | None = config.pluginmanager.get_plugin(PLUGIN)
    return found
