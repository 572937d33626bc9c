"""Link exchanges one by one: collect the evidence for the possible parents of each, and keep the best."""

from __future__ import annotations

from collections import defaultdict, deque
from functools import cached_property
from typing import TYPE_CHECKING

from ...wire.exchange import ItemKind, Role
from .link import Delta, How, Link, LinkEvidence, added_in_front, after, inserted, suffix
from .no_attempt import linkable
from .repeated_prompts import InstructionIndex, PromptIndex, RewordedIndex, asks_for_repair
from .sameness import (
    SAME_ANSWERS,
    AnswerIndex,
    Prefixes,
    alike,
    common,
    is_material,
    item_key,
    last_user,
    repeats,
    task_key,
    without_thinking,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Sequence

    from ...wire.exchange import Exchange, Item

SHORTEST_QUOTE = 20
"""Minimum length, in characters, of an answer to search for in user texts. A text may contain shorter answers by
chance: {"status": "ok"} has 16 characters without blanks."""
_LATEST_QUOTABLE = 32  # search user texts for this many answers only, since no index can speed up the search


class LinkForest:
    """The trees of one group of exchanges. The caller adds exchanges in order and chooses their numbers."""

    def __init__(self, *, is_line: bool = False) -> None:
        """Create an empty forest. If `is_line`, each exchange is known to react to the previous one."""
        self._is_line = is_line
        self._exchanges: dict[int, Exchange] = {}
        self._nodes: dict[int, tuple[int, ...]] = {}
        self._root: dict[int, int] = {}
        self._base: dict[int, int] = {}
        self._line: dict[int, int] = {}  # the first exchange of each line; SAME links start a new line
        self._chosen: dict[int, tuple[LinkEvidence, ...]] = {}
        self._reacted: set[int] = set()
        self._repeated: set[int] = set()
        self._answers, self._prompts, self._prefixes = AnswerIndex(), PromptIndex(), Prefixes()
        self._instructions, self._reworded = InstructionIndex(), RewordedIndex()
        self._whole: dict[int, deque[int]] = defaultdict(lambda: deque(maxlen=SAME_ANSWERS))
        self._members: dict[int, deque[int]] = defaultdict(lambda: deque(maxlen=SAME_ANSWERS))
        self._trees: dict[int, deque[int]] = defaultdict(lambda: deque(maxlen=SAME_ANSWERS))
        self._asked: set[int] = set()  # the nodes of all first requests, with their worked examples
        self._ids: dict[str, int] = {}
        self._quotable: deque[int] = deque(maxlen=_LATEST_QUOTABLE)
        self._latest: int | None = None  # indexed when the next exchange arrives, since nothing looks up the last one

    def add(self, number: int, exchange: Exchange) -> None:
        """Find the parent of the next exchange and add the exchange."""
        self._settle(number, self.candidates(number, exchange))
        self._latest = number

    def candidates(self, number: int, exchange: Exchange) -> tuple[LinkEvidence, ...]:
        """Return the best parent of the next exchange, followed by equally good ones, without adding the exchange."""
        if self._latest is not None:
            self._remember(self._latest, self._exchanges[self._latest])
            self._latest = None
        previous = next(reversed(self._root), None)
        self._exchanges[number] = exchange
        self._nodes[number] = self._prefixes.nodes(exchange)
        if previous is None:
            return ()
        return (self._next_of(previous, number, exchange),) if self._is_line else self._best(number, exchange)

    def chosen(self) -> dict[int, tuple[LinkEvidence, ...]]:
        """Return the parent of each child, followed by equally good parents.

        If an app sends a request twice and also reacts to the first answer, the request started two conversations. The
        second exchange then has no parent.
        """
        return {
            child: found
            for child, found in self._chosen.items()
            if self._is_line or found[0].how is not How.SAME or found[0].parent not in self._reacted
        }

    def root(self, number: int) -> int:
        """Return the first exchange of the tree, whose prompt is the task."""
        return self._root[number]

    def base(self, number: int) -> int:
        """Return the exchange whose prompt defines this one's task: itself, unless its prompt was rewritten."""
        return self._base[number]

    def _next_of(self, previous: int, number: int, exchange: Exchange) -> LinkEvidence:
        """Return the known link to the previous exchange. The evidence only decides what kind of link it is."""
        evidence = [*self._repeating(number, exchange), *self._reworked(number, exchange)]
        known = max((c for c in evidence if c.parent == previous), key=lambda c: c.rank, default=None)
        repeated = self._nodes[previous][-1] == self._nodes[number][-1]
        return known or self._candidate(previous, How.SAME if repeated else How.REWRITTEN, number)

    def _best(self, number: int, exchange: Exchange) -> tuple[LinkEvidence, ...]:
        """Return the best evidence, followed by the evidence for each equally good parent."""
        found = [*self._repeating(number, exchange)] or [*self._reworked(number, exchange)]
        if not found:
            paraphrased = self._reworded.find(exchange, self._reacted | self._repeated)
            found = [self._candidate(parent, How.REWRITTEN, number) for parent in paraphrased]
        if not found:
            return ()
        best = max(found, key=lambda c: c.rank)
        if best.how is How.SAME:  # repeated requests are never ambiguous
            return (best,)
        line = self._line[best.parent]  # within one line, the latest parent is right
        rivals = {c.parent: c for c in found if c.strength == best.strength and self._line[c.parent] != line}
        return (best, *rivals.values())

    def _repeating(self, number: int, exchange: Exchange) -> Iterator[LinkEvidence]:
        previous = self._ids.get(exchange.previous_id or exchange.thread or "")
        # The server holds the conversation, so the request has none of its turns to compare.
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
        whole = _WholeRequest(exchange.request)
        for at, item in enumerate(exchange.request):
            if item.kind is ItemKind.RESULT and item.call_id in called:
                continue  # the request also contains the call, which identifies the answer better
            position = at - 1 if item.kind is ItemKind.RESULT else at
            for parent, exact in self._answers.matches(item):
                if at < self._searched_from(parent, number):
                    continue
                moved = exact and self._nodes[number][at + 1] not in self._asked
                if self._in_place(parent, number, at) or (moved and whole.takes_up(self._exchanges[parent], at)):
                    places[parent] = max(places.get(parent, (False, -1)), (exact, position))
        for parent, (exact, position) in places.items():
            yield self._candidate(parent, How.ANSWER, number, position, exact=exact)

    def _searched_from(self, parent: int, child: int) -> int:
        """Return the index of the first item that may repeat the parent's answer.

        It follows the parent's request if the child's begins with that, else the part that it shares with the root.
        """
        if self._begins(parent, child):
            return len(self._nodes[parent]) - 1
        return common(self._nodes[self._root[parent]], self._nodes[child])

    def _in_place(self, parent: int, child: int, at: int) -> bool:
        """Return True if the child's request has the answer after the turn that it answered.

        A worked example of a different task may equal an answer by chance. Then the turns before it differ.
        """
        before = self._exchanges[child].request[:at]
        turn = next((i for i in reversed(before) if i.role is not Role.ASSISTANT), None)
        if self._exchanges[child].request[at].kind is not ItemKind.TEXT:
            return True
        task = last_user(self._exchanges[parent])
        if turn is None or turn.role is not Role.USER or task is None or repeats(turn, task):
            return True
        shared = common(self._nodes[self._root[parent]], self._nodes[child])
        return any(i.role is not Role.SYSTEM for i in before[:shared])

    def _begins(self, parent: int, child: int) -> bool:
        """Return True if the parent's request is a proper prefix of the child's request."""
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
        """Return the exchanges whose answer a user text quotes: those of the same task, else those to repair."""
        said = ["".join(i.text.split()) for i in exchange.request if i.role == "user"]
        found = []
        for parent in self._quotable if said else ():
            answer = "".join(without_thinking(self._exchanges[parent].answer_text).split())
            if len(answer) >= SHORTEST_QUOTE and any(answer in text for text in said):
                found.append(parent)
        same = [n for n in found if task_key(self._exchanges[n]) == task_key(exchange)]
        return same or [n for n in found if self._repaired(n, exchange)]

    def _repaired(self, parent: int, exchange: Exchange) -> bool:
        """Return True if the request asks for a repair of the parent's answer, and not for a review or a next step."""
        answer = self._exchanges[parent].answer_text
        if not alike(answer, exchange.answer_text) or is_material(self._exchanges[parent], exchange):
            return False
        return any(asks_for_repair(i.text.replace(answer, " ")) for i in exchange.request if i.kind is ItemKind.TEXT)

    def _repeatable(self, number: int, exchange: Exchange) -> set[int]:
        """Return exchanges with the same request, and the rest of their trees, without those that were reacted to."""
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
            self._asked.update(self._nodes[number])
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
        for held in filter(None, (exchange.response_id, exchange.thread)):
            self._ids[held] = number


class _WholeRequest:
    """A request that quotes an answer out of place, such as after the task was moved. Read once, on first use."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items

    def takes_up(self, parent: Exchange, at: int) -> bool:
        """Return True if the request quotes the parent's answer at `at` along with its task, or to have it repaired."""
        if len("".join(self._items[at].text.split())) < SHORTEST_QUOTE:
            return False
        task = last_user(parent)
        return at < self._repair or (task is not None and item_key(task) in self._said)

    @cached_property
    def _said(self) -> set[Hashable]:
        return {item_key(item) for item in self._items}

    @cached_property
    def _repair(self) -> int:
        """The index of the last text that asks for a repair; -1 without such a text."""
        texts = (n for n in range(len(self._items) - 1, -1, -1) if self._items[n].role is not Role.ASSISTANT)
        return next((n for n in texts if asks_for_repair(self._items[n].text)), -1)


def link(
    exchanges: Sequence[Exchange],
    conversation_ids: Sequence[str | None] | None = None,
    lines: Collection[str] = (),
) -> tuple[Link | None, ...]:
    """Return each exchange's link to its parent; None for the first of a conversation and for unlinkable exchanges.

    Answers of language models are linkable; failed sends (429, 5xx) and raw bodies are not. The time is linear in the
    number of request items.

    Args:
        exchanges: the exchanges, in the order of their requests.
        conversation_ids: one id per exchange, or None. An exchange with an id is linked only within that id.
        lines: ids of conversations in which each exchange is known to react to the previous one.
    """
    if len(exchanges) < 2:
        return (None,) * len(exchanges)
    linker = Linker(lines)
    for number, exchange in enumerate(exchanges):
        linker.add(exchange, conversation_ids[number] if conversation_ids else None)
    return linker.links()


class Linker:
    """Like `link`, for exchanges that arrive one by one. The cost of each depends only on its own size."""

    def __init__(self, lines: Collection[str] = ()) -> None:
        self._exchanges: list[Exchange] = []
        self._forests: dict[str | None, LinkForest] = defaultdict(LinkForest)
        self._forests.update({line: LinkForest(is_line=True) for line in lines})

    def __len__(self) -> int:
        return len(self._exchanges)

    def add(self, exchange: Exchange, conversation: str | None = None) -> None:
        """Add an exchange, with its conversation id if that is known."""
        self._exchanges.append(exchange)
        if linkable(exchange):
            self._forests[conversation].add(len(self._exchanges) - 1, exchange)

    def exchange(self, number: int) -> Exchange:
        """Return an exchange that was added, by its 1-based number, as links give it."""
        return self._exchanges[number - 1]

    def next(self, exchange: Exchange, conversation: str | None = None) -> Link | None:
        """Return the link that the exchange would get if it were added now, without adding it."""
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


def _delta(child: Exchange, parent: Exchange, prompt: Exchange, best: LinkEvidence) -> Delta:
    if best.how is How.PREVIOUS_ID:
        return after(child, 0, parent, prompt)
    if best.how is How.ANSWER:
        rest = after(child, best.position + 1, parent, prompt)
        said = (*added_in_front(child, best.position, parent), *suffix(child, best.position, parent), *rest.pieces)
        return Delta(child.number, said)
    if best.how is How.PREFIX:
        return after(child, len(parent.request), parent, prompt)
    return Delta(child.number) if best.how is How.SAME else inserted(child, prompt, parent)
