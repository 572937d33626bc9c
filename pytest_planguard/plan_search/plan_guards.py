"""Guards for the last step of a planning pipeline."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..contract.document_findings import parse_findings
from ..contract.finding import Finding
from ..contract.verdict import Verdict
from ..document.answer import read
from ..plans.profiles.atomicguard import (
    MAX_EXPLORATIONS,
    R_MAX,
    Level,
    LevelSettings,
    read_atomicguard,
    rejections,
)
from ..plans.reading.outline import Source
from .context import answer_text


@dataclass(frozen=True, slots=True)
class LevelGuard:
    """A guard that checks plans at one level. A plan fails if it was too large to explore fully."""

    level: Level
    catalogue: frozenset[str] | None
    """Names of existing guards; None accepts any name."""
    r_max: int
    """The largest total retry budget."""
    max_explorations: int
    """Maximum number of execution states that the level "expansive" explores."""

    def check(self, answer: object, *, finish: str | None = None) -> Verdict:
        """Return the verdict on a step plan: JSON text, or the parsed value.

        `finish` says why the answer ended, if known.
        """
        text = answer_text(answer)
        names = None if self.catalogue is None else tuple(self.catalogue)
        settings = LevelSettings(self.level, names, self.r_max, self.max_explorations)
        findings = check_level(text, settings, finish=finish)
        return Verdict(f"plan {self.level}", text, findings, value=None if findings else text)


def check_level(text: str | bytes, settings: LevelSettings, *, finish: str | None = None) -> tuple[Finding, ...]:
    """Return why a level rejects a step plan in JSON; () if it passes. No text makes it raise an exception.

    A code fence around the plan is removed. `finish` says why the answer ended, "length" for a truncated one, if known.
    """
    document = read(text, format="json")
    broken = tuple(finding for finding in parse_findings(document, finish) if finding.severity.bad)
    return broken or tuple(rejections(read_atomicguard(Source(document)), settings))


def level_guards(
    catalogue: Collection[str] | None = None, *, r_max: int = R_MAX, max_explorations: int = MAX_EXPLORATIONS
) -> dict[str, LevelGuard]:
    """Return a guard for each level, as `Step.guard` takes them.

    Args:
        catalogue: names of the guards that exist; None accepts any name.
        r_max: the largest total retry budget that a plan may ask for.
        max_explorations: how many execution states the level "expansive" explores.
    """
    names = None if catalogue is None else frozenset(catalogue)
    levels: tuple[Level, ...] = ("minimal", "medium", "expansive")
    return {level: LevelGuard(level, names, r_max, max_explorations) for level in levels}
