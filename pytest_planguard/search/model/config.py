"""What a search may spend and how it decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from ...contract.finding import Finding
from ...errors import UsageError, offer
from ..blame.blame_table import BlameTable
from ..context.step_context import Artifact
from .budget import StepBudget
from .step import Step


class Failure(NamedTuple):
    """One rejected answer, as `SearchConfig.classify` sees it."""

    step: str
    attempt: int
    """Answers to this prefix so far, this one included."""
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
    """Budgets by the name of the step, in place of those that the steps bring."""
    max_total_calls: int = 30
    """Calls of the whole search, those of `classify` included; at least 0."""
    target_guard_level: str = "medium"
    """Which guard counts for steps that have one for each level."""
    blame: BlameTable = field(default_factory=BlameTable)
    classify: Classify | None = None
    """A model that is asked for the blame, before the table. Each of its calls counts."""
    feedback_window: int | None = None
    """Failures of each channel that a step is told, the latest; None for all."""
    transport_retries: int = 2
    """Sends that may be repeated after a transport failure (429, 5xx, timeout, connection), for each prefix. They are
    no calls."""
    sleep: Callable[[float], object] | None = None
    """Called with the seconds to wait before a transport retry; None waits not at all."""

    def __post_init__(self) -> None:
        for name, least in (("max_total_calls", 0), ("feedback_window", 1), ("transport_retries", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise UsageError(f"{name} must be at least {least}: got {value}; raise it")

    def budgets(self, steps: Sequence[Step]) -> tuple[StepBudget, ...]:
        """Return the budget of each step.

        Raises:
            UsageError: a budget for a step that is not there.
        """
        names = [step.name for step in steps]
        for name in self.step_budgets:
            if name not in names:
                rest = offer(None, names, listed="Steps")
                raise UsageError(f"step_budgets has a budget for {name!r}, which is no step of the pipeline{rest}")
        return tuple(self.step_budgets.get(step.name, step.budget) for step in steps)
