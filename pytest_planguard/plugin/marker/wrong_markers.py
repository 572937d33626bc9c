"""Collect all invalid markers while pytest collects tests, and report them together at the end of collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from .marker import location

if TYPE_CHECKING:
    from collections.abc import Sequence

PLUGIN = "planguard-wrong-markers"
SENT = "planguard_wrong_markers"
"""The key of the mistakes in an xdist worker's output to its controller."""


class _Wrong(NamedTuple):
    """One mistake, and the first test with it."""

    where: str
    test: str
    problem: str
    marks: Sequence[pytest.Mark]
    """Keeps the marks alive, so that their ids stay unique."""


class WrongMarkers:
    """The mistakes of one process. The first one registers this as a plugin, which then ends the run."""

    def __init__(self) -> None:
        self._first: dict[tuple[object, ...], _Wrong] = {}
        self._tests: dict[tuple[object, ...], int] = {}

    def add(self, item: pytest.Item, marks: Sequence[pytest.Mark], problem: str) -> None:
        """Add a problem with a test's marks. Tests that share marks, such as the cases of one test, share a line."""
        key = (problem, *map(id, marks))
        self._first.setdefault(key, _Wrong(location(item), item.nodeid, problem, marks))
        self._tests[key] = self._tests.get(key, 0) + 1

    @property
    def text(self) -> str:
        """One line per mistake. If there are several, a first line gives their number."""
        lines = [
            f"{one.where}: {one.test}{_more(self._tests[key] - 1)}: @pytest.mark.planguard: {one.problem}"
            for key, one in self._first.items()
        ]
        return lines[0] if len(lines) == 1 else "\n  ".join([f"{len(lines)} markers cannot work:", *lines])

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """End the run before any test. A worker reports the reason instead of offering its tests to the controller.

        Raises:
            pytest.UsageError: always; the message lists every mistake.
        """
        output: dict[str, object] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[SENT] = self.text
        raise pytest.UsageError(self.text)


def take_wrong_markers(node: object) -> None:
    """Check the result of an xdist worker. All workers collect the same tests, so the first one is enough.

    Raises:
        pytest.UsageError: the worker found markers that cannot work.
    """
    text = (getattr(node, "workeroutput", None) or {}).get(SENT)
    if text is not None:
        raise pytest.UsageError(text)


def note_wrong_marker(item: pytest.Item, marks: Sequence[pytest.Mark], problem: str) -> None:
    """Add a problem to those that end the run after collection."""
    manager = item.config.pluginmanager
    wrong = manager.get_plugin(PLUGIN)
    if wrong is None:
        wrong = WrongMarkers()
        manager.register(wrong, PLUGIN)
    wrong.add(item, marks, problem)


def _more(tests: int) -> str:
    return f" and {tests} more" if tests else ""
