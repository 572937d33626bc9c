"""Positions from 1: by a quoted value that stands one item before, and by nothing less."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import judge

from ...support.conversations import SYSTEM, Spoken, conversation

SCHEMA = {
    "type": "object",
    "properties": {
        "tasks": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["title"],
                "properties": {"title": {"type": "string"}, "status": {"type": "string", "enum": ["open", "done"]}},
            },
        }
    },
}
GOOD = {"tasks": [{"title": "a", "status": "open"}, {"title": "b", "status": "done"}]}


def grades(tasks: list[dict[str, Any]], words: str) -> dict[str, str]:
    """Return by place what becomes of the findings in these tasks."""
    bad = json.dumps({"tasks": tasks})
    turns = [("system", SYSTEM), ("user", "Plan the release of version two")]
    again = [*turns, ("assistant", bad), ("user", words)]
    talk = conversation(Spoken(turns, bad), Spoken(again, json.dumps(GOOD)))
    (judged,) = judge(talk, [Contract(SCHEMA)]).conversations
    gradings = judged.attempts[0].fed_back
    return {".".join(map(str, graded.finding.path)): graded.label for graded in gradings}


SECOND = [{"title": "a", "status": "open"}, {"title": "b", "status": "urgent"}]


@pytest.mark.parametrize(
    "words",
    [
        "tasks[2].status: 'urgent' is not allowed, use open or done",
        "- tasks.2.status: must be one of open, done, not 'urgent'",
        '{"tasks[2].status": ["urgent is not a valid choice"]}',
    ],
)
def test_a_value_that_stands_one_before_shows_it(words: str) -> None:
    """The answer has two tasks, and the second one has that value."""
    assert grades(SECOND, words) == {"tasks.1.status": "located"}


@pytest.mark.parametrize(
    "words",
    [
        "tasks[2].status: must be one of open, done",
        "tasks[2].status: 'later' is not allowed, use open or done",
        "tasks[3].status: 'urgent' is not allowed, use open or done",
        "tasks[0].title: must be a string\ntasks[2].status: 'urgent' is not allowed, use open or done",
    ],
)
def test_less_than_that_shows_nothing(words: str) -> None:
    """Of an older and longer list; another value; two behind; a text that counts from 0."""
    assert grades(SECOND, words) == {"tasks.1.status": "wrong"}


def test_all_positions_of_the_text_are_shifted_then() -> None:
    """One value shows how the text counts, and the missing title beside it has none."""
    tasks = [{"status": "open"}, {"title": "b", "status": "urgent"}]
    words = "tasks[1].title: Field required\ntasks[2].status: 'urgent' is not allowed, use open or done"
    assert grades(tasks, words) == {"tasks.0.title": "located", "tasks.1.status": "located"}


def test_an_item_that_is_not_told_gets_nothing_from_the_one_before() -> None:
    """Both titles are missing, and counted from 1 the text tells of the first one alone."""
    tasks = [{"status": "open"}, {"status": "urgent"}]
    words = "tasks[1].title: Field required\ntasks[2].status: 'urgent' is not allowed, use open or done"
    assert grades(tasks, words) == {"tasks.0.title": "located", "tasks.1.title": "wrong", "tasks.1.status": "located"}
