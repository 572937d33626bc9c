"""A step of a pipeline: who is asked, who judges the answer, and what may be spent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from ...contract.verdict import Verdict
from ...wire.exchange import Finish
from ..context.step_context import Artifact, StepContext
from .budget import StepBudget

Ask = Callable[[StepContext], Any]
"""Returns the answer: its text; plain JSON data, which is kept as canonical JSON; the response of an SDK; or a
`StepAnswer`."""


class StepAnswer(NamedTuple):
    """An answer as the guard of a step judges it, live and replayed."""

    text: str
    finish: Finish | None = None
    """Why it ended; None where nothing says so. A refusal ends with `Finish.REFUSAL`, a tool call with `STOP`."""


class Guard(Protocol):
    """What judges one answer; every `Contract` is one."""

    def check(self, answer: Any, /) -> Verdict:
        """Return the verdict on an answer, which is given as text.

        A `check` with a parameter `finish` is also given why the answer ended, as a `Finish`; None if unknown.
        """
        ...


PathGuard = Callable[[Sequence[Artifact], str], Verdict]
"""Judges an answer in the light of those before it: `guard(path, answer)`. The answer is text, live and
replayed. A guard with a parameter `finish` is called as `guard(path, answer, finish=…)`, with a `Finish` or None."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. The same value serves as a stage of a pipeline elsewhere."""

    name: str
    ask: Ask
    guard: Guard | PathGuard | Mapping[str, Guard | PathGuard]
    """A contract; a callable that also sees the answers before; or one of these for each level of strictness, of
    which `SearchConfig.target_guard_level` names the one that counts."""
    budget: StepBudget = field(default_factory=StepBudget)
    score: Callable[[Verdict], float] | None = None
    """How good an answer is that passed, the more the better; for the order "best" and for beams. None for 0."""
