"""Judge the documents of a folder together: what the plan cites must stand in the spec, and the other way round."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..profiles.profile_table import PROFILES
from ..reading.left_out import CODE as UNREAD_TASKS
from ..rules.judge_plan import check_plan
from ..rules.rule_table import BY_CODE, RULES
from .judge_files import PlanReport, check_text

if TYPE_CHECKING:
    from ...contract.finding import Finding, Severity
    from ..model.plan import Plan
    from ..profiles.profile import Profile
    from ..rules.rule import Rule

TRACE_RULES = ("trace-forward", "trace-backward")


def check_folder(
    texts: Mapping[str, str | bytes],
    *,
    rules: Iterable[Rule] = RULES,
    severity: Mapping[str, Severity | str] | None = None,
    profiles: Iterable[Profile] = PROFILES,
    named: Collection[str] = (),
    format_named: bool = False,
    catalogue: Collection[str] | None = None,
) -> dict[str, PlanReport]:
    """Return the report of every file, with what only the files of one folder together show.

    Args:
        texts: path, with forward slashes, to content.
        rules: which rules to ask.
        severity: rule code to severity.
        profiles: the formats that are known.
        named: paths that somebody says are plans: a hint of a format is enough there.
        format_named: whether somebody named the format, and `profiles` are what may be meant by it.
        catalogue: names of the guards, agents or runners that tasks may name; None asks nothing of them.
    """
    asked, formats = tuple(rules), tuple(profiles)
    family = {profile.name: profile.family for profile in formats}
    reports = {
        path: check_text(
            text,
            path=path,
            rules=asked,
            severity=severity,
            profiles=formats,
            hints=path in named,
            named=format_named,
            catalogue=catalogue,
        )
        for path, text in texts.items()
    }
    trace = [rule for rule in asked if rule.code in TRACE_RULES]
    for paths in _groups(reports, family):
        for path, findings in _traced({path: reports[path] for path in paths}, trace, severity):
            reports[path] = replace(reports[path], findings=(*reports[path].findings, *findings))
    return reports


def _groups(reports: Mapping[str, PlanReport], family: Mapping[str, str]) -> Iterable[list[str]]:
    """Paths of one folder and one family."""
    groups: dict[tuple[str, str], list[str]] = {}
    for path, report in reports.items():
        if report.plan is not None:
            groups.setdefault((path.rpartition("/")[0], family[report.plan.format]), []).append(path)
    return [paths for paths in groups.values() if len(paths) > 1]


def _traced(
    reports: Mapping[str, PlanReport], rules: list[Rule], severity: Mapping[str, Severity | str] | None
) -> Iterator[tuple[str, tuple[Finding, ...]]]:
    """Specs with the tasks of their neighbours, and tasks with the requirements of theirs."""
    plans = {path: report.plan for path, report in reports.items() if report.plan is not None}
    for path, plan in plans.items():
        others = [other for name, other in plans.items() if name != path and other.format != plan.format]
        if plan.requirements and not plan.tasks:
            joined = replace(
                plan,
                tasks=tuple(task for other in others for task in other.tasks),
                cites=tuple(ref for other in others for ref in other.cites),
                spoken_of=tuple(name for other in others for name in other.spoken_of),
                unsure=_unsure(plan, others),
                defects=tuple(defect for other in others for defect in other.defects if defect.code == UNREAD_TASKS),
            )
            joined = replace(joined, traits=replace(plan.traits, severities=_severities(others)))
            yield path, _only("trace-forward", joined, rules, severity)
        if plan.tasks and not plan.requirements:
            found = tuple(requirement for other in others for requirement in other.requirements)
            joined = replace(plan, requirements=found, unsure=_unsure(plan, others))
            yield path, _only("trace-backward", joined, rules, severity)


def _unsure(plan: Plan, others: Iterable[Plan]) -> tuple[str, ...]:
    """Return what is not sure of a plan or of those that it is judged with."""
    return (*plan.unsure, *(part for other in others for part in other.unsure))


def _severities(plans: Iterable[Plan]) -> Mapping[str, Severity]:
    return {code: value for plan in plans for code, value in plan.traits.severities.items()}


def _only(
    code: str, plan: Plan, rules: list[Rule], severity: Mapping[str, Severity | str] | None
) -> tuple[Finding, ...]:
    asked = [rule for rule in rules if rule.code == code]
    return check_plan(plan, asked or (), severity=severity) if BY_CODE[code] in asked else ()
