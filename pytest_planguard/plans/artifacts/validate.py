"""Validate one YAML artifact: schema, cross references, stated totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...contract.checking.document_findings import parse_findings
from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding, Severity
from ...document.answer import read
from ...errors import UsageError
from ..detect import detect
from ..profiles.autospec import PROFILES, read_tasks
from ..reading.source import Source
from ..rules.judge_plan import check_plan
from ..rules.rule_table import BY_CODE, RULES
from .field_checks import Breach, check_object
from .schemas import KINDS, STATUS_BY_VERSION, schema_of

if TYPE_CHECKING:
    from ...document.answer import Document

COMPLETED = "completed"
"""The schema version of a project that names none: a finished feature is "Completed"."""
_REFERENCES = ("id-unique", "dep-self", "dep-exists", "dep-cycle")
"""Rules about tasks that the original's validator has too."""


@dataclass(frozen=True, slots=True)
class ArtifactReport:
    """What was found in one artifact."""

    kind: str
    text: str
    findings: tuple[Finding, ...] = ()
    """Errors and warnings, in the order of the original's checks."""
    document: Document | None = None

    @property
    def valid(self) -> bool:
        """True where nothing is wrong; warnings do not count."""
        return not self.errors

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What makes the artifact invalid."""
        return tuple(finding for finding in self.findings if finding.severity.bad)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What is worth a look."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.WARN)


def validate_artifact(
    text: str | bytes, kind: str | None = None, *, strict: bool = False, version: str = COMPLETED
) -> ArtifactReport:
    """Validate one artifact. Never raises for any text.

    Args:
        text: the YAML.
        kind: "spec", "plan", "tasks", "analysis", "checklist" or "constitution"; None to tell by the content.
        strict: also check what the schema declares and the original does not check: scalar types, id patterns, more
            required fields, unknown sections, stated totals, and every structural rule.
        version: which words a feature's status may have: "completed" (later versions) or "implemented" (first design).

    Raises:
        UsageError: there is no such kind or version.
    """
    return validate_document(read(text, format="yaml", extract="whole"), kind, strict=strict, version=version)


def validate_document(
    document: Document, kind: str | None = None, *, strict: bool = False, version: str = COMPLETED
) -> ArtifactReport:
    """Validate one artifact that is read already, as `validate_artifact` does.

    Raises:
        UsageError: there is no such kind or version.
    """
    if kind is not None and kind not in KINDS:
        raise UsageError(f"unknown artifact {kind!r}. Known: {', '.join(KINDS)}")
    check_version(version)
    broken = tuple(finding for finding in parse_findings(document, None) if strict or finding.code != "duplicate_key")
    if not isinstance(document.data, dict):
        return ArtifactReport(kind or "unknown", document.text, _unmapped(document, broken), document)
    found = kind or _kind_of(document)
    fields = schema_of(found, version)
    findings = [*broken, *_located(document, check_object(document.data, fields, (), strict=strict))]
    findings += _references(document, found, strict=strict)
    findings += _warnings(document, found)
    return ArtifactReport(found, document.text, tuple(findings), document)


def _unmapped(document: Document, broken: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return the findings of a document without a mapping at its root: why it has none, or that it has none."""
    return broken if any(finding.severity.bad for finding in broken) else (*broken, _no_mapping(document))


def check_version(version: str) -> str:
    """Return the name of a schema version. Raises UsageError where there is none of that name."""
    if version not in STATUS_BY_VERSION:
        raise UsageError(f"unknown schema version {version!r}. Known: {', '.join(STATUS_BY_VERSION)}")
    return version


def _no_mapping(document: Document) -> Finding:
    span = document.locate(())
    return Finding("type", (), "expected object at the document's root", FailureKind.TYPE, span=span, expected="object")


def _kind_of(document: Document) -> str:
    found = detect(Source(document), PROFILES, hints=True)
    return "tasks" if found is None else found.profile.name.removeprefix("autospec-")


def _located(document: Document, breaches: Iterable[Breach], severity: Severity = Severity.RETRY) -> Iterator[Finding]:
    listed = list(breaches)
    spans = document.locate_many({breach.at for breach in listed}) if listed else {}
    for breach in listed:
        yield Finding(
            breach.code,
            breach.path,
            breach.message,
            breach.kind,
            severity,
            spans.get(breach.at),
            breach.expected,
            breach.actual,
            breach.hint,
            allowed=breach.choices,
        )


def _references(document: Document, kind: str, *, strict: bool) -> list[Finding]:
    """Return what the structural rules say: all of them in strict mode, those of the original else."""
    if strict:
        codes = [rule for rule in RULES.built_in if rule.code not in ("root-shape", "status-enum", "format-detect")]
        plan = _plan(document, kind)
        return [] if plan is None else list(check_plan(plan, codes))
    if kind != "tasks":
        return []
    return list(check_plan(read_tasks(Source(document)), [BY_CODE[code] for code in _REFERENCES]))


def _plan(document: Document, kind: str) -> Any:
    profile = next(profile for profile in PROFILES if profile.name == f"autospec-{kind}")
    return profile.read(Source(document))


def _warnings(document: Document, kind: str) -> list[Finding]:
    if kind == "plan":
        found = _unmitigated(document.data)
    elif kind == "tasks":
        found = _unexplained(document.data)
    else:
        return []
    return list(_located(document, found, Severity.WARN))


def _unmitigated(data: dict[Any, Any]) -> Iterator[Breach]:
    """Risks of high impact without a mitigation."""
    risks = data.get("risks")
    for number, risk in enumerate(risks if isinstance(risks, list) else ()):
        if isinstance(risk, dict) and risk.get("impact") == "high":
            mitigation = risk.get("mitigation")
            if not isinstance(mitigation, str) or not mitigation.strip():
                path = ("risks", number)
                name = risk.get("id", f"risks[{number}]")
                message = f"high-impact risk {name} has no mitigation strategy"
                yield Breach("missing", (*path, "mitigation"), path, message, "a mitigation")


def _unexplained(data: dict[Any, Any]) -> Iterator[Breach]:
    """Blocked tasks that do not say why."""
    phases = data.get("phases")
    for outer, phase in enumerate(phases if isinstance(phases, list) else ()):
        tasks = phase.get("tasks") if isinstance(phase, dict) else None
        for inner, task in enumerate(tasks if isinstance(tasks, list) else ()):
            if isinstance(task, dict) and task.get("status") == "Blocked" and not task.get("blocked_reason"):
                path = ("phases", outer, "tasks", inner)
                message = "blocked task is missing a blocked_reason"
                yield Breach("missing", (*path, "blocked_reason"), (*path, "status"), message, "a reason")
