"""Where apps put feedback, and in what shape they show the model its own answer."""

from __future__ import annotations

import json

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.outcomes import DROPPED
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ..support.conversations import BAD, DIALECTS, ERRORS, GOOD, SYSTEM, WORDINGS, Plan, Spoken, Turn, conversation
from ..support.one_item import in_one_item

TASK = "Plan the release of version two"
BASE: list[Turn] = [("system", SYSTEM), ("user", TASK)]
HISTORY: list[Turn] = [("system", SYSTEM), ("user", "hi"), ("assistant", "Hello."), ("user", TASK)]
ERRORS_TEXT = WORDINGS["bullets, dotted"](ERRORS)
REPAIR = "You repair JSON."
LOOSE = Contract(Plan)


def missing(first: list[Turn], retry: list[Turn], bad: str = BAD, dialect: str = "openai.chat") -> list[int]:
    """For each conversation that is seen how many findings its first attempt missing."""
    exchanges = conversation(Spoken(first, bad), Spoken(retry, GOOD, seed=2), dialect=dialect)
    found = judge(exchanges, [LOOSE]).conversations
    return [sum(c.grade in DROPPED for c in one.attempts[0].fed_back) for one in found]


PLACES = {
    "system turn behind the answer": [*BASE, ("assistant", BAD), ("system", "{0}")],
    "developer turn behind the answer": [*BASE, ("assistant", BAD), ("developer", "{0}")],
    "system text, answer shown": [("system", SYSTEM + "\n{0}"), ("user", TASK), ("assistant", BAD), ("user", "Again.")],
    "task, answer shown": [("system", SYSTEM), ("user", TASK + "\n{0}"), ("assistant", BAD), ("user", "Again.")],
    "user turn without the answer": [*BASE, ("user", "{0}")],
    "another system text, answer as a turn": [("system", REPAIR), ("user", TASK), ("assistant", BAD), ("user", "{0}")],
    "another system text, answer quoted": [("system", REPAIR), ("user", f"Correct this:\n{BAD}\n{{0}}")],
    "answer quoted with other spaces": [
        ("system", SYSTEM),
        (
            "user",
            "Correct this:\n" + json.dumps(json.loads(BAD), indent=2).replace("{", "{{").replace("}", "}}") + "\n{0}",
        ),
    ],
}


@in_one_item
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("place", PLACES)
def test_feedback_is_found_wherever_an_app_puts_it(place: str, dialect: str) -> None:
    """Behind the answer, in front of it or around it: there it is fed back, and without it it is missing."""

    def spoken(feedback: str) -> list[Turn]:
        return [(role, _filled(text, feedback)) for role, text in PLACES[place]]

    assert missing(BASE, spoken(ERRORS_TEXT), dialect=dialect) == [0]
    assert missing(BASE, spoken("Be careful."), dialect=dialect) == [3]


def _filled(text: str, feedback: str) -> str:
    return text.replace("{{", "{").replace("}}", "}").replace("{0}", feedback) if "{0}" in text else text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_errors_in_the_system_text_make_a_retry(dialect: str) -> None:
    """The same task with errors in its instructions is a retry; with other instructions it is another try."""
    told = f"{SYSTEM}\nYour last answer was rejected:\n{ERRORS_TEXT}"
    assert missing(BASE, [("system", told), ("user", TASK)], dialect=dialect) == [0]
    assert missing(BASE, [("system", f"{SYSTEM} Fill in every required field."), ("user", TASK)], dialect=dialect) == [
        0,
        0,
    ]


def test_errors_in_a_turn_before_the_task_make_a_retry() -> None:
    """Some apps repeat the task last."""
    assert missing(BASE, [("system", SYSTEM), ("user", f"Errors last time:\n{ERRORS_TEXT}"), ("user", TASK)]) == [0]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (f"Here you are:\n```json\n{BAD}\n```\nDone.", BAD),
        (f"<think>well</think>\n{BAD}", BAD),
        (BAD, json.dumps(json.loads(BAD), indent=2)),
        (BAD, json.dumps(json.loads(BAD), sort_keys=True)),
    ],
    ids=["fence left out", "thinking left out", "indented", "sorted"],
)
def test_an_answer_is_known_again_in_another_shape(said: str, shown: str) -> None:
    """With the history cut to a window, only the answer tells what the request reacts to."""
    window: list[Turn] = [("user", TASK), ("assistant", shown)]
    assert missing(HISTORY, [*window, ("user", ERRORS_TEXT)], said) == [0]
    assert missing(HISTORY, [*window, ("user", "Again.")], said) == [3]


def test_a_task_done_twice_with_errors_in_its_prompt_is_two_conversations() -> None:
    """The second run's retry reacts to the rejected answer, though the good one of the first run would fit as well."""
    told = [("system", SYSTEM), ("user", f"{TASK}\n{ERRORS_TEXT}")]
    twice = [Spoken(BASE, BAD), Spoken(told, GOOD), Spoken(BASE, BAD), Spoken(told, GOOD)]
    found = judge(conversation(*twice), [LOOSE]).conversations
    assert [(one.outcome, {c.label for c in one.attempts[0].fed_back}) for one in found] == [
        ("converged", {"verbatim"})
    ] * 2


def test_work_on_an_answer_is_no_retry() -> None:
    """A prompt of its own that quotes an answer and calls nothing wrong is the next stage of a pipeline."""
    assert missing(BASE, [("system", "You write code."), ("user", f"Write code for this plan:\n{BAD}")]) == [0, 0]


@pytest.mark.parametrize("said", ["- goal: Field required", '{"ok": false, "errors": ["goal is missing"]}'])
def test_a_critic_is_no_retry(said: str) -> None:
    """A second model that lists errors answers with something else; the retry that feeds back its list is the retry."""
    critic: list[Turn] = [("system", "Find the errors."), ("user", f"Which errors has this plan? {BAD}")]
    retry: list[Turn] = [*BASE, ("assistant", BAD), ("user", ERRORS_TEXT)]
    found = judge(conversation(Spoken(BASE, BAD), Spoken(critic, said), Spoken(retry, GOOD)), [LOOSE]).conversations
    assert [len(one.attempts) for one in found] == [2, 1]
    assert not [c for c in found[0].attempts[0].fed_back if c.grade in DROPPED]


def test_of_parallel_answers_the_bad_one_is_judged() -> None:
    """Two calls of the output tool in one answer: a bad second one is no success."""
    assert [v.ok for v in _parallel(BAD, GOOD)] == [v.ok for v in _parallel(GOOD, BAD)] == [False]
    assert [v.ok for v in _parallel(GOOD, GOOD)] == [True]


def _parallel(*answers: str) -> list[Verdict]:
    calls = tuple(
        Item(ItemKind.CALL, Role.ASSISTANT, text, f"c{n}", "Plan", json.loads(text)) for n, text in enumerate(answers)
    )
    exchange = Exchange(1, "openai.chat", request=(Item(ItemKind.TEXT, Role.USER, TASK),), answer=calls)
    found = judge([exchange], [Contract(Plan, judged="Plan")])
    return [attempt.verdict for one in found.conversations for attempt in one.attempts]
