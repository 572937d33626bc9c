"""Make mechanical fixes in a plan file: stated totals, spelling variants of listed words, a missing `_meta`.

Ids, titles and other names that something may refer to are left alone. A fixed text is judged again, and a change that
would add a finding is dropped. A total in a Markdown plan is corrected only if a second, simpler count agrees and every
task has the expected form. Otherwise the correction is only proposed.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...document.path import value_at
from ..artifacts import ArtifactReport, schema_kind, validate_artifact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...contract.finding import Finding
    from ...document.path import Span
    from .judge_files import PlanReport


@dataclass(frozen=True, slots=True)
class Fix:
    """A fixed artifact."""

    before: str
    after: str
    changes: tuple[str, ...] = ()
    """One line per change."""
    proposed: tuple[str, ...] = ()
    """One line per change that was not made, since a person should decide."""

    def diff(self, name: str = "artifact.yaml") -> str:
        """Return the changes as a unified diff; "" if there are none."""
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), name, f"{name} (fixed)")
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def fix_artifact(text: str, kind: str | None = None) -> Fix:
    """Make the mechanical fixes. Everything else is kept, including comments and layout."""
    report = validate_artifact(text, kind, strict=True)
    one_kind_of_line_end = "\r" not in report.text.replace("\r\n", "\n")  # the code below splits lines at LF
    if report.document is None or not isinstance(report.document.data, dict) or not one_kind_of_line_end:
        return Fix(text, text)
    edits = [edit for finding in report.findings if (edit := _edit(finding, report)) is not None]
    after, changes = with_words(report.text, edits)
    if "_meta" not in report.document.data:
        line_end = "\r\n" if "\r\n" in after else "\n"
        meta = ("_meta:", '  version: "1.0.0"', f'  artifact_type: "{report.kind}"')
        after = line_end.join((after.rstrip(), *meta, ""))
        changes.append("add _meta")
    return Fix(text, after, tuple(changes))


def with_words(text: str, edits: Iterable[tuple[Span, str]]) -> tuple[str, list[str]]:
    """Return the text with some words replaced, and a line for each change: "line 3: Done -> done".

    Every span must be within one line. The last span is replaced first, so the other columns stay valid.
    """
    lines, changes = text.split("\n"), []
    for span, word in sorted(edits, key=lambda edit: edit[0], reverse=True):
        line = lines[span.line - 1]
        start, end = span.column - 1, (span.end_column or 0) - 1
        changes.append(f"line {span.line}: {line[start:end]} -> {word}")
        lines[span.line - 1] = f"{line[:start]}{word}{line[end:]}"
    return "\n".join(lines), changes[::-1]


def letters(word: str) -> str:
    """Return only the letters and digits, in lower case, so that "In Progress" equals "in-progress"."""
    return "".join(character for character in word.casefold() if character.isalnum())


def _lines(text: str) -> list[str]:
    """Return the lines with their line ends. As in an editor, only LF ends a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _edit(finding: Finding, report: ArtifactReport) -> tuple[Span, str] | None:
    """Return the span to replace, within one line, and its new text; None if a person must decide."""
    span = finding.span
    if span is None or span.end_line != span.line:
        return None
    if finding.code == "count-matches" and finding.expected:
        return span, finding.expected
    data = report.document.data if report.document else None
    if finding.code == "enum" and isinstance(value := value_at(data, finding.path), str):
        words = [word for word in finding.allowed if letters(word) == letters(value)]
        return (span, f'"{words[0]}"') if len(words) == 1 else None
    return None


ROUNDS = 5
"""Maximum number of rounds. A fix may reveal another problem, which the next round fixes."""
_UNSURE = frozenset({"unread-tasks", "box-mark", "task-form", "id-missing", "id-unique", "id-format", "has-tasks"})
"""Findings that make the reader's count of tasks unreliable."""
_BOX = re.compile(r"^[-*+][ \t]+\[[ xX~-]\][ \t]+\S", re.MULTILINE)
"""A checkbox at the start of a line: "- [x] T001"."""
_PLAIN_WORD = re.compile(r"[A-Za-z][\w-]*")  # "in-progress": needs no quotes in YAML


def fix_plan(report: PlanReport, judge: Callable[[str], PlanReport], *, schema: bool = False) -> Fix:
    """Return the text of a judged plan with mechanical fixes, or the same text if there is nothing to fix.

    The result has no new findings, and fixing it again changes nothing.

    Args:
        report: the findings of the text.
        judge: judges another text with the same settings.
        schema: also fix findings of the format's schema, if any: words, a missing `_meta`.
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
    """Yield totals that seem wrong but are not corrected: "line 6: 4 -> 1 (not every task was read …)"."""
    for finding in report.findings:
        if finding.code == "count-matches" and finding.span is not None and not _proven(report, finding.expected):
            yield f"line {finding.span.line}: {finding.actual} -> {finding.expected}"


def _proven(report: PlanReport, total: str | None) -> bool:
    """Return True if a second reading gives the same total, and nothing in the plan is in doubt."""
    if report.plan is None or report.plan.find is not None:  # in JSON and YAML, total and list have separate paths
        return True
    unsure = any(finding.code in _UNSURE for finding in report.findings)
    return not unsure and str(len(_BOX.findall(report.text))) == total


def _adds_findings(before: PlanReport, after: PlanReport) -> bool:
    """Return True if `after` has a finding that `before` does not have on any line."""
    kinds = [Counter((finding.code, finding.path) for finding in report.findings) for report in (after, before)]
    return after.plan is None or bool(kinds[0] - kinds[1])


def _step(report: PlanReport, schema: bool) -> Fix:
    plan = report.plan
    if plan is None or "\r" in report.text.replace("\r\n", ""):  # do not change lines that end in CR alone
        return Fix(report.text, report.text)
    kind = schema_kind(plan.format) if schema else None
    if kind is not None:
        fixed = fix_artifact(report.text, kind)
        if fixed.changes:
            return fixed
    lines = report.text.split("\n")
    statuses = plan.traits.statuses
    doubted = {f.span for f in report.findings if f.code == "count-matches" and not _proven(report, f.expected)}
    words = ((f, f.span, _at(lines, f.span)) for f in report.findings if f.span and f.span not in doubted)
    edits = {span: word for f, span, seen in words if (word := _word(f, seen, statuses))}
    after, changes = with_words(report.text, edits.items())
    return Fix(report.text, after, tuple(changes))


def _word(finding: Finding, seen: str, statuses: tuple[str, ...]) -> str | None:
    """Return the replacement for the text of a finding; None if a person must decide."""
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
    """Return the text of a span within one line; "" for any other span."""
    if span.end_line != span.line or span.end_column is None:
        return ""
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]
