"""Warnings that count as failures: what `planguard check --fail-on warn` asks for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...contract.finding import Severity
from ...retry.outcomes import CheckStatus

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from ...plans.judging.judge_files import PlanReport
    from ...retry.results import Convergence


def warnings_fail(verdict: Verdict) -> Verdict:
    """Return the verdict with its warnings as findings that make the answer bad."""
    return replace(verdict, findings=_raised(verdict.findings))


def plan_warnings_fail(report: PlanReport) -> PlanReport:
    """Return the report with its warnings, and what says that something was not read, as findings that make it bad."""
    unread = {id(finding) for finding in report.unread}
    findings = (
        replace(one, severity=Severity.WARN) if one.severity is Severity.INFO and id(one) in unread else one
        for one in report.findings
    )
    return replace(report, findings=_raised(tuple(findings)))


def check_warnings_fail(convergence: Convergence) -> Convergence:
    """Return the conversation with the checks failed that only warned, `valid` where its last answer has warnings."""
    checks = [replace(c, status=CheckStatus.FAIL) if c.status is CheckStatus.WARN else c for c in convergence.checks]
    verdict = convergence.verdict
    warned = [f for f in verdict.findings if f.severity is Severity.WARN] if verdict is not None else []
    if warned:
        first = warned[0]
        why = f"the last answer has {len(warned)} {'warning' if len(warned) == 1 else 'warnings'}: {first.message}"
        checks = [replace(c, status=CheckStatus.FAIL, message=why) if c.name == "valid" else c for c in checks]
    return replace(convergence, checks=tuple(checks))


def _raised(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(replace(f, severity=Severity.RETRY) if f.severity is Severity.WARN else f for f in findings)
