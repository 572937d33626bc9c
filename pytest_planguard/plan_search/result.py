"""The outcome of a search: the calls, the tree, the path, and why it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..contract.finding import Finding
from ..wire.exchange import Finish
from .context import TapeKey


class Edge(StrEnum):
    """Why a step was asked."""

    FORWARD = "forward"
    """The first answer to a new prefix."""
    RETRY = "retry"
    """Another answer after the step's own guard rejected the previous one."""
    BACKTRACK = "backtrack"
    """Another answer to a prefix that already has one that passed: a later step failed."""


@dataclass(frozen=True, slots=True)
class SearchNode:
    """One answer in the tree of a search. Its index in `SearchTree.nodes` is `number - 1`."""

    number: int
    """1-based, in the order of the calls."""
    level: int
    """0-based position of the step in the pipeline."""
    step: str
    prefix: str
    feedback: str
    """The feedback, as in `TapeKey`. So is the prefix."""
    index: int
    """0-based position among the answers to the same prefix."""
    edge: Edge
    parent: int | None
    """Number of the previous answer on its path; None at the first step."""
    previous_attempt_id: int | None
    """Number of the previous answer to the same prefix."""
    answer: str
    passed: bool
    findings: tuple[Finding, ...] = ()
    """All findings of its verdict, including warnings."""
    blamed: int | None = None
    """Level that is blamed for the failure; None if the answer passed or no level is blamed."""
    score: float = 0.0
    duplicate: bool = False
    """True if it repeats an earlier answer to the same prefix; its guard did not run then."""
    finish: Finish | None = None
    """Why the answer ended, as its guard saw it; None if unknown."""

    @property
    def key(self) -> TapeKey:
        """The key of this answer in a cassette."""
        return TapeKey(self.step, self.prefix, self.feedback, self.index)

    @property
    def levels_back(self) -> int:
        """How many levels the blame leads back; 0 without blame."""
        return 0 if self.blamed is None else self.level - self.blamed


def path_to(nodes: Sequence[SearchNode], number: int | None) -> tuple[SearchNode, ...]:
    """Return the nodes of a search from the first step to the one with this number; () for None."""
    path: list[SearchNode] = []
    while number is not None:
        node = nodes[number - 1]
        path.append(node)
        number = node.parent
    return tuple(reversed(path))


# The outcome of a search: the path, the tree, and why it ended.


class TerminationReason(StrEnum):
    """Why a search ended. If several reasons hold, the first in this order counts."""

    SUCCESS = "success"
    """Every guard on the path passed."""
    ERROR = "error"
    """A step, a guard or a classifier raised an exception."""
    CENSORED = "censored"
    """A cassette lacks an answer, and all other prefixes are closed."""
    BUDGET_EXHAUSTED = "budget_exhausted"
    """All calls are used up although an open prefix has answers left."""
    BACKTRACK_CEILING = "backtrack_ceiling"
    """At least one open prefix is blocked only by the reopenings of its step."""
    STEP_CEILING = "step_ceiling"
    """An open prefix is blocked because its step has used up its calls."""
    ALL_PRUNED = "all_pruned"
    """Every open prefix has all the answers that it may get. The problem may be unsolvable by this pipeline."""
    GAVE_UP = "gave_up"
    """The blame says to give up."""


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
    """The result of a search."""

    succeeded: bool
    path: tuple[SearchNode, ...]
    """The answers from the first step to the last. After a failure, the best failed path: the deepest; among those, the
    one whose last answer has the fewest findings; among those, the earliest."""
    total_calls: int
    """Number of requested answers, plus calls of `classify`."""
    tree: SearchTree
    termination_reason: TerminationReason
    policy: str = "cbj"
    bound_by: tuple[str, ...] = ()
    """The bounds that kept a prefix from another answer: "max_total_calls", "backtrack_budget of g_plan", "calls of
    g_plan", or "policy beam" if a beam or a restart dropped prefixes."""
    classify_calls: int = 0
    misses: int = 0
    """Requests that a cassette could not answer. They do not count as calls."""
    error: StepError | None = None

    def __repr__(self) -> str:
        """Leave out the tree, because a failed assertion shows it elsewhere."""
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
        """The share of calls that a cassette could not answer."""
        asked = len(self.tree.nodes) + self.misses
        return self.misses / asked if asked else 0.0
