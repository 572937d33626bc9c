"""The judgement as a value: what it sums up, when its parts are made, and how it is copied."""

from __future__ import annotations

import copy
import pickle
from dataclasses import asdict, replace

import pytest

from pytest_planguard.retry.judging.judge import Judgement, judge
from pytest_planguard.retry.judging.step import StepKind
from pytest_planguard.retry.outcomes import CheckStatus, Outcome
from pytest_planguard.retry.results import Attempt, Check, Convergence
from pytest_planguard.wire.exchange import Exchange, Usage

from ..support.conversations import PLAN, dialogue
from ..support.one_item import in_one_item
from .decisions.turns import BOTH, GOOD, TICKET, URGENT

PASS, WARN, FAIL = (Check(name, status, "x") for name, status in zip("abc", CheckStatus, strict=False))


def attempt(number: int, text: str = GOOD, repeats: int | None = None, **known: object) -> Attempt:
    """Return an attempt with an answer."""
    exchange = Exchange(number, "openai.chat", **known)  # type: ignore[arg-type]
    return Attempt(number, exchange, TICKET.check(text), repeats=repeats)  # type: ignore[arg-type]


def ended(*attempts: Attempt, outcome: Outcome = Outcome.CONVERGED, checks: tuple[Check, ...] = (PASS,)) -> Convergence:
    """Return a conversation."""
    return Convergence("1", "Ticket", outcome, attempts, checks)


@in_one_item
@pytest.mark.parametrize("outcome", list(Outcome))
def test_it_is_ok_where_it_ended_well_and_no_check_failed(outcome: Outcome) -> None:
    """A check that warns is no failure."""
    good = outcome in (Outcome.CONVERGED, Outcome.ESCALATED)
    assert ended(outcome=outcome).ok is good
    assert ended(outcome=outcome, checks=(PASS, WARN)).ok is good
    assert not ended(outcome=outcome, checks=(FAIL, PASS)).ok


def test_its_verdict_is_that_of_the_last_attempt() -> None:
    """None where there was no attempt; the value is None unless it is valid."""
    assert ended().verdict is ended().value is None
    bad, good = attempt(1, URGENT), attempt(2, GOOD)
    assert ended(bad, good).verdict is good.verdict
    assert ended(bad, good).value == {"title": "Printer on fire", "priority": "high"}
    assert (ended(good, bad).verdict, ended(good, bad).value) == (bad.verdict, None)


def test_repeated_answers_are_counted() -> None:
    """Any earlier one, and the one right before."""
    found = ended(attempt(1), attempt(2, repeats=1), attempt(3), attempt(4, repeats=2), attempt(5, repeats=4))
    assert (found.repeated, found.repeated_at_once) == (3, 2)


def test_tokens_and_seconds_are_those_of_all_attempts() -> None:
    """Unknown seconds of one answer leave the sum unknown."""
    one, two = attempt(1, usage=Usage(5, 7), latency_s=1.5), attempt(2, usage=Usage(50, 70), latency_s=0.25)
    assert (ended(one, two).usage, ended(one, two).latency_s) == (Usage(55, 77), 1.75)
    assert ended(one, attempt(2)).latency_s is None
    assert ended(attempt(1)).usage == Usage()


def test_a_check_is_found_by_its_name() -> None:
    """One that does not exist is an error."""
    found = ended(checks=(PASS, WARN))
    assert (found.check("a"), found.check("b")) == (PASS, WARN)
    with pytest.raises(KeyError, match=r"^'c'$"):
        found.check("c")


def test_it_is_a_plain_value() -> None:
    """Copies, replacements and pickles equal it, and a dict of it has its parts."""
    whole = ended(attempt(1, URGENT), attempt(2), checks=(PASS, WARN))
    for other in (copy.copy(whole), replace(whole), pickle.loads(pickle.dumps(whole))):
        assert other == whole
    assert asdict(whole)["attempts"][0]["exchange"]["number"] == 1


def test_what_is_not_said_of_an_attempt_and_a_conversation() -> None:
    """Three attempts are allowed; nothing was fed back, sent again or repeated, and an app owns the loop."""
    plain = attempt(1, BOTH)
    assert (plain.fed_back, plain.steps, plain.transport_retries, plain.repeats) == ((), (), 0, None)
    assert (ended().max_attempts, ended().stop_reason) == (3, None)
    with pytest.raises(TypeError, match="checks"):
        Convergence("1", "Ticket", Outcome.STUCK, ())  # type: ignore[call-arg]


def test_judgements_of_equal_traffic_are_equal() -> None:
    """They compare and show what was found, not how; what is found later stays the same in a copy."""
    one, other = (judge(dialogue("goal: Field required"), [PLAN]) for _ in range(2))
    assert one == other
    assert one != judge(dialogue("Again."), [PLAN])
    assert "find_" not in repr(one)
    assert one.kinds == (None, StepKind.RETRY)
    copied = pickle.loads(pickle.dumps(other))
    assert (copied.kinds, copied.answered) == (one.kinds, one.answered)
    assert copied == one
    assert (Judgement().kinds, Judgement().answered) == ((), {})
