"""Validate one of autospec's YAML artifacts: schema, cross references, stated totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..contract.checking.document_findings import parse_findings
from ..contract.failure_kinds import FailureKind
from ..contract.finding import Finding, Severity
from ..document.answer import read
from ..errors import UsageError
from .artifact_schemas import KINDS, STATUS_BY_VERSION, Breach, check_object, schema_of
from .profiles.autospec import PROFILES
from .profiles.formats import detect
from .reading.outline import Source
from .reading.parsed_data import Record
from .rules.catalogue import BY_CODE, RULES
from .rules.judge_plan import by_place, check_plan

if TYPE_CHECKING:
    from ..document.answer import Document
    from .model.plan import Plan

COMPLETED = "completed"
"""The default schema version: a finished feature is "Completed"."""
_REFERENCES = ("id-unique", "dep-self", "dep-exists", "dep-cycle")
"""Rules about tasks that autospec's own validator checks too."""


@dataclass(frozen=True, slots=True)
class ArtifactReport:
    """The findings of one artifact."""

    kind: str
    text: str
    findings: tuple[Finding, ...] = ()
    """Errors and warnings, in the order in which autospec's validator checks them."""
    document: Document | None = None

    @property
    def valid(self) -> bool:
        """True if there are no errors; warnings do not count."""
        return not self.errors

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make the artifact invalid."""
        return tuple(finding for finding in self.findings if finding.severity.bad)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that leave the artifact valid."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.WARN)


def validate_artifact(
    text: str | bytes, kind: str | None = None, *, strict: bool = False, version: str = COMPLETED
) -> ArtifactReport:
    """Validate one artifact. No text makes it raise an exception.

    Args:
        text: the YAML.
        kind: "spec", "plan", "tasks", "analysis", "checklist" or "constitution"; None to detect it from the content.
        strict: also check what autospec's schema declares but its validator does not check: scalar types, id patterns,
            more required fields, unknown sections, stated totals, and every structural rule.
        version: selects the allowed values for a feature's status: "completed" (later versions) or "implemented"
            (first design).

    Raises:
        UsageError: there is no such kind or version.
    """
    return validate_document(read(text, format="yaml", extract="whole"), kind, strict=strict, version=version)


def validate_document(
    document: Document, kind: str | None = None, *, strict: bool = False, version: str = COMPLETED
) -> ArtifactReport:
    """Validate one parsed artifact, as `validate_artifact` does.

    Raises:
        UsageError: there is no such kind or version.
    """
    if kind is not None and kind not in KINDS:
        raise UsageError(f"unknown artifact {kind!r}. Known: {', '.join(KINDS)}")
    check_version(version)
    broken = tuple(finding for finding in parse_findings(document, None) if strict or finding.code != "duplicate_key")
    if not isinstance(document.data, dict):
        if not any(finding.severity.bad for finding in broken):  # no finding explains yet why there is no mapping
            message, span = "expected object at the document's root", document.locate(())
            broken += (Finding("type", (), message, FailureKind.TYPE, span=span, expected="object"),)
        return ArtifactReport(kind or "unknown", document.text, broken, document)
    detected = detect(Source(document), PROFILES, hints=True) if kind is None else None
    found = kind or (detected.profile.name.removeprefix("autospec-") if detected else "tasks")
    fields = schema_of(found, version)
    findings = [*broken, *_located(document, check_object(document.data, fields, (), strict=strict))]
    findings += _references(document, found, strict=strict)
    warnings = {"plan": _unmitigated, "tasks": _unexplained}.get(found)
    findings += () if warnings is None else _located(document, warnings(document.data), Severity.WARN)
    return ArtifactReport(found, document.text, tuple(findings), document)


def check_version(version: str) -> str:
    """Return the name of a schema version. Raises UsageError for an unknown one."""
    if version not in STATUS_BY_VERSION:
        raise UsageError(f"unknown schema version {version!r}. Known: {', '.join(STATUS_BY_VERSION)}")
    return version


def _located(document: Document, breaches: Iterable[Breach], severity: Severity = Severity.RETRY) -> Iterator[Finding]:
    listed = list(breaches)
    spans = document.locate_many({breach.at for breach in listed}) if listed else {}
    for breach in listed:
        told = (breach.code, breach.path, breach.message, FailureKind(breach.code), severity, spans.get(breach.at))
        yield Finding(*told, breach.expected, breach.actual, breach.hint, allowed=breach.choices)


def _references(document: Document, kind: str, *, strict: bool) -> tuple[Finding, ...]:
    """Return the findings of the structural rules: of all rules in strict mode, else of the rules in autospec."""
    if strict:
        rules = [rule for rule in RULES.built_in if rule.code not in ("root-shape", "status-enum", "format-detect")]
    else:
        rules = [BY_CODE[code] for code in _REFERENCES if kind == "tasks"]
    profile = next(profile for profile in PROFILES if profile.name == f"autospec-{kind}")
    plan = profile.read(Source(document)) if rules else None
    return () if plan is None else check_plan(replace(plan, traits=replace(plan.traits, severities={})), rules)


def _objects(record: Record, key: str) -> Iterator[tuple[int, Record]]:
    """Yield the objects of a list field with their indices."""
    listed = record.get(key)
    for number, item in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(item, dict):
            yield number, item


def _unmitigated(data: Record) -> Iterator[Breach]:
    """Yield high-impact risks without a mitigation."""
    for number, risk in _objects(data, "risks"):
        mitigation = risk.get("mitigation")
        if risk.get("impact") == "high" and not (isinstance(mitigation, str) and mitigation.strip()):
            path = ("risks", number)
            message = f"high-impact risk {risk.get('id', f'risks[{number}]')} has no mitigation strategy"
            yield Breach("missing", (*path, "mitigation"), path, message, "a mitigation")


def _unexplained(data: Record) -> Iterator[Breach]:
    """Yield blocked tasks without a reason."""
    for outer, phase in _objects(data, "phases"):
        for inner, task in _objects(phase, "tasks"):
            if task.get("status") == "Blocked" and not task.get("blocked_reason"):
                path = ("phases", outer, "tasks", inner)
                message = "blocked task is missing a blocked_reason"
                yield Breach("missing", (*path, "blocked_reason"), (*path, "status"), message, "a reason")


FAMILY = "autospec"
"""The family of formats that has schemas."""
_REPORTED_BY_SCHEMA = frozenset({"root-shape", "status-enum"})
"""Rules whose findings the schema also reports, with the expected field."""
_SCHEMA_CODES = frozenset({"missing", "type", "enum", "format", "length", "extra"})
"""Codes of findings that come only from a schema."""


def schema_kind(format_name: str) -> str | None:
    """Return the name of a format's schema: "spec" for "autospec-spec"; None if the format has no schema."""
    return format_name.removeprefix(f"{FAMILY}-") if format_name.startswith(f"{FAMILY}-") else None


def with_schema(
    plan: Plan, document: Document, findings: Iterable[Finding], *, version: str = COMPLETED
) -> tuple[Finding, ...]:
    """Return the findings of rules and schema, sorted by place. If both find the same fault, keep the schema's finding.

    What the schema declares and autospec does not check is a warning.

    Args:
        plan: the plan that was read from the document.
        document: the parsed text of the plan, in which the schema's findings are located.
        findings: the findings of the rules.
        version: selects the allowed values for a feature's status: "completed" or "implemented".
    """
    kind = schema_kind(plan.format)
    if kind is None:
        return tuple(findings)
    breaches = validate_document(document, kind, strict=True, version=version).findings
    checked = {one.identity for one in validate_document(document, kind, strict=False, version=version).findings}
    kept = [finding for finding in findings if finding.code not in _REPORTED_BY_SCHEMA]
    known = {finding.identity for finding in kept}
    kept += [
        one if one.identity in checked else replace(one, severity=Severity.WARN)
        for one in breaches
        if one.code in _SCHEMA_CODES and one.identity not in known
    ]
    return by_place(kept)
