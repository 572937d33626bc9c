"""The three levels for step plans as guards of a step, one for each `target_guard_level`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from ...contract.finding import Severity
from ...contract.verdict import Verdict
from ...plans.compat.atomicguard_levels import MAX_EXPLORATIONS, R_MAX, Level, Outcome, check_level
from ..agenda.hashes import answer_text


@dataclass(frozen=True, slots=True)
class LevelGuard:
    """A level as a guard. A plan whose exploration was cut short does not pass: nobody has verified it."""

    level: Level
    catalogue: frozenset[str] | None = None
    """Names of the guards that exist; None asks nothing of them."""
    r_max: int = R_MAX
    """The largest total retry budget."""
    max_explorations: int = MAX_EXPLORATIONS
    """States of execution that the level "expansive" looks at."""

    def check(self, answer: Any, *, finish: str | None = None) -> Verdict:
        """Return the verdict on a step plan in JSON, or parsed. `finish` says why the answer ended, where known."""
        text = answer_text(answer)
        result = check_level(
            text, self.level, finish=finish,
            catalogue=self.catalogue, r_max=self.r_max, max_explorations=self.max_explorations,
        )  # fmt: skip
        findings = result.findings
        if result.outcome is Outcome.UNVERIFIED:
            findings = tuple(replace(finding, severity=Severity.RETRY) for finding in findings)
        return Verdict(f"plan {self.level}", text, findings, value=text if result.passed else None)


def level_guards(
    catalogue: Collection[str] | None = None, *, r_max: int = R_MAX, max_explorations: int = MAX_EXPLORATIONS
) -> dict[str, LevelGuard]:
    """Return a guard for each level, as `Step.guard` takes them.

    Args:
        catalogue: names of the guards that exist; None asks nothing of them.
        r_max: the largest total retry budget that a plan may ask for.
        max_explorations: states of execution that the level "expansive" looks at.
    """
    names = None if catalogue is None else frozenset(catalogue)
    levels: tuple[Level, ...] = ("minimal", "medium", "expansive")
    return {level: LevelGuard(level, names, r_max, max_explorations) for level in levels}
