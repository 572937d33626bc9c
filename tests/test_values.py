"""Public values are plain values: they compare, and survive copies, pickles and `dataclasses.asdict`."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import BaseModel

import pytest_planguard
from pytest_planguard import (
    AgentPipeline,
    AgentStage,
    BlameRule,
    Budget,
    CallTape,
    CheckContext,
    Contract,
    Conversation,
    Problem,
    SchemaValidationError,
    SearchConfig,
    Step,
    StepBudget,
    StepContext,
    StreamThresholds,
    converge,
    count,
    level_guards,
    min_length,
    one_of,
    search,
)
from pytest_planguard.contract.strength.evidence import GoodAnswer
from pytest_planguard.contract.strength.measure import measure
from pytest_planguard.plan_search.context import TapeKey
from pytest_planguard.plans.judging.judge_files import plan_graph
from pytest_planguard.plans.judging.policy import policy_of
from pytest_planguard.retry.judging.judge import Judgement, judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.outcomes import StopReason
from pytest_planguard.retry.proof import Proof, ProofResult
from pytest_planguard.testing import AnswerFault, ScriptedConversation
from pytest_planguard.wire.exchange import Exchange, Message, Usage

from .support.one_item import in_one_item


class Ticket(BaseModel):
    """Something to answer with."""

    title: str
    steps: list[str]


def price(usage: Usage) -> float:
    """A price that a pickle can name."""
    return float(usage.input_tokens or 0)


TICKET = Contract(Ticket, constraints=[min_length("title", 3), count("steps", 1)])
BAD, GOOD = '{"title": "x", "steps": "none"}', '{"title": "Printer", "steps": ["look"]}'


def _driven() -> pytest_planguard.Convergence:
    answers = iter([BAD, BAD.replace("x", "y"), GOOD])
    return converge(lambda _: next(answers), "go", TICKET)


def _judgement() -> Judgement:
    return judge([attempt.exchange for attempt in _driven().attempts], [TICKET], conversation_ids=["1"] * 3)


def _steps(_trial: int) -> list[Step]:
    return [Step("plan", lambda _: GOOD, TICKET.check)]


FAULT = AnswerFault("too_short", ("title",), "x")
VERDICT = TICKET.check(BAD)
STRENGTH = measure(TICKET, [GoodAnswer("1", {"title": "Printer", "steps": ["look", "restart"]})])
STAGE = AgentStage("plan", Contract(Ticket, judged="plan.json"), "/plan")
POLICY = policy_of(["spec-kit-tasks", "dep-cycle=warn"])
TASKS = "# Tasks: Printer\n\n## Phase 1: Setup\n\n- [ ] T001 Put it out\n- [ ] T002 [P] Look at it (depends on T003)\n"
VALUES: dict[str, Any] = {
    "Convergence driven": _driven(),
    "Convergence recorded": _judgement().conversations[0],
    "Attempt": _driven().attempts[0],
    "Exchange": _driven().attempts[1].exchange,
    "Exchange empty": Exchange(1, "raw"),
    "Message": Message({"a": "b"}, b"x"),
    "Judgement": _judgement(),
    "JudgeOptions": JudgeOptions(),
    "Verdict": VERDICT,
    "Verdict of a value": TICKET.check(GOOD),
    "Finding": VERDICT.findings[0],
    "CheckContext": CheckContext(("a",)),
    "Score": Contract(None).comparison.score({"title": "a"}, {"title": "b"}),
    "Budget": Budget(attempts=2, cost=1.5, price=price),
    "ContentConstraint": one_of("title", "a", "b"),
    "Proof": Proof("1", 1, 1, VERDICT.findings[0], ProofResult.PROVEN, "why"),
    "StreamThresholds": StreamThresholds(),
    "AgentStage": STAGE,
    "AgentPipeline": AgentPipeline(("agent", "{prompt}"), (STAGE,), {"prep": ("plan",)}),
    "StepBudget": StepBudget(rmax=2),
    "SearchConfig": SearchConfig({"plan": StepBudget()}),
    "BlameRule": BlameRule("goal-reachable", 1),
    "CallTape": CallTape(("plan",), {}),
    "Conversation": Conversation.from_messages([{"role": "assistant", "content": "{}"}]),
    "Step": Step("plan", price, level_guards()["medium"]),
    "StepContext": StepContext(TapeKey("plan", "", "", 0), (), (), (), 3),
    "Problem": Problem("tickets", _steps),
    "SearchResult": search(_steps(0)),
    "AnswerFault": FAULT,
    "ScriptedConversation": ScriptedConversation("mends", {"title": "Printer", "steps": ["look"]}, (FAULT,)),
    "Strength": STRENGTH,
    "Survivors": STRENGTH.survivors[0],
    "PlanPolicy": POLICY,
    "PlanGraph": plan_graph(TASKS),
    "PlanReport": POLICY.judge({"specs/1/tasks.md": TASKS})["specs/1/tasks.md"],
}


CODE = ("PlanPolicy", "AgentStage", "AgentPipeline")
"""They have rules or contracts, which are code."""


@in_one_item
@pytest.mark.parametrize("name", [name for name in VALUES if name not in CODE])
def test_a_value_survives_copies_and_pickles(name: str) -> None:
    """What comes back is equal, and of the same class."""
    value = VALUES[name]
    for again in (
        pickle.loads(pickle.dumps(value)),
        copy.copy(value),
        copy.deepcopy(value),
        dataclasses.replace(value),
    ):
        assert type(again) is type(value)
        assert again == value


@in_one_item
@pytest.mark.parametrize("name", VALUES)
def test_a_value_becomes_a_dict(name: str) -> None:
    """`asdict` gives every field, and its mappings are plain dicts."""
    value = VALUES[name]
    data = dataclasses.asdict(value)
    assert list(data) == [field.name for field in dataclasses.fields(value)]
    assert all(type(part) is dict for part in _mappings(data))


def _mappings(value: Any) -> list[Mapping[Any, Any]]:
    if isinstance(value, Mapping):
        return [value, *(m for part in value.values() for m in _mappings(part))]
    return [m for part in value for m in _mappings(part)] if isinstance(value, list | tuple) else []


@in_one_item
@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_frozen(name: str) -> None:
    """No field can be set."""
    value = VALUES[name]
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, dataclasses.fields(value)[0].name, None)


def test_a_driven_convergence_is_a_convergence() -> None:
    """Of the class that everybody imports, equal to one with the same fields, its checks run or not."""
    one, other = _driven(), _driven()
    assert type(one) is pytest_planguard.Convergence
    assert one == other
    assert one.checks == pickle.loads(pickle.dumps(other)).checks
    fields = {field.name: getattr(one, field.name) for field in dataclasses.fields(one)}
    assert pytest_planguard.Convergence(**fields) == one
    assert dataclasses.replace(one, checks=()) != one
    assert one.stop_reason is StopReason.ANSWERED


def test_a_convergence_as_json() -> None:
    """The dict of a conversation is JSON but for the validated value, which is the user's own model."""
    data = json.loads(json.dumps(dataclasses.asdict(_driven()), default=BaseModel.model_dump))
    assert data["outcome"] == "converged"
    assert data["attempts"][2]["verdict"]["value"] == {"title": "Printer", "steps": ["look"]}
    assert [check["name"] for check in data["checks"]][:2] == ["feedback", "stops"]


def test_an_error_can_be_pickled() -> None:
    """A worker process may raise it."""
    error = SchemaValidationError("bad", "openai", "{", VERDICT.findings)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.provider_name, again.original_message) == ("bad", "openai", "{")
    assert again.findings == VERDICT.findings


def test_every_public_dataclass_is_covered() -> None:
    """A new public value has to stand in the list above. A `LogSummary` is none: it adds up while logs are read."""
    public = {name for name in pytest_planguard.__all__ if dataclasses.is_dataclass(getattr(pytest_planguard, name))}
    assert public - {"LogSummary"} <= {type(value).__name__ for value in VALUES.values()}
