"""One search of an experiment, reduced to what is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..model.node import SearchNode
    from ..model.result import SearchResult, SearchTree


@dataclass(frozen=True, slots=True)
class Trial:
    """One problem, searched once by one policy."""

    problem: str
    policy: str
    number: int
    """From 0. Trials of the same number met the same pipeline."""
    succeeded: bool
    calls: int
    reason: str
    category: str = ""
    """Of the problem, such as "bug fix" or "feature"."""
    misses: int = 0
    """Calls without a recorded answer."""
    jumps: tuple[int, ...] = ()
    """Levels of each return to an earlier step."""
    calls_by_step: Mapping[str, int] | None = None
    blames: int = 0
    """Failures that were blamed on an earlier step which then gave another answer."""
    blames_right: int = 0
    """Those of them after which the step that failed passed."""
    planning_s: float | None = None
    """Seconds of the search; None where no clock was given. Running the plan is no part of it."""

    @property
    def censored(self) -> bool:
        """Whether its outcome is unknown, because a recording lacked a call."""
        return self.misses > 0

    def within(self, budget: int) -> bool:
        """Return whether it succeeded in at most that many calls."""
        return self.succeeded and self.calls <= budget


def trial_of(
    result: SearchResult, problem: str, number: int, category: str = "", planning_s: float | None = None
) -> Trial:
    """Return what an experiment counts of a result."""
    followed, right = blame_outcomes(result.tree)
    return Trial(
        problem, result.policy, number, result.succeeded, result.total_calls, result.termination_reason.value, category,
        result.misses, result.jumps, result.calls_by_step, followed, right, planning_s,
    )  # fmt: skip


def blame_outcomes(tree: SearchTree) -> tuple[int, int]:
    """Return how many blames were followed by another answer of the blamed step, and how many of those were right.

    Right is a blame whose next answer of the blamed step led to an answer of the failed step that passed.
    """
    children = tree.children()
    followed = right = 0
    for node in tree.nodes:
        if node.levels_back == 0:
            continue
        culprit = tree.path_to(node.number)[node.level - node.levels_back]
        later = (other for other in children[culprit.parent] if other.number > node.number)
        successor = next(later, None)
        if successor is not None:
            followed += 1
            right += _reaches(successor, node.level, children)
    return followed, right


def _reaches(start: SearchNode, level: int, children: Mapping[int | None, list[SearchNode]]) -> bool:
    """Return whether an answer at a level, at or below a node, passed."""
    stack = [start]
    while stack:
        node = stack.pop()
        if node.level == level and node.passed:
            return True
        if node.level < level:
            stack.extend(children.get(node.number, ()))
    return False
