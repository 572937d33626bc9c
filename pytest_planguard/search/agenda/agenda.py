"""The open prefixes of a search, with the next one at hand.

Blame moves a whole subtree back at once. Each frame therefore knows the best of its own subtree, and a penalty is one
number at the subtree's top: a call costs a few heap operations on the way to the root, and the agenda is never scanned.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import count

from .frame import Cost, Entry, Frame
from .order import Order

_SLACK = 8
"""Stale entries that a small heap may hold beside one for each child, before it is built anew."""


class Agenda:
    """Frames by cost. Every change of a frame has to be told by `put`, `drop` or `penalise`."""

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

    def drop(self, frame: Frame) -> None:
        """Take out a frame; those below it stay."""
        frame.cost = None
        self._renew(frame)

    def penalise(self, frame: Frame) -> None:
        """Move a frame and all below it back by one."""
        if self._order.penalised:
            frame.penalty += 1
            self._renew(frame)

    def _renew(self, frame: Frame | None) -> None:
        """Compute the best of each subtree from a frame up to the root."""
        while frame is not None:
            frame.best = _best_of(frame)
            frame.version += 1
            parent = frame.parent
            if parent is not None and frame.best is not None:
                heappush(parent.heap, Entry(frame.best[0], next(self._number), frame, frame.version))
                if len(parent.heap) > 2 * parent.children + _SLACK:
                    _compact(parent)
            frame = parent


def _best_of(frame: Frame) -> tuple[Cost, Frame] | None:
    heap = frame.heap
    while heap and heap[0].version != heap[0].child.version:
        heappop(heap)
    below = heap[0].child.best if heap else None
    best = below if frame.cost is None or (below is not None and below[0] < frame.cost) else (frame.cost, frame)
    if best is None or not frame.penalty:
        return best
    first, *ties = best[0]
    return (first + frame.penalty, ties[0], ties[1]), best[1]


def _compact(frame: Frame) -> None:
    """Leave out the stale entries: at most one for each child is not."""
    frame.heap = [entry for entry in frame.heap if entry.version == entry.child.version]
    heapify(frame.heap)
