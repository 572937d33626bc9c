"""The same words after different faults: evidence of a loss where nobody can read them."""

from __future__ import annotations

import json

from pytest_planguard.retry.judging.judge import judge

from ...support.conversations import GOOD, PLAN, SYSTEM, Spoken, conversation

NO_GOAL = json.dumps({"tasks": [{"id": 1, "status": "Draft"}, {"id": 2, "status": "Draft"}]})
NO_STATUS = json.dumps({"goal": "Ship it", "tasks": [{"id": 1}, {"id": 2, "status": "Draft"}]})


def fates(first: str, second: str) -> list[tuple[str, str | None]]:
    """Return grade and reason of the two findings, one after the other, with this feedback after each."""
    turns = [("system", SYSTEM), ("user", "Plan the release of version two")]
    one = [*turns, ("assistant", NO_GOAL), ("user", first)]
    two = [*one, ("assistant", NO_STATUS), ("user", second)]
    talk = conversation(Spoken(turns, NO_GOAL), Spoken(one, NO_STATUS), Spoken(two, GOOD))
    (judged,) = judge(talk, [PLAN]).conversations
    return [(c.grade.value, c.reason) for attempt in judged.attempts for c in attempt.carried]


def test_words_that_answer_two_places_are_lost() -> None:
    """Quotations and numbers apart, the words are the same: they tell neither place."""
    assert fates("Try 1: something is missing", "Try 2: something is missing") == [
        ("lost", "these words answered both goal and tasks[0].status"),
        ("lost", "these words answered both tasks[0].status and goal"),
    ]


def test_other_words_stay_unread() -> None:
    """Each may tell its own finding."""
    told = fates("the aim is missing", "the state is missing")
    assert [grade for grade, _ in told] == ["unread", "unread"]


def test_placed_findings_are_never_overruled() -> None:
    """A text that always names both places carries each."""
    words = "quux goal, quux tasks[0].status"
    assert [grade for grade, _ in fates(words, words)] == ["placed", "placed"]
