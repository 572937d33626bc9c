"""Conversations: calls of tools, several contracts, and what a retry adds beside the findings."""

from __future__ import annotations

import json
from typing import Any

from pytest_planguard.contract.check import file
from pytest_planguard.contract.contract import Contract
from pytest_planguard.wire.dialects.commands_and_calls import COMMAND_LINE
from pytest_planguard.wire.exchange import Item, Usage

from .turns import (
    BOTH,
    CALLED,
    GOOD,
    NOTE,
    PRIORITY,
    SHORT,
    TASK,
    TICKET,
    TICKET_SCHEMA,
    TITLE,
    TOOLS,
    URGENT,
    WRITE,
    Shape,
    call,
    calls,
    closed,
    model,
    once,
    result,
    sent,
    talk,
    user,
)

MISSING = "- title: Field required\n- priority: Field required"
FILE = Contract(TICKET_SCHEMA, judged=file("t.json"))
WRAPPED_SCHEMA = {"title": "Wrapped", "properties": {"ticket": TICKET_SCHEMA}, "required": ["ticket"]}
LISTED_SCHEMA = {"title": "Listed", "type": "array", "items": TICKET_SCHEMA}


def command(*answer: Item, **other: Any) -> dict[str, Any]:
    """Return the run of a command-line agent."""
    return sent(user(TASK), answer=answer, **{"dialect": COMMAND_LINE, **other})


SHAPES: dict[str, Shape] = {
    # Calls.
    "calls": Shape(calls(URGENT, PRIORITY, GOOD)),
    "calls of a named tool": Shape(calls(URGENT, PRIORITY, GOOD), (CALLED,)),
    "a result that is an error": Shape(calls(URGENT, "no", GOOD, error=True)),
    "a call without its result": Shape(
        (
            sent(*WRITE, answer=call(URGENT), **TOOLS),
            sent(*WRITE, call(URGENT), user(PRIORITY), answer=call(GOOD, "c2"), **TOOLS),
        )
    ),
    "a result without its call": Shape(
        (
            sent(*WRITE, answer=call(URGENT), **TOOLS),
            sent(*WRITE, result(PRIORITY), result("?", "c9"), answer=call(GOOD, "c2"), **TOOLS),
        )
    ),
    "two bad calls": Shape(
        (
            sent(*WRITE, answer=(call(URGENT), call(SHORT, "c2")), **TOOLS),
            sent(
                *WRITE,
                call(URGENT),
                call(SHORT, "c2"),
                result(PRIORITY),
                result("ok", "c2"),
                answer=call(GOOD, "c3"),
                **TOOLS,
            ),
        )
    ),
    "two bad calls, one result": Shape(
        (
            sent(*WRITE, answer=(call(URGENT), call(SHORT, "c2")), **TOOLS),
            sent(
                *WRITE,
                call(URGENT),
                call(SHORT, "c2"),
                result(f"1. {PRIORITY}\n2. {TITLE}"),
                result("Not run: another call of this answer failed", "c2"),
                answer=call(GOOD, "c3"),
                **TOOLS,
            ),
        )
    ),
    "closing words": Shape(closed(GOOD, "saved")),
    "closing words after a bad call": Shape(closed(URGENT, "saved")),
    "closing words after a bad call, named": Shape(closed(URGENT, "saved"), ids=("a", "a")),
    "closing words after a bad call that was refused": Shape(closed(URGENT, f"Validation failed: {PRIORITY}")),
    "words where a call is due": Shape(closed(GOOD, "saved", tool_choice="required")),
    "words where this call is due": Shape(closed(GOOD, "saved", tool_choice="Ticket")),
    "words where another call may come": Shape(closed(GOOD, "saved", tool_choice="auto")),
    "words in the place of a call": Shape((sent(*WRITE, answer=model("Which printer?"), **TOOLS),)),
    "a good text in the place of a call": Shape((sent(*WRITE, answer=model(GOOD), **TOOLS),)),
    "a step before the answer": Shape(
        (
            sent(*WRITE, answer=call("{}", name="look"), tools={"look": {}}),
            sent(*WRITE, call("{}", name="look"), result("It burns."), answer=model(GOOD), tools={"look": {}}),
        )
    ),
    "a step that failed": Shape(
        (
            sent(*WRITE, answer=call("{}", name="look"), tools={"look": {}}),
            sent(
                *WRITE,
                call("{}", name="look"),
                result("No such printer.", error=True),
                answer=model(GOOD),
                tools={"look": {}},
            ),
        )
    ),
    "a step within a retry": Shape(
        (
            once(WRITE, URGENT),
            sent(*WRITE, model(URGENT), user(PRIORITY), answer=call("{}", name="look")),
            sent(
                *WRITE, model(URGENT), user(PRIORITY), call("{}", name="look"), result("It burns."), answer=model(GOOD)
            ),
        )
    ),
    "a demanded call": Shape(talk(GOOD), (Contract(TICKET_SCHEMA, calls="look"),)),
    "an argument that holds the answer": Shape(
        (
            sent(*WRITE, answer=call('{"doc": {"title": "x", "priority": "low"}}', name="save")),
            sent(
                *WRITE,
                call('{"doc": {"title": "x", "priority": "low"}}', name="save"),
                result("doc.title: too short"),
                answer=call(json.dumps({"doc": GOOD}), "c2", "save"),
            ),
        ),
        (Contract(TICKET_SCHEMA, judged="save", argument="doc"),),
    ),
    # Which contract judges.
    "two contracts": Shape((once(WRITE, URGENT), once((user("A note"),), '{"text": 1}')), (TICKET, NOTE)),
    "two contracts in one chat": Shape(
        talk(GOOD, "Now a note", '{"text": "a"}', "text: Field required", '{"text": "b"}'), (TICKET, NOTE)
    ),
    "a schema that is demanded": Shape((once(WRITE, '{"text": 1}', output_schema=TICKET_SCHEMA),), (NOTE, TICKET)),
    "another schema is demanded": Shape((once(WRITE, GOOD, output_schema={"properties": {"z": {}}}),)),
    "nothing is demanded beside a demand": Shape(
        (once(WRITE, GOOD, output_schema=TICKET_SCHEMA), once((user("Hello"),), "Hi!"))
    ),
    "a retry demands nothing": Shape(
        (once(WRITE, URGENT, output_schema=TICKET_SCHEMA), once((*WRITE, model(URGENT), user(PRIORITY)), GOOD))
    ),
    "a retry names its task": Shape(
        (once(WRITE, URGENT, output_schema=TICKET_SCHEMA), once((user("?"),), GOOD)), ids=("a", "a")
    ),
    "another tool": Shape((sent(*WRITE, answer=call("{}", name="look")),), (CALLED,)),
    "a tool of this name with other fields": Shape(
        (sent(*WRITE, answer=call("{}"), tools={"Ticket": {"properties": {"z": {}}}}),), (CALLED,)
    ),
    "no contract": Shape(talk(GOOD), ()),
    # What a retry adds beside the findings.
    "a traceback": Shape(talk(URGENT, f'{PRIORITY}\nTraceback (most recent call last)\n  File "a.py", line 3', GOOD)),
    "an API error": Shape(talk(URGENT, f"{PRIORITY}\nHTTP 503 RateLimitError", GOOD)),
    "words like a key": Shape(talk(URGENT, f"{PRIORITY}\nBearer abcdefghijklmnop", GOOD)),
    "a key": Shape(talk(URGENT, f"{PRIORITY}\nthe key is glpat-planted0123456789abcd", GOOD)),
    "a URL": Shape(talk(URGENT, f"{PRIORITY}\nsee https://errors.example/enum", GOOD)),
    "a URL of the task": Shape(
        talk(
            URGENT,
            f"{PRIORITY}\nsee https://errors.example/enum",
            GOOD,
            start=(*WRITE, user("https://errors.example/enum")),
        )
    ),
    "feedback of 4,000 characters": Shape(talk(URGENT, PRIORITY + " " * (4_000 - len(PRIORITY)), GOOD)),
    "feedback of 4,001 characters": Shape(talk(URGENT, PRIORITY + " " * (4_001 - len(PRIORITY)), GOOD)),
    "a missing task": Shape(
        (once((*WRITE, user("Be brief.\nAnd kind.")), URGENT), once((*WRITE, model(URGENT), user(PRIORITY)), GOOD))
    ),
    "an answer twice": Shape(
        (once(WRITE, URGENT), once((*WRITE, model(URGENT), user("?"), model(URGENT), user(PRIORITY)), GOOD))
    ),
    "an answer three times": Shape(
        (once(WRITE, URGENT), once((*WRITE, model(URGENT), model(URGENT), model(URGENT), user(PRIORITY)), GOOD))
    ),
    "no token counts": Shape(talk(URGENT, PRIORITY, GOOD, usage=Usage(None, 3))),
    # Answers that are wrong as a whole, and places that an app names by itself.
    "a list in the place of an item": Shape(talk(f"[{GOOD}]", MISSING, GOOD)),
    "a list in the place of an item, one of two": Shape(talk(f"[{GOOD}]", MISSING.partition("\n")[0], GOOD)),
    "an answer in a wrapper": Shape(talk(f'{{"ticket": {GOOD}}}', MISSING, GOOD)),
    "a place within the only argument": Shape(
        talk(f'{{"ticket": {URGENT}}}', f"- {PRIORITY}", f'{{"ticket": {GOOD}}}'), (Contract(WRAPPED_SCHEMA),)
    ),
    "a place from the root": Shape(
        talk(f'{{"ticket": {URGENT}}}', f"- ticket.{PRIORITY}", f'{{"ticket": {GOOD}}}'), (Contract(WRAPPED_SCHEMA),)
    ),
    "a heading above the places": Shape(
        talk(f'{{"ticket": {BOTH}}}', f"The ticket is not valid:\n- {PRIORITY}\n- {TITLE}", f'{{"ticket": {GOOD}}}'),
        (Contract(WRAPPED_SCHEMA),),
    ),
    "a place within an item": Shape(
        talk(f"[{GOOD}, {URGENT}]", f"item 2: {PRIORITY}", f"[{GOOD}]"), (Contract(LISTED_SCHEMA),)
    ),
    "a place within the only item": Shape(talk(f"[{URGENT}]", PRIORITY, f"[{GOOD}]"), (Contract(LISTED_SCHEMA),)),
    "a text where a call was due, called no JSON": Shape(
        (
            sent(*WRITE, answer=model("Which printer?"), **TOOLS),
            sent(*WRITE, model("Which printer?"), user("Invalid JSON."), answer=call(GOOD), **TOOLS),
        )
    ),
    "a text where a call was due, told nothing": Shape(
        (
            sent(*WRITE, answer=model("Which printer?"), **TOOLS),
            sent(*WRITE, model("Which printer?"), user("Hm."), answer=call(GOOD), **TOOLS),
        )
    ),
    "a text where a call was due, asked to call": Shape(
        (
            sent(*WRITE, answer=model("Which printer?"), **TOOLS),
            sent(*WRITE, model("Which printer?"), user("Call the tool Ticket."), answer=call(GOOD), **TOOLS),
        )
    ),
    # Commands that write files.
    "a file": Shape((command(call(GOOD, None, "t.json")),), (FILE,)),
    "a bad file": Shape((command(call(URGENT, None, "t.json")),), (FILE,)),
    "another file": Shape((command(call(GOOD, None, "u.json")),), (FILE,)),
    "a tool with the name of the file": Shape((command(call(GOOD, "c1", "t.json")),), (FILE,)),
    "the last of two calls": Shape((command(call(URGENT), call(GOOD, "c2")),), (CALLED,)),
    "the last words of a command": Shape((command(model(GOOD)),)),
    "a command without its call": Shape((command(model(GOOD)),), (CALLED,)),
    "a command that failed": Shape(
        (command(status=500, model="claude", error="exit status 1"), command(status=500, model="claude"))
    ),
}
