"""Plan files as tests: collect each file that matches `planguard_plan_files` as one item.

Registered only if the ini value is set. The judging code loads with the first matching file.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import ContractFailed
from ..printable import visible
from .options import settings_of
from .plan_globs import Way, find, fits, linked, reached, read_globs

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ..plans.judging.judge_files import PlanReport
    from .plan_judge import PlanJudge

NAME = "plan"
"""The name of a plan file's only test: "docs/plans/refresh.md::plan"."""


class PlanFiles:
    """Hooks that collect plan files as tests."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._globs = read_globs(settings_of(config).plan_files)
        self._judge: PlanJudge | None = None
        self._pruned: list[str] = config.getini("norecursedirs")
        self._way = Way(config.rootpath)
        self._lead()

    @property
    def judge(self) -> PlanJudge:
        """The judge of this run's plan files."""
        if self._judge is None:
            from .plan_judge import PlanJudge

            self._judge = PlanJudge(self._config, lambda path: fits(path, self._config.rootpath, self._globs))
        return self._judge

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> PlanFile | None:
        """Collect a plan file."""
        root = self._config.rootpath
        if not fits(file_path, root, self._globs):
            return None
        if linked(file_path, root, self._globs) and not self._is_named(file_path):
            return None
        collected: PlanFile = PlanFile.from_parent(
            parent, path=file_path, nodeid=_printable_id(file_path, self._config)
        )
        collected.judge = self.judge
        return collected

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach the row of a plan file."""
        report = yield
        if isinstance(item, PlanItem) and item.report is not None:
            from .plan_judge import complete

            complete(report, item, item.report, item.digest)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Let pytest enter the hidden folders that a glob names, for the plan files alone."""
        return self._way.is_closed(collection_path)

    def unmatched(self) -> Iterator[str]:
        """Yield a line for each glob that finds no file, if the run was for the whole repository."""
        config = self._config
        selected = config.getoption("keyword") or config.getoption("markexpr")
        if selected or not _whole_suite(config) or config.get_verbosity() < -1:
            return
        for text, glob in zip(settings_of(config).plan_files, self._globs, strict=True):
            if not find(config.rootpath, (glob,), self._pruned):
                yield f"planguard: ini value planguard_plan_files: {text!r} finds no file; correct it or take it out"

    def _is_named(self, path: Path) -> bool:
        """Return True if an argument of the command names the file."""
        named = (argument.partition("::")[0] for argument in self._config.args)
        return any(path == self._config.invocation_params.dir / one for one in named)

    def _lead(self) -> None:
        """Make pytest visit the plan files that it would miss: in hidden folders, and outside `testpaths`.

        Do nothing unless the run started in the root folder without naming files, and so covers the whole repository.
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
    """Return True if `--ignore` leaves it out."""
    asked = config.getoption("ignore") or ()
    return any(path.is_relative_to(config.invocation_params.dir / folder) for folder in asked)


class PlanFile(pytest.File):
    """A plan file with its only test."""

    judge: PlanJudge

    def collect(self) -> Iterator[PlanItem]:
        """Yield the test."""
        item: PlanItem = PlanItem.from_parent(self, name=NAME)
        item.judge = self.judge
        yield item


class PlanItem(pytest.Item):
    """The test of a plan file. It fails if a rule of severity retry or fail finds something."""

    judge: PlanJudge
    report: PlanReport | None = None
    """The findings, once it has run."""

    def runtest(self) -> None:
        """Judge the file. Raises ContractFailed if it is not a plan, or breaks a rule."""
        from ..report.plan_text import render_plan

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
        """Return our text with the place in the plan, or pytest's text for another error."""
        from .plan_judge import failure_repr

        shown = failure_repr(self, excinfo, self.report)
        return super().repr_failure(excinfo, style) if shown is None else shown

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the place of the test: the start of the plan file, whose path is the headline of a failure."""
        return Path(visible(str(self.path), keep="")), 0, self.nodeid.partition("::")[0]


def _printable_id(path: Path, config: pytest.Config) -> str | None:
    """Return a safe id for a file with control characters in its name; None leaves the id to pytest."""
    own = path.relative_to(config.rootpath).as_posix()
    shown = visible(own, keep="")
    return None if shown == own else shown
