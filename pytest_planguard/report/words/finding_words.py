"""What is wrong with a failing case in the finding's own words: "total is 1.0, but the lines add up to 42.0"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...document.path import wildcard
from ...runs.compare.run_diff import Bucket
from ..answer.finding_text import place
from ..media.sanitise import one_line

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...runs.compare.run_diff import CaseDiff
    from ...runs.model.broken_rules import Broken
    from ...runs.model.run import CaseRow

SHOWN = 3
"""Findings of one case that are told; its conversation has them all."""
LIMIT = 240


def finding_lines(case: CaseDiff) -> Iterator[str]:
    """Yield 'total (line 1, column 12): total is 1.0, but the lines add up to 42.0' for what is newly broken."""
    rules = (*case.broken, *case.still_broken) if case.bucket is Bucket.ADDED else case.broken
    yield from clipped_lines(line for broken in rules for line in lines_of(case, broken))


def case_findings(case: CaseDiff) -> Iterator[Finding]:
    """Yield everything that makes the candidate's last answers bad, whatever the base says; each once."""
    yield from dict.fromkeys(finding for row in case.candidate for finding in bad_findings(row))


def row_lines(row: CaseRow) -> Iterator[str]:
    """Yield the same for everything that one row breaks, whatever another run says of its case."""
    yield from clipped_lines(map(finding_line, bad_findings(row)))


def clipped_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the first `SHOWN` different lines, then how many more there are."""
    different = list(dict.fromkeys(lines))
    yield from different[:SHOWN]
    if len(different) > SHOWN:
        yield f"and {len(different) - SHOWN:,} more findings"


def lines_of(case: CaseDiff, broken: Broken) -> Iterator[str]:
    """Yield the place and the words of each finding that breaks a rule in the candidate's last answers."""
    yield from map(finding_line, findings_of(case, broken))


def findings_of(case: CaseDiff, broken: Broken) -> Iterator[Finding]:
    """Yield each finding that breaks a rule in the candidate's last answers."""
    for row in case.candidate:
        yield from (finding for finding in bad_findings(row) if _breaks(finding, broken))


def bad_findings(row: CaseRow) -> Iterator[Finding]:
    """Yield what makes the last answers of a row bad: findings of the severities retry and fail."""
    for judged in row.judged:
        findings = judged.last.findings if judged.last is not None else ()
        yield from (finding for finding in findings if finding.severity.bad)


def finding_line(finding: Finding) -> str:
    """Return 'total (line 1, column 12): total is 1.0, but the lines add up to 42.0'."""
    return f"{place(finding)}: {one_line(finding.message, LIMIT)}"


def _breaks(finding: Finding, broken: Broken) -> bool:
    return (finding.code, wildcard(finding.path)) == (broken.rule, broken.path)
