"""Several bad calls of the output tool in one answer: the next request has to feed back what is wrong with each."""

import json

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.report.conversation import render_conversation
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.required_findings import enough, holds, may_be_enough, required
from pytest_planguard.retry.outcomes import DROPPED, Firmness, Grade
from pytest_planguard.retry.results import Convergence, FedBack
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


def finding(kind: FailureKind, **known: str) -> Finding:
    """Return a finding of a kind."""
    return Finding(kind.value, ("goal",), "is wrong", kind, **known)


TWICE, NAN = finding(FailureKind.DUPLICATE_KEY), finding(FailureKind.NON_FINITE)
PARSE, TYPE, CONTENT = (finding(kind) for kind in (FailureKind.INVALID_JSON, FailureKind.TYPE, FailureKind.CONTENT))
SEEN = finding(FailureKind.TYPE, validator_code="int_type")
SEEN_TWICE = finding(FailureKind.DUPLICATE_KEY, validator_code="duplicate")


@pytest.mark.parametrize(
    ("errors", "due"),
    [
        ([], ()),
        ([CONTENT, TYPE, PARSE], (PARSE,)),
        ([CONTENT, TYPE], (TYPE,)),
        ([CONTENT], (CONTENT,)),
        ([TYPE, SEEN], (SEEN,)),
        ([TYPE, TYPE], (TYPE, TYPE)),
        ([TWICE, NAN], (TWICE, NAN)),
        ([TWICE, NAN, CONTENT], (CONTENT,)),
        ([SEEN_TWICE, CONTENT], (SEEN_TWICE,)),
    ],
)
def test_what_the_app_could_report_is_due(errors: list[Finding], due: tuple[Finding, ...]) -> None:
    """Those of the earliest phase, of its own validator if any; what only our parser reports, if it is all there is."""
    assert required(errors, "app") == due
    assert required(errors, "contract") == tuple(errors)


LABELS = ("proven", "verbatim", "located", "weak", "reacts", "partial", "unclear", "missing", "wrong", "not judged")


def graded(label: str) -> FedBack:
    """Return a finding with a firmness or a grade."""
    how = Firmness(label) if label in {*Firmness} else None
    return FedBack(TYPE, 1, Grade.FED_BACK if how else Grade(label), how)


@pytest.mark.parametrize(
    ("weakest", "enough_of"),
    [(Firmness.PROVEN, 1), (Firmness.VERBATIM, 2), (Firmness.LOCATED, 3), (Firmness.WEAK, 6)],
)
def test_each_firmness_counts_up_to_the_weakest(weakest: Firmness, enough_of: int) -> None:
    """A reaction and a part count as weak."""
    assert [label for label in LABELS if holds(graded(label), weakest)] == [*LABELS[:enough_of]]


@pytest.mark.parametrize(
    ("labels", "covered"),
    [
        ([], {"all", "first"}),
        (["weak", "weak"], {"all", "first", "any"}),
        (["weak", "missing"], {"first", "any"}),
        (["missing", "weak"], {"any"}),
        (["missing", "missing"], set()),
        (["weak", "unclear"], {"first", "any"}),
    ],
)
def test_coverage_says_how_many_findings_are_due(labels: list[str], covered: set[str]) -> None:
    """All of them, the first, or any one."""
    gradings, ways = [*map(graded, labels)], ("all", "first", "any")
    assert {way for way in ways if enough(gradings, way, Firmness.WEAK)} == covered  # type: ignore[arg-type]
    assert not labels or not any(enough(gradings, way, Firmness.LOCATED) for way in ways)  # type: ignore[arg-type]


@pytest.mark.parametrize("weakest", [Firmness.PROVEN, Firmness.VERBATIM, Firmness.LOCATED, Firmness.WEAK])
def test_an_unclear_finding_may_be_fed_back_weakly(weakest: Firmness) -> None:
    """If words that planguard can read are asked for, it is not; and a missing one never is."""
    assert may_be_enough([graded("unclear")], "all", weakest) is (weakest is Firmness.WEAK)
    assert not may_be_enough([graded("unclear"), graded("missing")], "all", weakest)
    assert may_be_enough([graded("unclear"), graded("proven")], "any", weakest)


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None
