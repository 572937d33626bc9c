"""Conversations: what a retry has to feed back, and how a request shows the answer that it reacts to."""

from __future__ import annotations

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.outcomes import CheckStatus, Firmness

from .turns import (
    BOTH,
    BROKEN,
    EXAMPLES,
    FATAL,
    FRESH,
    GOOD,
    OTHER_GOOD,
    OWN,
    PARTIAL,
    PRIORITY,
    REWRITTEN,
    SHORT,
    SOON,
    STATUSES,
    TASK,
    TICKET_SCHEMA,
    TITLE,
    URGENT,
    WRITE,
    Shape,
    model,
    once,
    system,
    talk,
    user,
)

GERMAN = '{"title": "Der Drucker brennt lichterloh im großen Büro", "priority": "high"}'
FIELDS = TICKET_SCHEMA["properties"]
LEVEL = {**FIELDS["priority"], "title": "Urgency level"}
OWNED = Contract({**TICKET_SCHEMA, "properties": {**FIELDS, "priority": LEVEL, "owner": {"type": "string"}}})

SHAPES: dict[str, Shape] = {
    # How many findings are due, and how firmly.
    "one good answer": Shape(talk(GOOD)),
    "one bad answer": Shape(talk(URGENT)),
    "both findings fed back": Shape(talk(BOTH, f"- {PRIORITY}\n- {TITLE}", GOOD)),
    "the first of two fed back": Shape(talk(BOTH, f"- {TITLE}", GOOD)),
    "the second of two fed back": Shape(talk(BOTH, f"- {PRIORITY}", GOOD)),
    "the first is enough": Shape(talk(BOTH, f"- {TITLE}", GOOD), options={"coverage": "first"}),
    "the first is not there": Shape(talk(BOTH, f"- {PRIORITY}", GOOD), options={"coverage": "first"}),
    "any is enough": Shape(talk(BOTH, f"- {PRIORITY}", GOOD), options={"coverage": "any"}),
    "verbatim is due": Shape(
        talk(BOTH, "- priority [enum]: no\n- title: short", GOOD), options={"weakest": Firmness.VERBATIM}
    ),
    "words about a field that the answer has not": Shape(talk(URGENT, "owner: name a person", GOOD), (OWNED,)),
    "words about a field of the schema, the whole answer wrong": Shape(
        talk(f"[{GOOD}]", "owner: name a person", GOOD), (OWNED,)
    ),
    "a field of the schema is called missing": Shape(talk(URGENT, "owner is missing", GOOD), (OWNED,)),
    "a field by its title": Shape(talk(URGENT, "the urgency level is not one of low, high", GOOD), (OWNED,)),
    "the whole answer wrong, a field by its title": Shape(
        talk(f'{{"ticket": {GOOD}}}', "Urgency level: Field required\ntitle: Field required", GOOD), (OWNED,)
    ),
    "unclear words": Shape(talk(URGENT, "Das passt so nicht.", GOOD)),
    "unclear words fail": Shape(talk(URGENT, "Das passt so nicht.", GOOD), options={"unclear": CheckStatus.FAIL}),
    "the same unclear words twice": Shape(talk(URGENT, "Das passt nicht.", SHORT, "Das passt nicht.", GOOD)),
    "parse errors hide the rest": Shape(talk(BROKEN, "Invalid JSON: it ends early.", GOOD)),
    "constraints behind the schema": Shape(
        talk(BOTH, f"- {TITLE}\n- {PRIORITY}", GOOD), (FATAL,), {"must_feed_back": "contract"}
    ),
    "a rule of the user's": Shape(talk(GOOD, "title: no shout", GOOD.replace("fire", "fire!")), (OWN,)),
    "three attempts": Shape(talk(URGENT, PRIORITY, SHORT, TITLE, GOOD)),
    "old feedback again": Shape(talk(URGENT, PRIORITY, SHORT, f"{PRIORITY}", GOOD)),
    "warnings only": Shape(
        talk(URGENT, "Again!", URGENT, "Again!", GOOD), options={"statuses": STATUSES, "max_attempts": 1}
    ),
    "four attempts of three": Shape(talk(URGENT, PRIORITY, SHORT, TITLE, BROKEN, "Invalid JSON", GOOD)),
    "two attempts of one, by the request alone": Shape(
        talk(URGENT, PRIORITY, GOOD), options={**PARTIAL, "max_attempts": 1}
    ),
    "no text, no retry": Shape((once(WRITE, ""),)),
    "an empty answer and a retry": Shape((once(WRITE, ""), once((*WRITE, user("The answer is empty.")), GOOD))),
    # How a request is linked to an answer.
    "errors put behind the task": Shape((once(WRITE, URGENT), once((WRITE[0], REWRITTEN), GOOD))),
    "errors put in front of the task": Shape(
        (once(WRITE, URGENT), once((WRITE[0], user(f"The last answer was wrong: {PRIORITY}\n{TASK}")), GOOD))
    ),
    "errors put into the system text": Shape(
        (
            once(WRITE, URGENT),
            once((system(f"{WRITE[0].text}\nYour last answer was rejected: {PRIORITY}"), WRITE[1]), GOOD),
        )
    ),
    "errors as a turn of their own": Shape((once(WRITE, URGENT), once((*WRITE, user(PRIORITY)), GOOD))),
    "errors as a turn in front": Shape(
        (once(WRITE, URGENT), once((WRITE[0], user(f"Rejected: {PRIORITY}"), WRITE[1]), GOOD))
    ),
    "an answer in front of other turns": Shape(
        (once(WRITE, URGENT), once((*WRITE, model(URGENT), user("Thanks."), model("?"), user(PRIORITY)), GOOD))
    ),
    "an answer rewritten": Shape((once(WRITE, URGENT), once((*WRITE, model("..."), user(PRIORITY)), GOOD))),
    "an answer quoted": Shape((once(WRITE, URGENT), once((user(f"Repair this:\n{URGENT}\n{PRIORITY}"),), GOOD))),
    "an answer quoted, nothing wrong": Shape(
        (once(WRITE, GOOD), once((user(f"Translate this:\n{GOOD}"),), OTHER_GOOD))
    ),
    "prose quoted by a critic": Shape(
        (
            once((user("Describe the printer at length"),), "The printer burns bright in the night and smokes."),
            once((user("As JSON: The printer burns bright in the night and smokes. Fix it."),), GOOD),
        )
    ),
    "feedback behind the answer in its turn": Shape(
        (once(WRITE, URGENT), once((*WRITE, model(f"{URGENT}\nObservation: {PRIORITY}")), GOOD))
    ),
    "the server's state": Shape(
        (once(WRITE, URGENT, response_id="r1"), once((user(PRIORITY),), GOOD, previous_id="r1", response_id="r2"))
    ),
    "the server's state, unknown": Shape(
        (once(WRITE, URGENT, response_id="r1"), once((user(PRIORITY),), GOOD, previous_id="r9"))
    ),
    "the same request": Shape((once(WRITE, URGENT), once(WRITE, GOOD))),
    "the same request, another seed": Shape((once(WRITE, URGENT), once(WRITE, GOOD, sampling={"seed": 2}))),
    "the same request after a retry": Shape((*talk(URGENT, PRIORITY, SHORT), once(WRITE, GOOD))),
    "two tasks in turn": Shape(
        (
            once((user("A ticket for the lamp"),), URGENT),
            once((user("A ticket for the door"),), SOON),
            once((user("A ticket for the door"), model(SOON), user(PRIORITY)), GOOD),
            once((user("A ticket for the lamp"), model(URGENT), user(PRIORITY)), GOOD),
        )
    ),
    "two answers that fit": Shape((once(WRITE, URGENT), once(WRITE, SOON), once((WRITE[0], REWRITTEN), GOOD))),
    "two answers that fit, one of them good": Shape(
        (once(WRITE, URGENT), once(WRITE, GOOD), once((WRITE[0], REWRITTEN), GOOD))
    ),
    "two equal answers that fit": Shape((once(WRITE, URGENT), once(WRITE, URGENT), once((WRITE[0], REWRITTEN), GOOD))),
    "the task in other words": Shape(
        (
            once(WRITE, URGENT),
            once(
                (user(f"A ticket, please, for the printer that burns.\nYour answer was not valid:\n- {PRIORITY}"),),
                GOOD,
            ),
        )
    ),
    "the task in other words, nothing in common": Shape(
        (once(WRITE, URGENT), once((user(f"Sing a song.\nYour answer was not valid:\n- {PRIORITY}"),), GOOD))
    ),
    "worked examples": Shape(talk(URGENT, PRIORITY, OTHER_GOOD, start=EXAMPLES)),
    "worked examples copied": Shape(talk(GOOD, start=EXAMPLES)),
    "worked examples copied, in German": Shape(
        talk(GERMAN, start=(WRITE[0], user("A ticket for the lamp"), model(GERMAN), user(TASK)))
    ),
    "worked examples copied, strictly": Shape(talk(GOOD, start=EXAMPLES), options={"copy_check": True}),
    "worked examples copied, forbidden": Shape(talk(GOOD, start=EXAMPLES), (FRESH,)),
    "feedback copied": Shape(
        talk(
            SHORT,
            "title: write at least three letters",
            GOOD.replace("Printer on fire", "write at least three letters"),
        ),
        (FRESH,),
    ),
}
