"""The open prefixes of a search, with the next one at hand.

Blame moves a whole subtree back at once. Each frame therefore knows the best of its own subtree, and a penalty is one
number at the subtree's top: a call costs a few heap operations on the way to the root, and the agenda is never scanned.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush, heapreplace
from itertools import count

from .frame import Cost, Entry, Frame
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
        return self._root.best[1] if self._root.best else None

    def put(self, frame: Frame) -> None:
        """Add a frame, or move one that was used."""
        if frame.parent is not None and frame.version == 0:
            frame.parent.children += 1
        frame.cost = self._order.cost(frame)
        self._renew(frame)

    def advance(self, child: Frame) -> None:
        """Move a frame that was used, and add the prefix that its answer opened: one way to the root for both."""
        if child.parent is not None:
            child.parent.cost = self._order.cost(child.parent)
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
            frame.best = best = _best_of(frame)
            frame.version += 1
            parent = frame.parent
            if parent is not None and best is not None:
                heap, entry = parent.heap, (*best[0], next(self._number), frame, frame.version)
                if heap and heap[0][4] is frame:  # in place of its last entry
                    heapreplace(heap, entry)
                else:
                    _push(parent, entry)
            frame = parent


def _best_of(frame: Frame) -> tuple[Cost, Frame] | None:
    heap = frame.heap
    while heap and heap[0][5] != heap[0][4].version:
        heappop(heap)
    below = heap[0][4].best if heap else None
    best = below if frame.cost is None or (below is not None and below[0] < frame.cost) else (frame.cost, frame)
    if best is None or not frame.penalty:
        return best
    first, second, third = best[0]
    return (first + frame.penalty, second, third), best[1]


def _push(parent: Frame, entry: Entry) -> None:
    """Add an entry to a heap, and leave out the stale ones when they are many: at most one for each child is not."""
    heappush(parent.heap, entry)
    if len(parent.heap) > 2 * parent.children + _SLACK:
        parent.heap = [entry for entry in parent.heap if entry[5] == entry[4].version]
        heapify(parent.heap)
