"""What became of one finding, before the number of its attempt is put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..outcomes import Grade
from ..results import Carried

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ..outcomes import ReasonCode


def fate_of(
    finding: Finding,
    grade: Grade,
    evidence: str | None = None,
    reason: str | None = None,
    code: ReasonCode | None = None,
) -> Carried:
    """Return what became of a finding of attempt 0: `carried` replaces the number."""
    return Carried(finding, 0, grade, evidence, reason, code)
