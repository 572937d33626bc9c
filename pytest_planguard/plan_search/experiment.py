"""A comparison of policies: problems by policies by trials, and the figures over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..statistics import ALPHA, exact_paired, wilson
from .step import refuse_twice
from .strategies import Strategy, strategy_named

if TYPE_CHECKING:
    from .result import SearchNode, SearchResult, SearchTree
    from .step import SearchConfig, Step


@dataclass(frozen=True, slots=True)
class Trial:
    """One problem, searched once by one policy."""

    problem: str
    policy: str
    number: int
    """0-based. Trials with the same number get the same pipeline."""
    succeeded: bool
    calls: int
    reason: str
    category: str = ""
    """Category of the problem, such as "bug fix" or "feature"."""
    misses: int = 0
    """Calls without a recorded answer."""
    jumps: tuple[int, ...] = ()
    """Number of levels of each return to an earlier step."""
    calls_by_step: Mapping[str, int] | None = None
    blames: int = 0
    """Number of failures blamed on an earlier step that then gave another answer."""
    blames_right: int = 0
    """Number of the `blames` after which the failed step passed."""
    planning_s: float | None = None
    """Seconds of the search; None without a clock. Running the plan is not included."""

    @property
    def censored(self) -> bool:
        """True if its outcome is unknown, because a cassette lacked a call."""
        return self.misses > 0

    def within(self, budget: int) -> bool:
        """Return True if it succeeded in at most that many calls."""
        return self.succeeded and self.calls <= budget


def trial_of(result: SearchResult, problem: str, number: int, category: str, planning_s: float | None) -> Trial:
    """Return the figures of a result that an experiment counts."""
    followed, right = blame_outcomes(result.tree)
    return Trial(
        problem, result.policy, number, result.succeeded, result.total_calls, result.termination_reason.value, category,
        result.misses, result.jumps, result.calls_by_step, followed, right, planning_s,
    )  # fmt: skip


def blame_outcomes(tree: SearchTree) -> tuple[int, int]:
    """Return how many blames were followed by another answer of the blamed step, and how many of those were right.

    A blame is right if the blamed step's next answer led to an answer of the failed step that passed.
    """
    children = tree.children()
    followed = right = 0
    for node in tree.nodes:
        if node.levels_back == 0:  # a retry of the same step blames no other
            continue
        culprit = tree.path_to(node.number)[node.level - node.levels_back]
        later = (other for other in children[culprit.parent] if other.number > node.number)
        successor = next(later, None)
        if successor is not None:
            followed += 1
            right += _reaches(successor, node.level, children)
    return followed, right


def _reaches(start: SearchNode, level: int, children: Mapping[int | None, list[SearchNode]]) -> bool:
    """Return True if an answer at a level, at or below a node, passed."""
    stack = [start]
    while stack:
        node = stack.pop()
        if node.level == level and node.passed:
            return True
        if node.level < level:
            stack.extend(children.get(node.number, ()))
    return False


# Problems by policies by trials, and the figures of a policy.

BUDGETS = (1, 5, 10, 20, 30)
"""Numbers of calls for which rates are given."""
MISS_LIMIT = 0.05
"""Maximum share of unrecorded calls at which two policies are still compared: one call in twenty."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A task, and its pipeline for each trial."""

    name: str
    pipeline: Callable[[int], Sequence[Step]]
    """Returns the steps of a trial, by its 0-based number. It must depend only on the number, because policies are
    compared trial by trial."""
    category: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """A count and its total."""

    hits: int
    total: int

    @property
    def value(self) -> float | None:
        """From 0 to 1; None if the total is 0."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval; (0, 1) if the total is 0."""
        return wilson(self.hits, self.total)


@dataclass(frozen=True, slots=True)
class Delta:
    """One policy compared with another on the same problems, within a number of calls."""

    policy: str
    against: str
    budget: int
    difference: float
    """Difference of the two rates, from -1 to 1."""
    better: int
    """Problems on which the policy's rate is higher."""
    worse: int
    problems: int

    @property
    def p(self) -> float:
        """Two-sided p value of McNemar's exact test over the problems."""
        return exact_paired(self.better, self.worse)

    @property
    def evidence(self) -> bool:
        """True if p is at most 0.05."""
        return self.p <= ALPHA


def run_experiment(
    problems: Iterable[Problem],
    strategies: Sequence[str | Strategy],
    config: SearchConfig | None = None,
    *,
    trials: int = 1,
    clock: Callable[[], float] | None = None,
    on_result: Callable[[Trial, SearchResult], object] | None = None,
) -> Experiment:
    """Search every problem with every policy.

    Args:
        problems: the tasks; their names must differ.
        strategies: the policies by name, "cbj" for example.
        config: the bounds that all of them share.
        trials: searches of each problem with each policy.
        clock: returns seconds, to time the searches; None for no times.
        on_result: called after each search with its figures and its whole result, which is not kept.

    Raises:
        UsageError: two problems or two policies of one name, an unknown policy, fewer than one trial, or as `search`.
    """
    listed = list(problems)
    refuse_twice("problems", [problem.name for problem in listed])
    policies = [strategy_named(one) if isinstance(one, str) else one for one in strategies]
    refuse_twice("policies", [policy.name for policy in policies])
    if trials < 1:
        raise UsageError(f"an experiment needs at least one trial: got {trials}; raise it")
    return Experiment(
        tuple(
            _trial(problem, policy, config, number, clock, on_result)
            for problem in listed
            for policy in policies
            for number in range(trials)
        )
    )


def _trial(
    problem: Problem,
    strategy: Strategy,
    config: SearchConfig | None,
    number: int,
    clock: Callable[[], float] | None,
    on_result: Callable[[Trial, SearchResult], object] | None,
) -> Trial:
    steps = problem.pipeline(number)
    start = clock() if clock else 0.0
    result = strategy.run(steps, config)
    trial = trial_of(result, problem.name, number, problem.category, clock() - start if clock else None)
    if on_result is not None:
        on_result(trial, result)
    return trial


@dataclass(frozen=True, slots=True)
class Experiment:
    """The trials, and the figures over them. Censored trials count only in `censored` and `miss_rate`."""

    trials: tuple[Trial, ...]

    @property
    def policies(self) -> tuple[str, ...]:
        """The names of the policies, in the order of the trials."""
        return tuple(dict.fromkeys(trial.policy for trial in self.trials))

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of the problems, in the order of the trials."""
        return tuple(dict.fromkeys(trial.category for trial in self.trials))

    def of_category(self, category: str) -> Experiment:
        """Return the trials of the problems in one category."""
        return Experiment(tuple(trial for trial in self.trials if trial.category == category))

    def of(self, policy: str) -> list[Trial]:
        """Return the uncensored trials of a policy."""
        return [trial for trial in self.trials if trial.policy == policy and not trial.censored]

    def censored(self, policy: str) -> int:
        """Return how many trials of a policy have an unknown outcome."""
        return sum(trial.policy == policy and trial.censored for trial in self.trials)

    def miss_rate(self, policy: str) -> float:
        """Return the share of a policy's calls that no cassette answers."""
        trials = [trial for trial in self.trials if trial.policy == policy]
        misses = sum(trial.misses for trial in trials)
        return misses / (misses + sum(trial.calls for trial in trials)) if misses else 0.0

    def epsilon(self, policy: str, budget: int) -> Share:
        """Return how many trials succeeded within a number of calls."""
        trials = self.of(policy)
        return Share(sum(trial.within(budget) for trial in trials), len(trials))

    def mean_calls(self, policy: str, budget: int) -> float | None:
        """Return E[min(calls, budget)], in which a failure counts as the whole budget; None without trials.

        Unlike the mean over successes, this does not favour a policy that gives up early on all hard problems.
        """
        spent = [trial.calls if trial.within(budget) else budget for trial in self.of(policy)]
        return sum(spent) / len(spent) if spent else None

    def backtrack_rate(self, policy: str) -> Share:
        """Return how many trials went back to an earlier step."""
        trials = self.of(policy)
        return Share(sum(bool(trial.jumps) for trial in trials), len(trials))

    def depths(self, policy: str) -> dict[int, int]:
        """Return how often the policy went back by each number of levels."""
        return dict(sorted(Counter(depth for trial in self.of(policy) for depth in trial.jumps).items()))

    def calls_by_step(self, policy: str) -> dict[str, float]:
        """Return the mean number of calls of each step."""
        trials = self.of(policy)
        total: Counter[str] = Counter()
        for trial in trials:
            total.update(trial.calls_by_step or {})
        return {step: calls / len(trials) for step, calls in total.items()}

    def blame_precision(self, policy: str) -> Share:
        """Return how many of the blames that were acted on let the failed step pass."""
        trials = self.of(policy)
        return Share(sum(trial.blames_right for trial in trials), sum(trial.blames for trial in trials))

    def delta(self, policy: str, against: str, budget: int) -> Delta | None:
        """Return the paired comparison of two policies; None if too much is unrecorded, or nothing can be paired.

        Trials of one problem are not independent, so a problem counts once, by the sign of its difference.
        """
        if max(self.miss_rate(policy), self.miss_rate(against)) > MISS_LIMIT:
            return None
        ours, theirs = self._rates(policy, budget), self._rates(against, budget)
        differences = [ours[problem] - theirs[problem] for problem in ours if problem in theirs]
        if not differences:
            return None
        better, worse = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
        mean = sum(differences) / len(differences)
        return Delta(policy, against, budget, mean, better, worse, len(differences))

    def _rates(self, policy: str, budget: int) -> Mapping[str, float]:
        """Return the share of successful trials of each problem, without censored trials."""
        by_problem: dict[str, list[bool]] = {}
        for trial in self.of(policy):
            by_problem.setdefault(trial.problem, []).append(trial.within(budget))
        return {problem: sum(good) / len(good) for problem, good in by_problem.items()}
