"""Judge a step plan at one of AtomicGuard's levels, and name the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_planguard.plan_search.plan_guards import check_level
from pytest_planguard.plans.profiles.atomicguard import CAP, MAX_EXPLORATIONS, R_MAX, Level, LevelSettings

if TYPE_CHECKING:
    from collections.abc import Collection

    from pytest_planguard.contract.finding import Finding


@dataclass(frozen=True, slots=True)
class LevelResult:
    """The result of one level for one plan."""

    findings: tuple[Finding, ...]

    @property
    def outcome(self) -> str:
        """Either "passed", "failed", or "unverified" if the walk was cut short."""
        if not self.findings:
            return "passed"
        return "unverified" if self.findings[0].code == CAP else "failed"

    @property
    def passed(self) -> bool:
        """True for a verified plan."""
        return not self.findings


def at_level(
    text: str,
    level: Level,
    *,
    catalogue: Collection[str] | None = None,
    r_max: int = R_MAX,
    max_explorations: int = MAX_EXPLORATIONS,
) -> LevelResult:
    """Judge a step plan."""
    names = None if catalogue is None else tuple(catalogue)
    return LevelResult(check_level(text, LevelSettings(level, names, r_max, max_explorations)))
