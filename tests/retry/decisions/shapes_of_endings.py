"""Conversations: what follows a good answer, sends that failed, and how each ended."""

from __future__ import annotations

from pytest_planguard.retry.judging.judge import DrivenLoop
from pytest_planguard.retry.outcomes import StopReason
from pytest_planguard.retry.proof import Proof, ProofResult
from pytest_planguard.wire.exchange import Finish

from .turns import (
    BROKEN,
    FAILED,
    FATAL,
    FENCED,
    GOOD,
    OTHER_GOOD,
    PARTIAL,
    PRIORITY,
    SHORT,
    SOON,
    TICKET,
    TITLE,
    URGENT,
    WRITE,
    Shape,
    call,
    cut,
    model,
    once,
    sent,
    talk,
    user,
)


def proof(graded: ProofResult, exchange: int = 1, **more: bool) -> Proof:
    """Return what was shown of the wrong priority."""
    return Proof("1", 1, exchange, TICKET.check(URGENT).errors[0], graded, "planguard ran the app again", **more)


SHAPES: dict[str, Shape] = {
    # What goes on after a good answer.
    "the next turn": Shape(talk(GOOD, "Now one for the lamp, please", OTHER_GOOD)),
    "a stricter app": Shape(talk(GOOD, "Your answer was not valid: shout!", OTHER_GOOD)),
    "a stricter app, by the request": Shape(
        talk(GOOD, "Your answer was not valid: shout!", OTHER_GOOD), options=PARTIAL
    ),
    "a stricter app names a field": Shape(talk(GOOD, f"- {PRIORITY}", OTHER_GOOD)),
    "a fence is refused": Shape(talk(FENCED, "Bitte nur JSON", GOOD)),
    "a fence is kept": Shape(talk(FENCED, "Bitte nur JSON", FENCED)),
    "a fence goes, and the words change": Shape(talk(FENCED, "Bitte nur JSON", OTHER_GOOD)),
    "several samples": Shape((once(WRITE, GOOD), once(WRITE, URGENT), once(WRITE, OTHER_GOOD))),
    "samples until one is good": Shape((once(WRITE, URGENT), once(WRITE, SOON), once(WRITE, GOOD))),
    "samples with a good one in the middle": Shape((once(WRITE, URGENT), once(WRITE, GOOD), once(WRITE, SOON))),
    "the same request, named": Shape((once(WRITE, GOOD), once(WRITE, OTHER_GOOD)), ids=("a", "a")),
    "named apart": Shape((once(WRITE, URGENT), once((*WRITE, model(URGENT), user(PRIORITY)), GOOD)), ids=("a", "b")),
    "one named, one not": Shape(
        (once(WRITE, URGENT), once((*WRITE, model(URGENT), user(PRIORITY)), GOOD)), ids=("a", None)
    ),
    "two tasks of one name": Shape(talk(GOOD, "And the lamp?", OTHER_GOOD, "And the door?", GOOD), ids=("a", "a", "a")),
    # Failed sends.
    "a send that failed": Shape((sent(*WRITE, **FAILED), once(WRITE, GOOD))),
    "two sends that failed": Shape(
        (sent(*WRITE, **FAILED), sent(*WRITE, **{**FAILED, "status": 503}), once(WRITE, GOOD))
    ),
    "a send that failed in a retry": Shape(
        (
            once(WRITE, URGENT),
            sent(*WRITE, model(URGENT), user(PRIORITY), **FAILED),
            once((*WRITE, model(URGENT), user(PRIORITY)), GOOD),
        )
    ),
    "a send that failed for good": Shape((once(WRITE, URGENT), sent(*WRITE, model(URGENT), user(PRIORITY), **FAILED))),
    "no key": Shape((sent(*WRITE, **{**FAILED, "status": 401, "error": None}),)),
    "a wrong request": Shape((sent(*WRITE, **{**FAILED, "status": 404}),)),
    "an error without a status": Shape((sent(*WRITE, error="it broke"),)),
    "an error without a status, sent again": Shape((sent(*WRITE, error="it broke"), once(WRITE, GOOD))),
    "rejected by the provider, sent again": Shape(
        (sent(*WRITE, status=400, rejected_text=URGENT, error="bad"), once(WRITE, GOOD))
    ),
    "an answer with an error": Shape(
        (once(WRITE, URGENT, error="late"), once((*WRITE, model(URGENT), user(PRIORITY)), GOOD))
    ),
    "a raw body": Shape((sent(dialect="raw", note="an embedding"), sent(dialect="raw"), once(WRITE, GOOD))),
    "an answer that the provider rejected": Shape(
        (
            sent(*WRITE, status=400, rejected_text=URGENT, error="bad"),
            once((*WRITE, user(f"Your answer was rejected: {PRIORITY}")), GOOD),
        )
    ),
    # What was shown by running the app again.
    "proven": Shape(talk(URGENT, "Hm.", GOOD), options={"proofs": (proof(ProofResult.PROVEN),)}),
    "missing": Shape(talk(URGENT, PRIORITY, GOOD), options={"proofs": (proof(ProofResult.MISSING),)}),
    "unproven": Shape(talk(URGENT, "urgent? Really?", GOOD), options={"proofs": (proof(ProofResult.UNPROVEN),)}),
    "undecided": Shape(
        talk(URGENT, "Again!", GOOD), options={"proofs": (proof(ProofResult.UNPROVEN, undecided=True),)}
    ),
    "passed on": Shape(
        talk(URGENT, "Again!", GOOD), options={"proofs": (proof(ProofResult.UNPROVEN, passed_on=True),)}
    ),
    "proven of another exchange": Shape(
        talk(URGENT, "Again!", GOOD), options={"proofs": (proof(ProofResult.PROVEN, 2),)}
    ),
    # Token limits, refusals, and what asking again does not help.
    "cut off at the same limit": Shape(cut(10, 10)),
    "cut off at a higher limit": Shape(cut(10, 11)),
    "cut off at a lower limit": Shape(cut(10, 9)),
    "cut off, then no limit": Shape(cut(10, None)),
    "cut off without a limit": Shape(cut(None, None)),
    "cut off, asked for less": Shape(cut(10, 10, "It is no JSON. Write at most 3 words.")),
    "not cut off": Shape(cut(10, 10, finish=Finish.STOP)),
    "cut off, by the request": Shape(cut(10, 10), options=PARTIAL),
    "a refusal asked again": Shape(
        (once(WRITE, "", refusal="I cannot"), once((*WRITE, model("I cannot"), user("Do it.")), GOOD))
    ),
    "filtered": Shape((once(WRITE, "", finish=Finish.CONTENT_FILTER),)),
    "a fatal finding": Shape(talk(SHORT.replace("x", "xxxx")), (FATAL,)),
    "a fatal finding asked again": Shape(talk(SHORT.replace("x", "xxxx"), "title: too short", GOOD), (FATAL,)),
    # How it ended.
    "stuck": Shape(talk(URGENT, PRIORITY, URGENT)),
    "stuck in the end": Shape(talk(URGENT, PRIORITY, SHORT, TITLE, URGENT)),
    "no progress": Shape(talk(URGENT, PRIORITY, SOON)),
    "oscillating": Shape(talk(URGENT, PRIORITY, SHORT, TITLE, SOON)),
    "regressed": Shape(talk(URGENT, PRIORITY, BROKEN)),
    "regressed at another place": Shape(talk(URGENT, PRIORITY, SHORT)),
    "exhausted": Shape(talk(BROKEN, "Invalid JSON", URGENT), options={"max_attempts": 2}),
    "stopped": Shape(talk(BROKEN, "Invalid JSON", URGENT), options={"max_attempts": 3}),
    "handed to a person": Shape(talk(URGENT, PRIORITY, "Over to you, Ada."), options={"escalates": ("over to YOU",)}),
    "handed to a model": Shape(
        (*talk(URGENT), once((user("Help"),), "Hm.", model="big")), options={"escalates": ("big",)}
    ),
    "handed to a tool": Shape(
        (*talk(URGENT), sent(user("Help"), answer=call("{}", name="ask"))), options={"escalates": ("ask",)}
    ),
    "handed over and solved": Shape(
        (*talk(URGENT), once((user("Help"),), GOOD, model="big")), options={"escalates": ("big",)}
    ),
    "handed over after a good answer": Shape(
        (*talk(GOOD), once((user("Help"),), "Hm.", model="big")), options={"escalates": ("big",)}
    ),
    "only handed over": Shape((once(WRITE, "Over to you."),), options={"escalates": ("over",)}),
    "handed over twice": Shape(
        (*talk(URGENT), once((user("Help"),), "Hm.", model="big"), once((user("More"),), "Hm!", model="big")),
        options={"escalates": ("big",)},
    ),
    "one of two tasks handed over": Shape(
        (*talk(URGENT), once((user("A ticket for the lamp"),), SHORT), once((user("Help"),), "Hm.", model="big")),
        options={"escalates": ("big",)},
    ),
    "six errors are named": Shape(talk(URGENT, "\n".join(f"- field{n}: Field required" for n in range(6)), GOOD)),
    "driven": Shape(
        talk(URGENT, PRIORITY, SOON, PRIORITY, GOOD),
        ids=("1",) * 3,
        loops=(DrivenLoop("1", 3, 5, StopReason.ANSWERED),),
    ),
    "driven until its budget was spent": Shape(
        talk(BROKEN, "Invalid JSON", URGENT), ids=("1",) * 2, loops=(DrivenLoop("1", 2, 5, StopReason.BUDGET_SPENT),)
    ),
    "driven, and nothing repeated": Shape(
        (once((user("a"),), URGENT), once((user("b"),), SHORT), once((user("c"),), GOOD)),
        ids=("1",) * 3,
        loops=(DrivenLoop("1", 3, 3, None),),
    ),
    "driven, with another traffic": Shape(
        (once((user("a"),), URGENT), once((user("b"),), GOOD)), ids=("1",) * 2, loops=(DrivenLoop("1", 3, 3, None),)
    ),
}
