"""Several bad calls of the output tool in one answer: the next request has to feed back what is wrong with each."""

import json

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.report.conversation import render_conversation
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.outcomes import DROPPED
from pytest_planguard.retry.results import Convergence
from pytest_planguard.wire.exchange import Exchange, Finish, Item, ItemKind, Role

from ...support.conversations import GOOD, Plan

PLAN = Contract(Plan, judged="Plan")
ASKED = Item(ItemKind.TEXT, Role.USER, "Plan both releases")
TASKS = [{"id": 1, "status": "Draft"}, {"id": 2, "status": "Draft"}]
NO_GOAL = json.dumps({"tasks": TASKS})
NO_TASKS = json.dumps({"goal": "Ship it"})
BROKEN = '{"goal": "Ship it", "tasks": ['
GOAL = "goal: Field required"
TASKS_MISSING = "tasks: Field required"


def calls(*texts: str, ids: bool = True) -> tuple[Item, ...]:
    """Calls of the output tool with these arguments."""
    return tuple(
        Item(ItemKind.CALL, Role.ASSISTANT, text, f"c{n}" if ids else None, "Plan", _parsed(text))
        for n, text in enumerate(texts, 1)
    )


def retried(bad: tuple[Item, ...], *said: str) -> Convergence:
    """The bad calls, then a retry with one result a call, then a good answer."""
    results = tuple(
        Item(ItemKind.RESULT, Role.TOOL, text, call.call_id, is_error=True)
        for call, text in zip(bad, said, strict=True)
        if text
    )
    first = Exchange(1, "openai.chat", request=(ASKED,), answer=bad, finish=Finish.TOOL_CALLS)
    again = Exchange(2, "openai.chat", request=(ASKED, *bad, *results), answer=calls(GOOD), finish=Finish.TOOL_CALLS)
    (found,) = judge([first, again], [PLAN]).conversations
    return found


def grades(found: Convergence) -> list[bool]:
    """For each finding of the first attempt whether it was fed back."""
    return [c.grade not in DROPPED for c in found.attempts[0].fed_back]


@pytest.mark.parametrize(
    ("said", "fed_back"),
    [
        ((GOAL, TASKS_MISSING), [True, True]),
        ((GOAL, ""), [True, False]),
        ((GOAL, "ok"), [True, False]),
        (("", TASKS_MISSING), [False, True]),
        ((TASKS_MISSING, GOAL), [False, False]),
    ],
)
def test_each_bad_call_has_to_be_answered(said, fed_back):
    """The errors of the second call count as those of the first, and a result speaks of its own call only."""
    found = retried(calls(NO_GOAL, NO_TASKS), *said)
    assert grades(found) == fed_back
    assert found.ok is all(fed_back)


def test_the_same_error_in_two_calls_is_two_findings():
    """Telling one call of it does not tell the other."""
    assert grades(retried(calls(NO_GOAL, NO_GOAL), GOAL, "")) == [True, False]
    assert grades(retried(calls(NO_GOAL, NO_GOAL), GOAL, GOAL)) == [True, True]


def test_without_ids_the_errors_may_stand_anywhere():
    """Some providers give calls no id, so nobody can tell which result is meant: no false alarm."""
    bad = calls(NO_GOAL, NO_TASKS, ids=False)
    first = Exchange(1, "openai.chat", request=(ASKED,), answer=bad)
    told = Item(ItemKind.TEXT, Role.USER, f"{GOAL}\n{TASKS_MISSING}")
    again = Exchange(2, "openai.chat", request=(ASKED, *bad, told), answer=calls(GOOD))
    (found,) = judge([first, again], [PLAN]).conversations
    assert grades(found) == [True, True]


def test_each_call_has_its_own_phase():
    """A call that does not parse hides nothing of the other, which an app checks by itself."""
    found = retried(calls(BROKEN, NO_TASKS), "Invalid JSON: EOF while parsing a list", "")
    assert grades(found) == [True, False]
    assert found.check("feedback").status == "fail"


def test_a_good_call_beside_a_bad_one_asks_for_nothing():
    """Only what is wrong has to be fed back."""
    found = retried(calls(GOOD, NO_TASKS), "ok", TASKS_MISSING)
    assert grades(found) == [True]
    assert found.ok


def test_the_report_says_which_call_is_meant():
    """A finding of a later call has no frame in the text of the first, and says so."""
    shown = render_conversation(retried(calls(NO_GOAL, NO_GOAL), GOAL, ""))
    assert "this concerns call 2 of the answer" in shown
    assert shown.index("fed back (verbatim)") < shown.index("this concerns call 2") < shown.index("MISSING")
    assert shown.count("1 | ") == 1


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None
