"""One call of a search: what was asked, answered and found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ...contract.finding import Finding
from ...wire.exchange import Finish
from ..context.step_context import TapeKey


class Edge(StrEnum):
    """Why a step was asked."""

    FORWARD = "forward"
    """The first answer to a new prefix."""
    RETRY = "retry"
    """Another answer after the step's own guard rejected the one before."""
    BACKTRACK = "backtrack"
    """Another answer to a prefix of which one passed already: a step after it failed."""


@dataclass(frozen=True, slots=True)
class SearchNode:
    """One answer in the tree of a search. Its place in `SearchTree.nodes` is `number - 1`."""

    number: int
    """From 1, in the order of the calls."""
    level: int
    """Place of the step in the pipeline, from 0."""
    step: str
    """Name of the step."""
    prefix: str
    feedback: str
    """With the prefix as in `TapeKey`."""
    index: int
    """Place among the answers to the same prefix, from 0."""
    edge: Edge
    parent: int | None
    """Number of the answer before it on its path; None at the first step."""
    previous_attempt_id: int | None
    """Number of the answer to the same prefix before this one."""
    answer: str
    passed: bool
    findings: tuple[Finding, ...] = ()
    """All findings of its verdict, also those that only warn."""
    blamed: int | None = None
    """Level that is blamed for the failure; None where it passed, or where nobody is."""
    score: float = 0.0
    duplicate: bool = False
    """Whether it repeats an earlier answer to the same prefix; its guard was not run then."""
    finish: Finish | None = None
    """Why the answer ended, as its guard was given it; None where nothing says so."""

    @property
    def key(self) -> TapeKey:
        """Where a recording has this answer."""
        return TapeKey(self.step, self.prefix, self.feedback, self.index)

    @property
    def levels_back(self) -> int:
        """How many levels the blame leads back; 0 where it leads nowhere."""
        return 0 if self.blamed is None else self.level - self.blamed


def path_to(nodes: Sequence[SearchNode], number: int | None) -> tuple[SearchNode, ...]:
    """Return the nodes of a search from the first step to the one with this number; () for None."""
    path: list[SearchNode] = []
    while number is not None:
        node = nodes[number - 1]
        path.append(node)
        number = node.parent
    return tuple(reversed(path))
