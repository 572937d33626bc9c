"""Link exchanges one after the other: collect the evidence for each one's possible parents and keep the best."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from ...wire.exchange import ItemKind, Role
from .answer_index import SAME_ANSWERS, AnswerIndex, Prefixes, common
from .delta import Delta, added_in_front, after, inserted, suffix
from .link import How, Link, LinkEvidence
from .repeated_prompts import InstructionIndex, PromptIndex, RewordedIndex, asks_for_repair
from .sameness import alike, is_material, repeats, task_key, without_thinking

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ...wire.exchange import Exchange

SHORTEST_QUOTE = 20
"""Characters below which an answer may be inside a user text by chance: {"status": "ok"} has 16 without blanks."""
_LATEST_QUOTABLE = 32  # exchanges whose answers are searched inside user texts, which no index can do


class LinkForest:
    """The trees of one group of exchanges, which come in the order of their requests. Numbers are the caller's."""

    def __init__(self, *, is_line: bool = False) -> None:
        """Start without exchanges. `is_line`: each one is known to react to the one before it."""
        self._is_line = is_line
        self._exchanges: dict[int, Exchange] = {}
        self._nodes: dict[int, tuple[int, ...]] = {}
        self._root: dict[int, int] = {}
        self._base: dict[int, int] = {}
        self._line: dict[int, int] = {}  # the first of those that other evidence than a repeated request connects
        self._chosen: dict[int, tuple[LinkEvidence, ...]] = {}
        self._reacted: set[int] = set()
        self._repeated: set[int] = set()
        self._answers, self._prompts, self._prefixes = AnswerIndex(), PromptIndex(), Prefixes()
        self._instructions, self._reworded = InstructionIndex(), RewordedIndex()
        self._whole: dict[int, deque[int]] = defaultdict(lambda: deque(maxlen=SAME_ANSWERS))
        self._members: dict[int, deque[int]] = defaultdict(lambda: deque(maxlen=SAME_ANSWERS))
        self._trees: dict[int, deque[int]] = defaultdict(lambda: deque(maxlen=SAME_ANSWERS))
        self._ids: dict[str, int] = {}
        self._quotable: deque[int] = deque(maxlen=_LATEST_QUOTABLE)

    def add(self, number: int, exchange: Exchange) -> None:
        """Find the parent of one more exchange, then make it findable itself."""
        self._settle(number, self.candidates(number, exchange))
        self._remember(number, exchange)

    def candidates(self, number: int, exchange: Exchange) -> tuple[LinkEvidence, ...]:
        """The parent of an exchange that comes next, followed by those that fit as well. Not findable itself yet."""
        previous = next(reversed(self._root), None) if self._is_line else None
        self._exchanges[number] = exchange
        self._nodes[number] = self._prefixes.nodes(exchange)
        return self._best(number, exchange) if previous is None else (self._next_of(previous, number, exchange),)

    def chosen(self) -> dict[int, tuple[LinkEvidence, ...]]:
        """For each child its parent, followed by those that fit as well.

        A request that was sent twice started two conversations where something else reacts to the first answer: then
        the second is nobody's child.
        """
        return {
            child: found
            for child, found in self._chosen.items()
            if self._is_line or found[0].how is not How.SAME or found[0].parent not in self._reacted
        }

    def root(self, number: int) -> int:
        """Return the first exchange of the tree: what its prompt says is the task."""
        return self._root[number]

    def base(self, number: int) -> int:
        """Return the exchange whose prompt stands for the task of this one: itself, unless its prompt was rewritten."""
        return self._base[number]

    def _next_of(self, previous: int, number: int, exchange: Exchange) -> LinkEvidence:
        """The link to the exchange before, which is known; the evidence tells only how the request was made."""
        evidence = [*self._repeating(number, exchange), *self._reworked(number, exchange)]
        known = max((c for c in evidence if c.parent == previous), key=lambda c: c.rank, default=None)
        repeated = self._nodes[previous][-1] == self._nodes[number][-1]
        return known or self._candidate(previous, How.SAME if repeated else How.REWRITTEN, number)

    def _best(self, number: int, exchange: Exchange) -> tuple[LinkEvidence, ...]:
        """Return the best evidence, followed by one for each other parent that fits as well."""
        found = [*self._repeating(number, exchange)] or [*self._reworked(number, exchange)]
        if not found:
            paraphrased = self._reworded.find(exchange, self._reacted | self._repeated)
            found = [self._candidate(parent, How.REWRITTEN, number) for parent in paraphrased]
        if not found:
            return ()
        best = max(found, key=lambda c: c.rank)
        rivals = {c.parent: c for c in found if c.strength == best.strength and self._rival(best, c)}
        return (best, *rivals.values())

    def _rival(self, best: LinkEvidence, other: LinkEvidence) -> bool:
        """Return whether another parent fits as well.

        Within one line the latest is right; mere repetition says nothing.
        """
        return best.how is not How.SAME and self._line[best.parent] != self._line[other.parent]

    def _repeating(self, number: int, exchange: Exchange) -> Iterator[LinkEvidence]:
        previous = self._ids.get(exchange.previous_id or "")
        if previous is not None:
            yield self._candidate(previous, How.PREVIOUS_ID, number)
            return
        yield from self._answered(number, exchange)
        nodes = self._nodes[number]
        for length in range(1, len(nodes) - 1):
            for parent in self._whole.get(nodes[length], ()):
                yield self._candidate(parent, How.PREFIX, number, length - 1)

    def _answered(self, number: int, exchange: Exchange) -> Iterator[LinkEvidence]:
        places: dict[int, tuple[bool, int]] = {}
        called = {i.call_id for i in exchange.request if i.kind is ItemKind.CALL}
        for at, item in enumerate(exchange.request):
            if item.kind is ItemKind.RESULT and item.call_id in called:
                continue  # the call itself stands there and says more than its id
            position = at - 1 if item.kind is ItemKind.RESULT else at
            for parent, exact in self._answers.matches(item):
                if at >= self._searched_from(parent, number) and self._in_place(parent, number, at):
                    places[parent] = max(places.get(parent, (False, -1)), (exact, position))
        for parent, (exact, position) in places.items():
            yield self._candidate(parent, How.ANSWER, number, position, exact=exact)

    def _searched_from(self, parent: int, child: int) -> int:
        """Return where an answer may stand: behind the parent's request, or behind the root's (its worked examples)."""
        if self._begins(parent, child):
            return len(self._nodes[parent]) - 1
        return common(self._nodes[self._root[parent]], self._nodes[child])

    def _in_place(self, parent: int, child: int, at: int) -> bool:
        """Return whether an answer stands behind the turn that it answered.

        A worked example of another task may equal an answer by chance: its question differs, and so does all before.
        """
        before, asked = self._exchanges[child].request[:at], self._exchanges[parent].request
        turn = next((i for i in reversed(before) if i.role is not Role.ASSISTANT), None)
        if self._exchanges[child].request[at].kind is not ItemKind.TEXT:
            return True
        if turn is None or turn.role is not Role.USER or not asked or repeats(turn, asked[-1]):
            return True
        shared = common(self._nodes[self._root[parent]], self._nodes[child])
        return any(i.role is not Role.SYSTEM for i in before[:shared])

    def _begins(self, parent: int, child: int) -> bool:
        """Return whether the parent's request is a strictly shorter beginning of the child's."""
        one, other = self._nodes[parent], self._nodes[child]
        return len(one) < len(other) and other[len(one) - 1] == one[-1]

    def _reworked(self, number: int, exchange: Exchange) -> Iterator[LinkEvidence]:
        for parent in self._quoted(exchange):
            yield self._candidate(parent, How.QUOTED, number, len(exchange.request) - 1)
        for base in {*self._prompts.rewritten(exchange), *self._instructions.extended(exchange)}:
            for parent in self._members[base]:
                yield self._candidate(parent, How.REWRITTEN, number)
        for parent in sorted(self._repeatable(number, exchange)):
            yield self._candidate(parent, How.SAME, number)

    def _quoted(self, exchange: Exchange) -> list[int]:
        """Return whose answers stand inside a user text: those of the same task, else those that are to be repaired."""
        said = ["".join(i.text.split()) for i in exchange.request if i.role == "user"]
        found = []
        for parent in self._quotable if said else ():
            answer = "".join(without_thinking(self._exchanges[parent].answer_text).split())
            if len(answer) >= SHORTEST_QUOTE and any(answer in text for text in said):
                found.append(parent)
        same = [n for n in found if task_key(self._exchanges[n]) == task_key(exchange)]
        return same or [n for n in found if self._repaired(n, exchange)]

    def _repaired(self, parent: int, exchange: Exchange) -> bool:
        """Another prompt may quote an answer to judge it or to work on with it: then it asks for something else."""
        answer = self._exchanges[parent].answer_text
        if not alike(answer, exchange.answer_text) or is_material(self._exchanges[parent], exchange):
            return False
        return any(asks_for_repair(i.text.replace(answer, " ")) for i in exchange.request if i.kind is ItemKind.TEXT)

    def _repeatable(self, number: int, exchange: Exchange) -> set[int]:
        """Answers that a repeated request ignores: to the same request, and the open ends of what the request began."""
        found: set[int] = set()
        for parent in self._whole.get(self._nodes[number][-1], ()) if exchange.request else ():
            if task_key(self._exchanges[parent]) == task_key(exchange):
                found.add(parent)
                found.update(self._trees[parent])
        return found - self._reacted

    def _candidate(self, parent: int, how: How, child: int, position: int = -1, *, exact: bool = True) -> LinkEvidence:
        childless, unrepeated = parent not in self._reacted, parent not in self._repeated
        rooted = self._begins(self._root[parent], child)
        return LinkEvidence(parent, how, position, exact, rooted, self._begins(parent, child), childless, unrepeated)

    def _settle(self, number: int, best: tuple[LinkEvidence, ...]) -> None:
        if not best:
            self._root[number] = self._base[number] = self._line[number] = number
            return
        parent, how = best[0].parent, best[0].how
        self._chosen[number] = best
        self._root[number] = self._root[parent]
        self._base[number] = self._base[parent] if how in (How.REWRITTEN, How.QUOTED, How.SAME) else number
        self._line[number] = number if how is How.SAME else self._line[parent]
        (self._repeated if how is How.SAME else self._reacted).add(parent)

    def _remember(self, number: int, exchange: Exchange) -> None:
        self._answers.add(number, exchange)
        self._whole[self._nodes[number][-1]].append(number)
        self._members[self._base[number]].append(number)
        self._trees[self._root[number]].append(number)
        self._quotable.append(number)
        self._reworded.add(number, exchange)
        if self._base[number] == number:
            self._prompts.add(number, exchange)
            self._instructions.add(number, exchange)
        if exchange.response_id:
            self._ids[exchange.response_id] = number


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
    if len(exchanges) < 2:
        return (None,) * len(exchanges)
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
    return exchange.is_generation and not is_failed(exchange)


def is_failed(exchange: Exchange) -> bool:
    """Return whether a send failed: nothing was answered, not even something that the provider rejected."""
    failed = exchange.status >= 400 or (exchange.error is not None and not exchange.answer)
    return failed and exchange.rejected_text is None


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
