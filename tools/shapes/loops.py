"""Apps that put their next request together in ways of their own, each with what it says of a bad answer.

A right one names all errors, a blind one none, and one that drops the last error names all the others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from .apps import BLIND, GOOD, TASK, TICKET, App, Ask, Messages, demand, json_of, tool
from .scripted import call, text

Error = tuple[str, str]
"""Where, and what is wrong."""
WRONG = {"title": "", "priority": "urgent"}
ERRORS: list[Error] = [
    ("title", "must have at least 3 characters"),
    ("priority", "expected one of low, medium, high"),
]
TOLD: dict[str, Sequence[Error]] = {"correct": ERRORS, "broken": [], "drops_one": ERRORS[:1]}
"""By the way of the app: the errors that it names."""
SYSTEM = "You write tickets as JSON with title and priority (low, medium or high)."
REPAIR = "You repair JSON documents. Return the repaired document alone."
FORMAT = demand("Ticket", TICKET)


def lines(errors: Sequence[Error]) -> str:
    """Return the errors as a list, or words that name none."""
    return "\n".join(f"- {where}: {what}" for where, what in errors) or BLIND


def _system(words: str) -> dict[str, str]:
    return {"role": "system", "content": words}


def _user(words: str) -> dict[str, str]:
    return {"role": "user", "content": words}


def other_members(errors: Sequence[Error]) -> Callable[[Ask], None]:
    """Demand a schema that forbids other members, and have no rule for them."""
    strict = demand("Ticket", {**TICKET, "additionalProperties": False})

    def run(ask: Ask) -> None:
        messages: Messages = [_user(TASK)]
        messages += [ask(messages=messages, response_format=strict), _user(f"Not taken:\n{lines(errors)}")]
        ask(messages=messages, response_format=strict)

    return run


def second_system(errors: Sequence[Error]) -> Callable[[Ask], None]:
    """Say what was wrong in a second system message, behind the answer."""

    def run(ask: Ask) -> None:
        messages: Messages = [_system(SYSTEM), _user(TASK)]
        messages.append(ask(messages=messages, response_format=FORMAT))
        messages.append(_system(f"The last answer was rejected:\n{lines(errors)}"))
        ask(messages=messages, response_format=FORMAT)

    return run


def json_result(errors: Sequence[Error]) -> Callable[[Ask], None]:
    """Give the tool's result as JSON with a flag and a list of errors."""

    def run(ask: Ask) -> None:
        messages: Messages = [_user(TASK)]
        results: list[dict[str, Any]] = [
            {"is_error": True, "errors": [{"field": where, "problem": what} for where, what in errors]},
            {"is_error": False, "saved": 1},
        ]
        for result in results:
            message = ask(messages=messages, tools=[tool("save_ticket", TICKET)], tool_choice="required")
            one = message["tool_calls"][0]
            messages += [message, {"role": "tool", "tool_call_id": one["id"], "content": json.dumps(result)}]

    return run


def fresh_prompt(errors: Sequence[Error]) -> Callable[[Ask], None]:
    """Begin once more: one prompt with the task and what went wrong, without the answer."""

    def run(ask: Ask) -> None:
        ask(messages=[_system(SYSTEM), _user(TASK)], response_format=FORMAT)
        again = f"{TASK}\n\nAn earlier try was rejected for this:\n{lines(errors)}\nDo not repeat these errors."
        ask(messages=[_system(SYSTEM), _user(again)], response_format=FORMAT)

    return run


def repair_model(errors: Sequence[Error]) -> Callable[[Ask], None]:
    """Ask another model with instructions of its own to repair the answer."""

    def run(ask: Ask) -> None:
        answer = ask(messages=[_system(SYSTEM), _user(TASK)], response_format=FORMAT)
        broken = f"Document:\n{answer['content']}\n\nProblems:\n{lines(errors)}"
        ask(messages=[_system(REPAIR), _user(broken)], response_format=FORMAT)

    return run


def short_of_tokens(errors: Sequence[Error]) -> Callable[[Ask], None]:
    """Ask for a shorter answer where one was cut off; the words of `errors` are not for this."""
    words = "It was cut off at the token limit. Write it shorter, and whole." if errors else BLIND

    def run(ask: Ask) -> None:
        messages: Messages = [_user(TASK)]
        messages += [ask(messages=messages, response_format=FORMAT), _user(words)]
        ask(messages=messages, response_format=FORMAT)

    return run


def parallel_calls(errors: Sequence[Error]) -> Callable[[Ask], None]:
    """Take the good call of an answer with two, and say of the other what is wrong."""

    def run(ask: Ask) -> None:
        messages: Messages = [_user(f"{TASK} And one for the door.")]
        message = ask(messages=messages, tools=[tool("save_ticket", TICKET)], tool_choice="required")
        good, bad = message["tool_calls"]
        messages += [message, {"role": "tool", "tool_call_id": good["id"], "content": "saved"}]
        messages.append({"role": "tool", "tool_call_id": bad["id"], "content": f"Not saved:\n{lines(errors)}"})
        ask(messages=messages, tools=[tool("save_ticket", TICKET)], tool_choice="required")

    return run


BOTH = {**call("save_ticket", GOOD, 1), "tool_calls": [*call("save_ticket", GOOD, 1)["tool_calls"]]}
BOTH["tool_calls"] += call("save_ticket", WRONG, 2)["tool_calls"]
TEXTS = [json_of(WRONG), json_of(GOOD)]
SHAPES = {
    "second_system": (second_system, TEXTS),
    "json_result": (json_result, [call("save_ticket", WRONG, 1), call("save_ticket", GOOD, 2)]),
    "fresh_prompt": (fresh_prompt, TEXTS),
    "repair_model": (repair_model, TEXTS),
    "parallel_calls": (parallel_calls, [BOTH, call("save_ticket", GOOD, 3)]),
    "other_members": (other_members, [json_of({**WRONG, "mood": "hot"}), json_of({**GOOD, "mood": "hot"})]),
    "short_of_tokens": (short_of_tokens, [text('{"title": "The prin', "length"), json_of(GOOD)]),
}
LOOPS = {
    f"{name}.{way}": App(shape(errors), answers)
    for name, (shape, answers) in SHAPES.items()
    for way, errors in TOLD.items()
    if name != "short_of_tokens" or way != "drops_one"
}
