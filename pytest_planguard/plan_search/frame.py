"""The open prefixes of a search, with their next step's answers so far, and the policy that compares them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from .context import Artifact, DownstreamFailure, OwnFailure, chained, preview
from .result import path_to
from .step import refuse_below

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from .result import SearchNode


Cost = tuple[float, int, int]
"""The frontier continues the prefix with the least value: a number that penalties add to, and two tie breakers."""
F = TypeVar("F", OwnFailure, DownstreamFailure)


@dataclass(slots=True)
class Channel(Generic[F]):
    """The failures that a prefix's step gets as feedback, oldest first, with a digest of all of them."""

    failures: list[F] = field(default_factory=list)
    digest: str = ""

    def add(self, failure: F, *words: str) -> None:
        """Add a failure. `words` represent it in the digest."""
        self.failures.append(failure)
        self.digest = chained(self.digest, *words)

    def told(self, window: int | None) -> tuple[F, ...]:
        """Return the latest failures: at most `window` of them, or all of them without a window."""
        return tuple(self.failures if window is None else self.failures[-window:])


@dataclass(slots=True, eq=False)
class Frame:
    """The answers to one prefix."""

    level: int
    prefix_hash: str
    parent: Frame | None = None
    path: tuple[Artifact, ...] = ()
    """The prefix, first step first."""
    last: int = 0
    """Number of the last call that created or used it."""
    score: float = 0.0
    used: int = 0
    opened: bool = False
    """True if an answer to this prefix passed."""
    closed: bool = False
    """True if the branch was censored or dropped. It then gets no more answers, even if there is budget left."""
    transport_failures: int = 0
    """Number of sends that failed before an answer."""
    texts: set[str] = field(default_factory=set)
    """The answers to this prefix as normalised texts."""
    previous: int | None = None
    """Number of the node of the previous answer."""
    blamed_levels: int = 0
    """Number of levels that the last failure went back, for an answer that repeats an earlier one."""
    own: Channel[OwnFailure] = field(default_factory=Channel[OwnFailure])
    """The answers to this prefix that were rejected."""
    down: Channel[DownstreamFailure] = field(default_factory=Channel[DownstreamFailure])
    """Failed answers of later steps that were blamed on this one."""
    penalty: int = 0
    """The cost added to this frame and all frames below it."""
    cost: Cost | None = None
    """Its cost in its latest entry in the frontier. Entries with another cost are outdated."""

    def ancestor(self, level: int) -> Frame:
        """Return the frame of the same path at a level, from 0 to the level of this frame."""
        frame = self
        while frame.level > level and frame.parent is not None:
            frame = frame.parent
        return frame

    @property
    def penalties(self) -> int:
        """The sum of the penalties of all subtrees that contain it."""
        total, frame = 0, self
        while True:
            total += frame.penalty
            if frame.parent is None:
                return total
            frame = frame.parent


def downstream_failure(nodes: Sequence[SearchNode], node: SearchNode, errors: tuple[Finding, ...]) -> DownstreamFailure:
    """Return the failure to feed back to the step that is blamed for a later step's answer. `nodes` are all nodes."""
    quoted = tuple((on_path.step, preview(on_path.answer)) for on_path in path_to(nodes, node.number))
    return DownstreamFailure(node.step, errors, quoted, node.number)


# The orders of the frontier: which open prefix is tried next.

USE_COST = 0.15
"""The deduction for each answer to a prefix from its score in the order "best". A score of 0.9 outweighs one of 0.6 by
two answers: 0.9 - 2 · 0.15 = 0.6."""


@dataclass(frozen=True, slots=True)
class Order:
    """How open prefixes are compared: the one with the least cost is next."""

    name: str
    cost: Callable[[Frame], Cost]
    penalised: bool = True
    """True if blame adds to the cost of subtrees."""


DFS = Order("dfs", lambda frame: (0.0, -frame.level, -frame.last), penalised=False)
"""The deepest prefix first; among equally deep ones, the one used last."""
CBJ = Order("cbj", DFS.cost)
"""Depth first, blamed subtrees last: conflict-directed backjumping that prunes nothing."""
BEST = Order("best", lambda frame: (USE_COST * frame.used - frame.score, -frame.level, -frame.last))
"""The best score first, minus the penalties, and minus a little for each answer already given."""
BFS = Order("bfs", lambda frame: (0.0, frame.level, frame.last), penalised=False)
"""The shallowest prefix first; among equally shallow ones, the oldest."""


# The policy of a search: its order, its feedback, what it gives up and when it restarts.


@dataclass(frozen=True, slots=True)
class Policy:
    """How a search decides.

    Raises:
        UsageError: a width or a number of calls below 1.
    """

    name: str = "cbj"
    order: Order = CBJ
    blame: bool = True
    """True if failures are blamed on earlier steps."""
    own: bool = True
    """True if a step gets its own failures as feedback."""
    downstream: bool = True
    """True if a step gets the failures that it is blamed for as feedback."""
    width: int | None = None
    """Number of best prefixes to keep at each level; None keeps all. Requires the order "bfs"."""
    grow: Literal["children", "reopenings"] | None = None
    """The limit that starts low and grows by one when nothing else can be tried, up to the budget: the answers to each
    prefix, or the reopenings of each step."""
    restart_after: int | None = None
    """Calls after which the search restarts at the first step, times Luby's sequence 1, 1, 2, 1, 1, 2, 4, …"""

    def __post_init__(self) -> None:
        refuse_below(self, f"{{}} of policy {self.name!r}", width=1, restart_after=1)


class Beam:
    """Keeps the best prefixes of a level.

    A beam goes level by level, so when the first prefix of a level is next, all are known.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self.level = -1
        """The last level whose prefixes were pruned."""

    def cut(self, level: int, frames: Iterable[Frame]) -> list[Frame]:
        """Return the prefixes of a level to drop."""
        self.level = level
        there = [frame for frame in frames if frame.level == level]
        return sorted(there, key=lambda frame: -frame.score)[self._width :]  # stable: of equal ones the earliest stay


class Restarts:
    """Counts the calls since the search last restarted, in Luby's sequence."""

    def __init__(self, after: int) -> None:
        self._after = after
        self._number = 1
        self._began_at = 0

    def due(self, calls: int) -> bool:
        """Return True if it is time to restart after this many calls; the next interval counts from here."""
        if calls - self._began_at < self._after * luby(self._number):
            return False
        self._number += 1
        self._began_at = calls
        return True


def luby(number: int) -> int:
    """Return a term of Luby's sequence (1, 1, 2, 1, 1, 2, 4, 1 and so on), numbered from 1.

    Term 2^k - 1 is 2^(k-1); the terms between two of those repeat the sequence from its beginning.
    """
    while True:
        bits = number.bit_length()
        if number == (1 << bits) - 1:
            return 1 << (bits - 1)
        number -= (1 << (bits - 1)) - 1  # term 4 is term 1 again: 4 - 3
