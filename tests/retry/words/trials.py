"""Which changed answers an app is given to see whether it carries a finding, and what follows from its requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pytest_planguard.contract.contract import Contract
from pytest_planguard.document.path import to_dotted
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.proof import Proof
from pytest_planguard.retry.proving.intervention import Intervention, Trial, required_findings, trials
from pytest_planguard.retry.proving.request_diff import Difference
from pytest_planguard.wire.exchange import Finish

from .spoken import SHAPES, exchanges_of
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


def tried() -> Iterator[str]:
    """Yield what is tried of each conversation, and what follows from each way in which the requests may differ."""
    for name, shape in TRIED.items():
        options = JudgeOptions(**shape.options)
        found = judge(exchanges_of(shape), shape.contracts, options=options).conversations
        due = [
            f"{one} {attempt} {number} {to_dotted(f.path)}"
            for one, attempt, number, f in required_findings(found, options)
        ]
        yield f"# {name}: {due}"
        for one in trials(found, shape.contracts, options):
            yield from _proof(one) if isinstance(one, Proof) else _trial(one)
        none = list(trials(found, shape.contracts, options, lambda _attempt, carried: carried is None))
        yield f"  of those that were not read: {len(none)}"


def _proof(proof: Proof | None) -> Iterator[str]:
    if proof is None:
        yield "    the next one must tell"
    else:
        more = f", passed on {proof.passed_on}, undecided {proof.undecided}"
        where = f"{proof.conversation} {proof.attempt} {proof.exchange} {to_dotted(proof.finding.path)}"
        yield f"    {where} {proof.fate.value}: {proof.reason}{more}"


def _trial(one: Intervention) -> Iterator[str]:
    yield f"  {one.conversation}.{one.attempt}, exchange {one.exchange}, {to_dotted(one.finding.path)}: {one.answer}"
    yield f"    targets {one.targets}, later {sorted(one.later)}, others {sorted(one.others)}, {one.contract.name}"
    yield from (f"    {change.words}: {change.text}" for change in one.changes)
    for trouble in (None, "the app failed"):
        for ways in ((), *((way,) for way in Difference), (Difference.NONE, Difference.COUNT)):
            yield f"   {' '.join(way.value for way in ways) or 'nothing'} seen, {trouble}"
            yield from _concluded(one, ways, trouble)


def _concluded(one: Intervention, ways: Sequence[Difference], trouble: str | None) -> Iterator[str]:
    """Yield what follows from the first change alone, and from all of them alike."""
    seen = dict(zip(reversed(one.targets), reversed(ways), strict=False))
    made = [Trial(change, seen, trouble, passed_on=trouble is not None) for change in one.changes]
    yield from _proof(one.concluded(made[:1]))
    if len(made) > 1:
        yield from _proof(one.concluded(made))
        same = Trial(made[1].change, {one.targets[-1]: Difference.NONE})
        yield from _proof(one.concluded([made[0], same]))
