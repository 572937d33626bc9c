"""What a failing conversation is advised to do about a loop that goes on."""

import pytest

from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.plugin.outcome.failure import _stop
from pytest_planguard.retry.outcomes import CheckStatus, Outcome
from pytest_planguard.retry.results import Attempt, Check, Convergence
from pytest_planguard.wire.exchange import Exchange

OVER = "3 attempts were made, 2 are allowed"
NEEDLESS = "attempt 2 was asked at the same token limit after attempt 1 was cut off"
FEWER = (
    "let the loop end after attempt 2, or allow it more with max_attempts=3 (a framework's max_retries=2 asks 3 times)"
)
NO_MORE = "don't ask again when an answer cannot help: after a refusal, or a cut-off at the same limit"


@pytest.mark.parametrize(
    ("made", "evidence", "told"),
    [(3, (OVER,), FEWER), (2, (NEEDLESS,), NO_MORE), (3, (NEEDLESS, OVER), f"{FEWER}; {NO_MORE}")],
    ids=["over", "needless", "both"],
)
def test_the_advice_fits_what_was_wrong(made: int, evidence: tuple[str, ...], told: str) -> None:
    """Too many attempts want an end or a larger budget; attempts that cannot help want neither."""
    attempts = tuple(Attempt(n, Exchange(n, "openai.chat"), Verdict("Ticket", "{}")) for n in range(1, made + 1))
    check = Check("stops", CheckStatus.FAIL, "the loop did not stop in time", evidence)
    assert _stop(Convergence("1", "Ticket", Outcome.EXHAUSTED, attempts, (check,), 2)) == told
