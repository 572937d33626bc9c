"""How the plan files of a run are judged: by one policy, the files of one folder together."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

from ...errors import ContractFailed, PlanguardError, UsageError
from ..options import settings_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ...plans.judging.judge_files import PlanReport
    from ...plans.policy import PlanPolicy
    from .plan_items import PlanItem

SCHEMA = "schema"
"""The word of `planguard_plan_rules` that asks for the format's schema too."""


class PlanJudge:
    """Judges plan files; those of one folder at once, when the first of them runs."""

    def __init__(self, config: pytest.Config, is_plan: Callable[[Path], bool]) -> None:
        self._config = config
        self._is_plan = is_plan
        self._reports: dict[Path, PlanReport] = {}

    @cached_property
    def policy(self) -> PlanPolicy:
        """What the ini file and the conftests say.

        Raises:
            pytest.UsageError: an unknown format, rule or severity.
        """
        from ...plans.policy import policy_of

        words = settings_of(self._config).plan_rules
        try:
            return policy_of(
                [word for word in words if word != SCHEMA],
                schema=SCHEMA in words,
            )
        except UsageError as error:
            raise pytest.UsageError(f"ini value planguard_plan_rules: {error}") from None

    def run(self, item: PlanItem) -> None:
        """Judge the file of a test. Raises ContractFailed where it is no plan or breaks a rule."""
        from ...report.answer.plan_text import render_plan

        __tracebackhide__ = True
        report = item.report = self._report(item.path)
        if report.plan is None and report.ok:
            raise ContractFailed(f"planguard: {self.policy.unknown()}\n  {self._way_out()}")
        if not report.ok:
            raise ContractFailed(_failure(report))
        if report.findings:
            item.add_report_section("call", "planguard", render_plan(report))

    def _way_out(self) -> str:
        """What to do about a file that `planguard_plan_files` calls a plan and that looks like none."""
        narrow = "narrow planguard_plan_files, which says that it is a plan."
        if self.policy.format is None:
            return f"Name its format in planguard_plan_rules, or {narrow}"
        documents = " or ".join(profile.name for profile in self.policy.candidates)
        return f"Name which document it is in planguard_plan_rules ({documents}), or {narrow}"

    def _report(self, path: Path) -> PlanReport:
        if path not in self._reports:
            self._reports |= self._folder(path)
        return self._reports.pop(path)

    def _folder(self, path: Path) -> dict[Path, PlanReport]:
        """The file with the other plan files of its folder."""
        paths = {path, *(other for other in path.parent.iterdir() if self._is_plan(other) and other.is_file())}
        names = {other.relative_to(self._config.rootpath).as_posix(): other for other in sorted(paths)}
        reports = self.policy.judge({name: other.read_bytes() for name, other in names.items()}, set(names))
        return {names[name]: report for name, report in reports.items()}


def _failure(report: PlanReport) -> str:
    """The findings, the first of them named in the first line too: a summary shows nothing else."""
    from ...report.answer.finding_text import named
    from ...report.answer.plan_text import render_plan

    first, _, rest = render_plan(report).partition("\n")
    return f"planguard: {first}: {named([f for f in report.findings if f.severity.bad])}\n{rest}"


def failure_of(item: PlanItem, error: pytest.ExceptionInfo[BaseException]) -> Any:
    """Our text instead of a traceback, with the place of the first grave finding; None for another error."""
    if not isinstance(error.value, PlanguardError) or item.config.getoption("fulltrace"):
        return None
    text, line = str(error.value), _line(item)
    shown: Any = error.getrepr(style="value")
    try:
        shown.reprtraceback.reprentries[-1].lines = [*text.split("\n"), "", f"{item.path.name}:{line}"]
        shown.reprcrash.path, shown.reprcrash.lineno = str(item.path), line
        shown.reprcrash.message = text.split("\n", 1)[0]
    except (AttributeError, IndexError, TypeError):  # another shape of pytest's own representation
        return text
    return shown


def _line(item: PlanItem) -> int:
    """The line of the first grave finding, from 1; 1 where it has none."""
    found = item.report.findings if item.report else ()
    return next((finding.span.line for finding in found if finding.severity.bad and finding.span), 1)
