"""Conversations: each link by which a good answer is rejected, edges of the traffic, and how attempts end in a row."""

from __future__ import annotations

from typing import Any

from pytest_planguard.contract.check import file, tool_arg
from pytest_planguard.contract.contract import Contract
from pytest_planguard.wire.dialects.commands_and_calls import COMMAND_LINE
from pytest_planguard.wire.exchange import Finish, Item

from .turns import (
    BOTH,
    BROKEN,
    EXAMPLES,
    FAILED,
    FENCED,
    GOOD,
    NOTE,
    OTHER_GOOD,
    PRIORITY,
    REWRITTEN,
    SHORT,
    SOON,
    TASK,
    TICKET,
    TICKET_SCHEMA,
    TITLE,
    TOOLS,
    URGENT,
    WRITE,
    Shape,
    call,
    closed,
    model,
    once,
    result,
    sent,
    system,
    talk,
    user,
)

NO = "Your answer was not valid: shout!"
LOOK = call("{}", "c5", "look")
DEMANDING = Contract(TICKET_SCHEMA, calls="look")
BY_TOOL, BY_FILE = Contract(TICKET_SCHEMA, judged=tool_arg("Ticket")), Contract(TICKET_SCHEMA, judged=file("Ticket"))
OF_DOC = Contract(TICKET_SCHEMA, judged="Ticket", argument="doc")
LAMP = (user("A ticket for the lamp"), model(URGENT))
PROSE, THOUGHT = f"Here it is: {GOOD}", f"<think>Hm.</think>{GOOD}"


def again(*request: Item, answer: str = OTHER_GOOD, **other: Any) -> dict[str, Any]:
    """Return a request that follows a good answer."""
    return once(request, answer, **other)


def command(*answer: Item) -> tuple[dict[str, Any], ...]:
    """Return the run of a command-line agent."""
    return (sent(user(TASK), answer=answer, dialect=COMMAND_LINE),)


def ended(*answers: tuple[str, dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return a dialogue in which each answer has fields of its own."""
    history, made = list(WRITE), []
    for text, fields in answers:
        made.append(once(history, text, **fields))
        history += [model(text), user("Again, please.")]
    return tuple(made)


REFUSED, CUT, STOPPED = {"refusal": "I cannot"}, {"finish": Finish.LENGTH}, {"finish": Finish.STOP}
REJECTIONS: dict[str, Shape] = {
    "rejected behind the answer": Shape((once(WRITE, GOOD), again(*WRITE, model(GOOD), user(NO)))),
    "rejected, the answer left out": Shape((once(WRITE, GOOD), again(*WRITE, user(NO)))),
    "rejected, the answer rewritten": Shape((once(WRITE, GOOD), again(*WRITE, model("..."), user(NO)))),
    "rejected, the answer quoted": Shape((once(WRITE, GOOD), again(user(f"{NO}\nRepair this:\n{GOOD}")))),
    "rejected, the server's state": Shape(
        (once(WRITE, GOOD, response_id="r1"), again(user(NO), previous_id="r1", response_id="r2"))
    ),
    "rejected in the prompt": Shape((once(WRITE, GOOD), again(WRITE[0], user(f"{TASK}\n{NO}")))),
    "rejected by the system text": Shape((once(WRITE, GOOD), again(system(f"{WRITE[0].text}\n{NO}"), WRITE[1]))),
    "rejected by a result": Shape(
        (
            sent(*WRITE, answer=call(GOOD), **TOOLS),
            sent(*WRITE, call(GOOD), result("Invalid arguments: shout!"), answer=call(OTHER_GOOD, "c2"), **TOOLS),
        )
    ),
    "rejected behind closing words": Shape(
        (
            *closed(GOOD, "saved"),
            sent(*WRITE, call(GOOD), result("saved"), model("Done."), user(NO), answer=call(OTHER_GOOD, "c2"), **TOOLS),
        )
    ),
    "thanked behind closing words": Shape(
        (
            *closed(GOOD, "saved"),
            sent(
                *WRITE, call(GOOD), result("saved"), model("Done."), user("Thanks. One for the lamp, please."),
                answer=call(OTHER_GOOD, "c2"), **TOOLS,
            ),
        )
    ),
    "the next task after a bad call that was taken": Shape(
        (
            *closed(URGENT, "saved"),
            sent(
                *WRITE, call(URGENT), result("saved"), model("Done."), user("One for the lamp, please."),
                answer=call(OTHER_GOOD, "c2"), **TOOLS,
            ),
        )
    ),
    "closing words after a result that is an error": Shape(
        (
            sent(*WRITE, answer=call(URGENT), **TOOLS),
            sent(*WRITE, call(URGENT), result("saved", error=True), answer=model("Done."), **TOOLS),
        )
    ),
    "closing words of another contract": Shape(
        (
            sent(*WRITE, answer=call(GOOD), **TOOLS),
            sent(*WRITE, call(GOOD), result("saved"), answer=model("Done."), tools={"Note": NOTE.json_schema}),
        ),
        (TICKET, NOTE),
    ),
    "prose is refused": Shape(talk(PROSE, "Bitte nur JSON", GOOD)),
    "thoughts are refused": Shape(talk(THOUGHT, "Bitte nur JSON", GOOD)),
    "prose becomes a fence": Shape(talk(PROSE, "Bitte nur JSON", FENCED)),
    "a fence is refused in a prompt": Shape(
        (once(WRITE, FENCED), again(WRITE[0], user(f"{TASK} als JSON"), answer=GOOD))
    ),
    "a bad answer without its fence": Shape(talk(f"```json\n{URGENT}\n```", "Bitte nur JSON", URGENT)),
}  # fmt: skip
TRAFFIC: dict[str, Shape] = {
    "a retry, and a request beside it": Shape(
        (
            once(WRITE, URGENT),
            once((*WRITE, model(URGENT), user(PRIORITY)), GOOD),
            once((*WRITE, model(URGENT), user("Translate it.")), "Dring", output_schema={"properties": {"z": {}}}),
        )
    ),
    "two retries of one answer": Shape(
        (
            once(WRITE, URGENT),
            once((*WRITE, model(URGENT), user(PRIORITY)), SOON),
            once((*WRITE, model(URGENT), user("Again!")), GOOD),
        )
    ),
    "a worked example with the answer of the model": Shape(
        talk(URGENT, PRIORITY, GOOD, start=(*LAMP, user(TASK)))
    ),
    "such an answer, shown twice": Shape(
        (
            once((*LAMP, user(TASK)), URGENT),
            once((*LAMP, user(TASK), model(URGENT), model(URGENT), user(PRIORITY)), GOOD),
        )
    ),
    **{
        f"two tasks in the same words, and {name}": Shape(
            (once(EXAMPLES, first), once(WRITE, second), once((WRITE[0], REWRITTEN), GOOD))
        )
        for name, first, second in (
            ("both answers bad", SOON, URGENT),
            ("the first answer good", OTHER_GOOD, URGENT),
            ("the second answer good", URGENT, OTHER_GOOD),
            ("the same answer", URGENT, URGENT),
        )
    },
    "a status of 400, sent again": Shape((sent(*WRITE, status=400, error="bad"), once(WRITE, GOOD))),
    "a status of 399 with an answer": Shape((once(WRITE, URGENT, status=399),)),
    "a send of a step that failed": Shape(
        (
            once(WRITE, URGENT),
            sent(*WRITE, model(URGENT), user(PRIORITY), **FAILED),
            sent(*WRITE, model(URGENT), user(PRIORITY), answer=LOOK),
            sent(*WRITE, model(URGENT), user(PRIORITY), LOOK, result("It burns.", "c5"), **FAILED),
            sent(*WRITE, model(URGENT), user(PRIORITY), LOOK, result("It burns.", "c5"), answer=model(GOOD)),
        )
    ),
    "an unjudged answer on the way": Shape(
        (
            once(WRITE, URGENT, output_schema=TICKET_SCHEMA),
            once((*WRITE, model(URGENT), user("Say more.")), "Hm.", output_schema={"properties": {"z": {}}}),
            once((*WRITE, model(URGENT), user("Say more."), model("Hm."), user(PRIORITY)), GOOD,
                 output_schema=TICKET_SCHEMA),
        )
    ),
    "two bad calls, one without an id": Shape(
        (
            sent(*WRITE, answer=(call(URGENT, None), call(SHORT, "c2")), **TOOLS),
            sent(
                *WRITE, call(URGENT, None), call(SHORT, "c2"), result(PRIORITY, None), result(TITLE, "c2"),
                answer=call(GOOD, "c3"), **TOOLS,
            ),
        )
    ),
    "two bad calls with each other's result": Shape(
        (
            sent(*WRITE, answer=(call(URGENT), call(SHORT, "c2")), **TOOLS),
            sent(
                *WRITE, call(URGENT), call(SHORT, "c2"), result(TITLE), result(PRIORITY, "c2"),
                answer=call(GOOD, "c3"), **TOOLS,
            ),
        )
    ),
    "a bad call beside a good one": Shape(
        (
            sent(*WRITE, answer=(call(GOOD), call(SHORT, "c2")), **TOOLS),
            sent(
                *WRITE, call(GOOD), call(SHORT, "c2"), result("ok"), result(TITLE, "c2"),
                answer=call(GOOD, "c3"), **TOOLS,
            ),
        )
    ),
    "a call on the server without its result": Shape(
        (
            sent(*WRITE, answer=call(URGENT), response_id="r1", **TOOLS),
            sent(result(PRIORITY), answer=call(GOOD, "c2"), previous_id="r1", **TOOLS),
        )
    ),
    "a demanded call before the user's last words": Shape(
        (sent(LOOK, result("ok", "c5"), user(TASK), answer=model(GOOD)),), (DEMANDING,)
    ),
    "a demanded call behind them": Shape(
        (sent(user(TASK), LOOK, result("ok", "c5"), model("Now:"), answer=model(GOOD)),), (DEMANDING,)
    ),
    "a demanded call, and no words of the user": Shape(
        (sent(LOOK, result("ok", "c5"), answer=model(GOOD)),), (DEMANDING,)
    ),
    "a file with the name of the tool": Shape(command(call(GOOD, None)), (BY_TOOL,)),
    "a call with the name of the file": Shape(command(call(GOOD)), (BY_FILE,)),
    "words in the place of a tool": Shape(command(model(GOOD)), (BY_TOOL,)),
    "words in the place of a file": Shape(command(model(GOOD)), (BY_FILE,)),
    "words in the place of an argument": Shape(command(model(GOOD)), (OF_DOC,)),
}  # fmt: skip
ENDINGS: dict[str, Shape] = {
    "oscillating in the end": Shape(talk(BOTH, PRIORITY, URGENT, PRIORITY, SHORT, TITLE, SOON)),
    "three of the same": Shape(talk(URGENT, PRIORITY, SOON, PRIORITY, URGENT.replace("urgent", "now"))),
    "refused twice": Shape(ended(("", REFUSED), ("", {"refusal": "No."}))),
    "empty twice": Shape(ended(("", STOPPED), ("", STOPPED))),
    "cut off twice": Shape(ended((BROKEN, CUT), (BROKEN[:-3], CUT))),
    "cut off after a better answer": Shape(ended((URGENT, STOPPED), (BROKEN, CUT))),
    "refused after a better answer": Shape(ended((URGENT, STOPPED), ("", REFUSED))),
    "empty after a better answer": Shape(ended((URGENT, STOPPED), ("", STOPPED))),
    "worse than the first of three": Shape(talk(URGENT, PRIORITY, BROKEN, "Invalid JSON", BOTH)),
    "better than the first of three": Shape(talk(BROKEN, "Invalid JSON", BOTH, PRIORITY, SHORT)),
    "broken after a good answer": Shape(talk(GOOD, NO, BROKEN)),
    "a bad value after a good answer": Shape(talk(GOOD, NO, URGENT)),
}
CLOSED = Contract({**TICKET_SCHEMA, "additionalProperties": False})
EXTRA, STILL_EXTRA = (text.replace("}", ', "note": 1}') for text in (SHORT, GOOD))
LEFT_TO_APPS: dict[str, Shape] = {
    f"a field too much {name}": Shape(talk(EXTRA, TITLE, STILL_EXTRA), (CLOSED,), options)
    for name, options in (
        ("", {}),
        ("by the request", {"partial": True}),
        ("by the contract", {"must_feed_back": "contract"}),
        ("by the request, and all of it", {"partial": True, "must_feed_back": "contract"}),
    )
}
TWO_ARGUMENTS = Contract(
    {"title": "Two", "properties": {"ticket": TICKET_SCHEMA, "note": {"type": "string"}}, "required": ["ticket"]}
)
NAMED: dict[str, Shape] = {
    "a place within one of two arguments": Shape(
        talk(f'{{"ticket": {URGENT}}}', f"- {PRIORITY}", f'{{"ticket": {GOOD}}}'), (TWO_ARGUMENTS,)
    ),
    "errors without places": Shape(talk(URGENT, '[{"type": "enum", "msg": "Input should be \'low\'"}]', GOOD)),
    "places without words": Shape(talk(URGENT, '[{"type": "enum", "loc": ["priority"], "msg": ""}]', GOOD)),
    "an error with a place, and one without": Shape(
        talk(
            URGENT, '[{"loc": ["priority"], "type": "enum", "msg": "Not this"}, {"type": "x", "msg": "Nor this"}]', GOOD
        )
    ),
}
SHAPES = REJECTIONS | TRAFFIC | ENDINGS | LEFT_TO_APPS | NAMED
