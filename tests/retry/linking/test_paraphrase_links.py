"""Retries that repeat nothing of the request before: the task reworded while errors are added, the history cut."""

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.outcomes import DROPPED

from ...support.conversations import (
    BAD,
    BROKEN,
    DIALECTS,
    ERRORS,
    GOOD,
    SYSTEM,
    WORDINGS,
    Plan,
    Spoken,
    Turn,
    conversation,
)
from ...support.one_item import in_one_item

LOOSE = Contract(Plan)
TASK = "Plan the release of version two for the team"
OTHER_TASK = "Plan the move of office four for the guests"
REWORDED = "Please plan the release of version two of our product for the whole team."
ERRORS_TEXT = WORDINGS["bullets, dotted"](ERRORS)
TOLD = f"Your previous answer was not valid:\n{ERRORS_TEXT}"


def said(text: str, system: str = SYSTEM) -> list[Turn]:
    """A request of a system text and a task."""
    return [("system", system), ("user", text)]


def missing(first: list[Turn], retry: list[Turn], bad: str = BAD, dialect: str = "openai.chat") -> list[int]:
    """For each conversation that is seen how many findings its first attempt missing."""
    found = judge(conversation(Spoken(first, bad), Spoken(retry, GOOD, seed=2), dialect=dialect), [LOOSE])
    return [sum(c.grade in DROPPED for c in one.attempts[0].fed_back) for one in found.conversations]


RETRIES = {
    "reworded, errors behind": said(f"{REWORDED}\n{TOLD}"),
    "reworded, errors in front": said(f"{TOLD}\n\n{REWORDED}"),
    "reworded system, too": said(f"{REWORDED}\n{TOLD}", "You are careful and write plans as JSON."),
    "window without the system text": [("user", f"{TASK}\n{TOLD}")],
    "window with errors as a turn": [("user", TASK), ("user", TOLD)],
}


@in_one_item
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("how", RETRIES)
def test_errors_that_agree_with_the_answer_make_a_retry(how, dialect):
    """The words of the task and errors at places that the answer has: one conversation, and nothing is missing."""
    history: list[Turn] = [("system", SYSTEM), ("user", "hi"), ("assistant", "Hello."), ("user", TASK)]
    assert missing(history if how.startswith("window") else said(TASK), RETRIES[how], dialect=dialect) == [0]


def test_what_the_reworded_task_leaves_out_is_lost():
    """The link is made, and one finding that is not told fails the check."""
    told = "\n".join(TOLD.splitlines()[:-1])
    assert missing(said(TASK), said(f"{REWORDED}\n{told}")) == [1]


def test_an_answer_that_does_not_parse():
    """Without places the words must say that it could not be read."""
    told = "Your previous answer was not valid JSON: invalid JSON at line 1"
    assert missing(said(TASK), said(f"{REWORDED}\n{told}"), BROKEN) == [0]
    assert missing(said(TASK), said(f"{REWORDED}\n{TOLD}"), BROKEN) == [0, 0]


NO_RETRIES = {
    "another task": said(f"Describe an engine briefly.\n{TOLD}"),
    "errors at places that the answer has not": said(
        f"{REWORDED}\nYour previous answer was not valid:\n- name: Input should be a valid string"
    ),
    "no errors": said(REWORDED),
    "rules, not errors": said(
        f"{REWORDED}\nRules:\n- goal: must have at least 3 characters\n- tasks: at least 2 items"
    ),
    "errors praised, nothing placed": said(f"{REWORDED}\nAvoid errors."),
    "another history": [("system", SYSTEM), ("user", "a"), ("assistant", "Other."), ("user", f"{REWORDED}\n{TOLD}")],
}


@pytest.mark.parametrize("how", NO_RETRIES)
def test_anything_less_is_another_conversation(how):
    """Where the evidence does not suffice nothing is linked."""
    assert missing(said(TASK), NO_RETRIES[how]) == [0, 0]


def test_the_likest_task_is_meant_and_equals_are_ambiguous():
    """Two open conversations: the words of the task tell; where they cannot, nobody guesses."""
    two = [Spoken(said(TASK), BAD), Spoken(said(OTHER_TASK), BAD, seed=3)]
    retry = Spoken(said(f"{REWORDED}\n{TOLD}"), GOOD, seed=2)
    found = judge(conversation(*two, retry), [LOOSE]).conversations
    assert [(len(c.attempts), c.outcome) for c in found] == [(2, "converged"), (1, "stopped")]

    neither = Spoken(said(f"Plan the release or the move for the team or the guests.\n{TOLD}"), GOOD, seed=2)
    other = BAD.replace("pending", "unknown")
    twins = [Spoken(said("Plan the release for the team"), BAD), Spoken(said("Plan the move for the guests"), other)]
    found = judge(conversation(*twins, neither), [LOOSE]).conversations
    assert "ambiguous" in {c.outcome for c in found}
