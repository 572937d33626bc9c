"""Policies by name: the orders, beams and restarts, and the control strategies that they are compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import UsageError, nearest, offer
from .frame import BEST, BFS, DFS, Policy
from .loop import search
from .step import SearchConfig, StepBudget

if TYPE_CHECKING:
    from .result import SearchResult
    from .step import Step


Budgets = tuple[StepBudget, ...]
BEAM_WIDTH = 2
"""Number of prefixes that the policy "beam" keeps at each level."""
RESTART_AFTER = 8
"""Number of calls after which the policy "restarts" starts over, times Luby's sequence: two passes over four steps."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A policy, and how it changes a pipeline."""

    name: str
    what: str
    """One sentence for people."""
    policy: Policy
    pick: Callable[[Sequence[Step]], Sequence[Step]] = tuple
    """Returns the steps to run."""
    spend: Callable[[Budgets, int], Budgets] = lambda budgets, total: budgets  # noqa: ARG005 - most keep them
    """Returns the budgets of these steps, from those of the user and the total number of calls."""
    control: bool = False
    """True if it only serves as a comparison."""

    def run(self, steps: Sequence[Step], config: SearchConfig | None = None) -> SearchResult:
        """Search a pipeline.

        Raises:
            UsageError: as `search`.
        """
        config = config or SearchConfig()
        budgets = dict(zip((step.name for step in steps), config.budgets(steps), strict=True))
        picked = self.pick(steps)
        spent = self.spend(tuple(budgets[step.name] for step in picked), config.max_total_calls)
        names = (step.name for step in picked)
        return search(picked, replace(config, step_budgets=dict(zip(names, spent, strict=True))), self.policy)


def _once(budgets: Budgets, _: int) -> Budgets:
    return tuple(StepBudget(1, 0) for _ in budgets)


def _control(name: str, what: str, **changes: object) -> Strategy:
    policy = Policy(name, DFS, blame=False, own=bool(changes.pop("own", True)), downstream=False)
    return Strategy(name, what, policy, control=True, **changes)  # type: ignore[arg-type]


_ALL = (
    Strategy("dfs", "Depth first; each step sees the failures that it is blamed for.", Policy("dfs", DFS)),
    Strategy("cbj", "Depth first, subtrees that are blamed last.", Policy("cbj")),
    Strategy("best", "Best-scoring answers first, blamed subtrees last.", Policy("best", BEST)),
    Strategy(
        "beam",
        f"All answers of a level, then the {BEAM_WIDTH} best ones.",
        Policy("beam", BFS, blame=False, downstream=False, width=BEAM_WIDTH),
        # Each step has enough reopenings for every prefix of the beam. They do not follow from failures.
        spend=lambda budgets, _: tuple(replace(b, backtrack_budget=b.rmax * BEAM_WIDTH) for b in budgets),
    ),
    Strategy("broadening", "One answer to each prefix, then two, …", Policy("broadening", grow="children")),
    Strategy("deepening", "No reopening of a step at first, then one, …", Policy("deepening", grow="reopenings")),
    Strategy(
        "restarts", "Again from the first step, after Luby's numbers.", Policy("restarts", restart_after=RESTART_AFTER)
    ),
    _control("single", "The last step alone, once.", pick=lambda steps: steps[-1:], spend=_once),
    _control(
        "classify-then-plan",
        "The first and the last step, once each.",
        pick=lambda steps: steps if len(steps) < 2 else [steps[0], steps[-1]],
        spend=_once,
    ),
    _control("full", "Every step once.", spend=_once),
    _control(
        "retry_last",
        "Every step once, the last one with feedback until it passes.",
        spend=lambda budgets, total: (*_once(budgets[:-1], total), StepBudget(max(1, total), 0)),
    ),
    _control("blind", "Depth first; goes back one step if a step has no answers left."),
    _control(
        "blind_resample",
        "The whole pipeline again after any failure, without feedback.",
        spend=lambda budgets, total: (StepBudget(max(1, total), total), *_once(budgets[1:], total)),
        own=False,
    ),
)
STRATEGIES: Mapping[str, Strategy] = {strategy.name: strategy for strategy in _ALL}
"""Every policy by its name."""


def strategy_named(name: str) -> Strategy:
    """Return the policy with a name.

    Raises:
        UsageError: no such policy; the message lists the nearest name and all of them.
    """
    if name not in STRATEGIES:
        raise UsageError(f"unknown policy {name!r}{offer(nearest(name, STRATEGIES), STRATEGIES, listed='Policies')}")
    return STRATEGIES[name]
