"""Annotations beside a change: one for each case, and one for each baseline entry that needs an edit.

GitHub's workflow commands, SARIF and JUnit use the same list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ..contract.finding import Severity
from ..document.path import wildcard
from ..printable import one_line, visible
from ..runs.compare.run_diff import Bucket
from ..runs.gate.known_failures import identity_of
from ..runs.model.broken_rules import TEST, Broken, broken_rules, sorted_rules
from .case_words import (
    bad_findings,
    broken_text,
    entry_line,
    finding_line,
    findings_of,
    known_reason,
    lines_of,
    new_lines,
)
from .change_text import change_line
from .comparison_words import case_title
from .page import plain
from .pages.comparison import case_view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..contract.finding import Finding
    from ..runs.compare.run_diff import CaseDiff
    from ..runs.model.run import CaseRow
    from .comparison_words import DiffReport


_LINE = re.compile(r"(.+):([1-9][0-9]{0,8})\Z", re.DOTALL)
"""A file with a line, as in cases of JSON Lines: "out/main.jsonl:12"."""


_AT_LINE = re.compile(r"line ([1-9][0-9]{0,8}):")
"""The head of a reason about one line of a file: "line 2: not JSON"."""
LONGEST = 1_000
"""Maximum number of characters of a text that may be a path."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file. The file's name is not yet escaped."""

    file: str
    """The path with "/". It is relative to the repository's root if the path of the test or the answers is relative."""
    line: int | None = None
    column: int | None = None


def location_of(case: CaseDiff, prefix: str, rule: str | None, finding: Finding | None = None) -> Location | None:
    """Return the place of a case in the candidate, if it has the case, and preferably of a bad row.

    None if no place is known.

    Args:
        case: the case.
        prefix: folder that the rows' paths are relative to, itself relative to the repository's root.
        rule: code of the finding whose place is wanted, if the file is the answer itself.
        finding: this finding itself; None for the first bad one of the rule.
    """
    rows = case.candidate or case.base
    row = next((row for row in rows if not row.ok), rows[0] if rows else None)
    if row is None or not row.test:
        return None
    found = _place(row, rule, finding)
    file = _joined(prefix, found.file)
    return Location(file, found.line, found.column) if len(file) <= LONGEST else None


def _place(row: CaseRow, rule: str | None, finding: Finding | None) -> Location:
    if "::" in row.test:
        return Location(row.test.partition("::")[0], row.line)
    numbered = _LINE.match(row.test)
    if numbered:
        return Location(numbered[1], int(numbered[2]))
    if row.cassette is not None or len(row.judged) != 1 or not row.judged[0].single:
        return Location(row.test)  # the places of findings are not those of the file
    finding = finding or next((one for one in bad_findings(row) if rule in (None, one.code)), None)
    if finding is None or finding.span is None or finding.inside:
        return Location(row.test)
    return Location(row.test, finding.span.line, finding.span.column)


def _joined(prefix: str, file: str) -> str:
    path = file.replace("\\", "/").removeprefix("./")
    absolute = path.startswith("/") or path[1:3] == ":/"  # "/home/me/a.py", "C:/repo/a.py"
    return path if absolute or not prefix else f"{prefix.strip('/')}/{path}"


CHANGES = 10
"""Maximum number of changes of a case in its annotation."""
SAID = 3
"""Maximum number of findings of one breach to list. Many items of a list may break a rule."""
Level = Literal["error", "warning", "notice"]
Status = Literal["passed", "failed", "skipped", "error"]
_UNKNOWN = (Bucket.STALE, Bucket.UNSTABLE, Bucket.NOT_COMPARABLE)
"""Buckets of unknown result: neither passed nor failed."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that a failing case breaks."""

    rule: Broken
    message: str
    """The problem with its place, and the changes that cause it."""
    finding: Finding | None
    """The first breach of the rule in the candidate's answers; None without a finding."""
    is_new: bool
    location: Location | None


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotation, not yet escaped for any service."""

    level: Level | None
    """None for an annotation that belongs only in a list of all cases."""
    title: str
    """A title such as 'new failure'."""
    subject: str
    """The case or the entry that it is about; "" for a message without one."""
    message: str
    """The reason, on one line."""
    details: tuple[str, ...] = ()
    location: Location | None = None
    status: Status = "failed"
    kind: str = ""
    """Its bucket, "expired" or "gone"."""
    case: CaseDiff | None = None
    breaches: tuple[Breach, ...] = ()
    warned: tuple[Breach, ...] = ()
    """The findings of severity warn in a single run."""
    known: str = ""
    """Why the list of known failures excuses it; "" if it does not."""


def all_annotations(report: DiffReport) -> Iterator[Annotation]:
    """Yield an annotation for each part that wasn't judged, for each case, and for each baseline entry to edit."""
    yield from (_unjudged(file, reason, report.prefix) for file, reason in report.unjudged)
    yield from (_case(report, case) for case in report.diff.cases)
    if report.held is None:
        return
    at = {row.key: case for case in report.diff.cases for row in case.candidate}
    level: Level = "error" if report.fails else "warning"
    for kind, title, entries in (
        ("expired", "a known failure has expired", report.held.expired),
        ("gone", "a listed failure no longer fails", report.held.fixed),
    ):
        for entry in entries:
            place = location_of(at[entry.case], report.prefix, entry.rule) if entry.case in at else None
            status: Status = "failed" if report.fails else "skipped"
            subject = one_line(str(entry), 400)
            yield Annotation(level, title, subject, entry_line(entry), location=place, status=status, kind=kind)


def _unjudged(file: str, reason: str, prefix: str) -> Annotation:
    found = _AT_LINE.match(reason)
    place = Location(_joined(prefix, file), int(found[1]) if found else None) if file else None
    subject = f"{file}:{found[1]}" if found else file or "everything"
    message = one_line(": ".join(filter(None, (file, reason))), 600)
    return Annotation("error", "not judged", subject, message, location=place, status="error", kind="error")


def _case(report: DiffReport, case: CaseDiff) -> Annotation:
    view, known = case_view(report, case), report.is_known(case)
    new = case.is_new_failure
    level: Level | None = "error" if new and not known else "warning" if known or case.bucket in _UNKNOWN else None
    skipped = known or case.bucket in (*_UNKNOWN, Bucket.REMOVED)
    return Annotation(
        level,
        "known failure" if known else case_title(case),
        case.key,
        "; ".join(filter(None, map(plain, (view.why, *view.ruled())))),
        (*new_lines(case), *(change_line(change) for change in view.changes[:CHANGES])),
        location_of(case, report.prefix, case.broken[0].rule if case.broken else None),
        "skipped" if skipped else "failed" if case.fails else "passed",
        case.bucket.value,
        case,
        tuple(_breaches(report, case)) if case.fails else (),
        tuple(_warned(report, case)) if report.judged else (),
        _justified(report, case) if known else "",
    )


def _warned(report: DiffReport, case: CaseDiff) -> Iterator[Breach]:
    """Yield the findings of severity warn in the last answers of a case."""
    lasts = [judged.last for row in case.candidate for judged in row.judged if judged.single]
    for finding in [one for last in lasts if last is not None for one in last.findings]:
        if finding.severity is Severity.WARN:
            yield _breach(report, case, finding)


def _breach(report: DiffReport, case: CaseDiff, finding: Finding) -> Breach:
    """Return one finding, with its own place, as a breach of its rule."""
    broken = Broken(finding.code, wildcard(finding.path))
    message = f"{one_line(case.key, 160)} breaks {broken_text(broken)}\n{finding_line(finding)}"
    return Breach(broken, message, finding, True, location_of(case, report.prefix, finding.code, finding))


def _one_by_one(report: DiffReport, annotation: Annotation) -> Iterator[Annotation]:
    """Yield an annotation for each finding of a single run whose file is the answer, since each has its own place."""
    case = annotation.case
    bad = [one for row in case.candidate for one in bad_findings(row)] if case is not None else []
    own = [_breach(report, case, one) for one in bad] if case is not None and annotation.level == "error" else []
    places = {one.location for one in own}
    if len(places) > 1:
        yield from (_of_breach(annotation, "error", one) for one in own)
    elif annotation.level is not None:
        yield annotation
    yield from (_of_breach(annotation, "warning", one) for one in annotation.warned)


def _of_breach(annotation: Annotation, level: Level, breach: Breach) -> Annotation:
    title = annotation.title if level == "error" else "warning"
    broken, _, said = breach.message.removeprefix(f"{one_line(annotation.subject, 160)} ").partition("\n")
    return replace(annotation, level=level, title=title, message=broken, details=(said,), location=breach.location)


def _breaches(report: DiffReport, case: CaseDiff) -> Iterator[Breach]:
    """Yield the rules that a failing case breaks, sorted. If none is known, yield that its test failed."""
    own = {*case.open} & {*broken_rules(case.candidate)}
    new = {*case.broken} if case.bucket is not Bucket.ADDED else {*case.broken, *case.still_broken}
    for broken in sorted_rules((*case.broken, *case.still_broken, *own)) or [Broken(f"{TEST}:failed")]:
        changes = [change_line(change) for change in case.changes if broken.rule in change.breaks][:CHANGES]
        said = list(dict.fromkeys(lines_of(case, broken)))[:SAID]
        yield Breach(
            broken,
            "\n".join([f"{one_line(case.key, 160)} breaks {broken_text(broken)}", *said, *changes]),
            (first := next(findings_of(case, broken), None)),
            broken in new or case.is_new_failure,
            location_of(case, report.prefix, broken.rule, first),
        )


def _justified(report: DiffReport, case: CaseDiff) -> str:
    rules = (*case.broken, *case.still_broken)
    entries = report.entries_of(identity_of(row, rule) for row in case.candidate for rule in rules)
    return known_reason(entries) if entries else "listed as a known failure"


# Commands of a GitHub workflow: `::error file=…,line=…,title=…::message`, one per line. Format and escapes: GitHub
# Docs, "Workflow commands for GitHub Actions". Data escapes %, CR and LF; properties also colon and comma.

SHOWN = 10
"""Maximum number of annotations of one level in a step. The last one counts the rest."""
LEVELS: tuple[Level, ...] = ("error", "warning", "notice")


def render_github(report: DiffReport) -> str:
    """Return the annotations, errors first. The last line is the verdict as a notice."""
    found = [*all_annotations(report)]
    if report.judged:
        found = [one for each in found for one in _one_by_one(report, each)]
    found = [each for each in found if each.level is not None]
    reasons = report.gate.reasons if report.gate is not None else ()
    found += [Annotation("error", "", "", one_line(reason, 400)) for reason in reasons]
    lines: list[str] = []
    for level in LEVELS:
        every = [each for each in found if each.level == level]
        shown = every if len(every) <= SHOWN else every[: SHOWN - 1]
        lines += map(command, shown)
        if len(every) > len(shown):
            more = f"{len(every) - len(shown):,} more: see the job's summary, or {report.command} --format text"
            lines.append(command(Annotation(level, "", "", more)))
    return "\n".join([*lines, command(Annotation("notice", "", "", report.verdict_line))])


def command(annotation: Annotation) -> str:
    """Return the annotation as a workflow command."""
    place = annotation.location
    known = {"file": visible(place.file, keep="")} if place is not None else {}
    if place is not None:
        known |= {name: str(n) for name, n in (("line", place.line), ("col", place.column)) if n is not None}
    known["title"] = f"planguard: {annotation.title}" if annotation.title else "planguard"
    shown = ",".join(f"{name}={_data(value).replace(':', '%3A').replace(',', '%2C')}" for name, value in known.items())
    subject = one_line(annotation.subject, 160) if annotation.case is not None else ""
    head = ": ".join(filter(None, (subject, annotation.message)))
    # chr(10), because Python 3.11 allows no backslash inside the braces
    return f"::{annotation.level} {shown}::{_data(chr(10).join((head, *annotation.details)))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
