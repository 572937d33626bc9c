"""What became of one finding, before the number of its attempt is put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..outcomes import Firmness, Grade
from ..results import FedBack

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ..outcomes import ReasonCode


def grading(
    finding: Finding,
    grade: Grade,
    evidence: str | None = None,
    reason: str | None = None,
    code: ReasonCode | None = None,
) -> FedBack:
    """Return what became of a finding of attempt 0: `feedback` replaces the number."""
    return FedBack(finding, 0, grade, None, evidence, reason, code)


def fed_back_as(finding: Finding, how: Firmness, evidence: str) -> FedBack:
    """Return that a finding of attempt 0 is fed back, with the words that do it."""
    return FedBack(finding, 0, Grade.FED_BACK, how, evidence)
