"""The calls that a search has spent, and those left for an open prefix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .result import TerminationReason

if TYPE_CHECKING:
    from .frame import Frame
    from .policy import Policy
    from .step import Step, StepBudget


class Ledger:
    """The four budgets: answers to a prefix, calls of a step, reopenings of a step, and calls in total."""

    def __init__(self, steps: Sequence[Step], budgets: Sequence[StepBudget], total: int, policy: Policy) -> None:
        self._names = [step.name for step in steps]
        self._budgets = budgets
        self.total = total
        self.calls = 0
        """Answers and classifications."""
        self.by_step = [0] * len(budgets)
        self.reopened = [0] * len(budgets)
        self._rmax = [budget.rmax for budget in budgets]
        self._reopenings = [budget.backtrack_budget for budget in budgets]
        self._grow = policy.grow
        if policy.grow == "children":
            self._rmax = [1] * len(budgets)
        elif policy.grow == "reopenings":
            self._reopenings = [0] * len(budgets)

    @property
    def spent(self) -> bool:
        """True if all calls are made."""
        return self.calls >= self.total

    def allows(self, frame: Frame) -> bool:
        """Return True if a prefix may get another answer; the bound on all calls is not considered."""
        level = frame.level
        return (
            not frame.closed
            and frame.used < self._rmax[level]
            and self._step_has_calls(level)
            and (not frame.opened or self.reopened[level] < self._reopenings[level])
        )

    def charge(self, frame: Frame) -> None:
        """Count one answer to a prefix."""
        self.calls += 1
        self.by_step[frame.level] += 1
        self.reopened[frame.level] += frame.opened
        frame.used += 1

    def is_full(self, frame: Frame) -> bool:
        """Return True if a prefix has all the answers that a prefix of its step may get."""
        return frame.used >= self._budgets[frame.level].rmax

    def grow(self) -> bool:
        """Raise the limits of a growing policy by one. Return False if nothing can be raised."""
        if self._grow == "children":
            limits, ends = self._rmax, [budget.rmax for budget in self._budgets]
        elif self._grow == "reopenings":
            limits, ends = self._reopenings, [budget.backtrack_budget for budget in self._budgets]
        else:
            return False
        if limits == ends:
            return False
        limits[:] = [min(limit + 1, end) for limit, end in zip(limits, ends, strict=True)]
        return True

    def _step_has_calls(self, level: int) -> bool:
        bound = self._budgets[level].calls
        return bound is None or self.by_step[level] < bound

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
        if any(self._step_has_calls(frame.level) for frame in left):
            return TerminationReason.BACKTRACK_CEILING
        return TerminationReason.STEP_CEILING if left else TerminationReason.ALL_PRUNED

    def _blocks(self, level: int, *, opened: bool) -> list[str]:
        """Return the budgets that prevent a prefix of a level from getting another answer."""
        name = self._names[level]
        blocks = [] if self._step_has_calls(level) else [f"calls of {name}"]
        if opened and self.reopened[level] >= self._reopenings[level]:
            blocks.append(f"backtrack_budget of {name}")
        return blocks
