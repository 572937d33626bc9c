"""Findings that depend on other files: a delta and the current spec, requirements and the tasks that serve them.

A delta is compared with the spec that it changes, as `openspec archive` does.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

from ...contract.finding import Finding
from ...contract.phrasing import did_you_mean
from ..plan import Defect, Place, Plan, Requirement
from ..reading.task_forms import UNREAD_TASKS
from ..rules.judge_plan import by_place
from .judge_files import PlanReport, check_text


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Plan files with the files beside them."""

    reports: Mapping[str, PlanReport]
    """Maps each path, with forward slashes, to what was found in the file alone."""
    texts: Mapping[str, str | bytes]
    """The contents of these files. Others are read from the disk."""
    judge: Callable[..., tuple[Finding, ...]]
    """Returns the findings of a plan by the rules with these codes that the policy applies."""

    def judged(self, family: Mapping[str, str]) -> dict[str, PlanReport]:
        """Return the reports with the findings that depend on other files. `family` maps each format to its family."""
        found = {path: self._compared(path, report) for path, report in self.reports.items()}
        groups: dict[tuple[str, str], dict[str, Plan]] = {}  # files of one folder and family are compared
        for path, report in found.items():
            if report.plan is not None:
                name = report.plan.format  # a custom reader may give its plan another name than its format's
                groups.setdefault((path.rpartition("/")[0], family.get(name, name)), {})[path] = report.plan
        for plans in [group for group in groups.values() if len(group) > 1]:
            for path, joined, code in _traced(plans):
                found[path] = replace(found[path], findings=(*found[path].findings, *self.judge(joined, code)))
        return found

    def _compared(self, path: str, report: PlanReport) -> PlanReport:
        """Return the report of a file, with what does not fit the current spec, and with a delta that is missing."""
        if report.plan is None:
            return report
        defects: list[Defect] = []
        if report.plan.format == "openspec-proposal" or self._speaks_for_its_change(path, report.plan):
            defects += self._without_delta(path)
        elif (changed := _spec_of(path)) is not None and (text := self._content(changed)) is not None:
            spec = check_text(text, path=changed, format="openspec-spec", rules=()).plan
            defects += _against(report.plan, spec) if spec is not None else ()
        compared = replace(report.plan, defects=tuple(defects))
        found = self.judge(compared, "delta-missing", "delta-scenario", "delta-target") if defects else ()
        return replace(report, findings=by_place([*report.findings, *found])) if found else report

    def _speaks_for_its_change(self, path: str, plan: Plan) -> bool:
        """Return True for the tasks of a change without a proposal, or with one that was not read: findings go here."""
        proposal = f"{path.removesuffix('tasks.md')}proposal.md"
        if plan.format != "openspec-tasks" or proposal == path:
            return False
        return self.reports[proposal].plan is None if proposal in self.reports else self._content(proposal) is None

    def _without_delta(self, path: str) -> Iterator[Defect]:
        """Yield a defect if the change of a proposal or task list has no delta."""
        found = _CHANGE_PLACE.fullmatch(path)
        if found is None or not (folder := Path(found["change"])).is_dir():
            return
        if not any(_OWN_PLACE.fullmatch(file.as_posix()) for file in folder.rglob("*")):
            metadata = self._content(f"{found['change']}.openspec.yaml") or ""
            said = metadata if isinstance(metadata, str) else metadata.decode("utf-8", "replace")
            if _NEEDS_NONE.search(said) is None:
                yield Defect("delta-missing", "the change has no delta", expected="specs/CAPABILITY/spec.md")

    def _content(self, path: str) -> str | bytes | None:
        """Return the content of a file; None if there is no such file."""
        try:
            return self.texts.get(path) or Path(path).read_bytes()
        except OSError:
            return None


def _traced(plans: Mapping[str, Plan]) -> Iterator[tuple[str, Plan, str]]:
    """Yield each spec with the tasks of the plans beside it, and each task list with their requirements.

    Each comes with its path and the code of the rule that traces the requirements.
    """
    for path, plan in plans.items():
        others = [other for name, other in plans.items() if name != path and other.format != plan.format]
        # requirements that one file may hold in another form leave a citation in the other file in doubt
        unsure = (*plan.unsure, *(part for other in others for part in other.unsure))
        if plan.requirements and not plan.tasks:
            weights = {code: value for other in others for code, value in other.traits.severities.items()}
            joined = replace(
                plan,
                tasks=tuple(task for other in others for task in other.tasks),
                cites=tuple(ref for other in others for ref in other.cites),
                spoken_of=tuple(name for other in others for name in other.spoken_of),
                unsure=unsure,
                defects=tuple(defect for other in others for defect in other.defects if defect.code == UNREAD_TASKS),
                traits=replace(plan.traits, severities=weights),
            )
            yield path, joined, "trace-forward"
        if plan.tasks and not plan.requirements:
            found = tuple(requirement for other in others for requirement in other.requirements)
            yield path, replace(plan, requirements=found, unsure=unsure), "trace-backward"


_OWN_PLACE = re.compile(r"(?P<root>.*/)?changes/(?!archive/)[^/]+/(?P<spec>specs/(?:[^/]+/)+spec\.md)")
"""A delta of a change that is still open: "openspec/changes/add-login/specs/auth/spec.md"."""


def _spec_of(path: str) -> str | None:
    """Return the path of the current spec that a delta changes; None if the path is not the delta of an open change."""
    found = _OWN_PLACE.fullmatch(path)
    return f"{found['root'] or ''}{found['spec']}" if found else None


# "openspec/changes/add-login/tasks.md", but not "openspec/changes/archive/tasks.md": archived changes are done.
_CHANGE_PLACE = re.compile(r"(?P<change>(?:.*/)?changes/(?!archive/)[^/]+/)(?:proposal|tasks)\.md")
_NEEDS_NONE = re.compile(r"^skip_specs:[ \t]*true\b", re.MULTILINE)
"""A statement in the metadata of a change that it changes no spec."""


def _against(delta: Plan, spec: Plan) -> Iterator[Defect]:
    """Yield what a delta says that does not fit the current spec: OpenSpec refuses to archive it."""
    current, stated = {one.id: one for one in spec.requirements}, attrgetter("text", "headings")
    for old, new in delta.renames:
        if old.name in current:
            current[new.name] = current.pop(old.name)
        elif new.name not in current:
            yield _not_there(old.name, old.place, "RENAMED", current)
    for one in delta.requirements:
        if one.scope in ("MODIFIED", "REMOVED") and one.id not in current:
            yield _not_there(one.id, one.place, one.scope, current)
        elif one.scope == "MODIFIED":
            yield from _omitted(one, current[one.id])
        elif one.scope == "ADDED" and one.id in current and stated(one) != stated(current[one.id]):
            message = f"{one.id!r} is under ADDED, and the current spec already has it"
            yield Defect("delta-target", message, one.place, "MODIFIED, or another name")


def _not_there(name: str, place: Place, section: str, current: Mapping[str, Requirement]) -> Defect:
    message = f"{name!r} is under {section}, and the current spec has no such requirement"
    return Defect("delta-target", message, place, "a requirement of the current spec", hint=did_you_mean(name, current))


def _omitted(new: Requirement, old: Requirement) -> Iterator[Defect]:
    """Yield the scenarios that a modified requirement drops. The new text replaces the whole old one."""
    missing = [*(Counter(old.headings) - Counter(new.headings)).elements()]
    if missing:
        listed = ", ".join(map(repr, missing[:3])) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
        message = f"{new.id!r} is under MODIFIED without {listed}, which the current spec has"
        told = (message, new.place, "every scenario that remains", None, "copy them into the delta")
        yield Defect("delta-scenario", *told)
