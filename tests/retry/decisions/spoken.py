"""What is judged of conversations of every shape: links, new words, steps, attempts, checks and outcomes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from pytest_planguard import JudgeOptions, judge
from pytest_planguard.retry.judging.retry_listing import list_retries
from pytest_planguard.wire.exchange import Exchange

from ...support.decisions import Block, Decided, Messages
from ...support.places import dotted
from . import shapes_of_calls, shapes_of_edges, shapes_of_endings, shapes_of_links
from .conversations import judged
from .turns import TICKET, Shape

SHAPES = shapes_of_links.SHAPES | shapes_of_endings.SHAPES | shapes_of_calls.SHAPES | shapes_of_edges.SHAPES


def spoken(page: Messages) -> Iterator[Block]:
    """What is judged of each conversation."""
    for module in (shapes_of_links, shapes_of_endings, shapes_of_calls, shapes_of_edges):
        decided = []
        for name, shape in module.SHAPES.items():
            found = judge(
                exchanges_of(shape),
                shape.contracts,
                options=JudgeOptions(**shape.options),
                conversation_ids=shape.ids,
                loops=shape.loops,
            )
            known = _known(shape, found)
            decided.append(Decided(as_input(name, shape), " / ".join([judged(page, found), *known]), name))
        yield Block(module.__name__.rpartition(".")[2].replace("_", " "), decided)


def _known(shape: Shape, found: Any) -> Iterator[str]:
    """Yield which requests ask again whatever a contract says, as `planguard check` lists them."""
    retries = list_retries(exchanges_of(shape), found, lambda one: TICKET.check(one.answer_text).errors, lambda _: "no")
    for one in retries:
        gradings = ", ".join(f"{graded.label} {dotted(graded.finding.path)}" for graded in one.fed_back)
        why = "" if one.judged else ", not judged"
        yield f"known {one.request} to {one.answer} by {one.known.value}, {len(one.said)} said{why} {gradings}".rstrip()


def as_input(name: str, shape: Shape) -> str:
    """Return a conversation as a text."""
    return f"{name}: {json.dumps([asdict(one) for one in exchanges_of(shape)], default=str)}"


def exchanges_of(shape: Shape) -> list[Exchange]:
    """Return what was sent, numbered."""
    return [Exchange(**{"number": number, "dialect": "openai.chat", **one}) for number, one in enumerate(shape.sent, 1)]
