"""A comparison as annotations of a GitHub workflow: `::error file=…,line=…,title=…::message`, one a line.

The format and its escapes: GitHub Docs, "Workflow commands for GitHub Actions"; in data %, CR and LF are escaped, in
properties also colon and comma.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from ...printable import one_line, visible
from ...runs.compare.run_diff import Bucket
from ..words.baseline_text import entry_line
from ..words.comparison_words import case_title
from ..words.phrases import case_reason, change_line, command_of, finding_lines, verdict_line
from .location import location_of

if TYPE_CHECKING:
    from ...runs.compare.run_diff import CaseDiff
    from ..words.comparison_words import DiffReport
    from .location import Location

SHOWN = 10
"""Annotations of one level that a step shows; what is beyond is counted in the last of them."""
CHANGES = 5
"""Changes of a case in its annotation."""
LEVELS = ("error", "warning", "notice")
_LEVEL = {
    Bucket.NEW_FAILURE: "error",
    Bucket.ADDED: "error",
    Bucket.STALE: "warning",
    Bucket.UNSTABLE: "warning",
    Bucket.NOT_COMPARABLE: "warning",
}
"""Buckets that are annotated; of added cases only those that fail."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotation, not yet escaped."""

    level: str
    title: str
    message: str
    location: Location | None = None

    def command(self) -> str:
        """Return the line that the runner obeys."""
        place = self.location
        known = {"file": visible(place.file, keep="")} if place is not None else {}
        if place is not None and place.line is not None:
            known["line"] = str(place.line)
        if place is not None and place.column is not None:
            known["col"] = str(place.column)
        properties = {**known, "title": self.title}
        shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
        return f"::{self.level} {shown}::{_data(self.message)}"


def render_github(report: DiffReport) -> str:
    """Annotations, errors first; the last line is the verdict as a notice."""
    found = sorted(_annotations(report), key=lambda annotation: LEVELS.index(annotation.level))
    lines = []
    for _, group in groupby(found, key=lambda annotation: annotation.level):
        lines += [annotation.command() for annotation in _capped(list(group), command_of(report))]
    return "\n".join([*lines, Annotation("notice", "planguard", verdict_line(report)).command()])


def _annotations(report: DiffReport) -> Iterator[Annotation]:
    for case in report.diff.cases:
        if case.bucket in _LEVEL and (case.bucket is not Bucket.ADDED or case.is_new_failure):
            yield _annotation(report, case)
    yield from _listed(report)
    for reason in report.gate.reasons if report.gate is not None else ():
        yield Annotation("error", "planguard", one_line(reason, 400))


def _listed(report: DiffReport) -> Iterator[Annotation]:
    """Entries of the baseline that need an edit, at the place of their case."""
    held = report.gate.baseline if report.gate is not None else None
    if held is None:
        return
    at = {row.key: case for case in report.diff.cases for row in case.candidate}
    level = "error" if report.fails else "warning"
    for word, entries in (
        ("a known failure has expired", held.expired),
        ("a listed failure no longer fails", held.fixed),
    ):
        for entry in entries:
            place = location_of(at[entry.case], report.prefix, entry.rule) if entry.case in at else None
            yield Annotation(level, f"planguard: {word}", entry_line(entry), place)


def _annotation(report: DiffReport, case: CaseDiff) -> Annotation:
    level = "warning" if report.is_known(case) else _LEVEL[case.bucket]
    known = "known failure" if report.is_known(case) else case_title(case)
    reason = case_reason(case)
    lines = [f"{one_line(case.key, 160)}{f': {reason}' if reason else ''}"]
    lines += [*finding_lines(case), *(change_line(change) for change in case.changes[:CHANGES])]
    rule = case.broken[0].rule if case.broken else None
    return Annotation(level, f"planguard: {known}", "\n".join(lines), location_of(case, report.prefix, rule))


def _capped(group: list[Annotation], command: str) -> list[Annotation]:
    if len(group) <= SHOWN:
        return group
    rest = len(group) - SHOWN + 1
    more = f"{rest:,} more: see the job's summary, or {command} --format text"
    return [*group[: SHOWN - 1], Annotation(group[0].level, "planguard", more)]


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
