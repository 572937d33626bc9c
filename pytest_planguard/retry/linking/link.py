"""Which earlier exchange a request reacts to. Links make trees; a conversation is a path from a root to a leaf.

Neither neighbourhood nor the first user message tells: calls run at once, and worked examples share the first turn.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .delta import Delta, added_in_front, after, inserted, suffix
from .link_evidence import How, LinkEvidence
from .linker import LinkForest

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ...wire.exchange import Exchange


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
    """Other exchanges that fit as well: the traffic alone does not decide."""


def link(
    exchanges: Sequence[Exchange],
    conversation_ids: Sequence[str | None] | None = None,
    lines: Collection[str] = (),
) -> tuple[Link | None, ...]:
    """For each exchange the link to its parent, None for the first of a conversation and for what is not linkable.

    Linkable are answers of language models; failed sends (429, 5xx) and raw bodies are not. `conversation_ids`, one
    for each exchange, override what the traffic says: an exchange with an id is linked only within that id. `lines` are
    ids of conversations in which each exchange is known to react to the one before. Time is linear in the items of all
    requests.
    """
    linker = Linker(lines)
    for number, exchange in enumerate(exchanges):
        linker.add(exchange, conversation_ids[number] if conversation_ids else None)
    return linker.links()


class Linker:
    """`link` for exchanges that come one after the other: each costs what it says itself, however many came before."""

    def __init__(self, lines: Collection[str] = ()) -> None:
        self._exchanges: list[Exchange] = []
        self._forests: dict[str | None, LinkForest] = defaultdict(LinkForest)
        self._forests.update({line: LinkForest(is_line=True) for line in lines})

    def __len__(self) -> int:
        return len(self._exchanges)

    def add(self, exchange: Exchange, conversation: str | None = None) -> None:
        """Take in one more exchange, of a conversation where that is known."""
        self._exchanges.append(exchange)
        if linkable(exchange):
            self._forests[conversation].add(len(self._exchanges) - 1, exchange)

    def next(self, exchange: Exchange, conversation: str | None = None) -> Link | None:
        """Return the link that an exchange would have if it were added now. Adds nothing."""
        if not linkable(exchange):
            return None
        number, forest = len(self._exchanges), self._forests[conversation]
        found = forest.candidates(number, exchange)
        return self._link(number, exchange, found, forest, conversation) if found else None

    def links(self) -> tuple[Link | None, ...]:
        """Return the links of all exchanges so far."""
        links: list[Link | None] = [None] * len(self._exchanges)
        for conversation, forest in self._forests.items():
            for number, found in forest.chosen().items():
                links[number] = self._link(number, self._exchanges[number], found, forest, conversation)
        return tuple(links)

    def _link(
        self, number: int, child: Exchange, found: Sequence[LinkEvidence], forest: LinkForest, conversation: str | None
    ) -> Link:
        best = found[0]
        others = () if conversation is not None else tuple(sorted(c.parent + 1 for c in found[1:]))
        prompt = forest.base(best.parent) if best.how is How.REWRITTEN else forest.root(best.parent)
        delta = _delta(child, self._exchanges[best.parent], self._exchanges[prompt], best)
        return Link(number + 1, best.parent + 1, best.how, best.position + 1, delta, others)


def linkable(exchange: Exchange) -> bool:
    """Return whether a language model answered, if only with something that its provider rejected."""
    failed = exchange.status >= 400 or (exchange.error is not None and not exchange.answer)
    return exchange.is_generation and (not failed or exchange.rejected_text is not None)


def _delta(child: Exchange, parent: Exchange, prompt: Exchange, best: LinkEvidence) -> Delta:
    if best.how is How.PREVIOUS_ID:
        return after(child, 0, parent, prompt)
    if best.how is How.ANSWER:
        rest = after(child, best.position + 1, parent, prompt)
        said = (*added_in_front(child, best.position, parent), *suffix(child, best.position, parent), *rest.pieces)
        return Delta(child.number, said, turn=True)
    if best.how is How.PREFIX:
        return after(child, len(parent.request), parent, prompt)
    return Delta(child.number) if best.how is How.SAME else inserted(child, prompt, parent)
