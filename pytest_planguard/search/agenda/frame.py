"""An open prefix: answers that passed, and the next step's answers to them so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..context.channels import DownstreamFailure, OwnFailure, preview
from ..context.step_context import Artifact

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...retry.driving.asker import Asker
    from ..model.node import SearchNode

Cost = tuple[float, int, int]
"""What the agenda takes the least of: a number that penalties add to, and two that break ties."""


Entry = tuple[float, int, int, int, "Frame", int]
"""A subtree with something left to try, in the heap of its parent: its cost, a number that breaks ties, the child, and
the child's version, with which the entry gets stale. Flat, since a heap compares twice where tuples are nested."""


class Frame:
    """The answers to one prefix. `opened_by` is the last answer of the prefix, None for the first step."""

    __slots__ = (
        "asker", "best", "blamed_levels", "children", "closed", "cost", "down", "down_hash", "heap", "last", "level",
        "opened", "opened_by", "own", "own_hash", "parent", "path", "penalty", "prefix_hash",
        "previous", "score", "used", "version",
    )  # fmt: skip

    def __init__(self, level: int, prefix_hash: str, parent: Frame | None, opened_by: Artifact | None) -> None:
        self.level = level
        self.prefix_hash = prefix_hash
        self.parent = parent
        self.opened_by = opened_by
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
        self.last = 0
        """Number of the call that made or used it last."""
        self.asker: Asker | None = None
        """Sends the calls of this prefix; None before the first."""
        self.previous: int | None = None
        self.blamed_levels = 0
        """How far the last failure led back, for an answer that repeats an earlier one."""
        self.own: list[SearchNode] = []
        """The answers to this prefix that were rejected."""
        self.down: list[tuple[SearchNode, tuple[Artifact, ...]]] = []
        """Answers of later steps that failed and were blamed on this one, with their prefixes."""
        self.own_hash = self.down_hash = ""
        # For the agenda.
        self.penalty = 0
        """Added to the cost of this frame and all below it."""
        self.cost: Cost | None = None
        self.best: tuple[Cost, Frame] | None = None
        self.children = 0
        self.heap: list[Entry] = []
        self.version = 0

    def ancestor(self, level: int) -> Frame:
        """Return the frame of the same path at a level from 0 to this one's."""
        frame = self
        while frame.level > level and frame.parent is not None:
            frame = frame.parent
        return frame


def own_failure(node: SearchNode) -> OwnFailure:
    """Return what a step is told of its own rejected answer."""
    return OwnFailure(node.index + 1, node.answer, _errors(node), node.number)


def downstream_failure(blamed: tuple[SearchNode, tuple[Artifact, ...]]) -> DownstreamFailure:
    """Return what a step is told of a later step's answer that it is blamed for."""
    node, prefix = blamed
    path = [*((artifact.step, artifact.answer) for artifact in prefix), (node.step, node.answer)]
    quoted = tuple((step, preview(answer)) for step, answer in path)
    return DownstreamFailure(node.step, _errors(node), quoted, node.number)


def _errors(node: SearchNode) -> tuple[Finding, ...]:
    return tuple(finding for finding in node.findings if finding.severity.bad)
