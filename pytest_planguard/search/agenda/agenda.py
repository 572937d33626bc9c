"""An open prefix: answers that passed, and the next step's answers to them so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace
from itertools import count
from typing import TYPE_CHECKING

from ..context import Artifact, DownstreamFailure, OwnFailure, preview
from ..result import path_to

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ..result import SearchNode


Cost = tuple[float, int, int]
"""What the agenda takes the least of: a number that penalties add to, and two that break ties."""


NO_COST: Cost = (0.0, 0, 0)
"""The cost of a subtree with nothing left, which nobody compares."""

Entry = tuple[float, int, int, int, "Frame", int]
"""A subtree with something left to try, in the heap of its parent: its cost, a number that breaks ties, the child, and
the child's version, with which the entry gets stale. Flat, since a heap compares twice where tuples are nested."""


class Frame:
    """The answers to one prefix. `opened_by` is the last answer of the prefix, None for the first step.

    A search makes one for every answer that passes. Lists are made when something comes into them, and a frame with all
    its answers lets go of what only another answer would need: Python's collector of cyclic garbage walks over all that
    a search keeps, again and again as it grows.
    """

    __slots__ = (
        "best", "best_cost", "blamed_levels", "children", "closed", "cost", "down", "down_hash", "failures", "full",
        "heap", "last", "level", "opened", "own", "own_hash", "parent", "path", "penalty", "prefix_hash",
        "previous", "score", "texts", "used", "version",
    )  # fmt: skip

    def __init__(self, level: int, prefix_hash: str, parent: Frame | None, opened_by: Artifact | None) -> None:
        self.level = level
        self.prefix_hash = prefix_hash
        self.parent = parent
        self.path: tuple[Artifact, ...] = ()
        """The prefix, first step first."""
        if parent is not None and opened_by is not None:
            self.path = (*parent.path, opened_by)
        self.score = 0.0
        self.used = 0
        self.opened = False
        """Whether an answer to this prefix passed."""
        self.closed = False
        """Whether the branch was censored or dropped: it is not open any more, whatever its budget."""
        self.full = False
        """Whether it has all the answers that any prefix of its step may get."""
        self.last = 0
        """Number of the call that made or used it last."""
        self.failures = 0
        """Sends that failed on the way."""
        self.texts: dict[str, None] | None = None
        """The answers to this prefix as normal texts; None before the first."""
        self.previous: int | None = None
        self.blamed_levels = 0
        """How far the last failure led back, for an answer that repeats an earlier one."""
        self.own: list[SearchNode] | None = None
        """The answers to this prefix that were rejected; None for none."""
        self.down: list[SearchNode] | None = None
        """Answers of later steps that failed and were blamed on this one; None for none."""
        self.own_hash = self.down_hash = ""
        # For the agenda.
        self.penalty = 0
        """Added to the cost of this frame and all below it."""
        self.cost: Cost | None = None
        self.best: Frame | None = None
        """What is next of this prefix and those below it; None where nothing is left."""
        self.best_cost: Cost = NO_COST
        self.children = 0
        self.heap: list[Entry] | None = None
        """What is left to try below it; None before an answer to it passed."""
        self.version = 0

    def repeats(self, text: str) -> bool:
        """Return whether an earlier answer to this prefix had the same normal text. Keep this one."""
        if self.texts is None:
            self.texts = {text: None}
            return False
        known = len(self.texts)
        self.texts[text] = None
        return len(self.texts) == known

    def reject(self, node: SearchNode, digest: str) -> None:
        """Keep an answer to this prefix that was rejected, and the digest of all of them."""
        self.own_hash = digest
        if self.own is None:
            self.own = [node]
        else:
            self.own.append(node)

    def blame(self, node: SearchNode, digest: str) -> None:
        """Keep an answer of a later step that this one is blamed for, and the digest of all of them."""
        self.down_hash = digest
        if self.down is None:
            self.down = [node]
        else:
            self.down.append(node)

    def let_go(self) -> None:
        """Drop what only another answer would need."""
        self.texts = self.own = self.down = None

    def ancestor(self, level: int) -> Frame:
        """Return the frame of the same path at a level from 0 to this one's."""
        frame = self
        while frame.level > level and frame.parent is not None:
            frame = frame.parent
        return frame


def own_failure(node: SearchNode) -> OwnFailure:
    """Return what a step is told of its own rejected answer."""
    return OwnFailure(node.index + 1, node.answer, _errors(node), node.number)


def downstream_failure(nodes: Sequence[SearchNode], node: SearchNode) -> DownstreamFailure:
    """Return what a step is told of a later step's answer that it is blamed for. `nodes` are all of the search."""
    quoted = tuple((on_path.step, preview(on_path.answer)) for on_path in path_to(nodes, node.number))
    return DownstreamFailure(node.step, _errors(node), quoted, node.number)


def _errors(node: SearchNode) -> tuple[Finding, ...]:
    return tuple(finding for finding in node.findings if finding.severity.bad)


# The orders of the agenda: which open prefix is tried next.

USE_COST = 0.15
"""What each answer to a prefix takes off its score in the order "best". A score of 0.9 is worth two answers more than
one of 0.6: 0.9 - 2 · 0.15 = 0.6."""


@dataclass(frozen=True, slots=True)
class Order:
    """How open prefixes are compared: the one of the least cost is next."""

    name: str
    cost: Callable[[Frame], Cost]
    penalised: bool = True
    """Whether blame moves subtrees back."""


def _deepest(frame: Frame) -> Cost:
    return (0.0, -frame.level, -frame.last)


def _best(frame: Frame) -> Cost:
    return (USE_COST * frame.used - frame.score, -frame.level, -frame.last)


def _shallowest(frame: Frame) -> Cost:
    return (0.0, frame.level, frame.last)


DFS = Order("dfs", _deepest, penalised=False)
"""The deepest prefix, among those the one used last."""
CBJ = Order("cbj", _deepest)
"""Depth first, blamed subtrees last: conflict-directed backjumping that prunes nothing."""
BEST = Order("best", _best)
"""The best score, less the penalties and a little for each answer already given."""
BFS = Order("bfs", _shallowest, penalised=False)
"""The shallowest prefix, the oldest first."""


# The open prefixes of a search, with the next one at hand.
# Blame moves a whole subtree back at once. Each frame therefore knows the best of its own subtree, and a penalty is one
# number at the subtree's top: a call costs a few heap operations on the way to the root; the agenda is never scanned.

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
