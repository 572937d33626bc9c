"""What every app here is to do: a ticket as JSON from a prompt; and a raw loop that does it, with or without feedback.

Copied beside each app as the module `task`.
"""

import itertools
import json
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


class Loose(BaseModel):
    """A ticket."""

    title: str
    priority: str
    steps: list[str]


class Outputs(BaseModel):
    """A ticket as the one field of an answer."""

    ticket: Ticket


TICKET = Contract(Ticket)
FINAL = Contract(Ticket, judged="final_answer", argument="answer")
FIELD = Contract(Outputs, name="Ticket")
LONG_TITLE = Contract(Ticket, constraints=[ContentConstraint("title", "min_length", {"chars": 10}, "retry")])
THANKS = "Thank you."
SAVED = f"The ticket is saved. {THANKS}"
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


def saver(told, kind=None):
    """Return the tool of an agent: it checks its arguments, and raises `kind` (or returns) what is wrong with them.

    After three bad calls it dismisses the agent, so that an agent without feedback ends.
    """
    said = complaints(told)

    def save_ticket(title: str, priority: str, steps: list[str]) -> str:
        """Save a ticket.

        Args:
            title: what it is about
            priority: low, medium or high
            steps: what to do
        """
        wrong = said(json.dumps({"title": title, "priority": priority, "steps": steps}))
        if kind and wrong and THANKS not in wrong:
            raise kind(wrong)
        return wrong or SAVED

    return save_ticket


def complaints(told):
    """Return what a tool says of a bad document: what is wrong where the agent is told, at the third one an end."""
    tries = itertools.count(1)

    def complaint(text: str) -> str:
        wrong = errors(text)
        if not wrong:
            return ""
        if next(tries) == 3:
            return f"Nothing was saved. {THANKS}"
        return f"The ticket is not valid:\n{wrong}" if told else "Please try again."

    return complaint


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
