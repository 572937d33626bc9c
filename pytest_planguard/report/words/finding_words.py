"""What is wrong with a failing case in the finding's own words: "total is 1.0, but the lines add up to 42.0"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...runs.compare.run_diff import Bucket
from ...runs.model.broken_rules import wildcard
from ..answer.finding_text import place
from ..media.sanitise import one_line

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...runs.compare.run_diff import CaseDiff
    from ...runs.model.broken_rules import Broken

SHOWN = 3
"""Findings of one case that are told; its conversation has them all."""
LIMIT = 240


def finding_lines(case: CaseDiff) -> Iterator[str]:
    """Yield 'total (line 1, column 12): total is 1.0, but the lines add up to 42.0' for what is newly broken."""
    rules = (*case.broken, *case.still_broken) if case.bucket is Bucket.ADDED else case.broken
    lines = list(dict.fromkeys(line for broken in rules for line in lines_of(case, broken)))
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        yield f"and {len(lines) - SHOWN:,} more findings"


def lines_of(case: CaseDiff, broken: Broken) -> Iterator[str]:
    """Yield the place and the words of each finding that breaks a rule in the candidate's last answers."""
    for row in case.candidate:
        for judged in row.judged:
            findings = judged.last.findings if judged.last is not None else ()
            yield from (_line(found) for found in findings if _breaks(found, broken))


def _breaks(found: Finding, broken: Broken) -> bool:
    return found.severity.bad and (found.code, wildcard(found.path)) == (broken.rule, broken.place)


def _line(found: Finding) -> str:
    return f"{place(found)}: {one_line(found.message, LIMIT)}"
