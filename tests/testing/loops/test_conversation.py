"""What each kind of scripted model answers, as a function of what was said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from pytest_planguard import Contract, UsageError, converge, plan_rules
from pytest_planguard.testing import AnswerFault, ScriptedConversation, ScriptedModel, conversations
from pytest_planguard.testing.loops.conversation import BEHAVIOURS, Heard, ScriptedAnswer

from ...support.nightly import SLOW
from ...support.one_item import in_one_item
from ..answers.contracts import CONTRACTS
from .apps import TICKET

GOOD = {"title": "Printer", "priority": "high", "steps": ["look", "restart"]}
TITLE = AnswerFault("too_short", ("title",), "x")
PRIORITY = AnswerFault("unlisted_value", ("priority",), "urgent")
TOLD = Heard(True, ((),), "everything is wrong")
UNTOLD = Heard()


def answers(behaviour: Any, heard: Sequence[Heard], cut: int = 0) -> list[ScriptedAnswer]:
    """The first answer, and one for each request that follows."""
    faults = (TITLE, PRIORITY) if behaviour in ("fixes", "regresses", "swings", "copies_error", "ignores") else ()
    script = ScriptedConversation(behaviour, GOOD, faults, cut)
    said: list[ScriptedAnswer] = []
    for one in [UNTOLD, *heard]:
        said.append(script.answer(said, one, {"properties": {}}))
    return said


@pytest.mark.parametrize(
    ("behaviour", "faults"),
    [
        ("right", [(), (), ()]),
        ("fixes", [(0, 1), (1,), (), ()]),
        ("ignores", [(0, 1), (0, 1), (0, 1)]),
        ("regresses", [(0, 1), (1,), (0,), (), ()]),
        ("swings", [(0,), (1,), (0,), (1,)]),
        ("copies_error", [(0, 1), (0, 1), (1,), (), ()]),
    ],
)
def test_what_is_wrong_changes_as_the_behaviour_says(behaviour: Any, faults: list[tuple[int, ...]]) -> None:
    """Where each request feeds back all that was wrong."""
    assert [said.faults for said in answers(behaviour, [TOLD] * (len(faults) - 1))] == faults


@pytest.mark.parametrize("behaviour", ["truncates", "echoes_schema", "answers_another_task"])
def test_a_useless_answer_is_followed_by_the_right_one(behaviour: Any) -> None:
    """Once it is told, and not before."""
    first, again, right = answers(behaviour, [UNTOLD, TOLD], cut=5)
    assert first == again
    assert json.loads(right.text) == GOOD
    assert (first.finish == "length") is (behaviour == "truncates")


def test_the_words_of_the_feedback_are_copied_once() -> None:
    """Then the model fixes as any other."""
    assert answers("copies_error", [TOLD])[1].text == "everything is wrong"


def test_only_what_a_request_names_is_mended() -> None:
    """At the fault's place, above it or below it."""
    for path, repaired in [(("title",), 0), (("title", 0), 0), (("priority",), 1), ((), 0)]:
        first, second = answers("fixes", [Heard(True, (path,), "…")])
        assert set(first.faults) - set(second.faults) == {repaired}


@given(st.data(), st.sampled_from(BEHAVIOURS), st.integers(1, 5))
def test_a_model_that_is_not_told_says_the_same_again(data: Any, behaviour: Any, number: int) -> None:
    """Whatever it does, and however often it is asked."""
    script = data.draw(conversations(TICKET, [behaviour]))
    said: list[ScriptedAnswer] = []
    for _ in range(number):
        said.append(script.answer(said, UNTOLD, TICKET.json_schema))
    assert len(set(said)) == 1


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("name", CONTRACTS)
def test_first_answers_are_wrong_and_right_ones_are_right(name: str) -> None:
    """For contracts of every kind, plans among them."""
    contract, own = CONTRACTS[name]

    @SLOW
    @given(conversations(contract, given=own))
    def check(script: ScriptedConversation) -> None:
        assert contract.check(script.right().text).ok
        first = script.answer([], UNTOLD, contract.json_schema)
        assert contract.check(first.text, finish=first.finish).ok == (script.behaviour == "right"), first

    check()


@given(conversations(TICKET))
def test_our_own_loop_ends_well_where_the_model_does(script: ScriptedConversation) -> None:
    """A model that is right in the end makes it converge; one that never is does not."""
    loop = converge(ScriptedModel(TICKET, script), "A ticket, please", TICKET, max_attempts=8)
    never = script.behaviour in ("ignores", "swings", "truncates")  # at the same limit the next one is cut off, too
    assert loop.ok or loop.outcome.value in ("regressed", "stuck", "stopped", "converged"), loop.outcome
    assert (loop.value is None) == never, loop.outcome


def test_an_example_can_be_written_down() -> None:
    """What Hypothesis prints is the value."""
    some = settings(database=None, phases=[Phase.generate])
    script = find(conversations(TICKET, ["swings"]), lambda _: True, settings=some)
    names = {"ScriptedConversation": ScriptedConversation, "AnswerFault": AnswerFault}
    assert eval(repr(script), names) == script
    assert str(TITLE) == "too_short at title"


def test_faults_never_contain_each_other() -> None:
    """Else mending one would mend or hide the other."""

    @given(conversations(CONTRACTS["everything"][0], ["fixes"]))
    def check(script: ScriptedConversation) -> None:
        paths = [fault.path for fault in script.faults]
        assert not any(one != other and one[: len(other)] == other for one in paths for other in paths)
        assert len(set(paths)) == len(paths)

    check()


@pytest.mark.parametrize(
    ("contract", "behaviours", "message"),
    [
        (TICKET, ["fixs"], "unknown behaviour 'fixs'. Did you mean 'fixes'? Behaviours: right, fixes, ignores"),
        (Contract({}), ["echoes_schema"], "the contract accepts every answer of a model that echoes_schema; name"),
        (
            Contract(None, rules=plan_rules("kiro-tasks")),
            None,
            "no plans are made up for the format 'kiro-tasks'; those of atomicguard, ",
        ),
    ],
)
def test_what_cannot_be_scripted_is_refused_by_name(contract: Contract, behaviours: Any, message: str) -> None:
    """A typing slip would otherwise test nothing."""
    with pytest.raises(UsageError) as refused:
        conversations(contract, behaviours)
    assert str(refused.value).startswith(message)
