"""The driven loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import count, min_length, non_empty, not_copied
from pytest_planguard.contract.feedback.feedback import build_feedback
from pytest_planguard.contract.verdict import SchemaValidationError
from pytest_planguard.errors import UsageError
from pytest_planguard.retry.budget import Budget
from pytest_planguard.retry.loop import aconverge, converge
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Outcome
from pytest_planguard.retry.results import Attempt, Convergence


class Ticket(BaseModel):
    title: str
    priority: Literal["low", "high"]


TICKET = Contract(Ticket, constraints=[min_length("title", 3)])
GOOD = '{"title": "Put it out", "priority": "high"}'
ENUM = '{"title": "Put it out", "priority": "urgent"}'
TYPE = '{"title": 1, "priority": "low"}'
SHORT = '{"title": "x", "priority": "low"}'


class Model:
    """A scripted model that keeps what it was asked; an exception in the script is raised."""

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.asked: list[list[dict[str, Any]]] = []

    def __call__(self, messages: list[dict[str, Any]]) -> Any:
        """Answer by the script."""
        self.asked.append(messages)
        answer = self.script[len(self.asked) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer


def _drive(*script: Any, contract: Contract = TICKET, **options: Any) -> tuple[Convergence, Model]:
    model = Model(*script)
    return converge(model, "Make a ticket.", contract, **options), model


def test_it_converges() -> None:
    """The findings of attempt 1 stand in request 2, and the valid answer ends the loop."""
    found, model = _drive(ENUM, GOOD)
    assert (found.outcome, found.ok, len(found.attempts)) == (Outcome.CONVERGED, True, 2)
    assert found.value == Ticket(title="Put it out", priority="high")
    assert [m["role"] for m in model.asked[1]] == ["user", "assistant", "user"]
    assert '/priority (line 1): expected one of "low", "high"; got "urgent"' in model.asked[1][-1]["content"]
    assert [c.label for c in found.attempts[0].fed_back] == [Firmness.VERBATIM]
    assert all(
        c.status in (CheckStatus.PASS, CheckStatus.NOT_APPLICABLE) for c in found.checks if c.name != "accounted"
    )


def test_one_good_answer() -> None:
    """A first valid answer is one request."""
    found, model = _drive(GOOD)
    assert (found.ok, len(model.asked)) == (True, 1)


@pytest.mark.parametrize(
    ("script", "outcome", "asked"),
    [
        ((ENUM, TYPE, SHORT), Outcome.EXHAUSTED, 3),
        ((ENUM, ENUM), Outcome.STUCK, 2),
        ((ENUM, TYPE, ENUM), Outcome.STUCK, 3),
        (('{"title": "t", "prio',), Outcome.STOPPED, 1),
        (("", ""), Outcome.STOPPED, 2),
    ],
)
def test_how_it_ends(script: tuple[str, ...], outcome: Outcome, asked: int) -> None:
    """Source row 75: exhausted, stuck and stopped are told apart, and nobody asks again in vain."""
    found, model = _drive(*script)
    assert (found.outcome, len(model.asked), found.ok) == (outcome, asked, False)


def test_a_stuck_loop_may_go_on() -> None:
    """With stop_when_stuck off the budget alone ends the loop; it is called stuck all the same."""
    found, model = _drive(ENUM, ENUM, GOOD, stop_when_stuck=False)
    assert (found.outcome, len(model.asked)) == (Outcome.CONVERGED, 3)
    found, model = _drive(ENUM, ENUM, max_attempts=2, stop_when_stuck=False)
    assert (found.outcome, len(model.asked)) == (Outcome.STUCK, 2)


def test_severity_fail_means_zero_retries() -> None:
    """A finding of severity fail ends the loop at once."""
    contract = Contract(None, constraints=[non_empty("a", severity="fail")])
    found, model = _drive('{"a": ""}', contract=contract)
    assert (found.outcome, len(model.asked)) == (Outcome.REJECTED, 1)


def test_severity_warn_passes_and_retry_is_fed_back() -> None:
    """`warn` is recorded and passes, and `retry` is in the next request."""
    contract = Contract(None, constraints=[non_empty("a"), non_empty("b", severity="warn")])
    found, model = _drive('{"a": "", "b": ""}', '{"a": "x", "b": ""}', contract=contract)
    assert found.ok
    assert "/a (line 1)" in model.asked[1][-1]["content"]
    assert "/b" not in model.asked[1][-1]["content"]
    assert [item.code for item in found.attempts[-1].verdict.findings] == ["non_empty"]


@pytest.mark.parametrize("placement", ["dialogue", "inject", "command"])
def test_placements_carry(placement: Any) -> None:
    """Every placement but blind feeds back the findings; inject and command start from the task each time."""
    found, model = _drive(ENUM, TYPE, GOOD, placement=placement)
    assert found.ok
    last = model.asked[2][-1]["content"]
    assert "title" in last
    assert "Make a ticket." in json.dumps(model.asked[2])
    if placement != "dialogue":
        assert len(model.asked[2]) == 1
        assert "urgent" not in last


def test_blind_fails() -> None:
    """A retry that sends the same request is caught, even where the answer becomes valid."""
    found, _ = _drive(ENUM, GOOD, placement="blind")
    assert (found.outcome, found.ok) == (Outcome.CONVERGED, False)
    assert {found.check("feedback").status, found.check("fresh").status} == {CheckStatus.FAIL}


def test_a_template_that_drops_the_errors_fails() -> None:
    """An own frame without the errors does not pass for feedback."""
    found, _ = _drive(ENUM, GOOD, template="Try again, please.")
    assert found.check("feedback").status is CheckStatus.FAIL
    kept, _ = _drive(ENUM, GOOD, template="Try again:\n{errors}")
    assert kept.check("feedback").status is CheckStatus.PASS


def test_transport_failures_are_no_attempts() -> None:
    """Source row 1: a 503 is sent again without feedback and counted apart from validation retries."""
    slept: list[float] = []
    found, model = _drive(ConnectionError("503"), TimeoutError(), ENUM, GOOD, sleep=slept.append)
    assert (len(found.attempts), [a.transport_retries for a in found.attempts]) == (2, [2, 0])
    assert slept == [1.0, 2.0]
    assert model.asked[0] == model.asked[1] == model.asked[2]


def test_one_failure_too_many_is_raised() -> None:
    """Source row 76: what is no transport failure is raised at once, and a failure beyond the budget as it is."""
    with pytest.raises(ZeroDivisionError):
        _drive(ZeroDivisionError())
    with pytest.raises(ConnectionError) as caught:
        _drive(ConnectionError("x"), ConnectionError("y"), budget=Budget(transport_retries=1))
    assert caught.value.__notes__ == ["planguard: sent 2 times for attempt 1"]
    with pytest.raises(SchemaValidationError):
        _drive(SchemaValidationError("503 connection error"))


def _priced(text: str, tokens: int | None) -> dict[str, Any]:
    usage = {"prompt_tokens": tokens, "completion_tokens": 5} if tokens is not None else None
    message = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "finish_reason": "stop", "message": message}], "usage": usage}


def test_budgets_in_tokens_and_money() -> None:
    """A spent budget ends the loop before the next request; an unknown cost counts as spent."""
    found, model = _drive(_priced(ENUM, 95), GOOD, budget=Budget(tokens=100))
    assert (found.outcome, len(model.asked)) == (Outcome.EXHAUSTED, 1)
    assert found.usage.input_tokens == 95
    found, _ = _drive(_priced(ENUM, 10), GOOD, budget=Budget(tokens=100))
    assert found.ok
    found, model = _drive(_priced(ENUM, None), GOOD, budget=Budget(tokens=100))
    assert len(model.asked) == 1
    found, model = _drive(_priced(ENUM, 10), GOOD, budget=Budget(cost=0.5, price=lambda usage: 0.5))
    assert len(model.asked) == 1
    found, _ = _drive(_priced(ENUM, 10), GOOD, budget=Budget(cost=0.5, price=lambda usage: 0.1))
    assert found.ok


def test_wrong_budgets() -> None:
    """A budget that allows nothing, has no price, or is given twice is refused."""
    with pytest.raises(UsageError, match=r"^a budget's attempts must be at least 1, got 0$"):
        _drive(GOOD, max_attempts=0)
    with pytest.raises(UsageError, match=r"^a budget's tokens must be more than 0, got 0$"):
        Budget(tokens=0)
    with pytest.raises(UsageError, match=r"^a budget in money needs price="):
        Budget(cost=1)
    with pytest.raises(UsageError, match=r"^give either budget= or max_attempts=, not both$"):
        _drive(GOOD, budget=Budget(), max_attempts=2)


def test_every_attempt_is_told() -> None:
    """on_attempt sees each attempt once it is judged."""
    seen: list[Attempt] = []
    _drive(ENUM, GOOD, on_attempt=seen.append)
    assert [(attempt.number, attempt.verdict.ok) for attempt in seen] == [(1, False), (2, True)]


def test_copied_feedback_is_noticed() -> None:
    """not_copied sees the prompt and the feedback of the conversation."""
    contract = Contract(None, constraints=[min_length("a", 10), not_copied("a")])
    echo = '{"a": "expected at least 10 characters"}'
    found, _ = _drive('{"a": "x"}', echo, '{"a": "words of its own"}', contract=contract)
    assert [[item.code for item in a.verdict.errors] for a in found.attempts] == [["min_length"], ["not_copied"], []]
    assert found.ok


@pytest.mark.parametrize("placement", ["dialogue", "inject", "command"])
def test_what_the_feedback_quotes_may_be_kept(placement: Any) -> None:
    """The feedback shows the model its own words and asks to keep what is right: keeping them is no copy."""
    contract = Contract(None, constraints=[count("steps", 2, 3), not_copied("steps")])
    kept, copied = "Cut the power at once", "expected at least 2 items"
    answers = [json.dumps({"steps": steps}) for steps in ([kept], [kept, copied], [kept, copied, "x"], [kept, "Run"])]
    found, _ = _drive(*answers, contract=contract, max_attempts=4, placement=placement)
    assert [[item.path for item in a.verdict.errors] for a in found.attempts] == [
        [("steps",)],
        [("steps", 1)],
        [("steps", 1)],
        [],
    ]
    assert found.check("copied").status is CheckStatus.PASS


def _tool_call(arguments: str, name: str = "Ticket") -> dict[str, Any]:
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]}


def test_tool_calls() -> None:
    """The arguments of the output tool are judged, and the correction goes back as the call's result."""
    found, model = _drive(_tool_call(ENUM), _tool_call(GOOD))
    assert found.ok
    assert model.asked[1][-1]["role"] == "tool"
    assert model.asked[1][-1]["tool_call_id"] == "c1"
    assert found.check("addressed").status is CheckStatus.PASS
    text, _ = _drive(_tool_call(ENUM), contract=Contract(Ticket, judged="text"), max_attempts=1)
    assert text.verdict is not None
    assert not text.ok


def test_a_forgotten_return_is_named_at_once() -> None:
    """No attempt is made of it: the caller is told which function returned what, and what to return."""

    def ask(_messages: object) -> None:
        """It forgot to return."""

    async def ask_later(_messages: object) -> None:
        """It did, too."""

    with pytest.raises(UsageError, match=r"^ask \(\S+\.ask, test_loop.py:\d+\) returned None, which is not an answer"):
        converge(ask, "Make a ticket.", TICKET)
    with pytest.raises(UsageError, match=r"^ask \(\S+\.ask_later, test_loop.py:\d+\) returned None"):
        asyncio.run(aconverge(ask_later, "Make a ticket.", TICKET))  # type: ignore[arg-type]  # that is the mistake


def test_messages_are_not_changed() -> None:
    """The caller's messages stay as they were."""
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
    model = Model(ENUM, GOOD)
    converge(model, messages, TICKET, placement="inject")
    assert messages == [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]


def test_async() -> None:
    """Aconverge does the same for an ask that is awaited."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    def awaited(model: Model) -> Callable[[Any], Any]:
        async def ask(messages: Any) -> Any:
            return model(messages)

        return ask

    model = Model(TimeoutError(), ENUM, GOOD)
    found = asyncio.run(aconverge(awaited(model), "Make a ticket.", TICKET, sleep=sleep))
    assert (found.ok, slept, len(model.asked)) == (True, [1.0], 3)
    assert asyncio.run(aconverge(awaited(Model(TimeoutError(), GOOD)), "x", TICKET)).ok


@pytest.mark.parametrize("placement", ["dialogue", "inject", "command"])
def test_nothing_is_fed_back_where_nothing_is_wrong(placement: Any) -> None:
    """Source row 16: the first request is the user's own, word for word, and a valid answer is never answered."""
    model = Model(GOOD, GOOD)
    found = converge(model, "Write a ticket", TICKET, max_attempts=3, placement=placement)
    assert found.outcome is Outcome.CONVERGED
    assert model.asked == [[{"role": "user", "content": "Write a ticket"}]]
    assert build_feedback(TICKET.check(GOOD), attempt=1, max_attempts=3).text == ""
