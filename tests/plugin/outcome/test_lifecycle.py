"""How the failure of a test function is told from what planguard found, and when an app gave up."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.contract import Contract
from pytest_planguard.errors import CassetteError, ContractFailed, UsageError
from pytest_planguard.plugin.case import Case
from pytest_planguard.plugin.case_parts.played_cassette import PlayedCassette
from pytest_planguard.plugin.outcome.lifecycle import class_name, conclude, gave_up, judge
from pytest_planguard.retry.outcomes import CheckStatus, Outcome
from pytest_planguard.retry.results import Check, Convergence

from ...support.verdicts import BAD, GOOD, PRIORITY, attempt, verdict
from .conftest import SPEC, MakeCase


class NoTicket(Exception):
    """What an app raises in the end."""


def raised(error: BaseException, file: str = "/srv/app.py") -> BaseException:
    """Return the error as raised by a function in this file."""
    names: dict[str, Any] = {}
    exec(compile("def fail(error): raise error", file, "exec"), names)
    with pytest.raises(BaseException) as caught:  # noqa: PT011
        names["fail"](error)
    return caught.value


def ended(outcome: Outcome, number: int, *failed: str) -> Convergence:
    """Return a conversation whose only answer is the exchange with this number."""
    checks = tuple(Check(name, CheckStatus.FAIL, "it failed") for name in failed)
    return Convergence("1", "Ticket", outcome, (attempt(number, verdict(BAD, PRIORITY)),), checks)


@pytest.fixture
def rejected(make_case: MakeCase) -> Case:
    """A case whose last of two requests got a bad answer."""
    return after(make_case(), ended(Outcome.STUCK, 2, "valid"))


def after(case: Case, *found: Convergence, asked: int = 2) -> Case:
    """Return the case after these conversations."""
    case.conversations = found
    case.recording = PlayedCassette(plays=(SimpleNamespace(exchange=None),) * asked)  # type: ignore[arg-type]
    return case


OWN = f"{__name__}.NoTicket"


def test_a_class_is_named_as_in_the_ini_file() -> None:
    """With its module, unless it is Python's own."""
    assert class_name(ValueError) == "ValueError"
    assert class_name(subprocess.TimeoutExpired) == "subprocess.TimeoutExpired"
    assert class_name(NoTicket) == OWN


def test_an_app_gives_up_by_an_exception_of_its_own(rejected: Case) -> None:
    """Each exception of a group counts, and each class is named once, in order."""
    assert gave_up(rejected, raised(NoTicket())) == OWN
    several = ExceptionGroup("", [raised(ValueError()), ExceptionGroup("", [raised(NoTicket()), raised(ValueError())])])  # type: ignore[list-item]
    assert gave_up(rejected, several) == f"ValueError,{OWN}"


@pytest.mark.parametrize(
    "error",
    [
        AssertionError("no"),
        ContractFailed("no"),
        UsageError("no"),
        pytest.fail.Exception("no"),
        pytest.UsageError("no"),
        KeyboardInterrupt(),
    ],
)
def test_what_is_no_way_to_give_up(rejected: Case, error: BaseException) -> None:
    """A test's own failures, errors of planguard or pytest, and the end of the process; not even in a group."""
    assert gave_up(rejected, raised(error)) is None
    assert gave_up(rejected, BaseExceptionGroup("", [raised(NoTicket()), raised(error)])) is None


def test_an_exception_of_the_tests_own_file_has_to_be_named(rejected: Case, make_case: MakeCase) -> None:
    """By its class or by one of its bases; where it was raised first decides."""
    own = str(rejected.item.path)
    error = raised(FileNotFoundError("no"), own)
    assert gave_up(rejected, error) is None
    assert gave_up(rejected, NoTicket()) is None
    for name, found in (("FileNotFoundError", True), ("OSError", True), ("ValueError", False)):
        case = after(make_case(gives_up=(name,)), *rejected.conversations)
        assert (gave_up(case, error) == "FileNotFoundError") is found
        assert gave_up(case, NoTicket()) is None


def test_only_a_rejected_last_answer_makes_an_app_give_up(make_case: MakeCase) -> None:
    """Not an answer in between, a good one, or an end that the test expects."""
    error, bad = raised(NoTicket()), ended(Outcome.STUCK, 2, "valid")
    good = Convergence("2", "Ticket", Outcome.CONVERGED, (attempt(2, verdict(GOOD)),), ())
    assert gave_up(after(make_case(), good, bad), error) == OWN
    assert gave_up(after(make_case(), good), error) is None
    assert gave_up(after(make_case(), bad, asked=3), error) is None
    assert gave_up(after(make_case()), error) is None
    expected = after(make_case(), bad)
    expected.expected["1"] = Outcome.STUCK
    assert gave_up(expected, error) is None
    expected.conversations = (ended(Outcome.STUCK, 2, "valid", "feedback"),)
    assert gave_up(expected, error) == OWN


MISS = "nothing is recorded for this test yet\n  to record: pytest"


def failed(case: Case, error: BaseException) -> Case:
    """Return the case after its test function has raised this, with one request that got no answer."""
    case.recording = PlayedCassette(misses=(MISS,))
    judge(case.item, case, error)
    return case


def test_a_miss_replaces_the_traceback_that_it_caused(make_case: MakeCase) -> None:
    """However deep the app wrapped it; the text ends with what the test saw."""
    text = "planguard: nothing is recorded for this test yet\n  to record: pytest"
    assert failed(make_case(), CassetteError("no answer")).failure == text
    inner = ValueError("no\nticket")
    inner.__cause__ = CassetteError("no answer")
    seen = "\n\nthe test saw it as {}: no ticket\n(--full-trace shows where)"
    assert failed(make_case(), inner).failure == text + seen.format("ValueError")
    outer = NoTicket("no ticket")
    outer.__context__ = inner
    assert failed(make_case(), outer).failure == text + seen.format(OWN)


def test_another_failure_of_the_test_keeps_its_traceback(make_case: MakeCase) -> None:
    """A section says what planguard found, or what is to be noted; exceptions may lead to each other in a circle."""
    one, other = ValueError("one"), ValueError("other")
    one.__cause__, other.__context__ = other, one
    case = failed(make_case(), one)
    assert case.failure is None
    assert case.sections == [("planguard", f"planguard: {MISS}")]
    noted = make_case()
    noted.recording = PlayedCassette(notes=("it was old", "it is kept"))
    judge(noted.item, noted, ValueError())
    assert (noted.failure, noted.sections) == (None, [("planguard", "note: it was old\nnote: it is kept")])
    quiet = make_case()
    judge(quiet.item, quiet, ValueError())
    assert (quiet.failure, quiet.sections, quiet.skipped) == (None, [], False)


def test_a_skipped_test_is_not_judged(make_case: MakeCase) -> None:
    """Nor does it give anything up."""
    case = failed(make_case(), pytest.skip.Exception("not today"))
    assert (case.skipped, case.failure, case.sections) == (True, None, [])


class Broken:
    """Commands that cannot be settled."""

    problems = notes = ()

    def __init__(self, error: Exception) -> None:
        self._error = error

    def settle(self) -> None:
        """Fail."""
        raise self._error


def test_the_tests_own_failure_is_seen_first(make_case: MakeCase) -> None:
    """A judgement that fails too is a section; a cassette that cannot be written is the failure itself."""

    def judged(second: Exception, error: BaseException) -> Case:
        case = make_case()
        case.commands = Broken(second)  # type: ignore[assignment]
        judge(case.item, case, error)
        return case

    case = judged(KeyError("x"), ValueError("no"))
    assert case.sections == [("planguard", "the conversation could not be judged: KeyError: 'x'")]
    full = CassetteError("the disk is full")
    case = judged(full, ValueError("no"))
    assert case.sections == [("planguard", "the conversation could not be judged: CassetteError: the disk is full")]
    case = judged(full, full)
    assert (case.failure, case.sections) == ("planguard: the disk is full", [])


def test_a_unittest_case_keeps_its_failure(make_case: MakeCase) -> None:
    """It counts as raised."""
    case = make_case()
    kept = SimpleNamespace(_excinfo=[pytest.ExceptionInfo.from_exception(raised(ValueError("no")))])
    case.recording = PlayedCassette(misses=(MISS,))
    judge(kept, case, None)  # type: ignore[arg-type]
    assert case.sections == [("planguard", f"planguard: {MISS}")]


def test_a_test_that_judged_nothing_fails(make_case: MakeCase) -> None:
    """The text of the failure is that of the exception."""
    case = make_case(SPEC._replace(mode="check", contracts=(Contract(None),)))
    with pytest.raises(ContractFailed) as error:
        judge(case.item, case, None)
    assert str(error.value) == case.failure
    assert case.failure == (
        "planguard: nothing was judged: no answer was checked\n"
        "  The test is marked with a contract, but no answer reached it."
    )


def test_conversations_of_the_test_itself_are_judged_too(make_case: MakeCase) -> None:
    """Those that it drove, unless the cassette has them, those that it passed in, and those of a search."""
    case = make_case()
    recorded, driven, own, told = (ended(Outcome.STUCK, number) for number in range(1, 5))
    case.conversations, case.driven = (recorded,), [driven]
    conclude(case)
    assert case.conversations == (recorded,)
    other = replace(driven, conversation="other")
    case.driven, case.observed, case.told = [driven, other], [own], [told]
    conclude(case)
    assert case.conversations == (recorded, other, own, told)
