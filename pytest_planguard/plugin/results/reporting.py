"""Reports of marked tests: our failures as rendered text, the row, the properties.

Everything is text when it leaves this process: under xdist objects would be reduced to their `str()`, and a value that
is not JSON would end the worker. An exception here would end the whole session, so none leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ...errors import ContractFailed
from ..case import CASE, NoRecording
from ..fixtures.early import refusal_of
from ..fixtures.fixture import TEARDOWN_GUARD

if TYPE_CHECKING:
    from ..case import Case

PROPERTY = "planguard"
DEFECT = "planguard could not report this test"


def complete(report: pytest.TestReport, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Add what planguard knows to a report of a marked test. Never raises."""
    try:
        _complete(report, item, call)
    except Exception as error:
        report.sections.append((DEFECT, f"{type(error).__name__}: {error}"))


def _complete(report: pytest.TestReport, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    case = item.stash.get(CASE, None)
    if not report.passed:
        _worse(report, item, call, case)
    if case is None:
        return
    if report.when == "call":
        _call(report, item, call, case)
    if report.when == "teardown":
        case.recording.close()  # open only where the test's body was never reached
        if not case.skipped:
            _row(report, case)
        del item.stash[CASE]
        if TEARDOWN_GUARD in item.stash:
            del item.stash[TEARDOWN_GUARD]
        case.recording = NoRecording()  # the two know each other: let go, so that no garbage collection is needed


def _worse(report: pytest.TestReport, item: pytest.Item, call: pytest.CallInfo[None], case: Case | None) -> None:
    if case is not None and report.failed:
        case.result = "failed" if report.when == "call" else "error"
    if case is not None and report.skipped and case.result == "passed":  # a fixture may skip behind a failed body
        case.result = "xfailed" if hasattr(report, "wasxfail") else "skipped"
    if case is not None and report.when == "teardown" and report.failed and call.excinfo is not None:
        _asked_late(report, call.excinfo, case)
    if report.when == "setup" and report.failed and call.excinfo is not None:
        refused = refusal_of(item)
        if refused is not None:  # a client's inner frames explain nothing
            report.longrepr = rendered(call.excinfo, item, f"planguard: {refused}")


def _asked_late(report: pytest.TestReport, error: pytest.ExceptionInfo[BaseException], case: Case) -> None:
    guard = case.item.stash.get(TEARDOWN_GUARD, None)
    if guard is not None and guard.refused is not None:
        report.longrepr = rendered(_ours(error), case.item, f"planguard: {guard.refused}")


def _ours(error: pytest.ExceptionInfo[BaseException]) -> pytest.ExceptionInfo[BaseException]:
    """Of several errors of one teardown, ours: it is told with what the others came from."""
    from ..fixtures.fixtures_before_recording import CalledTooLate

    several: tuple[BaseException, ...] = getattr(error.value, "exceptions", ())
    ours = next((one for one in several if isinstance(one, CalledTooLate)), None)
    return error if ours is None else pytest.ExceptionInfo.from_exception(ours)


def _call(report: pytest.TestReport, item: pytest.Item, call: pytest.CallInfo[None], case: Case) -> None:
    report.sections += case.sections
    properties = _properties(case)
    item.user_properties[:] = [p for p in item.user_properties if not p[0].startswith(PROPERTY)] + properties
    report.user_properties = list(item.user_properties)
    error = call.excinfo
    if error is None or not report.failed or item.config.getoption("fulltrace"):
        return
    if case.failure is not None:
        report.longrepr = rendered(error, item, case.failure)
    elif isinstance(error.value, ContractFailed):
        report.longrepr = rendered(error, item, str(error.value))


def _properties(case: Case) -> list[tuple[str, object]]:
    """What JUnit shows: outcome, attempts, and how a stale case is recorded anew; nothing that a model wrote."""
    from .rows import attempts_of, outcome_of

    found = [(f"{PROPERTY}_outcome", outcome_of(case)), (f"{PROPERTY}_attempts", str(attempts_of(case)))]
    return [*found, *([(f"{PROPERTY}_anew", str(case.rerecord_hint))] if case.rerecord_hint is not None else [])]


def _row(report: pytest.TestReport, case: Case) -> None:
    from .rows import is_quiet, outcome_of, row_of

    # Attributes of the report, not user properties: properties land in JUnit, and a row holds raw answers.
    report.planguard_row = row_of(case)  # type: ignore[attr-defined]
    if is_quiet(case):
        report.planguard_quiet = outcome_of(case)  # type: ignore[attr-defined]


def rendered(error: pytest.ExceptionInfo[BaseException], item: pytest.Item, text: str) -> Any:
    """Our text instead of a traceback, with the test's line; the short summary still shows the first line."""
    from ..marker.marker import location

    line = _raised_at(error, item) or location(item)
    shown: Any = error.getrepr(style="value", chain=False)
    try:
        shown.reprtraceback.reprentries[-1].lines = [*text.split("\n"), "", line]
        shown.reprcrash.message = text.split("\n", 1)[0]
    except (AttributeError, IndexError, TypeError):  # another shape of pytest's own representation
        return f"{text}\n\n{line}"
    return shown


def _raised_at(error: pytest.ExceptionInfo[BaseException], item: pytest.Item) -> str | None:
    """'test_app.py:12' of the test's own line that failed; None where the failure came after its body."""
    own = [entry for entry in error.traceback if str(entry.path) == str(item.path)]
    return f"{item.path.name}:{own[-1].lineno + 1}" if own else None
