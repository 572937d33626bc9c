"""Prompt templates that say where the feedback belongs."""

import copy
from typing import Literal

import pytest
from pydantic import BaseModel

from pytest_planguard import Contract, converge
from pytest_planguard.contract.feedback.next_request import (
    fill_content,
    first_messages,
    has_variables,
    next_messages,
)
from pytest_planguard.errors import UsageError

TEMPLATE = "/ticket the printer\n\n## Retry context (if present)\n$RETRY_INFO\n${VALIDATION_ERRORS}\n\nAnswer in JSON."
ERRORS = (
    "The last answer failed validation (automated check):\n"
    "- line 1: missing required field 'title'\n\n"
    "Fix these errors and keep everything else."
)


class Ticket(BaseModel):
    title: str
    priority: Literal["low", "high"] = "low"


TICKET = Contract(Ticket)


def test_both_variables_are_empty_on_the_first_attempt_and_filled_on_the_next() -> None:
    """A driven loop sends the template without them, then with the header and the errors in their places."""
    sent: list[str] = []
    answers = iter(["{}", '{"title": "Printer"}'])

    def ask(messages: list[dict[str, str]]) -> str:
        sent.append(messages[0]["content"])
        return next(answers)

    found = converge(ask, TEMPLATE, TICKET, placement="command", max_attempts=3)
    assert sent == [
        "/ticket the printer\n\n## Retry context (if present)\n\n\n\nAnswer in JSON.",
        f"/ticket the printer\n\n## Retry context (if present)\nRETRY 2/3\n{ERRORS}\n\nAnswer in JSON.",
    ]
    assert found.ok
    assert [graded.label for graded in found.attempts[0].fed_back] == ["located"]


@pytest.mark.parametrize("key", ["content", "parts"])
def test_the_variables_may_stand_in_a_part(key: str) -> None:
    """A message in parts is filled where its text names them; parts of another kind stay as they are."""
    parts = [{"inlineData": {}}, {"text": "Write a ticket."}, {"text": "$RETRY_INFO|$VALIDATION_ERRORS|"}]
    sent: list[list[str]] = []
    answers = iter(["{}", '{"title": "Printer"}'])

    def ask(messages: list[dict[str, list[dict[str, str]]]]) -> str:
        sent.append([part.get("text", "") for part in messages[0][key]])
        return next(answers)

    assert converge(ask, [{"role": "user", key: parts}], TICKET, placement="command", max_attempts=3).ok
    assert sent == [["", "Write a ticket.", "||"], ["", "Write a ticket.", f"RETRY 2/3|{ERRORS}|"]]


def test_a_style_without_header_fills_the_errors_alone() -> None:
    """The whole text stands where the errors belong."""
    messages = [{"role": "user", "content": "$RETRY_INFO|$VALIDATION_ERRORS"}]
    verdict = TICKET.check("{}")
    (told,) = next_messages(messages, "{}", verdict, placement="inject", attempt=1, max_attempts=2)
    assert told["content"].startswith("|Attempt 1 of 2 failed validation")


def test_a_template_that_would_lose_the_errors_is_refused() -> None:
    """With the header alone a retry would prove nothing."""
    with pytest.raises(UsageError, match=r"has no \$VALIDATION_ERRORS: a retry would not say what was wrong"):
        fill_content("$RETRY_INFO\nWrite a ticket.", "RETRY 2/3\n- x")
    with pytest.raises(UsageError, match=r"has no \$VALIDATION_ERRORS"):
        fill_content([{"text": "$RETRY_INFO"}, {"text": "Write a ticket."}], "RETRY 2/3\n- x")


FIRST: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "a text": (
        {"role": "user", "content": "Write it. $RETRY_INFO|$VALIDATION_ERRORS|"},
        {"role": "user", "content": "Write it. ||"},
    ),
    "parts": (
        {"role": "user", "parts": [{"text": "${VALIDATION_ERRORS}|"}, {"image": 1}]},
        {"role": "user", "parts": [{"text": "|"}, {"image": 1}]},
    ),
    "no variables": ({"role": "user", "content": "Write it."}, {"role": "user", "content": "Write it."}),
    "another role": (
        {"role": "system", "content": "$VALIDATION_ERRORS"},
        {"role": "system", "content": "$VALIDATION_ERRORS"},
    ),
    "no content": ({"role": "user", "content": None}, {"role": "user", "content": None}),
    "no role": ({"content": "$VALIDATION_ERRORS"}, {"content": "$VALIDATION_ERRORS"}),
}


@pytest.mark.parametrize("name", FIRST)
def test_the_variables_of_user_turns_are_empty_in_a_first_request(name: str) -> None:
    """Other turns are as they were, and nothing is changed in place."""
    given, sent = FIRST[name]
    before = copy.deepcopy(given)
    (made,) = first_messages([given])
    assert (made, given) == (sent, before)
    assert made is not given


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("$RETRY_INFO", True),
        ("a ${VALIDATION_ERRORS} b", True),
        ("$VALIDATION_ERRORS_X $RETRY", False),
        ([{"text": "a"}, {"text": "$RETRY_INFO"}], True),
        ([{"text": 5}, "$RETRY_INFO", {"image": "$RETRY_INFO"}], False),
        (None, False),
        (5, False),
    ],
)
def test_which_prompts_name_a_variable(content: object, named: bool) -> None:
    """A text, or one of the parts of a message."""
    assert has_variables(content) is named


@pytest.mark.parametrize(
    ("feedback", "filled"),
    [
        ("RETRY 2/3\n\n- a", "[RETRY 2/3] [- a]"),
        ("RETRY 12/30", "[RETRY 12/30] []"),
        ("So: RETRY 2/3", "[] [So: RETRY 2/3]"),
        ("\n- a\n", "[] [- a\n]"),
        ("", "[] []"),
    ],
)
def test_a_header_is_parted_from_the_errors(feedback: str, filled: str) -> None:
    """At the beginning alone."""
    assert fill_content("[$RETRY_INFO] [${VALIDATION_ERRORS}]", feedback) == filled
