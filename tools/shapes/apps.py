"""Apps of many shapes, each a few lines over the OpenAI SDK, with the answers that the model gives.

An app is correct where its retries say what was wrong, broken where they only say "try again".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .scripted import Answer, call, failure, text

Ask = Callable[..., Any]
"""Asks the model: keyword arguments of `client.chat.completions.create`, the message of the answer back."""
Messages = list[dict[str, Any]]

TICKET = {
    "type": "object",
    "properties": {"title": {"type": "string", "minLength": 3}, "priority": {"enum": ["low", "medium", "high"]}},
    "required": ["title", "priority"],
}
META = {
    "type": "object",
    "properties": {"mood": {"type": "string"}, "lines": {"type": "integer"}},
    "required": ["mood", "lines"],
}
BAD = {"title": "Printer", "priority": "urgent"}
WORSE = {"title": "The printer", "priority": "asap"}
GOOD = {"title": "Printer", "priority": "high"}
MOOD = {"mood": "calm", "lines": 3}
POEM = "The rain came down on every town,\nthe river rose and would not drown\nthe little boat, the paper crown."
FENCED = f"Here is the ticket:\n```json\n{json.dumps(GOOD)}\n```"
ERROR = "priority: expected one of low, medium, high"
INVALID = "Invalid JSON: expected value at line 1 column 1"
BLIND = "That was not valid, try again."
TASK = "Write a ticket as JSON: the printer is on fire."


@dataclass(frozen=True)
class App:
    """One app and what the model answers to it, in order."""

    run: Callable[[Ask], None]
    answers: Sequence[Answer]


def tool(name: str, schema: Any) -> dict[str, Any]:
    """Return the declaration of a tool."""
    return {"type": "function", "function": {"name": name, "parameters": schema}}


def demand(name: str, schema: Any) -> dict[str, Any]:
    """Return a response format."""
    return {"type": "json_schema", "json_schema": {"name": name, "schema": {"title": name, **schema}}}


def agent(schema: Any, results: Sequence[str], **more: Any) -> Callable[[Ask], None]:
    """Return an agent whose tool gives one result after the other, until the model answers in words."""

    def run(ask: Ask) -> None:
        messages: Messages = [{"role": "user", "content": TASK}]
        left = list(results)
        while True:
            message = ask(messages=messages, tools=[tool("save_ticket", schema)], **more)
            messages.append(message)
            if not message.get("tool_calls"):
                return
            for one in message["tool_calls"]:
                messages.append({"role": "tool", "tool_call_id": one["id"], "content": left.pop(0)})
            if more and not left:
                return

    return run


def chat(turns: Sequence[str], formats: Sequence[Any] = (), **more: Any) -> Callable[[Ask], None]:
    """Return a chat: one user turn after the other, each with its response format, where there is one."""

    def run(ask: Ask) -> None:
        messages: Messages = []
        for at, turn in enumerate(turns):
            messages.append({"role": "user", "content": turn})
            asked = {"response_format": formats[at]} if at < len(formats) and formats[at] else {}
            messages.append(ask(messages=messages, **asked, **more))

    return run


def single(prompts: Sequence[tuple[str, Any]]) -> Callable[[Ask], None]:
    """Return a pipeline: one request after the other, each with a prompt of its own and a response format or None."""

    def run(ask: Ask) -> None:
        for prompt, wanted in prompts:
            ask(messages=[{"role": "user", "content": prompt}], **({"response_format": wanted} if wanted else {}))

    return run


def typed(schemas: Sequence[tuple[str, Any]]) -> Callable[[Ask], None]:
    """Return an app that reads several types by one tool name."""

    def run(ask: Ask) -> None:
        for prompt, schema in schemas:
            chosen = {"type": "function", "function": {"name": "extract"}}
            ask(messages=[{"role": "user", "content": prompt}], tools=[tool("extract", schema)], tool_choice=chosen)

    return run


def json_of(value: Any) -> Answer:
    """Return an answer that is one JSON document."""
    return text(json.dumps(value))


WRAPPED = {"type": "object", "properties": {"ticket": TICKET}, "required": ["ticket"]}
LISTED = {"type": "object", "properties": {"tickets": {"type": "array", "items": TICKET}}, "required": ["tickets"]}
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
}
FORCED = {"tool_choice": "required"}
META_FORMAT, TICKET_FORMAT = demand("Meta", META), demand("Ticket", TICKET)
CALLS = [call("save_ticket", BAD, 1), call("save_ticket", GOOD, 2), text("Done, the ticket is saved.")]
INNER = [call("save_ticket", {"ticket": BAD}, 1), call("save_ticket", {"ticket": GOOD}, 2)]
ITEMS = [call("save_ticket", {"tickets": [GOOD, BAD]}, 1), call("save_ticket", {"tickets": [GOOD, GOOD]}, 2)]
LATE = [text("The printer needs help."), call("save_ticket", GOOD, 1)]
ONCE_MORE = (TASK, None)
CRITIC = f"Review this text and list errors as JSON:\n\n{POEM}"


def late(feedback: str) -> Callable[[Ask], None]:
    """Return an app that answers words in the place of a call with feedback in a user turn."""

    def run(ask: Ask) -> None:
        messages: Messages = [{"role": "user", "content": TASK}]
        tools = [tool("save_ticket", TICKET)]
        messages.append(ask(messages=messages, tools=tools, **FORCED))
        messages.append({"role": "user", "content": feedback})
        ask(messages=messages, tools=tools, **FORCED)

    return run


APPS: dict[str, App] = {
    "closing.correct": App(agent(TICKET, [ERROR, "saved"]), CALLS),
    "closing.broken": App(agent(TICKET, [BLIND, "saved"]), CALLS),
    "closing_at_once.correct": App(agent(TICKET, ["saved"]), CALLS[1:]),
    "text_for_call.correct": App(late(INVALID), LATE),
    "text_for_call.broken": App(late("Once more, please."), LATE),
    "one_argument.correct": App(agent(WRAPPED, [ERROR, "saved"], **FORCED), INNER),
    "one_argument.broken": App(agent(WRAPPED, [BLIND, "saved"], **FORCED), INNER),
    "item.correct": App(agent(LISTED, [ERROR, "saved"], **FORCED), ITEMS),
    "item.broken": App(agent(LISTED, [BLIND, "saved"], **FORCED), ITEMS),
    "critic.correct": App(
        single([("Write a short poem about rain.", None), (CRITIC, META_FORMAT)]), [text(POEM), json_of(MOOD)]
    ),
    "critic.broken": App(
        single([("Write a short poem about rain.", None), (CRITIC, META_FORMAT), (CRITIC, META_FORMAT)]),
        [text(POEM), json_of({"mood": 1, "lines": 3}), json_of(MOOD)],
    ),
    "question.correct": App(
        chat([CRITIC, "Why did you call it calm?"], [META_FORMAT]), [json_of(MOOD), text("The rhythm is slow.")]
    ),
    "question.broken": App(
        chat([CRITIC, BLIND, "Why did you call it calm?"], [META_FORMAT, META_FORMAT]),
        [json_of({"mood": 1, "lines": 3}), json_of(MOOD), text("The rhythm is slow.")],
    ),
    "two_schemas.correct": App(
        typed([("Read the poem.", META), ("Who is Ada?", PERSON)]),
        [call("extract", MOOD, 1), call("extract", {"name": "Ada", "age": 36}, 2)],
    ),
    "two_schemas.broken": App(
        typed([("Read the poem.", META), ("Who is Ada?", PERSON)]),
        [call("extract", MOOD, 1), call("extract", {"name": "Ada", "age": "old"}, 2)],
    ),
    "samples.correct": App(single([ONCE_MORE] * 3), [json_of(GOOD), json_of(BAD), json_of(GOOD)]),
    "samples.broken": App(single([ONCE_MORE] * 3), [json_of(BAD), json_of(WORSE), json_of(GOOD)]),
    "twice.correct": App(
        single([("Today is 1 May. " + TASK, None), ("Today is 2 May. " + TASK, None)]), [json_of(GOOD), json_of(GOOD)]
    ),
    "twice.broken": App(
        single([("Today is 1 May. " + TASK, None), ("Today is 2 May. " + TASK, None)]), [json_of(GOOD), json_of(BAD)]
    ),
    "stricter.correct": App(chat([TASK, f"That was not valid: {INVALID}"]), [text(FENCED), json_of(GOOD)]),
    "stricter.broken": App(chat([TASK, BLIND]), [text(FENCED), json_of(GOOD)]),
    "laxer.broken": App(agent(TICKET, ["saved"]), [CALLS[0], CALLS[2]]),
    "escalated": App(
        chat([TASK, ERROR, "Hand it over."]), [json_of(BAD), json_of(WORSE), text("I hand this over to a person.")]
    ),
    "no_progress": App(chat([TASK, ERROR]), [json_of(BAD), json_of(WORSE)]),
    "loop": App(chat([TASK]), [text('{"title": "' + "the printer is on fire " * 40, "length")]),
    "auth": App(chat([TASK]), [failure(401, "Incorrect API key provided.")]),
    "transport": App(chat([TASK]), [failure(503, "The server is overloaded.")]),
}
"""By name: the shape, and whether the app is correct or broken where it can be either."""
