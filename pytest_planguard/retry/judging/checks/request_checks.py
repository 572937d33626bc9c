"""Whether requests are well made: not the same again, the bad answer in its place, calls with their results."""

from __future__ import annotations

from collections import Counter

from ....wire.exchange import Exchange, ItemKind, Role
from ...linking.link_evidence import How
from ...linking.sameness import answer_key, call_key, canonical, item_key, normal_text
from ...matching.required import holds
from ...results import Check
from .view import Retry, View, idle, settled

_PLACED = (How.ANSWER, How.PREFIX)
"""How a retry is linked whose style shows the model its bad answer as its own turn."""


def fresh(view: View) -> Check:
    """No retry sends the body of an earlier attempt again, unless that body feeds back this attempt's findings, too.

    A loop that keeps only the newest answer and feedback sends the same request when the model repeats itself.
    """
    if not view.retries:
        return idle("fresh", "there was no retry")
    seen = {_body(view.first): view.attempts[0].number}
    evidence = []
    for retry in view.retries:
        body = _body(retry.after.exchange)
        if body in seen and not _feeds_back(view, retry):
            evidence.append(f"attempt {retry.after.number} sends the body of attempt {seen[body]} again")
        seen[body] = retry.after.number
    return settled(view, "fresh", evidence, good="every retry differs", bad="a retry is the same request again")


def addressed(view: View) -> Check:
    """The bad answer stands once in the retry, as the model's own turn or call, and calls have their results."""
    retries = [r for r in view.retries if r.how in _PLACED]
    if not retries:
        return idle("addressed", "no retry shows the model its answer as a turn of its own")
    evidence = [line for r in retries for line in _misplaced(r)]
    evidence += [line for r in retries for line in _unpaired(r.after.exchange)]
    good = "every bad answer stands once, as the model's own"
    return settled(view, "addressed", evidence, good=good, bad="a bad answer is missing, doubled or unpaired")


def _body(exchange: Exchange) -> object:
    if exchange.raw_request:
        return exchange.raw_request
    items = tuple(item_key(i) for i in exchange.request)
    return (items, exchange.model, exchange.previous_id, canonical(dict(exchange.sampling)))


def _feeds_back(view: View, retry: Retry) -> bool:
    wanted = {id(f) for f in retry.required}
    gradings = [c for c in retry.before.fed_back if id(c.finding) in wanted]
    return bool(gradings) and all(holds(c, view.options.weakest) for c in gradings)


def _misplaced(retry: Retry) -> list[str]:
    name = f"attempt {retry.before.number}'s answer"
    request = retry.after.exchange
    if answer_key(retry.before.exchange) is None:
        return []  # an empty answer has no turn: APIs refuse one without words
    if retry.how is How.PREFIX and not any(p.role is Role.ASSISTANT for p in retry.links[0].delta.pieces):
        return [f"{name} is left out of request {request.number}"]
    answer = normal_text(retry.before.exchange.answer_text)
    times = sum(
        normal_text(i.text) == answer for i in request.request if i.kind is ItemKind.TEXT and i.role is Role.ASSISTANT
    )
    earlier = sum(normal_text(i.text) == answer for i in retry.before.exchange.request if i.kind is ItemKind.TEXT)
    return (
        [f"{name} stands {times - earlier} times in request {request.number}"] if answer and times - earlier > 1 else []
    )


def _unpaired(exchange: Exchange) -> list[str]:
    calls = Counter(i.call_id for i in exchange.request if i.kind is ItemKind.CALL and i.call_id)
    results = Counter(i.call_id for i in exchange.request if i.kind is ItemKind.RESULT and i.call_id)
    if exchange.previous_id:
        return []
    names = {i.call_id: call_key(i)[0] for i in exchange.request if i.kind is ItemKind.CALL}
    lines = [
        f"request {exchange.number}: the call of {names[c]} ({c}) has no result" for c in calls if c not in results
    ]
    return lines + [f"request {exchange.number}: a result answers no call ({r})" for r in results if r not in calls]
