"""Reports of marked tests: our failures as rendered text, the row, the properties.

Everything that leaves this process is text: xdist would reduce objects to their `str()`, and a value that is not JSON
would end the worker. No exception leaves this module, because it would end the whole session.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import pytest
from _pytest._code.code import ReprEntry, ReprFileLocation, ReprTraceback, TerminalRepr

from ...errors import CassetteError, ContractFailed, SetupFailed
from ...printable import visible
from ...runs.model.codec import row_text
from ..case import CASE
from ..case_parts.refusing_guard import CalledTooLate
from ..fixtures.checking import AnswerRejected
from ..fixtures.fixture_guards import setup_refusal
from ..marker.marker import location
from ..recording.open_recording import close_recording
from .rows import attempts_of, case_row, outcome_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from _pytest._io import TerminalWriter

    from ..case import Case


PROPERTY = "planguard"
DEFECT = "planguard could not report this test"


def represent(item: pytest.Item, error: BaseException) -> None:
    """Make pytest show our text for a failed call if the failure is ours. Call it before the report. Never raises."""
    try:
        shown = own_failure_repr(item, error)
    except Exception:  # `complete` reports the defect; pytest shows the failure itself
        return
    if shown is not None:
        # pytest uses it, instead of a traceback that no one reads: to cut one to the test's own frames takes as long as
        # to run a small test. If a quarter of 1,000 answers fail, this saves 10 % of the session's time.
        vars(item)["repr_failure"] = lambda *_, **__: shown


def settle_times(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Adjust the times of a phase before its report: move reruns and early teardown out of the call.

    The times are attributes of `CallInfo`, a public class, and reports copy them.
    """
    case = item.stash.get(CASE, None)
    if case is None:
        return
    if call.when == "call":
        call.stop -= case.further_runs_s
        call.duration -= case.further_runs_s
    elif call.when == "teardown":
        call.duration += case.torn_down_s


def complete(report: pytest.TestReport, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Add planguard's results to a report of a marked test. Never raises."""
    try:
        _complete(report, item, call)
    except Exception as error:
        report.sections += _printable([(DEFECT, f"{type(error).__name__}: {error}")])


def _complete(report: pytest.TestReport, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    if report.when == "call":
        vars(item).pop("repr_failure", None)  # the entry from `represent` applies only to this failure
    case = item.stash.get(CASE, None)
    if not report.passed:
        _worse(report, item, call, case)
    if case is None:
        return
    if report.when == "call":
        _call(report, item, call, case)
    if report.when == "teardown":
        close_recording(case)  # only open if the test function never ran
        if not case.skipped:
            _row(report, case)
        del item.stash[CASE]
        # These and the case refer to each other: break the cycle to spare a garbage collection.
        case.session = case.body_guard = case.teardown_guard = case.endpoint = None


def _worse(report: pytest.TestReport, item: pytest.Item, call: pytest.CallInfo[None], case: Case | None) -> None:
    if case is not None and report.failed:
        case.result = "failed" if report.when == "call" else "error"
    if case is not None and report.skipped and case.result == "passed":  # a fixture may skip after a failed test
        case.result = "xfailed" if hasattr(report, "wasxfail") else "skipped"
    if case is not None and report.when == "teardown" and report.failed and call.excinfo is not None:
        _asked_late(report, call.excinfo.value, case)
    if report.when == "setup" and report.failed and call.excinfo is not None:
        error = call.excinfo.value
        ours = setup_refusal(item) or (error if isinstance(error, SetupFailed | CassetteError) else None)
        if ours is not None and not item.config.getoption("fulltrace"):  # inner frames of a client explain nothing
            # A cassette's path is absolute here; the short one fits on the line, and into a command.
            said = str(ours) if case is None else str(ours).replace(str(case.path), case.shown_path)
            report.longrepr = failure_repr(item, error, f"planguard: {said}")


def _asked_late(report: pytest.TestReport, error: BaseException, case: Case) -> None:
    ours = _ours(error)
    guard = case.teardown_guard
    refused = guard.refused if guard is not None else None
    if refused is None and isinstance(ours, CalledTooLate):  # from a fixture, in a test without a cassette
        refused = str(ours)
    if refused is not None:
        report.longrepr = failure_repr(case.item, ours, f"planguard: {refused}")


def _ours(error: BaseException) -> BaseException:
    """Return our error if a teardown has several: its report includes the cause of the others."""
    several: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    return next((one for one in several if isinstance(one, CalledTooLate)), error)


def _call(report: pytest.TestReport, item: pytest.Item, call: pytest.CallInfo[None], case: Case) -> None:
    if case.sections:
        report.sections += _printable(case.sections)
    properties = _properties(case)
    item.user_properties[:] = [p for p in item.user_properties if not p[0].startswith(PROPERTY)] + properties
    report.user_properties = list(item.user_properties)
    if call.excinfo is not None and report.failed:
        # Also where it came too late for `represent`, as for a unittest case, which delivers its error late.
        shown = None if isinstance(report.longrepr, FailureRepr) else own_failure_repr(item, call.excinfo.value)
        report.longrepr = report.longrepr if shown is None else shown


def _printable(sections: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(title, visible(text)) for title, text in sections]


def _properties(case: Case) -> list[tuple[str, object]]:
    """Return the JUnit properties: outcome, attempts, and how to record a stale case again; no text from a model."""
    found = [(f"{PROPERTY}_outcome", outcome_of(case)), (f"{PROPERTY}_attempts", str(attempts_of(case)))]
    return [*found, *([(f"{PROPERTY}_anew", str(case.rerecord_hint))] if case.rerecord_hint is not None else [])]


def _row(report: pytest.TestReport, case: Case) -> None:
    # Use attributes of the report, not user properties: those go into JUnit, and a row holds raw answers.
    report.planguard_row = row_text(case_row(case))  # type: ignore[attr-defined]


class FailureRepr(TerminalRepr):
    """A failure in pytest's own form: place and first line now, the text on demand.

    xdist sends the content of `reprcrash` and `reprtraceback`: dataclasses of strings and numbers.
    """

    def __init__(self, headline: str, text: Callable[[], str], path: str, line: int, shown_line: str) -> None:
        self.reprcrash = ReprFileLocation(path, line, headline)
        self.sections: list[tuple[str, str, str]] = []
        self._text, self._shown_line = text, shown_line

    @cached_property
    def reprtraceback(self) -> ReprTraceback:
        """The text, followed by the test's own line, as the only entry of a traceback."""
        lines = [*visible(self._text()).split("\n"), "", self._shown_line]
        return ReprTraceback([ReprEntry(lines, None, None, None, "value")], None, "value")

    def toterminal(self, tw: TerminalWriter) -> None:
        """Write the text."""
        self.reprtraceback.toterminal(tw)


def failure_repr(item: pytest.Item, error: BaseException, text: str) -> FailureRepr:
    """Represent a failure by text."""
    return _represented(item, error, text.partition("\n")[0], lambda: text)


def own_failure_repr(item: pytest.Item, error: BaseException) -> FailureRepr | None:
    """Represent the failure of a test's call; None if it is not ours, or if pytest shows all of it."""
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


def _represented(item: pytest.Item, error: BaseException, headline: str, text: Callable[[], str]) -> FailureRepr:
    headline = visible(headline)
    line = _line_of_test(error, str(item.path))
    if line is None:  # the failure came after the test function
        shown = location(item)
        return FailureRepr(headline, text, str(item.path), (item.location[1] or 0) + 1, shown)
    return FailureRepr(headline, text, str(item.path), line, f"{item.path.name}:{line}")


def _line_of_test(error: BaseException, path: str) -> int | None:
    """Return the last line number (1-based) of a test's file in a traceback; None if the file is not in it."""
    line, here = None, error.__traceback__
    while here is not None:
        if here.tb_frame.f_code.co_filename == path:
            line = here.tb_lineno
        here = here.tb_next
    return line
