"""autospec's own words for what is wrong with an artifact, and the words of the design that it grew from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Related
from pytest_planguard.document.path import to_dotted
from pytest_planguard.plans.judging.artifact_schema import schema_of

from ...support.artifacts import ArtifactReport, validate_artifact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_planguard.document.path import Path
    from pytest_planguard.document.positions import Span
    from pytest_planguard.plans.judging.artifact_schema import Fields

EMPTY = "failed to parse YAML: file is empty or contains only comments"
"""What the original says of a file that holds no document; it puts the file's path before it."""
_UNPREFIXED = {
    ("feature", "branch"),
    ("feature", "created"),
    ("plan", "branch"),
    ("plan", "spec_path"),
    ("tasks", "branch"),
    ("checklist", "feature"),
    ("checklist", "branch"),
    ("checklist", "domain"),
    ("number",),
    ("title",),
}
"""Required fields whose paths the original writes without what stands before them."""


def validate(text: str | bytes, kind: str) -> ArtifactReport:
    """Validate as the original does: a task that depends on itself is a circle too, and one circle is reported."""
    report = validate_artifact(text, kind)
    findings = [*_without_cycles(report), *_first_cycle(report)]
    return ArtifactReport(report.kind, report.text, tuple(findings), report.document)


def _without_cycles(report: ArtifactReport) -> Iterator[Finding]:
    return (finding for finding in report.findings if finding.code != "dep-cycle")


def _first_cycle(report: ArtifactReport) -> list[Finding]:
    """Return the one circle that the original reports, at the task of its smallest id; of a self-dependency its own."""
    cycle = next((finding for finding in report.findings if finding.code == "dep-cycle"), None)
    own = next((finding for finding in report.findings if finding.code == "dep-self"), None)
    found = cycle or own
    if found is None or report.document is None:
        return []
    if cycle is not None:
        arrows = cycle.message.removeprefix("dependency cycle ").partition(" (")[0].partition(";")[0]
    else:
        name = found.message.partition(" ")[0]
        arrows = f"{name} -> {name}"
    span = report.document.locate(found.path[:4])
    return [Finding("dep-cycle", ("phases",), f"circular dependency detected: {arrows}", FailureKind.RULE, span=span)]


def error_strings(report: ArtifactReport) -> list[str]:
    """Return the errors as `line 18:17: risks[0].likelihood: invalid value for field 'risks[0].likelihood'`."""
    if not any(line.strip() and not line.lstrip().startswith("#") for line in report.text.split("\n")):
        return [EMPTY]
    return [_original(finding) for finding in report.errors]


def _original(finding: Finding) -> str:
    path = _path(finding)
    column = finding.code in ("type", "enum") and not isinstance(finding.path[-1:], int)
    return f"{_at(finding.span, column=column)}{path}: {_message(finding, path)}"


def _at(span: Span | None, *, column: bool) -> str:
    if span is None:
        return ""
    return f"line {span.line}:{span.column}: " if column else f"line {span.line}: "


def _path(finding: Finding) -> str:
    tail: Path = tuple(part for part in finding.path if not isinstance(part, int))
    inner = tail[-1:] in _UNPREFIXED and len(finding.path) > 1
    if finding.code == "missing" and (tail in _UNPREFIXED or inner):
        return str(tail[-1]) if tail else ""
    return to_dotted(finding.path)


def _message(finding: Finding, path: str) -> str:
    name = str(finding.path[-1]) if finding.path else ""
    if finding.code == "missing":
        return f"missing required field: {name}"
    if finding.code == "type":
        word = "" if name.isdecimal() else "field "
        return f"wrong type for {word}'{path}'"
    if finding.code == "enum":
        return f"invalid value for field '{path}'"
    actual = (finding.actual or "").strip('"')
    if finding.code == "format":
        return f"invalid risk ID format: '{actual}'"
    if finding.code == "length":
        return f"notes too long: {actual} characters (max 1000)"
    return _reference(finding, actual)


def _reference(finding: Finding, actual: str) -> str:
    task = finding.message.partition(" ")[0]
    if finding.code == "dep-self":
        return f"task '{task}' cannot depend on itself"
    if finding.code == "dep-exists":
        return f"invalid dependency: task '{task}' depends on '{actual}' which does not exist"
    if finding.code == "id-unique":
        first: Related | None = next(iter(finding.related), None)
        line = first.span.line if first is not None and first.span is not None else 0
        return f"duplicate task ID: {actual} (first defined at line {line})"
    return finding.message


def design_lines(findings: Sequence[Finding], kind: str = "spec", version: str = "implemented") -> list[str]:
    """Return the findings in the design's words: "line 5: missing required field 'feature.branch'"."""
    return [_designed(finding, schema_of(kind, version)) for finding in findings]


def _designed(finding: Finding, fields: Fields) -> str:
    path = to_dotted(finding.path)
    where = _at(finding.span, column=False)
    if finding.code == "missing":
        return f"{where}missing required field '{path}'"
    if finding.code == "enum":
        allowed = "|".join(_enum_at(fields, finding.path))
        value = (finding.actual or "").strip('"')
        return f"{where}invalid enum value '{finding.path[-1]}={value}' (expected: {allowed})"
    if finding.code == "type":
        return f"{where}wrong type for '{path}' (expected: {finding.expected}, got: {finding.actual})"
    return f"{where}{path}: {finding.message}"


def _enum_at(fields: Fields, path: Path) -> tuple[str, ...]:
    """Return the words that the schema allows at a path."""
    found: Any = fields
    for part in path:
        if isinstance(found, list) and isinstance(found[0], dict):
            found = found[0]
        if isinstance(found, dict):
            found = next((field for name, field in found.items() if name.rstrip("?!") == part), found)
    return tuple(found) if isinstance(found, list) else ()
