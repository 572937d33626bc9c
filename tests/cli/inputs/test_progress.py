"""The progress bar: there for patience on a terminal, nowhere else."""

import io
import sys

import pytest

from pytest_planguard.cli import output as progress


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True


def test_without_a_terminal_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pipe or in CI the items pass through and stderr stays empty."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE_S", -1.0)
    assert list(progress.with_progress([1, 2, 3], "judging")) == [1, 2, 3]
    assert stream.getvalue() == ""


def test_quick_work_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that is done in a moment leaves a terminal as it was."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    assert list(progress.with_progress([1, 2, 3], "judging")) == [1, 2, 3]
    assert stream.getvalue() == ""


@pytest.mark.slow
def test_long_work_shows_a_bar_and_loses_no_item(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the patience a bar appears, and every item still comes once and in order."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE_S", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    assert list(progress.with_progress(list(range(50)), "judging")) == list(range(50))
    assert "judging" in stream.getvalue()


def test_nothing_to_do() -> None:
    """No items, no bar, no error."""
    assert list(progress.with_progress([], "judging")) == []
