"""Turns, exchanges and conversations of every shape, in few words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_planguard.contract.constraints.builders import custom, min_length, not_copied
from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import DrivenLoop
from pytest_planguard.retry.outcomes import CheckStatus
from pytest_planguard.wire.exchange import Finish, Item, ItemKind, Role, Usage

TICKET_SCHEMA: dict[str, Any] = {
    "title": "Ticket",
    "type": "object",
    "properties": {"title": {"type": "string", "minLength": 3}, "priority": {"enum": ["low", "high"]}},
    "required": ["title", "priority"],
}
NOTE_SCHEMA: dict[str, Any] = {"title": "Note", "type": "object", "properties": {"text": {"type": "string"}}}
TICKET, NOTE = Contract(TICKET_SCHEMA), Contract(NOTE_SCHEMA)
CALLED = Contract(TICKET_SCHEMA, judged="Ticket")
GOOD = '{"title": "Printer on fire", "priority": "high"}'
OTHER_GOOD = '{"title": "Printer is out", "priority": "low"}'
URGENT = '{"title": "Printer on fire", "priority": "urgent"}'
SOON = '{"title": "Printer on fire", "priority": "soon"}'
SHORT = '{"title": "x", "priority": "high"}'
BOTH = '{"title": "x", "priority": "urgent"}'
BROKEN = '{"title": "Printer on fire", "priority"'
FENCED = f"Here it is:\n```json\n{GOOD}\n```"
PRIORITY = 'priority: expected one of "low", "high"'
TITLE = "title: expected at least 3 characters"
TASK = "Write a ticket for the printer that burns"


def system(text: str) -> Item:
    """Return a system text."""
    return Item(ItemKind.TEXT, Role.SYSTEM, text)


def user(text: str) -> Item:
    """Return what the user says."""
    return Item(ItemKind.TEXT, Role.USER, text)


def model(text: str) -> Item:
    """Return what the model says."""
    return Item(ItemKind.TEXT, Role.ASSISTANT, text)


def call(text: str, call_id: str | None = "c1", name: str = "Ticket") -> Item:
    """Return a call with these arguments."""
    try:
        arguments = json.loads(text)
    except ValueError:
        arguments = None
    return Item(ItemKind.CALL, Role.ASSISTANT, text, call_id, name, arguments)


def result(text: str, call_id: str | None = "c1", *, error: bool = False) -> Item:
    """Return the result of a call."""
    return Item(ItemKind.RESULT, Role.TOOL, text, call_id, is_error=error)


def sent(*request: Item, answer: Item | Sequence[Item] = (), **other: Any) -> dict[str, Any]:
    """Return the fields of an exchange; it is numbered by its place."""
    answers = (answer,) if isinstance(answer, Item) else tuple(answer)
    return {"request": request, "answer": answers, "usage": Usage(5, 7), "finish": Finish.STOP, **other}


WRITE = (system("You write tickets as JSON."), user(TASK))
TOOLS = {"tools": {"Ticket": TICKET_SCHEMA}}


@dataclass(frozen=True)
class Shape:
    """A conversation, and how it is judged."""

    sent: tuple[dict[str, Any], ...]
    contracts: tuple[Any, ...] = (TICKET,)
    options: dict[str, Any] = field(default_factory=dict)
    ids: tuple[str | None, ...] | None = None
    loops: tuple[DrivenLoop, ...] = ()


def talk(*turns: str, start: Sequence[Item] = WRITE, **other: Any) -> tuple[dict[str, Any], ...]:
    """Return a dialogue that keeps its history: answer, feedback, answer, and so on."""
    history, made = list(start), []
    for number, text in enumerate(turns):
        if number % 2:
            history.append(user(text))
        else:
            made.append(sent(*history, answer=model(text), **other))
            history.append(model(text))
    return tuple(made)


def calls(*turns: str, error: bool = False) -> tuple[dict[str, Any], ...]:
    """Return a dialogue of calls and their results."""
    history, made = list(WRITE), []
    for number, text in enumerate(turns):
        if number % 2:
            history.append(result(text, f"c{number}", error=error))
        else:
            made.append(sent(*history, answer=call(text, f"c{number + 1}"), **TOOLS))
            history.append(call(text, f"c{number + 1}"))
    return tuple(made)


def once(request: Sequence[Item], answer: str, **other: Any) -> dict[str, Any]:
    """Return one exchange with an answer in words."""
    return sent(*request, answer=model(answer), **other)


def closed(last: str, behind: str, words: str = "Done.", **other: Any) -> tuple[dict[str, Any], ...]:
    """Return a call, its result, and the words that follow it."""
    after = sent(*WRITE, call(last), result(behind), answer=model(words), **TOOLS, **other)
    return (sent(*WRITE, answer=call(last), **TOOLS), after)


def cut(
    limit: int | None, again: int | None, words: str = "It is no JSON.", **other: Any
) -> tuple[dict[str, Any], ...]:
    """Return an answer that was cut off at a limit, and the retry with another."""
    first = once(WRITE, BROKEN, sampling={"max_tokens": limit}, **{"finish": Finish.LENGTH, **other})
    return (first, once((*WRITE, model(BROKEN), user(words)), GOOD, sampling={"max_tokens": again}))


FAILED = {"status": 429, "answer": (), "error": "slow down", "finish": None}
FATAL = Contract(TICKET_SCHEMA, constraints=[min_length("title", 10, severity="fail")])
FRESH = Contract(TICKET_SCHEMA, constraints=[not_copied("title")])
OWN = Contract(TICKET_SCHEMA, constraints=[custom("title", lambda title: None if "!" in title else "no shout")])
EXAMPLES = (WRITE[0], user("A ticket for the lamp"), model(GOOD), user(TASK))
STATUSES = dict.fromkeys(("feedback", "stops", "valid", "agreed", "fresh"), CheckStatus.WARN)
PARTIAL = {"partial": True}
REWRITTEN = user(f"{TASK}\nThe last answer was rejected:\n- {PRIORITY}")
