"""Judge the plan files of a run by one policy, and turn the findings into failures and rows."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

from ..contract.verdict import Verdict
from ..errors import PlanguardError, UsageError
from ..printable import visible
from ..runs.judge_cases import verdict_row
from ..runs.model.codec import row_text
from ..runs.model.run import CaseRow
from .marker.identity import digest_of
from .options import settings_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ..plans.judging.judge_files import PlanReport
    from ..plans.judging.policy import PlanPolicy


class PlanJudge:
    """Judges plan files. When the first file of a folder runs, it judges the whole folder."""

    def __init__(self, config: pytest.Config, is_plan: Callable[[Path], bool]) -> None:
        self._config = config
        self._is_plan = is_plan
        self._reports: dict[Path, PlanReport] = {}

    @cached_property
    def policy(self) -> PlanPolicy:
        """The policy from the ini file and the conftests.

        Raises:
            pytest.UsageError: an unknown format, rule or severity.
        """
        from ..plans.judging.policy import policy_of

        words = settings_of(self._config).plan_rules
        try:
            return policy_of(words, folder=self._config.rootpath)
        except UsageError as error:
            raise pytest.UsageError(f"ini value planguard_plan_rules: {error}") from None

    def report(self, path: Path) -> PlanReport:
        """Judge a plan file together with the others of its folder. Each file is judged once."""
        if path not in self._reports:
            self._reports |= self._folder(path)
        return self._reports.pop(path)

    def failure(self, report: PlanReport) -> str | None:
        """Return why the test of a plan file fails: it is not a plan, or breaks a rule. None if it passes."""
        if report.plan is None and report.ok:
            return f"planguard: not {self.policy.unknown()}\n  {self._way_out()}"
        return None if report.ok else _broken_rules(report)

    def _way_out(self) -> str:
        """Return what to do about a file that matches `planguard_plan_files` but does not look like a plan."""
        narrow = "narrow planguard_plan_files, which says that it is a plan."
        if self.policy.format is None:
            return f"Name its format in planguard_plan_rules, or {narrow}"
        documents = " or ".join(profile.name for profile in self.policy.candidates)
        return f"Name which document it is in planguard_plan_rules ({documents}), or {narrow}"

    def _folder(self, path: Path) -> dict[Path, PlanReport]:
        """Judge a file with the other plan files of its folder."""
        paths = {path, *(other for other in path.parent.iterdir() if self._is_plan(other) and other.is_file())}
        names = {other.relative_to(self._config.rootpath).as_posix(): other for other in sorted(paths)}
        reports = self.policy.judge({name: other.read_bytes() for name, other in names.items()}, set(names))
        return {names[name]: report for name, report in reports.items()}


def _broken_rules(report: PlanReport) -> str:
    """Return the findings. The first line names the first one, because a summary shows nothing else."""
    from ..report.finding_text import named
    from ..report.plan_text import render_plan

    first, _, rest = render_plan(report).partition("\n")
    return f"planguard: {first}: {named([f for f in report.findings if f.severity.bad])}\n{rest}"


def failure_repr(item: pytest.Item, error: pytest.ExceptionInfo[BaseException], report: PlanReport | None) -> Any:
    """Return our text instead of a traceback, with the place of the first bad finding; None for another error."""
    if not isinstance(error.value, PlanguardError) or item.config.getoption("fulltrace"):
        return None
    findings = report.findings if report else ()
    line = next((finding.span.line for finding in findings if finding.severity.bad and finding.span), 1)
    text = str(error.value)
    shown: Any = error.getrepr(style="value")
    try:
        own = item.nodeid.partition("::")[0]  # relative to rootdir, and printable
        name, path = own, visible(str(item.path), keep="")
        shown.reprtraceback.reprentries[-1].lines = [*text.split("\n"), "", f"{name}:{line}"]
        shown.reprcrash.path, shown.reprcrash.lineno = path, line
        shown.reprcrash.message = text.split("\n", 1)[0]
    except (AttributeError, IndexError, TypeError):  # pytest's own representation has another shape
        return text
    return shown


# The row of a plan file has the shape of a marked test's, so that runs of plans can be compared and gated too.

OUTCOME = "planguard_outcome"
"""The JUnit property."""
DEFECT = "planguard could not report this plan"


def complete(test_report: pytest.TestReport, item: pytest.Item, report: PlanReport, digest: str) -> None:
    """Add the outcome and the row to the reports of a plan file. Never raises. `digest` is the policy's."""
    outcome = report.verdict
    if test_report.when == "call":
        item.user_properties[:] = [p for p in item.user_properties if p[0] != OUTCOME] + [(OUTCOME, outcome)]
        test_report.user_properties = list(item.user_properties)
    if test_report.when == "teardown":
        try:
            test_report.planguard_row = row_text(plan_row(item, report, outcome, digest))  # type: ignore[attr-defined]
        except Exception as error:  # an exception here would end the whole session
            test_report.sections.append((DEFECT, visible(f"{type(error).__name__}: {error}")))


def plan_row(item: pytest.Item, report: PlanReport, outcome: str, digest: str) -> CaseRow:
    """Return the row, with one checked answer: the file itself."""
    name = report.plan.format if report.plan else "plan"
    ok = outcome != "invalid"
    judged = replace(verdict_row(Verdict(name, report.text, report.findings), digest), ok=ok)
    return CaseRow(
        key=item.nodeid,
        test=item.nodeid,
        line=1,
        inputs=digest_of(item.nodeid)[:12],
        contracts=((name, digest),),
        result="passed" if ok else "failed",
        outcome=outcome,
        judged=(judged,),
    )
