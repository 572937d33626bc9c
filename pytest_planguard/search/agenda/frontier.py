"""The prefixes that may get another answer, with the next one at hand.

Blame moves a whole subtree back at once. Each frame therefore knows the best of its own subtree, and a penalty is one
number at the subtree's top: a call costs a few heap operations on the way to the root; the frames are never scanned.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush, heapreplace
from itertools import count
from typing import TYPE_CHECKING

from .frame import NO_COST, Entry, Frame
from .policy import Beam, Restarts

if TYPE_CHECKING:
    from .ledger import Ledger
    from .policy import Policy

_SLACK = 8
"""Stale entries that a small heap may hold beside one for each child, before it is built again."""


class Frontier:
    """The open prefixes of one search. Every change of one has to be told."""

    def __init__(self, policy: Policy, ledger: Ledger) -> None:
        self.dropped = False
        """Whether a beam or a restart gave up prefixes that had answers left."""
        self.frames: dict[Frame, None] = {}
        """Prefixes that may get another answer within the budget of their step, in the order of their making."""
        self._ledger = ledger
        self._order = policy.order
        self._beam = None if policy.width is None else Beam(policy.width)
        self._restarts = None if policy.restart_after is None else Restarts(policy.restart_after)
        self._number = count()
        self._begin(Frame(0, "", None, None))

    def next(self) -> Frame | None:
        """Return the prefix that gets the next answer; None where none may."""
        if self._restarts is not None and self._restarts.due(self._ledger.calls):
            self._begin_again()
        while True:
            frame = self._root.best
            if frame is None:
                if not self._ledger.grow():
                    return None
                for candidate in filter(self._ledger.allows, self.frames):
                    self._put(candidate)
            elif not self._ledger.allows(frame):
                self._take_out(frame)
            elif self._beam is not None and frame.level > self._beam.level:
                self._give_up(self._beam.cut(frame.level, self.frames))
            else:
                return frame

    def open(self, child: Frame) -> None:
        """Move a prefix that was used, and add the one that its answer opened: one way to the root for both."""
        self.frames[child] = None
        if child.parent is not None:
            child.parent.cost = self._cost(child.parent)
        self._put(child)

    def answered(self, frame: Frame, moved_back: Frame | None = None) -> None:
        """Move a prefix that was used, and move one above it back by one, with all below it."""
        if moved_back is not None and self._order.penalised:
            moved_back.penalty += 1
        self._put(frame)

    def close(self, frame: Frame) -> None:
        """Take out a prefix that is not open any more; those below it stay."""
        frame.closed = True
        self._take_out(frame)

    def let_go(self, frame: Frame) -> None:
        """Forget a prefix that has all its answers."""
        del self.frames[frame]
        frame.let_go()

    def _begin(self, root: Frame) -> None:
        self._root = root
        self.frames[root] = None
        self._put(root)

    def _begin_again(self) -> None:
        """Begin at the first step, where its budget allows it, without feedback; its answers count."""
        old = self._root
        if not self._ledger.allows(old):
            return
        for frame in self.frames:
            frame.closed = self.dropped = True
        root = Frame(0, old.prefix_hash, None, None)
        root.used, root.opened, root.last = old.used, old.opened, old.last
        root.failures, root.texts, root.previous = old.failures, old.texts, old.previous
        self._begin(root)

    def _give_up(self, frames: Iterable[Frame]) -> None:
        for frame in frames:
            self.dropped = True
            self.close(frame)

    def _put(self, frame: Frame) -> None:
        """Add a frame, or move one that was used."""
        if frame.parent is not None and frame.version == 0:
            frame.parent.children += 1
        frame.cost = self._cost(frame)
        self._renew(frame)

    def _take_out(self, frame: Frame) -> None:
        frame.cost = None
        self._renew(frame)

    def _cost(self, frame: Frame) -> tuple[float, int, int] | None:
        return None if frame.full else self._order.cost(frame)

    def _renew(self, frame: Frame | None) -> None:
        """Compute the best of each subtree from a frame up to the root."""
        while frame is not None:
            _find_best(frame)
            frame.version += 1
            parent = frame.parent
            if parent is not None and frame.best is not None:
                heap, entry = parent.heap, (*frame.best_cost, next(self._number), frame, frame.version)
                if heap is None:
                    parent.heap = [entry]
                elif heap and heap[0][4] is frame:  # in place of its last entry
                    heapreplace(heap, entry)
                else:
                    heappush(heap, entry)
                    if len(heap) > 2 * parent.children + _SLACK:
                        parent.heap = _live(heap)
            frame = parent


def _find_best(frame: Frame) -> None:
    """Compute the best of a subtree from the frame itself and the best of each child's."""
    frame.best = None if frame.cost is None else frame
    frame.best_cost = frame.cost or NO_COST
    heap = frame.heap
    if heap:
        while heap and heap[0][5] != heap[0][4].version:
            heappop(heap)
        child = heap[0][4] if heap else None
        if child is not None and (frame.cost is None or child.best_cost < frame.cost):
            frame.best, frame.best_cost = child.best, child.best_cost
    if frame.penalty and frame.best is not None:
        first, second, third = frame.best_cost
        frame.best_cost = (first + frame.penalty, second, third)


def _live(heap: list[Entry]) -> list[Entry]:
    """Return a heap without its stale entries: at most one for each child is left."""
    live = [entry for entry in heap if entry[5] == entry[4].version]
    heapify(live)
    return live
