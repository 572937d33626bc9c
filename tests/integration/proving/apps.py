"""Small apps that own their loop and word feedback in their own way, each right, or with one field's error missing.

The module stands in for a user's project: it is copied there as it is. An app takes `ask(messages) -> text` and `drop`,
the field whose error it does not pass on, or None.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from pytest_planguard import Contract


class Ticket(BaseModel):
    """What is asked for."""

    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=1)
    hours: int = Field(ge=1, le=8)


TICKET = Contract(Ticket)
BAD = '{"title": "Printer", "priority": "hi", "steps": [], "hours": "two"}'
HALF = '{"title": "Printer", "priority": "high", "steps": [], "hours": 2}'
GOOD = '{"title": "Printer", "priority": "high", "steps": ["look"], "hours": 2}'

Messages = list[dict[str, Any]]
Ask = Callable[[Messages], str]
Found = list[str]
TASK = "Write a ticket as JSON: the printer is on fire."
FRIENDLY = {
    "priority": "We only know three levels of urgency; pick the right one.",
    "steps": "A plan without anything to do does not help anybody.",
    "hours": "How long it takes should be given in digits.",
}
GERMAN = {
    "priority": "Die Dringlichkeit ist keine der erlaubten Stufen.",
    "steps": "Es fehlt mindestens ein Arbeitsschritt.",
    "hours": "Die Dauer muss eine ganze Zahl sein.",
}
JAPANESE = {
    "priority": "優先度の値が正しくありません。",
    "steps": "手順が空です。",
    "hours": "時間は整数で書いてください。",
}
RULES = {"priority": "priority is low, medium or high", "steps": "steps has an item", "hours": "hours is a number"}
ORDINALS = {"priority": "second", "steps": "third", "hours": "fourth"}
CODES = {"priority": "P-LEVEL", "steps": "S-NONE", "hours": "H-NUM"}


def wrong(text: str, drop: str | None = None) -> Found:
    """The fields that are wrong, in their order."""
    try:
        Ticket.model_validate_json(text)
    except ValidationError as error:
        return [field for e in error.errors() if (field := str(e["loc"][0])) != drop]
    return []


def user(text: str) -> dict[str, Any]:
    """A user turn."""
    return {"role": "user", "content": text}


def dialogue(ask: Ask, said: Callable[[str, Found], str], drop: str | None = None) -> str | None:
    """The loop of most apps; `said(answer, fields)` words the feedback."""
    messages = [user(TASK)]
    for _ in range(3):
        text = ask(messages)
        if not wrong(text):
            return text
        messages = [*messages, {"role": "assistant", "content": text}, user(said(text, wrong(text, drop)))]
    return None


def rewords(ask: Ask, drop: str | None = None) -> str | None:
    """Sentences of the team's own, which name no field."""
    return dialogue(ask, lambda _, found: "Hm, nearly.\n" + "\n".join(FRIENDLY[f] for f in found), drop)


def german(ask: Ask, drop: str | None = None) -> str | None:
    """Translated."""
    return dialogue(ask, lambda _, found: "Bitte verbessern: " + " ".join(GERMAN[f] for f in found), drop)


def japanese(ask: Ask, drop: str | None = None) -> str | None:
    """Translated, without a space in it."""
    return dialogue(ask, lambda _, found: "".join(JAPANESE[f] for f in found), drop)


def summary(ask: Ask, drop: str | None = None) -> str | None:
    """Summarised: fields, but no rules."""
    return dialogue(ask, lambda _, found: f"Please look again at {' and '.join(found)}.", drop)


def first_only(ask: Ask, drop: str | None = None) -> str | None:
    """One error at a time, which is right where it is agreed."""
    return dialogue(ask, lambda _, found: f"Not yet right: {FRIENDLY[found[0]]}", drop)


def reminders(ask: Ask, drop: str | None = None) -> str | None:
    """What would be right. The lossy one says it of every field, whatever is wrong, and looks perfect to a reader."""

    def said(_: str, found: Found) -> str:
        return "Your answer is invalid. Remember: " + "; ".join(RULES[f] for f in (RULES if drop else found))

    return dialogue(ask, said)


def messages(ask: Ask, drop: str | None = None) -> str | None:
    """The validator's own words. The lossy one says those about `BAD`, whatever is wrong."""

    def said(text: str, _: Found) -> str:
        try:
            Ticket.model_validate_json(BAD if drop else text)
        except ValidationError as error:
            return str(error)
        return ""

    return dialogue(ask, said)


def in_the_prompt(ask: Ask, drop: str | None = None) -> str | None:
    """The errors go into the task, and the answer is not sent back."""
    said = ""
    for _ in range(3):
        text = ask([user(TASK + said)])
        if not wrong(text):
            return text
        said = " Your previous attempt was rejected. " + " ".join(FRIENDLY[f] for f in wrong(text, drop))
    return None


def by_position(ask: Ask, drop: str | None = None) -> str | None:
    """Fields by their place."""
    return dialogue(ask, lambda _, found: "\n".join(f"The {ORDINALS[f]} field is off." for f in found), drop)


def quotes(ask: Ask, drop: str | None = None) -> str | None:
    """The answer is printed again within the feedback, in another layout."""

    def said(text: str, found: Found) -> str:
        shown = json.dumps(json.loads(text), indent=2, sort_keys=True)
        return f"You wrote\n{shown}\nIch sehe Fehler: " + ", ".join(GERMAN[f] for f in found)

    return dialogue(ask, said, drop)


def system_note(ask: Ask, drop: str | None = None) -> str | None:
    """Codes of the team's own in a system turn; only the last answer is kept."""
    messages = [user(TASK)]
    for _ in range(3):
        text = ask(messages)
        if not wrong(text):
            return text
        note = {"role": "system", "content": "lint: " + ",".join(CODES[f] for f in wrong(text, drop))}
        messages = [note, user(TASK), {"role": "assistant", "content": text}, user("Again, please.")]
    return None


APPS = (rewords, german, japanese, summary, first_only, reminders, in_the_prompt, by_position, quotes, system_note)
