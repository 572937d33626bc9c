"""Plan files as tests: each file that `planguard_plan_files` means is collected as one item.

Registered only where the ini value is set. What judges the files loads with the first one that matches.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ...errors import ContractFailed
from ...printable import visible
from ..options import settings_of
from .plan_globs import Way, find, fits, reached, read_globs

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ...plans.judging.judge_files import PlanReport
    from .plan_judge import PlanJudge

NAME = "plan"
"""Name of the one test of a plan file: "docs/plans/refresh.md::plan"."""


class PlanFiles:
    """Hooks that make tests of plan files."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._globs = read_globs(settings_of(config).plan_files)
        self._judge: PlanJudge | None = None
        self._pruned: list[str] = config.getini("norecursedirs")
        self._way = Way(config.rootpath)
        self._lead()

    @property
    def judge(self) -> PlanJudge:
        """What judges the files of this run."""
        if self._judge is None:
            from .plan_judge import PlanJudge

            self._judge = PlanJudge(self._config, lambda path: fits(path, self._config.rootpath, self._globs))
        return self._judge

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> PlanFile | None:
        """Collect a plan file."""
        if not fits(file_path, self._config.rootpath, self._globs):
            return None
        collected: PlanFile = PlanFile.from_parent(
            parent, path=file_path, nodeid=_printable_id(file_path, self._config)
        )
        collected.judge = self.judge
        return collected

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send the row of a plan file along."""
        report = yield
        if isinstance(item, PlanItem) and item.report is not None:
            from .plan_judge import complete

            complete(report, item, item.report, item.digest)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Let pytest into the hidden folders that a glob names, for the plan files alone."""
        return self._way.is_closed(collection_path)

    def _lead(self) -> None:
        """Have pytest visit the plan files that it would pass by: in hidden folders, outside `testpaths`.

        Only where the run was started in the root folder without naming files: then it is about the whole repository.
        """
        config = self._config
        if not _whole_suite(config):
            return
        found = [path for path in find(config.rootpath, self._globs, self._pruned) if not _ignored(path, config)]
        if found:
            self.judge.policy  # noqa: B018 - a wrong word in the ini file ends the run before any test
        roots = [config.invocation_params.dir / argument for argument in config.args]
        below = [path for path in found if any(path.is_relative_to(root) for root in roots)]
        hidden = [path for path in below if not any(reached(path, root, self._pruned) for root in roots)]
        self._way = Way(config.rootpath, self._pruned, hidden)
        config.args.extend(str(path) for path in found if path not in below)


def _whole_suite(config: pytest.Config) -> bool:
    sources = pytest.Config.ArgsSource
    unnamed = config.args_source in (sources.TESTPATHS, sources.INVOCATION_DIR)
    return unnamed and config.invocation_params.dir == config.rootpath


def _ignored(path: Path, config: pytest.Config) -> bool:
    """Whether `--ignore` leaves it out."""
    asked = config.getoption("ignore") or ()
    return any(path.is_relative_to(config.invocation_params.dir / folder) for folder in asked)


class PlanFile(pytest.File):
    """A plan file with its one test."""

    judge: PlanJudge

    def collect(self) -> Iterator[PlanItem]:
        """The test."""
        item: PlanItem = PlanItem.from_parent(self, name=NAME)
        item.judge = self.judge
        yield item


class PlanItem(pytest.Item):
    """The test of a plan file: it fails where a rule of severity retry or fail finds something."""

    judge: PlanJudge
    report: PlanReport | None = None
    """What was found, once it ran."""

    def runtest(self) -> None:
        """Judge the file. Raises ContractFailed where it is no plan or breaks a rule."""
        from ...report.answer.plan_text import render_plan

        __tracebackhide__ = True
        self.report = self.judge.report(self.path)
        failure = self.judge.failure(self.report)
        if failure is not None:
            raise ContractFailed(failure)
        if self.report.findings:
            self.add_report_section("call", "planguard", render_plan(self.report))

    @property
    def digest(self) -> str:
        """The digest of the policy that judges it."""
        return self.judge.policy.digest

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return our text with the place in the plan; another error as pytest shows it."""
        from .plan_judge import failure_repr

        shown = failure_repr(self, excinfo, self.report)
        return super().repr_failure(excinfo, style) if shown is None else shown

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test stands: at the head of the plan file, whose path is the headline of a failure."""
        return Path(visible(str(self.path), keep="")), 0, self.nodeid.partition("::")[0]


def _printable_id(path: Path, config: pytest.Config) -> str | None:
    """Return the id of a file whose name is an order to the terminal; None leaves the id to pytest, which prints it."""
    own = path.relative_to(config.rootpath).as_posix()
    shown = visible(own, keep="")
    return None if shown == own else shown
