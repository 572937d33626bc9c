"""The outcome of a search: the path, the tree, and why it ended."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from .node import Edge, SearchNode, path_to


class TerminationReason(StrEnum):
    """Why a search ended. Where several hold, the first in this order is given."""

    SUCCESS = "success"
    """Every guard on the path passed."""
    ERROR = "error"
    """An ask, a guard or a classifier raised."""
    CENSORED = "censored"
    """A recording lacks an answer, and nothing else was open."""
    BUDGET_EXHAUSTED = "budget_exhausted"
    """All calls are made, and an open prefix had answers left."""
    BACKTRACK_CEILING = "backtrack_ceiling"
    """At least one open prefix is blocked by the reopenings of its step alone."""
    STEP_CEILING = "step_ceiling"
    """An open prefix is blocked by the calls of its step."""
    ALL_PRUNED = "all_pruned"
    """Every answer that any open prefix may get was given: the problem may be unsolvable by this pipeline."""
    GAVE_UP = "gave_up"
    """Blame said to give up."""


@dataclass(frozen=True, slots=True)
class StepError:
    """An exception of a step's own code."""

    step: str
    part: str
    """"ask", "guard", "score" or "classify"."""
    message: str
    """Type and text of the exception."""

    def __str__(self) -> str:
        return f"{self.part} of step {self.step!r} raised {self.message}"


@dataclass(frozen=True, slots=True)
class SearchTree:
    """Every answer of a search, in the order of the calls."""

    steps: tuple[str, ...]
    nodes: tuple[SearchNode, ...] = ()

    def children(self) -> dict[int | None, list[SearchNode]]:
        """Return the nodes by the number of their parent, None for those of the first step."""
        by_parent: dict[int | None, list[SearchNode]] = {}
        for node in self.nodes:
            by_parent.setdefault(node.parent, []).append(node)
        return by_parent

    def path_to(self, number: int | None) -> tuple[SearchNode, ...]:
        """Return the nodes from the first step to the one with this number; () for None."""
        return path_to(self.nodes, number)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search gave."""

    succeeded: bool
    path: tuple[SearchNode, ...]
    """The answers from the first step to the last; on failure the best failed path: the deepest, among those the one
    whose last answer has the fewest findings, among those the earliest."""
    total_calls: int
    """Answers asked for, and calls of `classify`."""
    tree: SearchTree
    termination_reason: TerminationReason
    policy: str = "cbj"
    bound_by: tuple[str, ...] = ()
    """What kept a prefix from another answer: "max_total_calls", "backtrack_budget of g_plan", "calls of g_plan", or
    "policy beam" where a beam or a restart dropped prefixes."""
    classify_calls: int = 0
    misses: int = 0
    """Calls that a recording has no answer for; they are no calls."""
    error: StepError | None = None

    def __repr__(self) -> str:
        """Without the tree: a failed assertion shows it whole elsewhere."""
        return f"<SearchResult {self.policy}: {self.termination_reason.value} after {self.total_calls} calls>"

    @property
    def calls_by_step(self) -> dict[str, int]:
        """The calls of each step, in the order of the pipeline."""
        counted = Counter(node.step for node in self.tree.nodes)
        return {step: counted[step] for step in self.tree.steps}

    @property
    def reopenings(self) -> dict[str, int]:
        """The reopenings of each step, in the order of the pipeline."""
        counted = Counter(node.step for node in self.tree.nodes if node.edge is Edge.BACKTRACK)
        return {step: counted[step] for step in self.tree.steps}

    @property
    def jumps(self) -> tuple[int, ...]:
        """For each return to an earlier step, in order, how many levels it went back."""
        backs = []
        for before, after in zip(self.tree.nodes, self.tree.nodes[1:], strict=False):
            back = before.level + before.passed - after.level
            if back > 0:
                backs.append(back)
        return tuple(backs)

    @property
    def miss_rate(self) -> float:
        """Share of the calls that a recording had no answer for."""
        asked = len(self.tree.nodes) + self.misses
        return self.misses / asked if asked else 0.0
