"""How reports of marked tests show failures: our text in place of a traceback, with the test's own line."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from _pytest._io import TerminalWriter

from pytest_planguard import Contract
from pytest_planguard.errors import CassetteError, ContractFailed, SetupFailed
from pytest_planguard.plugin.case import CASE, Case
from pytest_planguard.plugin.case_parts.refusing_guard import CalledTooLate
from pytest_planguard.plugin.fixtures.checking import AnswerRejected
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings
from pytest_planguard.plugin.results.reporting import (
    FailureRepr,
    complete,
    own_failure_repr,
    represent,
    settle_times,
)
from pytest_planguard.replay.session.rerecord import RerecordHint

from ...support.verdicts import lost_retry


@pytest.fixture
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    """The case of the running test."""
    found = request.node.stash[CASE] = Case(request.node, Spec((Contract(None),), 3), Settings(), "key")
    yield found
    request.node.stash[CASE] = found
    del request.node.stash[CASE]


def raised(error: BaseException) -> BaseException:
    """Return the error as raised in this file."""
    with pytest.raises(BaseException) as caught:  # noqa: PT011
        raise error
    return caught.value


def lines(shown: Any) -> list[str]:
    """Return the lines that a failure prints."""
    assert isinstance(shown, FailureRepr)
    assert (shown.reprtraceback.style, shown.reprtraceback.extraline) == ("value", None)
    printed = StringIO()
    shown.toterminal(TerminalWriter(printed))
    return printed.getvalue().splitlines()


def test_a_failure_ends_with_the_line_of_the_test(case: Case) -> None:
    """The last one of its file in the traceback; control characters are made visible."""
    error = raised(ContractFailed("planguard: no\x1b[2J\n  here"))
    line = error.__traceback__.tb_lineno  # type: ignore[union-attr]
    shown = own_failure_repr(case.item, error)
    assert lines(shown) == ["planguard: no\\x1b[2J", "  here", "", f"test_reporting.py:{line}"]
    assert shown is not None
    place = shown.reprcrash
    assert (place.path, place.lineno, place.message) == (str(case.item.path), line, "planguard: no\\x1b[2J")


def test_a_failure_after_the_test_is_at_its_first_line(case: Case) -> None:
    """The traceback does not have its file."""
    shown = own_failure_repr(case.item, ContractFailed("planguard: no"))
    assert shown is not None
    first = case.item.location[1] + 1  # type: ignore[operator]
    assert shown.reprcrash.lineno == first
    assert lines(shown)[-1].endswith(f"test_reporting.py:{first}")


def test_which_failures_are_ours(case: Case, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """What planguard found at the end comes first; with --full-trace, pytest shows everything."""
    verdict = Contract(int, name="Number").check("x")
    rejected = "planguard: not a valid Number: 1 finding: (whole answer) [prose] (a.json)"
    for error, head in (
        (AnswerRejected(verdict, "a.json"), rejected),
        (SetupFailed("no socket"), "planguard: no socket"),
        (ContractFailed("as it is"), "as it is"),
    ):
        shown = own_failure_repr(case.item, error)
        assert shown is not None
        assert shown.reprcrash.message == lines(shown)[0] == head
    assert own_failure_repr(case.item, ValueError("no")) is None
    case.failure = "planguard: at the end"
    shown = own_failure_repr(case.item, ValueError("no"))
    assert shown is not None
    assert shown.reprcrash.message == "planguard: at the end"
    monkeypatch.setattr(pytestconfig.option, "fulltrace", True)
    assert own_failure_repr(case.item, ValueError("no")) is None


def test_pytest_shows_our_text_without_a_traceback(case: Case) -> None:
    """Only for this failure; one that is not ours stays pytest's."""
    item = case.item
    represent(item, ValueError("no"))
    assert "repr_failure" not in vars(item)
    represent(item, ContractFailed("planguard: no"))
    assert lines(vars(item)["repr_failure"](None, style="long"))[0] == "planguard: no"
    complete(report("call", "passed"), item, call("call"))
    assert "repr_failure" not in vars(item)
    represent(SimpleNamespace(config=None), ContractFailed("no"))  # type: ignore[arg-type]


def report(when: str, outcome: str, **more: Any) -> Any:
    """Return a report of pytest."""
    flags = {name: outcome == name for name in ("passed", "failed", "skipped")}
    return SimpleNamespace(when=when, outcome=outcome, sections=[], longrepr=None, user_properties=[], **flags, **more)


def call(when: str, error: BaseException | None = None) -> Any:
    """Return what pytest knows of a phase."""
    caught = None if error is None else SimpleNamespace(value=error)
    return SimpleNamespace(when=when, excinfo=caught, stop=10.0, duration=5.0)


def test_reruns_are_no_part_of_a_call(case: Case) -> None:
    """An early teardown counts as one."""
    case.further_runs_s, case.torn_down_s = 2.0, 1.0
    times = {when: call(when) for when in ("setup", "call", "teardown")}
    for one in times.values():
        settle_times(case.item, one)
    assert {when: (one.stop, one.duration) for when, one in times.items()} == {
        "setup": (10.0, 5.0),
        "call": (8.0, 3.0),
        "teardown": (10.0, 6.0),
    }
    del case.item.stash[CASE]
    other = call("call")
    settle_times(case.item, other)
    assert (other.stop, other.duration) == (10.0, 5.0)


@pytest.mark.parametrize(
    ("reports", "result"),
    [
        ([("setup", "passed", {}), ("call", "passed", {})], "passed"),
        ([("call", "failed", {})], "failed"),
        ([("setup", "failed", {})], "error"),
        ([("call", "failed", {}), ("teardown", "skipped", {})], "failed"),
        ([("call", "failed", {}), ("teardown", "failed", {})], "error"),
        ([("setup", "skipped", {})], "skipped"),
        ([("call", "skipped", {"wasxfail": "known"})], "xfailed"),
    ],
)
def test_the_worst_report_is_the_result(case: Case, reports: list[tuple[str, str, Any]], result: str) -> None:
    """A fixture that skips after a failed test does not hide it."""
    for when, outcome, more in reports:
        complete(report(when, outcome, **more), case.item, call(when))
    assert case.result == result


def test_the_call_has_sections_and_properties(case: Case) -> None:
    """Those of an earlier run are replaced; another plugin's stay."""
    case.item.user_properties[:] = [("planguard_outcome", "old"), ("own", 1)]
    case.sections = [("planguard", "no\x1b[2J")]
    case.conversations = (lost_retry(),)
    case.rerecord_hint = RerecordHint("pytest x", 2)
    told = report("call", "passed")
    complete(told, case.item, call("call"))
    assert told.sections == [("planguard", "no\\x1b[2J")]
    assert told.user_properties == [
        ("own", 1),
        ("planguard_outcome", "converged"),
        ("planguard_attempts", "2"),
        ("planguard_anew", "pytest x # about 2 calls"),
    ]
    assert case.item.user_properties == told.user_properties
    case.item.user_properties.clear()


def test_the_teardown_has_the_row(case: Case) -> None:
    """A skipped test leaves none; afterwards the case is gone from its test."""
    told = report("teardown", "passed")
    complete(told, case.item, call("teardown"))
    assert '"outcome":"passed"' in told.planguard_row
    assert CASE not in case.item.stash
    case.item.stash[CASE] = case
    case.skipped = True
    told = report("teardown", "passed")
    complete(told, case.item, call("teardown"))
    assert not hasattr(told, "planguard_row")


def test_a_defect_of_ours_is_a_section(case: Case) -> None:
    """It ends no session."""
    case.conversations = None  # type: ignore[assignment]
    told = report("call", "passed")
    complete(told, case.item, call("call"))
    ((title, said),) = told.sections
    assert title == "planguard could not report this test"
    assert said.startswith("TypeError: ")


def test_a_set_up_that_failed_is_told_in_short(
    case: Case, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cassette has its short path. Errors of others keep their traceback."""

    def shown(error: Exception) -> Any:
        told = report("setup", "failed")
        complete(told, case.item, call("setup", error))
        return told.longrepr

    text = shown(CassetteError(f"{case.path}: it cannot be read"))
    assert lines(text)[0] == f"planguard: {case.shown_path}: it cannot be read"
    assert lines(shown(SetupFailed("no socket")))[0] == "planguard: no socket"
    assert shown(ValueError("no")) is None
    monkeypatch.setattr(pytestconfig.option, "fulltrace", True)
    assert shown(SetupFailed("no socket")) is None


def test_a_fixture_that_asked_late_is_named(case: Case) -> None:
    """By its guard, or without one by the error, which may be one of several."""

    def shown(error: BaseException) -> Any:
        told = report("teardown", "failed")
        complete(told, case.item, call("teardown", error))
        case.item.stash[CASE] = case
        return told.longrepr

    assert shown(ValueError("no")) is None
    assert lines(shown(CalledTooLate("a fixture asked")))[0] == "planguard: a fixture asked"
    several = ExceptionGroup("", [ValueError("no"), CalledTooLate("a fixture asked")])
    assert lines(shown(several))[0] == "planguard: a fixture asked"
    case.teardown_guard = SimpleNamespace(refused="the guard's own words")  # type: ignore[assignment]
    assert lines(shown(ValueError("no")))[0] == "planguard: the guard's own words"
