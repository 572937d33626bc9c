"""What every app here is to do: a ticket as JSON from a prompt; and a raw loop that does it, with or without feedback.

Copied beside each app as the module `task`.
"""

import os
from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from pytest_planguard import ContentConstraint, Contract

ORIGIN = os.environ.get("LOOKALIKE", "http://127.0.0.1:1")


class Ticket(BaseModel):
    """A ticket."""

    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=1)


class Outputs(BaseModel):
    """A ticket as the one field of an answer."""

    ticket: Ticket


TICKET = Contract(Ticket)
FIELD = Contract(Outputs, name="Ticket")
LONG_TITLE = Contract(Ticket, constraints=[ContentConstraint("title", "min_length", {"chars": 10}, "retry")])
SAID = "Write a ticket with title, priority and steps. Task: the printer is on fire"


def prompt(case: str) -> str:
    """The task of one case; its name selects the look-alike's behaviour."""
    return f"{SAID} ({case})"


def errors(text: str) -> str:
    """What is wrong with an answer, one error a line; "" for a good one."""
    try:
        Ticket.model_validate_json(text)
    except ValidationError as error:
        return "\n".join(f"- {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
    return ""


def messages(case: str) -> list[dict[str, str]]:
    """The first request."""
    return [{"role": "user", "content": f"{prompt(case)}. Answer with JSON only."}]


def again(before: list[dict[str, str]], text: str, wrong: str) -> list[dict[str, str]]:
    """The next request: the bad answer, and what is wrong with it."""
    said = f"Your answer is not valid:\n{wrong}\nReturn the corrected JSON only." if wrong else "Try again."
    return [*before, {"role": "assistant", "content": text}, {"role": "user", "content": said}]


def loop(ask, case: str, *, feedback: bool = True) -> str:
    """Ask, check and ask again, at most three times."""
    sent = messages(case)
    for _ in range(3):
        text = ask(sent)
        wrong = errors(text)
        if not wrong:
            break
        sent = again(sent, text, wrong if feedback else "")
    return text


async def aloop(ask, case: str, *, feedback: bool = True) -> str:
    """The same for an `ask` that is awaited."""
    sent = messages(case)
    for _ in range(3):
        text = await ask(sent)
        wrong = errors(text)
        if not wrong:
            break
        sent = again(sent, text, wrong if feedback else "")
    return text
