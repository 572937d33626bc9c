"""The prefixes that may get another answer, and which of them is next."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush, heapreplace
from itertools import count
from typing import TYPE_CHECKING

from .frame import Cost, Frame
from .policy import Beam, Restarts

if TYPE_CHECKING:
    from .ledger import Ledger
    from .policy import Policy


class Frontier:
    """The open prefixes of one search.

    Blame moves a whole subtree back at once: a penalty is one number at the top of the subtree. A penalty only raises
    costs, so the heap can apply it when such a prefix reaches the top. The prefixes are never scanned.
    """

    def __init__(self, policy: Policy, ledger: Ledger) -> None:
        self.dropped = False
        """True if a beam or a restart dropped prefixes that had answers left."""
        self.frames: dict[Frame, None] = {}
        """Prefixes that may get another answer within the budget of their step, oldest first."""
        self._ledger = ledger
        self._order = policy.order
        self._beam = None if policy.width is None else Beam(policy.width)
        self._restarts = None if policy.restart_after is None else Restarts(policy.restart_after)
        self._number = count()
        self._heap: list[tuple[Cost, int, Frame]] = []
        self._root = Frame(0, "")
        self.put(self._root)

    def next(self) -> Frame | None:
        """Return the prefix that gets the next answer, if any."""
        if self._restarts is not None and self._restarts.due(self._ledger.calls):
            self._begin_again()
        while True:
            frame = self._cheapest()
            if frame is None:
                if not self._ledger.grow():
                    return None
                for candidate in filter(self._ledger.allows, list(self.frames)):
                    self.put(candidate)
            elif self._beam is not None and frame.level > self._beam.level:
                self._give_up(self._beam.cut(frame.level, self.frames))
            else:
                return frame

    def put(self, frame: Frame) -> None:
        """Add a prefix, or move one that was used. Forget a prefix that has all its answers."""
        if self._ledger.is_full(frame):
            self.frames.pop(frame, None)
            frame.cost = None
            return
        self.frames[frame] = None
        frame.cost = self._cost(frame)
        heappush(self._heap, (frame.cost, next(self._number), frame))

    def move_back(self, frame: Frame) -> None:
        """Increase the penalty of a prefix, and so of all below it, if the order uses blame."""
        frame.penalty += self._order.penalised

    def _cheapest(self) -> Frame | None:
        while self._heap:
            cost, number, frame = self._heap[0]
            if frame.cost is not cost or not self._ledger.allows(frame):
                heappop(self._heap)
            elif (now := self._cost(frame)) != cost:
                frame.cost = now
                heapreplace(self._heap, (now, number, frame))
            else:
                return frame
        return None

    def _cost(self, frame: Frame) -> Cost:
        first, second, third = self._order.cost(frame)
        return first + frame.penalties, second, third

    def _begin_again(self) -> None:
        """Start over at the first step, without feedback, if its budget allows it. Its earlier answers still count."""
        old = self._root
        if not self._ledger.allows(old):
            return
        self._give_up(self.frames)
        self._root = Frame(
            0, old.prefix_hash, last=old.last, used=old.used, opened=old.opened, texts=old.texts,
            transport_failures=old.transport_failures, previous=old.previous,
        )  # fmt: skip
        self.put(self._root)

    def _give_up(self, frames: Iterable[Frame]) -> None:
        for frame in frames:
            frame.closed = self.dropped = True
