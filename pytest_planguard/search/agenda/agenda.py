"""The open prefixes of a search, with the next one at hand.

Blame moves a whole subtree back at once. Each frame therefore knows the best of its own subtree, and a penalty is one
number at the subtree's top: a call costs a few heap operations on the way to the root, and the agenda is never scanned.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush, heapreplace
from itertools import count

from .frame import NO_COST, Entry, Frame
from .order import Order

_SLACK = 8
"""Stale entries that a small heap may hold beside one for each child, before it is built again."""


class Agenda:
    """Frames by cost. Every change of a frame has to be told by `put`, `drop`, `advance` or `reject`."""

    def __init__(self, root: Frame, order: Order) -> None:
        self._root = root
        self._order = order
        self._number = count()
        self.put(root)

    def best(self) -> Frame | None:
        """Return the frame of the least cost; None where nothing is left."""
        return self._root.best

    def put(self, frame: Frame) -> None:
        """Add a frame, or move one that was used."""
        if frame.parent is not None and frame.version == 0:
            frame.parent.children += 1
        frame.cost = None if frame.full else self._order.cost(frame)
        self._renew(frame)

    def advance(self, child: Frame) -> None:
        """Move a frame that was used, and add the prefix that its answer opened: one way to the root for both."""
        if child.parent is not None:
            child.parent.cost = None if child.parent.full else self._order.cost(child.parent)
        self.put(child)

    def reject(self, frame: Frame, blamed: Frame | None) -> None:
        """Move a frame that was used, and move one above it back by one, with all below it."""
        if blamed is not None and self._order.penalised:
            blamed.penalty += 1
        self.put(frame)

    def drop(self, frame: Frame) -> None:
        """Take out a frame; those below it stay."""
        frame.cost = None
        self._renew(frame)

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
