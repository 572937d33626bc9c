"""Markers that cannot work: gathered while pytest collects, and reported all at once when it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from .marker import location

if TYPE_CHECKING:
    from collections.abc import Sequence

PLUGIN = "planguard-wrong-markers"
SENT = "planguard_wrong_markers"
"""Key under which a worker of xdist tells its controller."""


class _Wrong(NamedTuple):
    """One mistake, and the first test that has it."""

    where: str
    test: str
    problem: str
    marks: Sequence[pytest.Mark]
    """Kept, so that their ids hold."""


class WrongMarkers:
    """The mistakes of one process. Registered as a plugin with the first of them; it then ends the run."""

    def __init__(self) -> None:
        self._first: dict[tuple[object, ...], _Wrong] = {}
        self._tests: dict[tuple[object, ...], int] = {}

    def add(self, item: pytest.Item, marks: Sequence[pytest.Mark], problem: str) -> None:
        """Note what is wrong with the marks of a test. Tests that share them, as the cases of one do, share a line."""
        key = (problem, *map(id, marks))
        self._first.setdefault(key, _Wrong(location(item), item.nodeid, problem, marks))
        self._tests[key] = self._tests.get(key, 0) + 1

    @property
    def text(self) -> str:
        """One line a mistake, below a line that counts them where there are several."""
        lines = [
            f"{one.where}: {one.test}{_more(self._tests[key] - 1)}: @pytest.mark.planguard: {one.problem}"
            for key, one in self._first.items()
        ]
        return lines[0] if len(lines) == 1 else "\n  ".join([f"{len(lines)} markers cannot work:", *lines])

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """End the run before any test. A worker does not offer its tests to the controller, but says why.

        Raises:
            pytest.UsageError: always; the message lists every mistake.
        """
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[SENT] = self.text
        raise pytest.UsageError(self.text)


def take_wrong_markers(node: object) -> None:
    """Look at what a worker of xdist has found. All workers collect the same tests, so the first one tells all.

    Raises:
        pytest.UsageError: the worker found markers that cannot work.
    """
    text = (getattr(node, "workeroutput", None) or {}).get(SENT)
    if text is not None:
        raise pytest.UsageError(text)


def note_wrong_marker(item: pytest.Item, marks: Sequence[pytest.Mark], problem: str) -> None:
    """Let the run end when collection is done, with this among what is wrong."""
    manager = item.config.pluginmanager
    wrong = manager.get_plugin(PLUGIN)
    if wrong is None:
        wrong = WrongMarkers()
        manager.register(wrong, PLUGIN)
    wrong.add(item, marks, problem)


def _more(tests: int) -> str:
    return f" and {tests} more" if tests else ""
