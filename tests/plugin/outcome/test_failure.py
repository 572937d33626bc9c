"""The next step that a failing conversation is advised to take."""

import pytest

from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.plugin.outcome.failure import _allow_more, _stop
from pytest_planguard.retry.outcomes import CheckStatus, Outcome
from pytest_planguard.retry.results import Attempt, Check, Convergence
from pytest_planguard.wire.exchange import Exchange, Finish

OVER = "3 attempts were made, 2 are allowed"
NEEDLESS = "attempt 2 was requested at the same token limit after attempt 1 was cut off"
FEWER = "let the loop end after attempt 2, or allow more with max_attempts=3 (a framework's max_retries=2 asks 3 times)"
NO_MORE = "don't retry when another answer cannot help: after a refusal, or after a cut-off at the same limit"


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


@pytest.mark.parametrize(
    ("finish", "limit", "told"),
    [
        (Finish.LENGTH, 1_000, "the app allows 1,000 tokens: let it allow more"),
        (Finish.LENGTH, None, "the model's own token limit cut the answer"),
        (Finish.STOP, 1_000, "the answer ends early, though at no token limit"),
        (None, None, "the answer ends early, though at no token limit"),
    ],
)
def test_a_token_limit_is_blamed_only_if_the_answer_reached_it(
    finish: Finish | None, limit: int | None, told: str
) -> None:
    """A proxy or a stop sequence cuts answers, too, and then the provider says that the model stopped."""
    sampling = {} if limit is None else {"max_tokens": limit}
    assert _allow_more(Exchange(1, "openai.chat", finish=finish, sampling=sampling)).startswith(told)
