"""The calls that a search has spent of its budgets, and those left for an open prefix. `step` has the bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .result import TerminationReason

if TYPE_CHECKING:
    from .frame import Frame, Policy
    from .step import Step, StepBudget


@dataclass(slots=True)
class _Account:
    """The bounds of a step, and what its prefixes have used of them."""

    name: str
    budget: StepBudget
    rmax: int
    """The answers that a prefix may get now. A growing policy starts below the budget."""
    reopenings: int
    calls: int = 0
    reopened: int = 0

    @property
    def has_calls(self) -> bool:
        """True if the step may be called again."""
        return self.budget.calls is None or self.calls < self.budget.calls

    def grow(self, limit: Literal["children", "reopenings"]) -> bool:
        """Raise a limit by one. Return False if the budget is reached."""
        before = self.rmax, self.reopenings
        if limit == "children":
            self.rmax = min(self.rmax + 1, self.budget.rmax)
        else:
            self.reopenings = min(self.reopenings + 1, self.budget.backtrack_budget)
        return before != (self.rmax, self.reopenings)


class Ledger:
    """The four budgets: answers to a prefix, calls of a step, reopenings of a step, and calls in total."""

    def __init__(self, steps: Sequence[Step], budgets: Sequence[StepBudget], total: int, policy: Policy) -> None:
        self.total = total
        self.calls = 0
        """Answers and classifications."""
        self._grow: Literal["children", "reopenings"] | None = policy.grow
        self._accounts = [
            _Account(
                step.name,
                budget,
                1 if policy.grow == "children" else budget.rmax,
                0 if policy.grow == "reopenings" else budget.backtrack_budget,
            )
            for step, budget in zip(steps, budgets, strict=True)
        ]

    @property
    def spent(self) -> bool:
        """True if all calls are made."""
        return self.calls >= self.total

    def allows(self, frame: Frame) -> bool:
        """Return True if a prefix may get another answer; the bound on all calls is not considered."""
        step = self._accounts[frame.level]
        return (
            not frame.closed
            and frame.used < step.rmax
            and step.has_calls
            and (not frame.opened or step.reopened < step.reopenings)
        )

    def charge(self, frame: Frame) -> None:
        """Count one answer to a prefix."""
        step = self._accounts[frame.level]
        self.calls += 1
        step.calls += 1
        step.reopened += frame.opened
        frame.used += 1

    def is_full(self, frame: Frame) -> bool:
        """Return True if a prefix has all the answers that a prefix of its step may get."""
        return frame.used >= self._accounts[frame.level].budget.rmax

    def grow(self) -> bool:
        """Raise the limits of a growing policy by one. Return False if nothing can be raised."""
        if self._grow is None:
            return False
        raised = [step.grow(self._grow) for step in self._accounts]
        return any(raised)

    # Why a search ended.

    def ending(self, frames: Iterable[Frame], *, censored: bool) -> tuple[TerminationReason, tuple[str, ...]]:
        """Return why a search ended without success or error, and the names of the budgets that stopped it.

        The reason is the first that holds, in the order of `TerminationReason`.
        """
        left = [frame for frame in frames if not frame.closed and not self.is_full(frame)]
        open_still = any(self.allows(frame) for frame in left)
        kinds = dict.fromkeys([(frame.level, frame.opened) for frame in left])
        bound = tuple(dict.fromkeys([name for level, opened in kinds for name in self._blocks(level, opened=opened)]))
        if censored and not open_still:
            return TerminationReason.CENSORED, bound
        if self.spent and left:
            return TerminationReason.BUDGET_EXHAUSTED, ("max_total_calls", *bound)
        if open_still:
            return TerminationReason.GAVE_UP, bound
        return self._ceiling(left), bound

    def _ceiling(self, left: Sequence[Frame]) -> TerminationReason:
        """Return the reason for a search that ended because no prefix may get another answer."""
        if any(self._accounts[frame.level].has_calls for frame in left):
            return TerminationReason.BACKTRACK_CEILING
        return TerminationReason.STEP_CEILING if left else TerminationReason.ALL_PRUNED

    def _blocks(self, level: int, *, opened: bool) -> list[str]:
        """Return the budgets that prevent a prefix of a level from getting another answer."""
        step = self._accounts[level]
        blocks = [] if step.has_calls else [f"calls of {step.name}"]
        if opened and step.reopened >= step.reopenings:
            blocks.append(f"backtrack_budget of {step.name}")
        return blocks
