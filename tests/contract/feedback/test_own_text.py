"""A prompt that knows what it said before feedback was put into it."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

from pytest_planguard.contract.feedback.own_text import WithFeedback, own_parts, own_text


def test_it_is_a_text_like_any_other() -> None:
    """It compares, joins and dumps by what it says now."""
    prompt = WithFeedback("Do it.\n\nWrong.", "Do it.")
    assert prompt == "Do it.\n\nWrong."
    assert json.loads(json.dumps({"content": prompt})) == {"content": "Do it.\n\nWrong."}
    assert type(prompt + "!") is str


def test_what_it_said_before_is_known() -> None:
    """Of a prompt that had feedback already, what it said before that."""
    once = WithFeedback("Do it.\n\nWrong.", "Do it.")
    twice = WithFeedback("Do it.\n\nWrong again.", once)
    assert (own_text(once), own_text(twice), own_text("Do it.")) == ("Do it.", "Do it.", "Do it.")
    assert type(twice.own) is str


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text))])
def test_copies_know_it_too(copied: Any) -> None:
    """Also those that went to another process."""
    again = copied(WithFeedback("Do it.\n\nWrong.", "Do it."))
    assert (again, own_text(again), type(again)) == ("Do it.\n\nWrong.", "Do it.", WithFeedback)


PARTS: dict[str, tuple[list[Any], list[Any]]] = {
    "a part with feedback": (
        [{"type": "text", "text": WithFeedback("a\n\nno", "a")}, {"text": "b"}],
        [{"type": "text", "text": "a"}, {"text": "b"}],
    ),
    "a part that is feedback alone": ([{"text": WithFeedback("no", "")}, {"text": "b"}], [{"text": "b"}]),
    "parts of other kinds": (["a", 5, {"image": "x"}, {"text": 5}], ["a", 5, {"image": "x"}, {"text": 5}]),
    "nothing": ([], []),
}


@pytest.mark.parametrize("name", PARTS)
def test_the_parts_of_a_message_without_feedback(name: str) -> None:
    """A part that was nothing else is left out; all others are there."""
    parts, own = PARTS[name]
    assert own_parts(parts) == own
