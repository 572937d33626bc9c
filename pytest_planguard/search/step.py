"""A step of a pipeline, and what a search may spend on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from ..contract.finding import Finding
from ..contract.verdict import Verdict
from ..errors import UsageError, offer
from ..wire.exchange import Finish
from .blame import BlameTable
from .context import Artifact, StepContext


def refuse_below(value: object, called: str, **least: int) -> None:
    """Raise UsageError if an attribute is below its least value; None means unbounded."""
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
        UsageError: a bound below its least value.
    """

    rmax: int = 3
    """Answers to one prefix, including the first; at least 1."""
    backtrack_budget: int = 2
    """Reopenings over the whole search: further answers to a prefix that already has one that passed."""
    calls: int | None = None
    """Calls of this step over the whole search; None for no separate bound."""

    def __post_init__(self) -> None:
        refuse_below(self, "a step budget's {}", rmax=1, backtrack_budget=0, calls=0)


def stated_bound(budgets: Sequence[StepBudget]) -> int:
    """Return the sum of rmax · (1 + backtrack_budget), a formula that is often stated: 21 for 2/1, 2/2, 2/3, 3/0.

    It does not bound this search. A step is visited again when a step before it gives another answer, and the formula
    counts only the revisits of the step itself.
    """
    return sum(budget.rmax * (1 + budget.backtrack_budget) for budget in budgets)


def worst_case(budgets: Sequence[StepBudget]) -> int:
    """Return the most calls that this search can take, for any guards and blame: 35 for 2/1, 2/2, 2/3, 3/0.

    A step has one prefix more than there are reopenings before it. Its calls are therefore at most rmax · (1 + sum of
    the backtrack budgets before it), and at most `calls`. If no step can use up its reopenings (rmax 1), there are even
    fewer prefixes. `SearchConfig.max_total_calls` bounds the search further.
    """
    total, prefixes = 0, 1
    for budget in budgets:
        calls = budget.rmax * prefixes
        if budget.calls is not None:
            calls = min(calls, budget.calls)
        total += calls
        prefixes = min(calls, prefixes + budget.backtrack_budget)
    return total


# A step of a pipeline: who is asked, who judges the answer, and what may be spent.

Ask = Callable[[StepContext], Any]
"""Returns the answer: its text; plain JSON data, which is kept as canonical JSON; the response of an SDK; or a
`StepAnswer`."""


class StepAnswer(NamedTuple):
    """An answer as the guard of a step judges it, live and replayed."""

    text: str
    finish: Finish | None = None
    """Why it ended; None if unknown. A refusal ends with `Finish.REFUSAL`, a tool call with `STOP`."""


class Guard(Protocol):
    """A judge of one answer; every `Contract` is one."""

    def check(self, answer: object, /) -> Verdict:
        """Return the verdict on the text of an answer.

        If `check` has a parameter `finish`, it also gets why the answer ended, as a `Finish`; None if unknown.
        """
        ...


PathGuard = Callable[[Sequence[Artifact], str], Verdict]
"""Judges an answer in the light of those before it: `guard(path, answer)`. The answer is text, live and replayed. A
guard with a parameter `finish` is called as `guard(path, answer, finish=…)`, with a `Finish` or None."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. The same value serves as a stage of a pipeline elsewhere."""

    name: str
    ask: Ask
    guard: Guard | PathGuard | Mapping[str, Guard | PathGuard]
    """A contract; a callable that also sees the answers before; or one of these for each level of strictness.
    `SearchConfig.target_guard_level` selects the level."""
    budget: StepBudget = field(default_factory=StepBudget)
    score: Callable[[Verdict], float] | None = None
    """How good an answer that passed is, higher is better; for the order "best" and for beams. None scores 0."""


# What a search may spend and how it decides.


class Failure(NamedTuple):
    """One rejected answer, as `SearchConfig.classify` sees it."""

    step: str
    attempt: int
    """Answers to this prefix so far, including this one."""
    answer: str
    findings: tuple[Finding, ...]
    path: tuple[Artifact, ...]


Classify = Callable[[Failure], int | None]
"""Returns how many levels to go back, -1 to give up, None to leave it to the table."""


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """The bounds and rules of one search.

    Raises:
        UsageError: a bound below its least value.
    """

    step_budgets: Mapping[str, StepBudget] = field(default_factory=lambda: MappingProxyType({}))
    """Budgets by the name of the step; they replace those of the steps."""
    max_total_calls: int = 30
    """Calls of the whole search, including those of `classify`; at least 0."""
    target_guard_level: str = "medium"
    """The guard to use for steps that have one for each level."""
    blame: BlameTable = field(default_factory=BlameTable)
    classify: Classify | None = None
    """A model that is asked for the blame before the table is. Each of its calls counts."""
    feedback_window: int | None = None
    """How many of the latest failures of each channel are fed back to a step; None for all."""
    transport_retries: int = 2
    """Sends that may be repeated after a transport failure (429, 5xx, timeout, connection), for each prefix. They do
    not count as calls."""
    sleep: Callable[[float], object] | None = None
    """Called with the seconds to wait before a transport retry; None does not wait."""

    def __post_init__(self) -> None:
        refuse_below(self, "{}", max_total_calls=0, feedback_window=1, transport_retries=0)

    def budgets(self, steps: Sequence[Step]) -> tuple[StepBudget, ...]:
        """Return the budget of each step.

        Raises:
            UsageError: a budget for an unknown step.
        """
        names = [step.name for step in steps]
        for name in self.step_budgets:
            if name not in names:
                rest = offer(None, names, listed="Steps")
                raise UsageError(f"step_budgets has a budget for {name!r}, which is no step of the pipeline{rest}")
        return tuple(self.step_budgets.get(step.name, step.budget) for step in steps)
