"""Prompt templates that say where the feedback belongs."""

from typing import Literal

import pytest
from pydantic import BaseModel

from pytest_planguard import Contract, converge
from pytest_planguard.contract.feedback.next_request import next_messages
from pytest_planguard.contract.feedback.prompt_template import fill_content, fill_variables
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
    assert [fate.grade.value for fate in found.attempts[0].carried] == ["located"]


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
        fill_variables("$RETRY_INFO\nWrite a ticket.", "RETRY 2/3\n- x")
    with pytest.raises(UsageError, match=r"has no \$VALIDATION_ERRORS"):
        fill_content([{"text": "$RETRY_INFO"}, {"text": "Write a ticket."}], "RETRY 2/3\n- x")
