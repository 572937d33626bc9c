"""Which earlier exchange a request reacts to. Links make trees; a conversation is a path from a root to a leaf.

Neither neighbourhood nor the first user message tells: calls run at once, and worked examples share the first turn.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .candidate import Candidate, How
from .delta import Delta, after, inserted, suffix
from .forest import Forest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..wire.exchange import Exchange


@dataclass(frozen=True, slots=True)
class Link:
    """A request and the earlier exchange it reacts to. Exchanges are meant by their place in the sequence, from 1."""

    child: int
    parent: int
    how: How
    position: int
    """Which item of the child's request repeats the parent's answer, from 1; 0 where none does."""
    delta: Delta
    """What the child's request says that is new after the parent's answer."""
    ambiguous_with: tuple[int, ...] = ()
    """Other exchanges that fit as well: from the traffic alone nobody can tell."""


def link(
    exchanges: Sequence[Exchange], conversation_ids: Sequence[str | None] | None = None
) -> tuple[Link | None, ...]:
    """For each exchange the link to its parent, None for the first of a conversation and for what is not linkable.

    Linkable are answers of language models; failed sends (429, 5xx) and raw bodies are not. `conversation_ids`, one
    for each exchange, override what the traffic says: an exchange with an id is linked only within that id. Time is
    linear in the items of all requests.
    """
    groups: dict[str | None, list[int]] = defaultdict(list)
    for number, exchange in enumerate(exchanges):
        if linkable(exchange):
            groups[conversation_ids[number] if conversation_ids else None].append(number)
    links: list[Link | None] = [None] * len(exchanges)
    for name, group in groups.items():
        for found in _group(exchanges, group, named=name is not None):
            links[found.child - 1] = found
    return tuple(links)


def linkable(exchange: Exchange) -> bool:
    """Whether a language model answered, if only with something that its provider rejected."""
    failed = exchange.status >= 400 or (exchange.error is not None and not exchange.answer)
    return exchange.is_generation and (not failed or exchange.rejected_text is not None)


def _group(exchanges: Sequence[Exchange], group: Sequence[int], *, named: bool) -> list[Link]:
    forest = Forest()
    for number in group:
        forest.add(number, exchanges[number])
    links = []
    for child, chosen in forest.chosen().items():
        best = chosen[0]
        others = () if named else tuple(sorted(c.parent + 1 for c in chosen[1:]))
        prompt = forest.base(best.parent) if best.how is How.REWRITTEN else forest.root(best.parent)
        delta = _delta(exchanges[child], exchanges[best.parent], exchanges[prompt], best)
        links.append(Link(child + 1, best.parent + 1, best.how, max(best.position, -1) + 1, delta, others))
    return links


def _delta(child: Exchange, parent: Exchange, prompt: Exchange, best: Candidate) -> Delta:
    if best.how is How.PREVIOUS_ID:
        return after(child, 0, parent, prompt)
    if best.how is How.ANSWER:
        rest = after(child, best.position + 1, parent, prompt)
        return Delta(child.number, (*suffix(child, best.position, parent), *rest.pieces), turn=True)
    if best.how is How.PREFIX:
        return after(child, len(parent.request), parent, prompt)
    return Delta(child.number) if best.how is How.SAME else inserted(child, prompt, parent)
