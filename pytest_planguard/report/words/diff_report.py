"""What every rendering of a comparison is given: the comparison, the result of the gate, and the time of the report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...runs.compare.run_diff import CaseDiff, RunDiff
    from ...runs.gate.gate import GateResult
    from ...runs.gate.known_failures import Baseline
    from ...runs.store.history import RunPoint


@dataclass(frozen=True, slots=True)
class DiffReport:
    """A comparison with everything around it that a reader has to know."""

    diff: RunDiff
    gate: GateResult | None = None
    """None where nothing was to be gated: then the report neither passes nor fails."""
    baseline: Baseline | None = None
    """The list of known failures; None where there is none."""
    baseline_path: str = ""
    now: datetime | None = None
    """When the report is made, with a zone; ages are left out where it is None."""
    history: tuple[RunPoint, ...] = ()
    """How many cases were good in the runs that are kept, oldest first; () where that is not asked."""
    prefix: str = ""
    """Where the tests' root is below the repository's root, "" or "services/api": for links into files."""
    judged: str = ""
    """What was judged, where one run is held against its contracts alone: '3 of 10 answers are bad'; "" where two runs
    are compared."""

    @property
    def fails(self) -> bool:
        """Whether the gate says no."""
        return self.gate is not None and not self.gate.ok

    def is_known(self, case: CaseDiff) -> bool:
        """Return whether it is a new failure that the list of known failures covers."""
        return self.gate is not None and any(case is known for known in self.gate.known)


def age_days(when: str | None, now: datetime | None) -> int | None:
    """Return whole days from an ISO 8601 day or time until now, never less than 0; None where either is unknown."""
    if when is None or now is None:
        return None
    try:
        day = date.fromisoformat(when[:10])
    except ValueError:
        return None
    return max(0, (now.date() - day).days)
