"""What is judged of conversations of every shape: links, new words, steps, attempts, checks and outcomes."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pytest_planguard.document.path import to_dotted
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.judging.known_retries import KnownRetry, known_retries
from pytest_planguard.retry.linking.link import Link
from pytest_planguard.wire.exchange import Exchange

from . import shapes_of_calls, shapes_of_edges, shapes_of_endings, shapes_of_links
from .conversations import judged
from .turns import TICKET, Shape

SHAPES = shapes_of_links.SHAPES | shapes_of_endings.SHAPES | shapes_of_calls.SHAPES | shapes_of_edges.SHAPES


def spoken() -> Iterator[str]:
    """Yield what is judged of each conversation."""
    for name, shape in SHAPES.items():
        exchanges = exchanges_of(shape)
        found = judge(
            exchanges,
            shape.contracts,
            options=JudgeOptions(**shape.options),
            conversation_ids=shape.ids,
            loops=shape.loops,
        )
        yield from judged(name, found)
        for link in found.links:
            if link is not None:
                yield from _link(link)
        retries = known_retries(
            exchanges, found, lambda one: TICKET.check(one.answer_text).errors, lambda one: f"unjudged {one.number}"
        )
        for retry in retries:
            yield from _known(retry)
        for one in found.conversations:
            for attempt in one.attempts:
                codes = [f"{to_dotted(f.path)} {f.code}" for f in attempt.verdict.findings]
                yield f"    {one.conversation}.{attempt.number}: exchange {attempt.exchange.number}, {', '.join(codes)}"


def exchanges_of(shape: Shape) -> list[Exchange]:
    """Return what was sent, numbered."""
    return [Exchange(**{"number": number, "dialect": "openai.chat", **one}) for number, one in enumerate(shape.sent, 1)]


def _known(retry: KnownRetry) -> Iterator[str]:
    why = f", not judged: {retry.why_not}" if not retry.judged else ""
    yield f"    known {retry.request} to {retry.answer} by its {retry.known.value}: {list(retry.said)}{why}"
    for fate in retry.carried:
        yield f"      {to_dotted(fate.finding.path)} {fate.grade.value}, attempt {fate.attempt}"


def _link(link: Link) -> Iterator[str]:
    also = f", or to {link.ambiguous_with}" if link.ambiguous_with else ""
    yield f"    {link.child} to {link.parent} at {link.position}{also}{', a turn' if link.delta.turn else ''}"
    for piece in link.delta.pieces:
        said = (piece.item, piece.role.value, *(("error",) if piece.is_error else ()), *filter(None, (piece.call_id,)))
        yield f"      {said}: {json.dumps(piece.text.rstrip(' '), ensure_ascii=False)}"
