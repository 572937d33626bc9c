"""The section at the end of a run, as it is printed."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from _pytest.terminal import TerminalReporter

from pytest_planguard.plugin.results.terminal import write_section
from pytest_planguard.runs.model.run import CaseRow

Section = Callable[..., list[str]]


@pytest.fixture
def section(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> Section:
    """Print rows as a run does, by default one without -q and -v; the lines below the title."""

    def lines(*rows: CaseRow, orphans: tuple[str, ...] = (), verbose: int = 0, colour: bool = False) -> list[str]:
        printed = StringIO()
        with monkeypatch.context() as patch:
            patch.setattr(pytestconfig.option, "verbose", verbose)
            reporter = TerminalReporter(pytestconfig, printed)
            reporter._tw.hasmarkup = colour
            write_section(reporter, rows, pytestconfig, orphans)
        return printed.getvalue().splitlines()[1:]

    return lines
