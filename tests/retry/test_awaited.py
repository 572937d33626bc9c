"""The awaited loop, and a loop as a plugin drives it: both do what `converge` does, under every option."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.budget import Budget
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.loop import aconverge, converge, run
from pytest_planguard.retry.loop_state import Loop
from pytest_planguard.retry.outcomes import DROPPED, Outcome
from pytest_planguard.retry.results import Attempt, Convergence

from ..support.one_item import in_one_item
from .decisions.loops import OPTIONS, SCRIPTS
from .decisions.turns import BOTH, EXAMPLES, GOOD, PRIORITY, TICKET, URGENT

NAMES = ("bad, good", "stuck", "completions")


def scripted(name: str, asked: list[str]) -> Callable[[Any], Any]:
    """Return a model that answers by a script, and keeps what it was asked."""

    def ask(turns: Any) -> Any:
        asked.append(json.dumps(turns))
        return SCRIPTS[name][len(asked) - 1]

    return ask


@in_one_item
@pytest.mark.parametrize("option", OPTIONS)
def test_the_awaited_loop_takes_every_option(option: str) -> None:
    """It asks the same, and comes to the same."""
    for name in NAMES:
        given = {"messages": "Write a ticket.", "contract": TICKET, **OPTIONS[option]}
        asked: list[str] = []
        awaited: list[str] = []
        seen: list[Attempt] = []
        model = scripted(name, awaited)

        async def later(turns: Any, model: Callable[[Any], Any] = model) -> Any:
            return model(turns)

        try:
            found: Any = converge(scripted(name, asked), **given)
        except Exception as error:
            with pytest.raises(type(error)):
                asyncio.run(aconverge(later, **given))
            continue
        assert asyncio.run(aconverge(later, on_attempt=seen.append, **given)) == found
        assert awaited == asked
        assert [attempt.number for attempt in seen] == [attempt.number for attempt in found.attempts]


def driven(*script: str, **given: Any) -> Convergence:
    """Return what a loop of a name of its own comes to."""
    answers = iter(script)

    def ask(_: Any) -> str:
        return next(answers)

    messages = given.pop("messages", "Write a ticket.")
    return run(Loop(ask, messages, TICKET, budget=Budget(2), conversation="ticket", **given), ask)


@pytest.mark.parametrize("placement", ["dialogue", "inject", "blind"])
def test_a_loop_has_the_name_that_it_is_given(placement: Any) -> None:
    """And its budget outweighs the attempts that the options allow."""
    found = driven(URGENT, BOTH, placement=placement, options=JudgeOptions(max_attempts=9))
    assert (found.conversation, found.max_attempts, found.outcome) == ("ticket", 2, Outcome.REGRESSED)
    known = driven(URGENT, GOOD, placement=placement)
    assert (known.conversation, known.ok, len(known.attempts)) == ("ticket", placement != "blind", 2)


EXAMPLE = [{"role": item.role.value, "content": item.text} for item in EXAMPLES]


@pytest.mark.parametrize("placement", ["dialogue", "blind"])
def test_a_loop_is_judged_by_its_options(placement: Any) -> None:
    """A copied example counts where they say so."""
    strict = JudgeOptions(copy_check=True)
    assert driven(GOOD, messages=EXAMPLE, placement=placement).outcome is Outcome.CONVERGED
    found = driven(GOOD, messages=EXAMPLE, placement=placement, options=strict)
    assert found.outcome is Outcome.FALSE_CONVERGENCE


def test_a_blind_loop_of_other_requests_is_one_conversation() -> None:
    """Each attempt is known to react to the one before, whatever the requests repeat."""
    found = driven(URGENT, URGENT, style="blind", stop_when_stuck=False)
    assert ([attempt.repeats for attempt in found.attempts], found.outcome) == ([None, 1], Outcome.STUCK)
    assert PRIORITY not in "".join(item.text for item in found.attempts[1].exchange.request)


@pytest.mark.parametrize(("fields", "missing"), [(19, 0), (20, 0), (21, 1)])
def test_what_feedback_leaves_out_is_read_as_lost(fields: int, missing: int) -> None:
    """It names twenty findings; then the requests are read like those of a cassette."""
    contract = Contract({"title": "Many", "type": "object", "required": [f"field{n:02}" for n in range(fields)]})
    found = converge(lambda _: "{}", "Write a ticket.", contract, stop_when_stuck=False, max_attempts=2)
    grades = [graded.label for graded in found.attempts[0].fed_back]
    assert grades[: fields - missing] == ["verbatim"] * (fields - missing)
    assert all(label in DROPPED for label in grades[fields - missing :])
    assert found.check("feedback").status.value == ("fail" if missing else "pass")
