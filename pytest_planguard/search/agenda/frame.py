"""An open prefix: answers that passed, and the next step's answers to them so far; and how prefixes are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..context import Artifact, DownstreamFailure, OwnFailure, preview
from ..result import path_to

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ..result import SearchNode


Cost = tuple[float, int, int]
"""What the frontier takes the least of: a number that penalties add to, and two that break ties."""


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
        # For the frontier.
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


# The orders of the frontier: which open prefix is tried next.

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


DFS = Order("dfs", lambda frame: (0.0, -frame.level, -frame.last), penalised=False)
"""The deepest prefix, among those the one used last."""
CBJ = Order("cbj", DFS.cost)
"""Depth first, blamed subtrees last: conflict-directed backjumping that prunes nothing."""
BEST = Order("best", lambda frame: (USE_COST * frame.used - frame.score, -frame.level, -frame.last))
"""The best score, less the penalties and a little for each answer already given."""
BFS = Order("bfs", lambda frame: (0.0, frame.level, frame.last), penalised=False)
"""The shallowest prefix, the oldest first."""
