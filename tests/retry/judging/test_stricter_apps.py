"""Ways in which an app is stricter than its contract: never a silent second conversation, and the true reason."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.outcomes import CheckStatus
from pytest_planguard.retry.results import Convergence

from ...support.conversations import BAD, GOOD, SYSTEM, Plan, Spoken, conversation
from ...support.one_item import in_one_item

EMBEDDED, WHOLE = Contract(Plan), Contract(Plan, extract="whole")
TASK = "Plan the release of version two"
WRAPPED = {
    "fence": f"```json\n{GOOD}\n```",
    "words": f"Here is the plan:\n{GOOD}",
    "thoughts": f"<think>two tasks will do</think>\n{GOOD}",
}
BLIND = ("That was not valid, try again.", "Try again.")
INVALID = "That was not valid: Invalid JSON: expected value at line 1 column 1"


def loop(first: str, feedback: str, second: str = GOOD) -> tuple[Convergence, ...]:
    """The conversations of an app that asks again with `feedback`, judged by the contract that takes wrappers off."""
    return judged(EMBEDDED, first, feedback, second)


def judged(contract: Contract, first: str, feedback: str, second: str = GOOD) -> tuple[Convergence, ...]:
    """The conversations of such an app."""
    base = [("system", SYSTEM), ("user", TASK)]
    retry = [*base, ("assistant", first), ("user", feedback)]
    return judge(conversation(Spoken(base, first), Spoken(retry, second, seed=2)), [contract]).conversations


def failed(found: Convergence) -> set[str]:
    """Names of the failed checks."""
    return {check.name for check in found.checks if check.status is CheckStatus.FAIL}


@in_one_item
@pytest.mark.parametrize("wrapper", WRAPPED)
@pytest.mark.parametrize(
    "feedback",
    [
        *BLIND,
        "Invalid JSON. Please return valid JSON only.",
        "Your answer could not be parsed. Fix it.",
        "Bitte nur JSON.",
        INVALID,
    ],
)
def test_an_app_that_parses_the_whole_answer(wrapper: str, feedback: str) -> None:
    """By the embedded contract `agreed` fails; by the whole one the blind app fails and the fixed one passes."""
    (found,) = loop(WRAPPED[wrapper], feedback)
    assert (len(found.attempts), failed(found)) == (2, {"agreed"})
    (whole,) = judged(WHOLE, WRAPPED[wrapper], feedback)
    if feedback == INVALID:
        assert whole.ok
    if feedback in BLIND:
        assert "feedback" in failed(whole)


@pytest.mark.parametrize("feedback", ["That was not valid, try again.", "The answer was rejected: too few tasks."])
def test_an_app_with_a_rule_of_its_own(feedback: str) -> None:
    """A rule that no contract has: the next answer differs, and the app asked again all the same."""
    (found,) = loop(GOOD, feedback, GOOD.replace("Ship", "Sell"))
    assert failed(found) == {"agreed"}


@pytest.mark.parametrize(
    "turn",
    [
        "Now plan the party",
        "Now a plan for the bug: the login page says invalid password, please try again",
        "Thank you. The error budget of March is wrong in the report, plan how to correct it",
        "Make it shorter",
        "Why two tasks?",
    ],
)
def test_the_next_task_of_a_chat_is_no_rejection(turn: str) -> None:
    """A new task may speak of errors; only words about the answer reject it."""
    found = loop(GOOD, turn, GOOD.replace("Ship", "Sell"))
    assert [len(one.attempts) for one in found] == [1, 1]
    assert all(one.ok for one in found)


def test_a_rejected_answer_is_not_called_agreed() -> None:
    """Where the contract rejects the answer, too, the app and the contract agree."""
    (found,) = loop(BAD, "- goal: Field required")
    assert found.check("agreed").status is CheckStatus.PASS
