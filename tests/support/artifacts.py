"""Validate one of autospec's artifacts as its own validators do: in their order, and without what they do not check."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pytest_planguard.contract.document_findings import parse_findings
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.document.answer import Document, read
from pytest_planguard.plans.judging.artifact_schema import COMPLETED, check_version, schema_findings
from pytest_planguard.plans.profiles.autospec import PROFILES
from pytest_planguard.plans.profiles.formats import detect
from pytest_planguard.plans.reading.outline import Source
from pytest_planguard.plans.rules.judge_plan import BY_CODE, RULES, check_plan

_REFERENCES = ("id-unique", "dep-self", "dep-exists", "dep-cycle")
"""Rules about tasks that autospec's own validator checks too."""


@dataclass(frozen=True, slots=True)
class ArtifactReport:
    """The findings of one artifact, in the order in which autospec's validator checks them."""

    kind: str
    text: str
    findings: tuple[Finding, ...]
    document: Document

    @property
    def valid(self) -> bool:
        """True without errors."""
        return not self.errors

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make the artifact invalid."""
        return tuple(finding for finding in self.findings if finding.severity.bad)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that leave it valid."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.WARN)


def validate_artifact(
    text: str | bytes, kind: str | None = None, *, strict: bool = False, version: str = COMPLETED
) -> ArtifactReport:
    """Validate an artifact; `strict` makes everything an error that the schema declares, and applies every rule."""
    check_version(version)
    document = read(text, format="yaml", extract="whole")
    source, is_object = Source(document), isinstance(document.data, dict)
    detected = detect(source, PROFILES, hints=True) if kind is None and is_object else None
    found = kind or (detected[0].name.removeprefix("autospec-") if detected else "tasks")
    findings = [one for one in parse_findings(document, None) if strict or one.code != "duplicate_key"]
    for one in schema_findings(document, found, version):
        declared = one.severity is Severity.WARN and one.expected not in ("a mitigation", "a reason")
        if strict or not declared:
            findings.append(replace(one, severity=Severity.RETRY) if declared else one)
    if is_object:
        profile = next(profile for profile in PROFILES if profile.name == f"autospec-{found}")
        plan = profile.read(source)
        left_out = ("root-shape", "status-enum", "format-detect")
        rules = [rule for rule in RULES.built_in if rule.code not in left_out]
        asked = rules if strict else [BY_CODE[code] for code in _REFERENCES if found == "tasks"]
        references = check_plan(replace(plan, traits=replace(plan.traits, severities={})), asked)
        warned = [one for one in findings if one.expected in ("a mitigation", "a reason")]
        findings = [*(one for one in findings if one not in warned), *references, *warned]
    return ArtifactReport(found if is_object else kind or "unknown", document.text, tuple(findings), document)
