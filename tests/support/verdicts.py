"""Findings, verdicts and a conversation about a ticket, for tests of the output."""

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.document.positions import Span
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Grade, Outcome
from pytest_planguard.retry.results import Attempt, Check, Convergence, FedBack
from pytest_planguard.wire.exchange import Exchange, Finish, Usage

BAD = '{\n  "title": "Printer",\n  "priority": "hi",\n  "steps": []\n}'
GOOD = '{"title": "Printer", "priority": "high", "steps": ["look"]}'

PRIORITY = Finding(
    code="enum",
    path=("priority",),
    message='expected one of "low", "high"; got "hi"',
    kind=FailureKind.ENUM,
    span=Span(3, 15, 3, 19),
    hint='did you mean "high"?',
)
STEPS = Finding(
    code="length",
    path=("steps",),
    message="expected at least 1 item; got 0",
    kind=FailureKind.LENGTH,
    span=Span(4, 12, 4, 14),
)


def verdict(text: str = BAD, *findings: Finding) -> Verdict:
    """Return a verdict of the contract Ticket."""
    return Verdict("Ticket", text, findings)


def attempt(number: int, judged: Verdict, *fed_back: FedBack) -> Attempt:
    """An attempt answered by the model m-1 with 100 tokens in and 20 out."""
    exchange = Exchange(number, "openai.chat", model="m-1", finish=Finish.STOP, usage=Usage(100, 20))
    return Attempt(number, exchange, judged, fed_back)


def lost_retry() -> Convergence:
    """Return two findings, one missing from the request of attempt 2, which is valid anyway."""
    first = attempt(
        1,
        verdict(BAD, PRIORITY, STEPS),
        FedBack(
            PRIORITY,
            1,
            Grade.FED_BACK,
            Firmness.LOCATED,
            evidence='1. /priority (line 3): expected one of "low", "high"',
        ),
        FedBack(STEPS, 1, Grade.MISSING, reason="no entry of the new request names /steps"),
    )
    missing = Check(
        "feedback",
        CheckStatus.FAIL,
        "the request of attempt 2 lacks 1 of 2 findings of attempt 1",
        ("attempt 1: steps [length] is missing from message 3 of request 2",),
    )
    passed = Check("valid", CheckStatus.PASS, "the last answer is valid")
    return Convergence("1", "Ticket", Outcome.CONVERGED, (first, attempt(2, verdict(GOOD))), (passed, missing), 3)
