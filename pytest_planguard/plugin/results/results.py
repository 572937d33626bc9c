"""The results in the controlling process: all rows, the kept run, the terminal's section and CI's page."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from ...errors import RunError
from ...runs.figures import is_below, score_of_rows
from ...runs.model.codec import read_row
from ...runs.model.run import CaseRow, Run, RunHeader
from ...runs.store.revision import AskedCommit
from ...runs.store.store import LAST, Journal, Store
from ..options import settings_of
from .rows import packages

if TYPE_CHECKING:
    import pytest

    from .baseline import KnownFailures


SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file of a CI job's summary."""


class Results:
    """The rows of this run by test id. After a rerun, the new row replaces the old one."""

    def __init__(self, config: pytest.Config) -> None:
        settings = settings_of(config)
        self._config = config
        self._texts: dict[str, str] = {}
        self._store = Store(config.rootpath)
        self._commit = AskedCommit(config.rootpath)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        match = settings.match or settings.default_match
        self._header = RunHeader(LAST, uuid4().hex[:12], created, match=match, record=settings.record)
        self._journal = Journal(self._store, self._header)
        self.problems: list[str] = []
        """Problems with keeping the run, one line each."""

    def add(self, test: str, text: str) -> None:
        """Take the row from a test's report, as text."""
        self._texts[test] = text
        self._journal.add(text)

    @property
    def texts(self) -> list[str]:
        """All rows as JSON, sorted by test id, so that neither test order nor the number of workers matters."""
        return [self._texts[test] for test in sorted(self._texts)]

    @cached_property
    def rows(self) -> tuple[CaseRow, ...]:
        """The rows as values, once the run has ended."""
        return tuple(read_row(CaseRow, text) for text in self.texts)

    def finish(self, session: pytest.Session) -> None:
        """Keep the run as the last one, and under the requested name. Each is written atomically."""
        commit = self._commit.answer()
        header = replace(self._header, commit=commit.name, dirty=commit.dirty, packages=packages(self._config))
        name = settings_of(self._config).save
        try:
            for kept in (LAST, *([name] if name else [])):
                self._store.save(kept, header, self.texts)
        except RunError as error:
            self.problems.append(f"{error} The runs that were kept before are still there.")
            if name:
                fail(session)
        self._conclude(session)
        least = settings_of(self._config).fail_under
        if least is not None and is_below(score_of_rows(self.rows), least):
            fail(session)
        passed = session.exitstatus == 0
        summary = os.environ.get(SUMMARY)
        if summary:
            problem = add_to_summary(summary, Run(header, self.rows), passed, self._known, self._config)
            self.problems += [problem] if problem else []
        self._journal.discard()

    def _conclude(self, session: pytest.Session) -> None:
        """Compare the run with the list of known failures."""
        known = self._known
        if known is None:
            return
        try:
            passes = known.conclude(self.rows)
        except RunError as error:
            self.problems.append(str(error))
            passes = False
        if not passes:
            fail(session)

    @property
    def _known(self) -> KnownFailures | None:
        if settings_of(self._config).baseline is None:
            return None
        from .baseline import known_failures

        return known_failures(self._config)

    @property
    def orphans(self) -> list[str]:
        """Cassettes that no collected test uses; [] unless this process collected the whole suite."""
        from ..recording.unused_cassettes import ORPHANS

        return self._config.stash.get(ORPHANS, [])

    def print(self, reporter: pytest.TerminalReporter) -> None:
        """Print the section at the end of the run."""
        from .terminal import write_line, write_section

        write_section(reporter, self.rows, self._config, self.orphans)
        for line, fails in self._known.lines() if self._known is not None else ():
            write_line(reporter, line, **({"red": True} if fails else {}))
        for problem in self.problems:  # even if -qq leaves out the section
            write_line(reporter, problem, red=True)


def fail(session: pytest.Session) -> None:
    """Fail a run in which all tests passed. Other exit codes stay as they are."""
    if session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def add_to_summary(path: str, run: Run, passed: bool, known: KnownFailures | None, config: pytest.Config) -> str | None:
    """Append the session to the job's summary file. Return an error message, or None.

    A file that cannot be written fails nothing.
    """
    from ...report.forms import draw
    from ...report.pages.run import session_page
    from .sections import stale_lines, unrecorded_lines

    page = session_page(
        run,
        passed=passed,
        known=known.known if known is not None else (),
        baseline=known.report if known is not None else None,
        path=known.shown_path if known is not None else "",
        now=datetime.now(UTC),
        hints=[*stale_lines(run.rows, config), *unrecorded_lines(run.rows, config, least=1)],
    )
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{draw(page, 'markdown')}\n")
    except OSError as error:
        return f"the job's summary was not written to {path}: {error.strerror or error}"
    return None
