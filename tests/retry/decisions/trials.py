"""Which changed answers an app is given to see whether it feeds back a finding, and what follows from its requests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytest_planguard import Contract, JudgeOptions, judge
from pytest_planguard.extend import Finish
from pytest_planguard.retry.proof import Proof
from pytest_planguard.retry.proving.experiment import Experiment
from pytest_planguard.retry.proving.planning import required_findings, trials
from pytest_planguard.retry.proving.request_diff import Difference
from pytest_planguard.retry.proving.trial import Seen, Trial

from ...support.decisions import Block, Decided, Messages, sorted_out
from ...support.places import dotted
from .spoken import SHAPES, as_input, exchanges_of
from .turns import (
    BOTH,
    BROKEN,
    GOOD,
    PRIORITY,
    SHORT,
    SOON,
    TICKET,
    TICKET_SCHEMA,
    TITLE,
    TOOLS,
    URGENT,
    WRITE,
    Shape,
    call,
    once,
    result,
    sent,
    talk,
    user,
)

THREE = talk(BOTH, PRIORITY, SHORT, TITLE, GOOD)
OTHER = once((user("A ticket for the lamp"),), URGENT)

WENT = "priority must be low or high"
"""What went of a request that differs in words."""


def two_calls(one: str, other: str, **more: Any) -> tuple[dict[str, Any], ...]:
    """Return an answer that makes two bad calls, and the request with their results."""
    bad = (call(one), call(other, "c2"))
    again = sent(*WRITE, *bad, result("no"), result("no", "c2"), answer=call(GOOD, "c3"), **TOOLS)
    return (sent(*WRITE, answer=bad, **TOOLS, **more), again)


TRIED: dict[str, Shape] = {
    "two findings": Shape(talk(BOTH, PRIORITY, GOOD)),
    "two findings, and more attempts": Shape(THREE),
    "two conversations": Shape((*THREE, OTHER, once((user("A ticket for the lamp"), user(PRIORITY)), GOOD))),
    "alone": Shape(talk(URGENT, PRIORITY, SOON)),
    "no room for another error": Shape(
        talk('{"on": 1}', "on: no", '{"on": true}'),
        (Contract({"title": "On", "properties": {"on": {"type": "boolean"}}}),),
    ),
    "broken": Shape(talk(BROKEN, "Invalid JSON", GOOD)),
    "broken, and never good": Shape(talk(BROKEN, "Invalid JSON", URGENT)),
    "a list in the place of an object": Shape(talk("[]", "an object, please", GOOD)),
    "cut off": Shape(
        (once(WRITE, BROKEN, finish=Finish.LENGTH), once((*WRITE, user("It was cut off.")), GOOD)),
    ),
    "two calls": Shape(two_calls(URGENT, SHORT, finish=Finish.TOOL_CALLS)),
    "two calls, cut off": Shape(two_calls("Hello", SHORT, finish=Finish.LENGTH)),
    "two equal calls": Shape(two_calls(URGENT, SOON)),
    "a step on the way": SHAPES["a step within a retry"],
    "ambiguous": SHAPES["two answers that fit"],
    "another contract": Shape(talk(BOTH, PRIORITY, GOOD), (TICKET, Contract({**TICKET_SCHEMA, "title": "Other"}))),
    "no retry": Shape(talk(BOTH)),
}


def tried(page: Messages) -> Iterator[Block]:
    """What is tried of each conversation, and what follows from each way in which the requests may differ."""
    for name, shape in TRIED.items():
        options = JudgeOptions(**shape.options)
        found = judge(exchanges_of(shape), shape.contracts, options=options).conversations
        due = [f"{attempt} {dotted(f.path) or f.code}" for _, attempt, _, f in required_findings(found, options)]
        made = [*trials(found, shape.contracts, options)]
        unclear = [*trials(found, shape.contracts, options, lambda _attempt, fed_back: fed_back is None)]
        whole = Decided(as_input(name, shape), f"due {', '.join(due) or 'nothing'}; unclear {len(unclear)}", "due")
        tried_so = (one for each in made for one in _trial(page, each))
        yield Block(name, [whole, *(Decided(whole.input, said, called) for called, said in tried_so)])


def changed_answers(page: Messages, exchanges: Any, contract: Any) -> Iterator[str]:
    """Yield what an app would be given in the place of an answer, for each of its findings."""
    options = JudgeOptions(must_feed_back="contract")
    for one in trials(judge(exchanges, [contract], options=options).conversations, [contract], options):
        place = dotted(one.finding.path) or one.finding.code
        if isinstance(one, Proof):
            page.add("proof", one.reason)
            yield f"{place} {one.result.value}"
        else:
            for change in one.changes:
                page.add("change", change.words)
            yield f"{place}: {'; '.join(change.text for change in one.changes)}"


def _trial(page: Messages, one: Experiment | Proof) -> Iterator[tuple[str, str]]:
    where = f"{one.conversation}.{one.attempt} {dotted(one.finding.path) or one.finding.code}"
    if isinstance(one, Proof):
        page.add("proof", one.reason)
        yield (where, one.result.value)
        return
    for change in one.changes:
        page.add("change", change.words)
    also = f"targets {one.targets}, later {sorted(one.later)}, others {sorted(one.others)}"
    moved = f"; moved {one.moved.text}" if one.moved is not None else ""
    yield (where, f"{also}: {'; '.join(change.text for change in one.changes)}{moved}")
    yield (f"{where} seen", sorted_out(_conclusions(page, one)))


def _conclusions(page: Messages, one: Experiment) -> Iterator[tuple[str, str]]:
    """Yield what follows where the requests differ in each way: of the first change, of all, and of one that stayed."""
    for trouble in (None, "the app failed"):
        for ways in ((), *((way,) for way in Difference), (Difference.NONE, Difference.COUNT)):
            seen = {
                target: Seen(how, gone=WENT if how is Difference.WORDS else "")
                for target, how in zip(reversed(one.targets), reversed(ways), strict=False)
            }
            made = [Trial(change, seen, trouble, passed_on=trouble is not None) for change in one.changes]
            name = f"{'+'.join(way.value for way in ways) or 'nothing'}{'!' if trouble else ''}"
            runs = [made[:1]]
            if len(made) > 1:
                runs += [made, [made[0], Trial(made[1].change, {one.targets[-1]: Seen(Difference.NONE)})]]
            yield ", ".join(_proof(page, one.concluded(run)) for run in runs), name


def _proof(page: Messages, proof: Proof | None) -> str:
    if proof is None:
        return "more"
    page.add("proof", proof.reason)
    return f"{proof.result.value}{' passed on' * proof.passed_on}{' undecided' * proof.undecided}"
