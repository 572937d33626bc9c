"""A failure of ours as pytest's reports hold it: our text instead of a traceback, with the test's own line."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from _pytest._code.code import ReprEntry, ReprFileLocation, ReprTraceback, TerminalRepr

from ...errors import ContractFailed, SetupFailed
from ...printable import visible
from ..case import CASE
from ..fixtures.checking import AnswerRejected
from ..marker.marker import location

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest
    from _pytest._io import TerminalWriter


class FailureRepr(TerminalRepr):
    """What pytest's own representations offer: the place and first line at once, the text when it is read.

    xdist sends what `reprcrash` and `reprtraceback` hold: dataclasses of strings and numbers.
    """

    def __init__(self, headline: str, text: Callable[[], str], path: str, line: int, shown_line: str) -> None:
        self.reprcrash = ReprFileLocation(path, line, headline)
        self.sections: list[tuple[str, str, str]] = []
        self._text, self._shown_line = text, shown_line

    @cached_property
    def reprtraceback(self) -> ReprTraceback:
        """The text, and the test's own line below it, as the one entry of a traceback."""
        lines = [*visible(self._text()).split("\n"), "", self._shown_line]
        return ReprTraceback([ReprEntry(lines, None, None, None, "value")], None, "value")

    def toterminal(self, tw: TerminalWriter) -> None:
        """Write the text."""
        self.reprtraceback.toterminal(tw)


def failure_repr(item: pytest.Item, error: BaseException, text: str) -> FailureRepr:
    """Represent a failure by a text."""
    return _represented(item, error, text.partition("\n")[0], lambda: text)


def own_failure_repr(item: pytest.Item, error: BaseException) -> FailureRepr | None:
    """Represent what failed a test's call; None where that is no failure of ours, or pytest is to show all of it."""
    if item.config.getoption("fulltrace"):
        return None
    case = item.stash.get(CASE, None)
    if case is not None and case.failure is not None:
        return failure_repr(item, error, case.failure)
    if isinstance(error, AnswerRejected):
        return _represented(item, error, error.headline, lambda: str(error))
    if isinstance(error, SetupFailed):
        return failure_repr(item, error, f"planguard: {error}")
    return failure_repr(item, error, str(error)) if isinstance(error, ContractFailed) else None


def use_own_repr(item: pytest.Item, shown: FailureRepr) -> None:
    """Have pytest take a representation of ours for this failure, instead of a traceback that nobody reads.

    Cutting a traceback to the test's own frames costs pytest as much as running a small test: with a quarter of 1,000
    answers failing this saves a tenth of the session.
    """
    vars(item)["repr_failure"] = lambda *_, **__: shown


def _represented(item: pytest.Item, error: BaseException, headline: str, text: Callable[[], str]) -> FailureRepr:
    headline = visible(headline)
    line = _line_of_test(error, str(item.path))
    if line is None:  # the failure came after the test's body
        shown = location(item)
        return FailureRepr(headline, text, str(item.path), (item.location[1] or 0) + 1, shown)
    return FailureRepr(headline, text, str(item.path), line, f"{item.path.name}:{line}")


def _line_of_test(error: BaseException, path: str) -> int | None:
    """Return the last line of a test's file in a traceback, from 1; None where it has none."""
    line, here = None, error.__traceback__
    while here is not None:
        if here.tb_frame.f_code.co_filename == path:
            line = here.tb_lineno
        here = here.tb_next
    return line
