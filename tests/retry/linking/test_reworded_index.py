"""How much of a task has to be left for a reworded one to be the same."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard.retry.linking.repeated_prompts import FEWEST_WORDS, LATEST, SAME_WORDS, RewordedIndex
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.one_item import in_one_item

TASK = "one two three four"
ANSWER = {"goal": 1, "tasks": [{"id": "x"}]}
TOLD = "Your answer was not valid:\n- goal: should be a valid string"


def said(text: str, role: Role = Role.USER) -> Item:
    """Return a text."""
    return Item(ItemKind.TEXT, role, text)


def asked(*texts: str, answer: Any = ANSWER, history: tuple[Item, ...] = (), **other: Any) -> Exchange:
    """Return an exchange whose last text is the task."""
    words = answer if isinstance(answer, str) else json.dumps(answer)
    request = (*history, *map(said, texts))
    return Exchange(1, "openai.chat", request=request, answer=(said(words, Role.ASSISTANT),), **other)


def found(first: Exchange, again: Exchange, taken: frozenset[int] = frozenset()) -> list[int]:
    """Return what a request is linked to after one other exchange, which is number 7."""
    index = RewordedIndex()
    index.add(7, first)
    return index.find(again, taken)


CASES: dict[str, tuple[Exchange, Exchange, bool]] = {
    "the words of the task": (asked(TASK), asked(f"So: {TASK}\n{TOLD}"), True),
    "half of them": (asked(TASK), asked(f"So: one two\n{TOLD}"), True),
    "less than half of them": (asked(TASK), asked(f"So: one\n{TOLD}"), False),
    "in another case": (asked(TASK), asked(f"ONE Two\n{TOLD}"), True),
    "a word that is there once for twice": (asked("one one two two"), asked(f"one two\n{TOLD}"), True),
    "three words": (asked("one two three"), asked(f"one two!\n{TOLD}"), True),
    "two words": (asked("one two"), asked(f"So: one two\n{TOLD}"), False),
    "no word of errors": (asked(TASK), asked(f"{TASK}!\n- goal: should be a valid string"), False),
    "errors that were there before": (asked(TOLD, TASK), asked(TOLD, f"{TASK}!"), False),
    "a place that the answer has not": (asked(TASK), asked(f"{TASK}!\nnot valid:\n- name: should be a string"), False),
    "a field that is missing": (asked(TASK), asked(f"{TASK}!\nnot valid:\n- name: Field required"), True),
    "a field called missing that is there": (asked(TASK), asked(f"{TASK}!\nnot valid:\n- goal: Field required"), False),
    "a field missing in what is missing": (asked(TASK), asked(f"{TASK}!\nnot valid:\n- a.b: Field required"), False),
    "a field missing in an item": (asked(TASK), asked(f"{TASK}!\nnot valid:\n- tasks.0.b: Field required"), True),
    "an answer of other fields": (asked(TASK), asked(f"{TASK}!\n{TOLD}", answer={"z": 1}), False),
    "another tool": (asked(TASK), asked(f"{TASK}!\n{TOLD}", tools={"f": {}}), False),
    "another schema": (asked(TASK), asked(f"{TASK}!\n{TOLD}", output_schema={"a": 1}), False),
    "a history of its own": (
        asked(TASK),
        asked(f"{TASK}!\n{TOLD}", history=(said("Hello", Role.ASSISTANT),)),
        False,
    ),
    "the history of both": (
        asked(TASK, history=(said("Hello", Role.ASSISTANT),)),
        asked(f"{TASK}!\n{TOLD}", history=(said("Hello", Role.ASSISTANT),)),
        True,
    ),
    "a history that was cut": (
        asked(TASK, history=(said("Hello", Role.ASSISTANT),)),
        asked(f"{TASK}!\n{TOLD}"),
        True,
    ),
    "an answer that does not parse": (asked(TASK, answer='{"goal": '), asked(f"{TASK}!\nnot valid JSON"), True),
    "an answer that does not parse, and no call": (
        asked(TASK, answer='{"goal": '),
        asked(f"{TASK}!\nYour answer has no tool call.\nIt is not valid JSON."),
        True,
    ),
    "an answer that does not parse, placed": (asked(TASK, answer='{"goal": '), asked(f"{TASK}!\n{TOLD}"), False),
    "an answer in a fence": (asked(TASK, answer='So:\n```\n{"goal": 1}\n```'), asked(f"{TASK}!\n{TOLD}"), True),
    "an answer in a sentence": (asked(TASK, answer='So: {"goal": 1}.'), asked(f"{TASK}!\n{TOLD}"), True),
    "errors in a result": (
        asked(TASK),
        asked(f"{TASK}!", history=(Item(ItemKind.RESULT, Role.USER, TOLD),)),
        False,
    ),
    "an answer in thoughts": (
        asked(TASK, answer='<think>{"name": 2}</think>{"goal": 1}'),
        asked(f"{TASK}!\n{TOLD}"),
        True,
    ),
}


@in_one_item
@pytest.mark.parametrize("name", CASES)
def test_a_reworded_task_with_errors_is_the_task(name: str) -> None:
    """The words speak of errors, and those agree with what the answer has."""
    first, again, expected = CASES[name]
    assert found(first, again) == ([7] if expected else [])


def test_a_call_is_an_answer_too() -> None:
    """Its arguments are the document; of several calls, those of the first."""
    call = Item(ItemKind.CALL, Role.ASSISTANT, json.dumps(ANSWER), "c", "f", ANSWER)
    first = Exchange(1, "openai.chat", request=(said(TASK),), answer=(call,))
    assert found(first, asked(f"{TASK}!\n{TOLD}")) == [7]
    assert found(replace(first, answer=(call, call)), asked(f"{TASK}!\n{TOLD}")) == [7]


def test_what_something_reacts_to_is_no_parent() -> None:
    """Its retry is there already."""
    assert found(asked(TASK), asked(f"{TASK}!\n{TOLD}"), frozenset({7})) == []
    assert found(asked(TASK), asked(f"{TASK}!\n{TOLD}"), frozenset({8})) == [7]


def test_the_best_by_words_is_meant_and_who_agrees_more_is_a_rival() -> None:
    """Equals are ambiguous."""
    told = f"{TOLD}\n- name: Field required"
    index = RewordedIndex()
    for number, task in enumerate((TASK, f"{TASK} five", TASK), 1):
        index.add(number, asked(task))
    index.add(4, asked(f"{TASK} five six", answer={"goal": 2, "name": "x"}))
    assert index.find(asked(f"{TASK}!\n{told}"), ()) == [1, 3]
    index = RewordedIndex()
    index.add(1, asked(TASK, answer={"goal": 2, "name": "x"}))
    index.add(2, asked(f"{TASK} five"))
    assert index.find(asked(f"{TASK}!\n{told}"), ()) == [1, 2]


def test_the_latest_are_compared() -> None:
    """Words have no index."""
    index = RewordedIndex()
    for number in range(LATEST + 1):
        index.add(number, asked(TASK))
    assert index.find(asked(f"{TASK}!\n{TOLD}"), ()) == list(range(1, LATEST + 1))
    assert (LATEST, SAME_WORDS, FEWEST_WORDS) == (32, 0.5, 3)


OF_ERRORS = (
    *(f"{which} {what}" for which in ("previous", "last", "prior", "earlier", "your")
      for what in ("answer", "attempt", "response", "output", "reply", "try")),
    *("it was rejected", "an error", "3 errors", "a mistake", "mistakes", "a problem", "problems"),
    *("an issue", "issues", "invalid", "not valid"),
)  # fmt: skip


@in_one_item
@pytest.mark.parametrize("words", OF_ERRORS)
def test_each_word_that_speaks_of_errors(words: str) -> None:
    """In any case, but not as a part of another word; "attempt" and "must" are in new tasks, too."""
    told = "- goal: should be a valid string"
    assert found(asked(TASK), asked(f"{TASK}!\n{words.upper()}:\n{told}")) == [7]
    assert found(asked(TASK), asked(f"{TASK}!\nx{words.replace(' ', '')}x:\n{told}")) == []


@pytest.mark.parametrize("words", ["this attempt", "you must", "the answer", "valid", "reject it", "attempt 2", "fix"])
def test_words_that_new_tasks_have_too_speak_of_none(words: str) -> None:
    """Another request of the app is no retry."""
    assert found(asked(TASK), asked(f"{TASK}!\n{words}:\n- goal: should be a valid string")) == []
