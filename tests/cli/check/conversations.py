"""Small judged conversations, built by hand, for tests of figures and output."""

from collections.abc import Sequence

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.retry.outcomes import CheckStatus, Grade, Outcome
from pytest_planguard.retry.results import Attempt, Check, Convergence, FedBack
from pytest_planguard.wire.exchange import Exchange

MISSING = Finding("missing", ("steps",), "expected a list; it is missing", FailureKind.MISSING)


def verdict(text: str) -> Verdict:
    """A verdict over a text: "ok…" is valid, anything else has the finding MISSING."""
    return Verdict("Ticket", text, () if text.startswith("ok") else (MISSING,))


def conversation(
    answers: Sequence[str], outcome: Outcome, grades: Sequence[Grade] = (), failed: Sequence[str] = ()
) -> Convergence:
    """A conversation with these answers, in which each retry fed back MISSING with these grades."""
    attempts = [
        Attempt(
            n,
            Exchange(n, "openai.chat"),
            verdict(text),
            (FedBack(MISSING, n, grades[n - 1]),) if grades[n - 1 :] else (),
        )
        for n, text in enumerate(answers, 1)
    ]
    checks = tuple(Check(name, CheckStatus.FAIL, f"{name} does not hold") for name in failed)
    return Convergence("1", "Ticket", outcome, tuple(attempts), checks, 3)
