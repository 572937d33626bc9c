"""Which findings only an experiment can judge."""

from __future__ import annotations

import pytest

from pytest_planguard.plugin.case import Case
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings
from pytest_planguard.plugin.rerun.obstacles import in_doubt, wants_experiment, worth_a_run
from pytest_planguard.retry.outcomes import Firmness, Grade, Outcome
from pytest_planguard.retry.results import NOTHING_NEW, Attempt, Convergence, FedBack

from ...support.verdicts import BAD, PRIORITY, STEPS, attempt, verdict


def fed_back(grade: Grade, how: Firmness | None = None, reason: str | None = None) -> FedBack:
    """Return how a retry treats a finding."""
    return FedBack(PRIORITY, 1, grade, how, reason=reason)


QUOTED = fed_back(Grade.FED_BACK, Firmness.VERBATIM)


@pytest.mark.parametrize(
    ("found", "doubtful"),
    [
        (None, False),
        (fed_back(Grade.FED_BACK, Firmness.PROVEN), False),
        (QUOTED, False),
        (fed_back(Grade.NOT_JUDGED), False),
        (fed_back(Grade.MISSING, reason=NOTHING_NEW), False),
        (fed_back(Grade.MISSING, reason="no entry names it"), True),
        (fed_back(Grade.UNCLEAR), True),
        (fed_back(Grade.FED_BACK, Firmness.LOCATED), True),
        (fed_back(Grade.FED_BACK, Firmness.WEAK), True),
    ],
)
def test_what_reading_alone_decides(found: FedBack | None, doubtful: bool) -> None:
    """A request without new words has lost a finding, and one that quotes it has not."""
    assert in_doubt(attempt(1, verdict()), found) is doubtful


def test_the_first_quoted_finding_is_worth_a_run() -> None:
    """A constant text would quote all of them, so the others are not tried."""
    also = FedBack(STEPS, 1, Grade.FED_BACK, Firmness.VERBATIM)
    lost = fed_back(Grade.MISSING, reason=NOTHING_NEW)
    one = attempt(1, verdict(BAD, PRIORITY, STEPS), lost, QUOTED, also)
    assert [worth_a_run(one, each) for each in (lost, QUOTED, also, None)] == [False, True, False, False]


@pytest.mark.parametrize("mode", ["auto", "always", "never"])
def test_an_experiment_is_wanted_for_what_is_in_doubt(request: pytest.FixtureRequest, mode: str) -> None:
    """By itself only for that, on request for every retry; never without a retry, or after the test's own one."""

    def wants(*attempts: Attempt) -> bool:
        case = Case(request.node, Spec((), 3), Settings(prove=mode), "key")
        case.conversations = (Convergence("1", "Ticket", Outcome.CONVERGED, attempts, ()),)
        found = wants_experiment(case)
        case.proved = True
        assert not wants_experiment(case)
        return found

    last = attempt(2, verdict())
    assert not wants(attempt(1, verdict(), QUOTED))
    assert wants(attempt(1, verdict(), QUOTED), last) is (mode != "never")
    assert wants(attempt(1, verdict(), fed_back(Grade.FED_BACK, Firmness.PROVEN)), last) is (mode == "always")
