"""Fix in a plan file what needs no thought: totals that the plan states, listed words that are spelt differently.

Ids, titles and everything that others may refer to stay as they are. A fixed text is judged again, and a change that
would add a finding is not made. A total of a Markdown plan is written only where a second, simpler count agrees and
every task was read in its own form; else it is proposed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from .artifacts.artifact_fixes import Fix, fix_artifact, letters, with_words
from .artifacts.schema_findings import schema_kind

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from ..document.path import Span
    from .judging.judge_files import PlanReport

ROUNDS = 5
"""How often a fixed text is fixed again, where a change brings the next one to light."""
_UNSURE = frozenset({"unread-tasks", "box-mark", "task-form", "id-missing", "id-unique", "id-format", "has-tasks"})
"""Findings after which the reader's own count of tasks proves nothing."""
_BOX = re.compile(r"^[-*+][ \t]+\[[ xX~-]\][ \t]+\S", re.MULTILINE)
"""A checkbox at the beginning of a line."""
_PLAIN_WORD = re.compile(r"[A-Za-z][\w-]*")


def fix_plan(report: PlanReport, judge: Callable[[str], PlanReport], *, schema: bool = False) -> Fix:
    """Return the text of a judged plan with what is mechanical fixed; the same text where nothing is.

    Fixing the result again changes nothing, and the result has no finding that the text had not.

    Args:
        report: what was found in the text.
        judge: judges another text as that file was judged.
        schema: also fix what only the format's schema says, in formats that have one: words, a missing `_meta`.
    """
    changes: list[str] = []
    text, current = report.text, report
    proposed = tuple(_proposals(report))
    for _ in range(ROUNDS):
        step = _step(current, schema)
        if step.after == current.text:
            return Fix(text, current.text, tuple(changes), proposed)
        fixed = judge(step.after)
        if _adds_findings(current, fixed):
            break
        changes += step.changes
        current = fixed
    return Fix(text, text, proposed=proposed)


def _proposals(report: PlanReport) -> Iterator[str]:
    """Yield the totals that seem wrong and are not written: "line 6: 4 -> 1 (not every task was read …)"."""
    for finding in report.findings:
        if finding.code == "count-matches" and finding.span is not None and not _proven(report, finding.expected):
            yield f"line {finding.span.line}: {finding.actual} -> {finding.expected}"


def _proven(report: PlanReport, total: str | None) -> bool:
    """Return whether a second reading of the text gives the same total, and nothing in the plan is in doubt."""
    if report.plan is None or report.plan.find is not None:  # in data, a total and its list have paths of their own
        return True
    unsure = any(finding.code in _UNSURE for finding in report.findings)
    return not unsure and str(len(_BOX.findall(report.text))) == total


def _adds_findings(before: PlanReport, after: PlanReport) -> bool:
    """Return whether a text has a finding that the other has not, wherever it stands in its lines."""
    kinds = [Counter((finding.code, finding.path) for finding in report.findings) for report in (after, before)]
    return after.plan is None or bool(kinds[0] - kinds[1])


def _step(report: PlanReport, schema: bool) -> Fix:
    plan = report.plan
    if plan is None or "\r" in report.text.replace("\r\n", ""):  # lines that end at CR alone are left alone
        return Fix(report.text, report.text)
    kind = schema_kind(plan.format) if schema else None
    if kind is not None:
        fixed = fix_artifact(report.text, kind)
        if fixed.changes:
            return fixed
    lines = report.text.split("\n")
    statuses = plan.traits.statuses
    words = ((f, f.span, _at(lines, f.span)) for f in report.findings if f.span)
    edits = {span: word for f, span, seen in words if (word := _word(f, seen, statuses))}
    for finding in report.findings:
        if finding.code == "count-matches" and finding.span in edits and not _proven(report, finding.expected):
            del edits[finding.span]
    after, changes = with_words(report.text, edits.items())
    return Fix(report.text, after, tuple(changes))


def _word(finding: Finding, seen: str, statuses: tuple[str, ...]) -> str | None:
    """Return what should stand in the place of what a finding points at; None where a person must decide."""
    if finding.code == "count-matches" and seen == finding.actual:
        return finding.expected
    if finding.code != "status-enum" or not letters(seen):
        return None
    quote = seen[0] if seen[0] in "'\"" and seen[-1] == seen[0] and len(seen) > 1 else ""
    known = [word for word in statuses if letters(word) == letters(seen)]
    if len(known) != 1 or (not quote and not _PLAIN_WORD.fullmatch(seen.replace(" ", "-"))):
        return None
    return f"{quote}{known[0]}{quote}"


def _at(lines: list[str], span: Span) -> str:
    """Return the text of a place within one line; "" for any other place."""
    if span.end_line != span.line or span.end_column is None:
        return ""
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]
