"""How often an app runs again by itself, and which result of several experiments counts."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.plugin.outcome import proving
from pytest_planguard.plugin.outcome.proving import DEBUGGED, Limit
from pytest_planguard.retry.proof import Proof, ProofResult

from ...support.verdicts import PRIORITY, STEPS
from .conftest import MakeCase


def run(limit: Limit, times: int = 1) -> None:
    """Count so many runs that take no time."""
    for _ in range(times):
        with limit.counted():
            pass


def test_without_numbers_there_is_no_limit() -> None:
    """A test that asks for its experiments gets all of them."""
    limit = Limit()
    run(limit, 100)
    assert limit.reached is None


def test_the_number_of_runs_is_limited() -> None:
    """The setting is named."""
    limit = Limit(2, 60.0)
    for reached in (None, None, "the app was run again 2 times, which is the limit (planguard_prove_reruns)"):
        assert limit.reached == reached
        run(limit)
    run(limit)
    assert limit.reached == "the app was run again 4 times, which is the limit (planguard_prove_reruns)"


def test_the_time_is_limited_after_the_first_change() -> None:
    """The first run changes nothing, so one more is always made."""
    limit = Limit(20, 0.0)
    for reached in (None, None, "running the app again took 0 s, which is the limit (planguard_prove_seconds)"):
        assert limit.reached == reached
        run(limit)


@pytest.mark.parametrize(("worked", "waited", "counted"), [(2.0, 5.0, 2.0), (1.0, 10.0, 2.0), (1.0, 1.0, 1.0)])
def test_time_that_was_only_waited_counts_in_part(
    monkeypatch: pytest.MonkeyPatch, worked: float, waited: float, counted: float
) -> None:
    """Others may use the machine: a fifth of the elapsed time counts, or the work if that was more."""
    for seconds, reached in ((2 * counted, True), (2 * counted + 0.1, False)):
        work, clock = iter((10.0, 10.0 + worked) * 2), iter((100.0, 100.0 + waited) * 2)
        times = SimpleNamespace(process_time=work.__next__, perf_counter=clock.__next__)
        monkeypatch.setattr(proving, "time", times)
        limit = Limit(None, seconds)
        run(limit, 2)
        assert (limit.reached is not None) is reached


def test_a_later_experiment_replaces_only_what_was_unproven(make_case: MakeCase) -> None:
    """Each part of an app that runs again covers other findings."""

    def proof(finding: Finding, result: ProofResult, exchange: int = 1) -> Proof:
        return Proof("1", 1, exchange, finding, result, "so it is")

    other = Finding("type", ("title",), "no text", FailureKind.TYPE)
    case = make_case()
    first = [
        proof(PRIORITY, ProofResult.MISSING),
        proof(STEPS, ProofResult.UNPROVEN),
        proof(other, ProofResult.NOT_JUDGED),
    ]
    proving._keep(case, first)
    assert case.proofs == tuple(first)
    later = [
        proof(PRIORITY, ProofResult.PROVEN),
        proof(PRIORITY, ProofResult.PROVEN, 2),
        proof(STEPS, ProofResult.PROVEN),
        proof(other, ProofResult.PROVEN),
    ]
    proving._keep(case, later)
    assert case.proofs == (first[0], later[2], first[2], later[1])


def test_a_debugger_keeps_the_fixtures_of_the_failed_run() -> None:
    """So the app does not run again."""
    assert DEBUGGED == "planguard does not run the app again, since a debugger waits for its failure (--pdb)"
