"""How live answers compare with the recorded ones, for `--planguard-record=verify`."""

from __future__ import annotations

import pytest

from pytest_planguard.plugin.outcome.problems import live_check
from pytest_planguard.retry.outcomes import Outcome
from pytest_planguard.retry.results import Convergence
from pytest_planguard.runs.model.run import LiveCheckRow

from ...support.verdicts import attempt, verdict


def ended(outcome: Outcome, attempts: int = 1) -> Convergence:
    """Return a conversation that ended so."""
    made = tuple(attempt(number, verdict()) for number in range(1, attempts + 1))
    return Convergence("1", "Ticket", outcome, made, ())


GOOD, BAD, LATER = ended(Outcome.CONVERGED), ended(Outcome.STUCK, 3), ended(Outcome.CONVERGED, 2)
GOOD_TEXT, BAD_TEXT, LATER_TEXT = "converged after 1 attempt", "stuck after 3 attempts", "converged after 2 attempts"


@pytest.mark.parametrize(
    ("recorded", "live", "row"),
    [
        ([GOOD], [GOOD], (GOOD_TEXT, GOOD_TEXT, "same")),
        ([BAD], [BAD], (BAD_TEXT, BAD_TEXT, "same")),
        ([GOOD], [LATER], (GOOD_TEXT, LATER_TEXT, "changed")),
        ([GOOD], [BAD], (GOOD_TEXT, BAD_TEXT, "worse")),
        ([BAD], [GOOD], (BAD_TEXT, GOOD_TEXT, "better")),
        ([GOOD, BAD], [BAD, GOOD], (f"{GOOD_TEXT}, {BAD_TEXT}", f"{BAD_TEXT}, {GOOD_TEXT}", "changed")),
        ([GOOD, GOOD], [GOOD], (f"{GOOD_TEXT}, {GOOD_TEXT}", GOOD_TEXT, "worse")),
        ([BAD, BAD], [GOOD], (f"{BAD_TEXT}, {BAD_TEXT}", GOOD_TEXT, "worse")),
        ([GOOD], [GOOD, GOOD], (GOOD_TEXT, f"{GOOD_TEXT}, {GOOD_TEXT}", "changed")),
        ([GOOD], [], (GOOD_TEXT, "nothing was judged", "unanswered")),
        ([], [GOOD], ("nothing was judged", GOOD_TEXT, "changed")),
        ([], [], ("nothing was judged", "nothing was judged", "same")),
    ],
)
def test_live_answers_compare_with_recorded_ones(
    recorded: list[Convergence], live: list[Convergence], row: tuple[str, str, str]
) -> None:
    """A missing conversation is worse, whatever the others are; an endpoint without any answer proves nothing."""
    assert live_check(recorded, live, lambda found: found.ok) == LiveCheckRow(*row)  # type: ignore[arg-type]


def test_the_test_decides_what_is_good() -> None:
    """One that expects its app to get stuck finds an app that does not get stuck worse."""
    stuck = lambda found: found.outcome is Outcome.STUCK  # noqa: E731
    assert live_check([BAD], [GOOD], stuck).change == "worse"
    assert live_check([GOOD], [BAD], stuck).change == "better"
    words = ended(Outcome.NO_PROGRESS, 2)
    assert live_check([words], [words], stuck).recorded == "no progress after 2 attempts"
