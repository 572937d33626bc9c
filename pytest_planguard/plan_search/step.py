"""A step of a pipeline, and the budget that a search has for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from ..contract.finding import Finding
from ..contract.verdict import Verdict
from ..errors import UsageError, offer
from ..wire.exchange import Finish
from .blame import BlameRule, BlameTable, Stagnation
from .context import Artifact, StepContext


def refuse_below(value: object, called: str, **least: int) -> None:
    """Raise UsageError if an attribute is below its minimum. None means unbounded."""
    for name, bound in least.items():
        given = getattr(value, name)
        if given is not None and given < bound:
            raise UsageError(f"{called.format(name)} must be at least {bound}: got {given}; raise it")


def refuse_twice(what: str, names: Sequence[str]) -> None:
    """Raise UsageError if two names are equal."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"the names of {what} must differ: got {twice!r} twice; rename one")


@dataclass(frozen=True, slots=True)
class StepBudget:
    """The bounds of one step.

    Raises:
        UsageError: a bound is below its minimum.
    """

    rmax: int = 3
    """Maximum number of answers of the step to the same prefix, including the first one; at least 1."""
    backtrack_budget: int = 2
    """How often the search may reopen this step: request another answer to a prefix although one has passed."""
    calls: int | None = None
    """Maximum calls of this step in the whole search; None for no separate limit."""

    def __post_init__(self) -> None:
        refuse_below(self, "a step budget's {}", rmax=1, backtrack_budget=0, calls=0)


# A step of a pipeline: how to ask, how to judge the answer, and the budget.

Ask = Callable[[StepContext], Any]
"""Returns the answer: text, plain JSON data (stored as canonical JSON), an SDK's response object, or a `StepAnswer`."""


class StepAnswer(NamedTuple):
    """An answer with its finish reason, so that a guard judges it in the same way live and in a replay."""

    text: str
    finish: Finish | None = None
    """The reason why the answer ended; None if unknown. A refusal has `Finish.REFUSAL`, a tool call has `STOP`."""


class Guard(Protocol):
    """A judge of one answer; every `Contract` is one."""

    def check(self, answer: object, /) -> Verdict:
        """Return the verdict on the text of an answer.

        If `check` has a parameter `finish`, it also gets why the answer ended, as a `Finish`; None if unknown.
        """
        ...


PathGuard = Callable[[Sequence[Artifact], str], Verdict]
"""Judges an answer given the earlier ones: `guard(path, answer)`. The answer is always text. A guard with a parameter
`finish` is called as `guard(path, answer, finish=…)`, with a `Finish` or None."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a pipeline."""

    name: str
    ask: Ask
    guard: Guard | PathGuard | Mapping[str, Guard | PathGuard]
    """A contract; a callable that also sees the answers before; or one of these for each level of strictness.
    `SearchConfig.target_guard_level` selects the level."""
    budget: StepBudget = field(default_factory=StepBudget)
    score: Callable[[Verdict], float] | None = None
    """Scores an answer that passed; higher is better. The order "best" and beams use it. None scores 0."""


# The budget of a search, and how it decides.


class Failure(NamedTuple):
    """A rejected answer, as a classifier gets it."""

    step: str
    attempt: int
    """Number of answers to this prefix so far, including this one."""
    answer: str
    findings: tuple[Finding, ...]
    path: tuple[Artifact, ...]


Classify = Callable[[Failure], int | None]
"""Returns how many levels to go back; -1 to give up; None to let the table decide."""


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """The bounds and rules of one search.

    Raises:
        UsageError: a bound is below its minimum.
    """

    step_budgets: Mapping[str, StepBudget] = field(default_factory=lambda: MappingProxyType({}))
    """Maps a step's name to a budget that replaces `Step.budget`."""
    max_total_calls: int = 30
    """Maximum calls in the whole search, including calls of `classify`; at least 0."""
    target_guard_level: str = "medium"
    """Selects the guard of each step that has one per level."""
    blame: Sequence[BlameRule] = ()
    """Decide how far to go back after a finding; the first rule that matches applies. The built-in ones come after."""
    escalates: bool = True
    """True to go back further each time if an answer fails twice with equal codes and paths."""
    classify: Classify | None = None
    """Decides the blame before the table does, for example by asking a model. Each call counts."""
    feedback_window: int | None = None
    """How many of each channel's latest failures to feed back to a step; None for all."""
    transport_retries: int = 2
    """How often, per prefix, to send a request again after a transport failure (429, 5xx, timeout, connection). These
    sends do not count as calls."""
    sleep: Callable[[float], object] | None = None
    """Called with the seconds to wait before a transport retry; None does not wait."""

    def __post_init__(self) -> None:
        refuse_below(self, "{}", max_total_calls=0, feedback_window=1, transport_retries=0)

    @property
    def table(self) -> BlameTable:
        """The rules of this search, and those for repeated failures."""
        return BlameTable(tuple(self.blame), stagnation=Stagnation() if self.escalates else None)

    def budgets(self, steps: Sequence[Step]) -> tuple[StepBudget, ...]:
        """Return the budget of each step.

        Raises:
            UsageError: a budget for an unknown step.
        """
        names = [step.name for step in steps]
        for name in self.step_budgets:
            if name not in names:
                rest = offer(None, names, listed="Steps")
                raise UsageError(f"step_budgets has a budget for {name!r}, which is not a step of the pipeline{rest}")
        return tuple(self.step_budgets.get(step.name, step.budget) for step in steps)

    def plan(self, steps: Sequence[Step]) -> str:
        """Return a pipeline with these budgets as a step plan in JSON.

        Each step requires the effect of the previous one.

        For example, `level_guards()["medium"].check(SearchConfig().plan(steps))` finds step budgets that are larger
        than the total number of calls.

        Raises:
            UsageError: a budget for an unknown step.
        """
        given = ["start", *(f"{step.name} passed" for step in steps)]
        listed = [
            {
                "step_id": step.name,
                "name": step.name,
                "guard": step.name,
                "retry_budget": budget.rmax,
                "preconditions": [given[place]],
                "effects": [given[place + 1]],
                "dependencies": [steps[place - 1].name] if place else [],
            }
            for place, (step, budget) in enumerate(zip(steps, self.budgets(steps), strict=True))
        ]
        plan = {
            "plan_id": "pipeline",
            "initial_state": given[:1],
            "goal_state": given[-1:],
            "total_retry_budget": self.max_total_calls,
            "steps": listed,
        }
        return json.dumps(plan, ensure_ascii=False)
