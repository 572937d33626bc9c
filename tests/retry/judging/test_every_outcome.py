"""Every documented outcome is given to some conversation."""

from __future__ import annotations

from pytest_planguard.contract.constraints.constraint import ContentConstraint
from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.results import Outcome
from pytest_planguard.wire.exchange import Exchange

from ...support.conversations import BAD, BROKEN, ERRORS, GOOD, PLAN, SYSTEM, WORDINGS, Plan, Spoken, conversation

FEEDBACK = WORDINGS["bullets, dotted"](ERRORS)
TASK = ("user", "Plan the release of version two")
BASE = [("system", SYSTEM), TASK]
COPIED = GOOD.replace("Ship the release", "Invite all the neighbours of the street")
OPEN = BAD.replace("pending", "open")


def loop(*answers: str) -> tuple[Exchange, ...]:
    """A dialogue that keeps its whole history."""
    turns, spoken = list(BASE), []
    for number, answer in enumerate(answers):
        spoken.append(Spoken(list(turns), answer, seed=number))
        turns += [("assistant", answer), ("user", FEEDBACK)]
    return conversation(*spoken)


def outcomes(exchanges: tuple[Exchange, ...], contract: Contract = PLAN, **options: object) -> set[Outcome]:
    """How these conversations ended."""
    judged = judge(exchanges, [contract], options=JudgeOptions(**options))  # type: ignore[arg-type]
    return {one.outcome for one in judged.conversations}


def test_every_outcome_has_a_conversation_that_ends_so() -> None:
    """The outcomes that are documented are those that can be had; stale is said of a recording when it is replayed."""
    fatal = Contract(Plan, constraints=[ContentConstraint("goal", "regex", {"pattern": "^X"}, "fail")])
    copied = Contract(Plan, constraints=[ContentConstraint("goal", "not_copied", {"sources": ["examples"]}, "retry")])
    example = [("system", SYSTEM), ("user", "Plan the party"), ("assistant", COPIED), TASK]
    twins = [Spoken(BASE, BAD), Spoken(BASE, OPEN), Spoken([BASE[0], ("user", f"{TASK[1]}\n{FEEDBACK}")], GOOD)]
    found = (
        outcomes(loop(GOOD))
        | outcomes(loop(BAD))
        | outcomes(loop(BAD, BAD))
        | outcomes(loop(BAD, OPEN))
        | outcomes(loop(BAD, BROKEN))
        | outcomes(loop(BAD, BROKEN, OPEN))
        | outcomes(loop(BAD), max_attempts=1)
        | outcomes(loop(BAD, "Over to you, Ada."), escalates=("over to you",))
        | outcomes(loop(GOOD), fatal)
        | outcomes(conversation(Spoken(example, COPIED)), copied)
        | outcomes(conversation(*twins))
    )
    assert set(Outcome) - found == {Outcome.STALE}
