"""Plan files as tests: collect each file that matches a glob of `planguard_plan_files` as one item.

It loads only if that ini value is set, and the code that judges loads with the first matching file.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ..errors import ContractFailed
from ..printable import visible
from ..replay.paths import fits_glob
from .options import settings_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from ..plans.judging.judge_files import PlanReport
    from .plan_judge import PlanJudge

WILD = frozenset("*?[")


class Glob(NamedTuple):
    """A parsed glob."""

    start: tuple[str, ...]
    """Folders before the first wildcard. The search starts there, even if it is a hidden folder."""
    names: tuple[str, ...]
    """All of its names."""


def read_globs(globs: Iterable[str]) -> tuple[Glob, ...]:
    """Parse the globs of an ini value.

    Args:
        globs: relative to the root folder, with forward slashes. `*` and `?` match characters within one name, `**` any
            number of folders, and everything below when at the end.

    Raises:
        pytest.UsageError: a glob that leaves the root folder.
    """
    return tuple(map(_read, globs))


def _read(glob: str) -> Glob:
    parts = [part for part in glob.replace("\\", "/").split("/") if part not in ("", ".")]
    if not parts or glob.startswith("/") or ".." in parts or parts[0].endswith(":"):
        raise pytest.UsageError(
            f"ini value planguard_plan_files: {glob!r}: expected a glob below the root folder, such as "
            "specs/**/tasks.md"
        )
    start = tuple(takewhile(lambda part: not WILD & set(part), parts[:-1]))
    return Glob(start, tuple(parts))


def fits(path: PurePath, root: PurePath, globs: Iterable[Glob]) -> bool:
    """Return True if one of the globs matches this file."""
    if not path.is_relative_to(root):
        return False
    names = path.relative_to(root).parts
    return any(fits_glob(names, glob.names) for glob in globs)


def find(root: Path, globs: Iterable[Glob], pruned: Iterable[str]) -> list[Path]:
    """Return every file below the root folder that a glob matches, sorted.

    Args:
        root: the root folder.
        globs: which files.
        pruned: patterns of folder names that wildcards do not enter.
    """
    patterns = tuple(pruned)
    found: set[Path] = set()
    for glob in globs:
        for folder, folders, names in os.walk(root.joinpath(*glob.start)):
            venvs = {name for name in folders if Path(folder, name, "pyvenv.cfg").is_file()}
            folders[:] = [name for name in folders if not is_pruned(name, patterns) and name not in venvs]
            found.update(path for name in names if fits(path := Path(folder, name), root, (glob,)))
    return sorted(found)


def linked(path: Path, root: Path, globs: Iterable[Glob]) -> bool:
    """Return True if each glob that matches a file reaches it through a link to a folder, as `find` does not.

    A link to a folder above itself would give many copies of each file. A folder that the glob names may be a link.
    """
    names = path.relative_to(root).parts
    starts = [len(glob.start) for glob in globs if fits_glob(names, glob.names)]
    folders = names[min(starts, default=0) : -1]
    first = root.joinpath(*names[: min(starts, default=0)])
    return any(first.joinpath(*folders[:end]).is_symlink() for end in range(1, len(folders) + 1))


def is_pruned(name: str, patterns: Iterable[str]) -> bool:
    """Return True if a folder of this name is left out."""
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


# The way to plan files in folders that pytest skips, such as `.kiro`: open for these files, closed for the rest.


class Way:
    """Files in folders that pytest does not enter, and the folders that lead to them."""

    def __init__(self, root: Path, pruned: Iterable[str] = (), files: Iterable[Path] = ()) -> None:
        """`root` is the root folder, `pruned` are patterns of folder names, `files` absolute paths below the root."""
        patterns, known = tuple(pruned), tuple(files)
        self._folders = {folder for file in known for folder in _hidden(file, root, patterns)}
        self._open = self._folders.union(known)

    def is_closed(self, path: Path) -> bool | None:
        """Return the value for `pytest_ignore_collect`: False to enter, True to skip, None to let pytest decide.

        Other files in these folders stay skipped.
        """
        if path in self._folders:
            return False
        return True if path.parent in self._folders and path not in self._open else None


def _hidden(file: Path, root: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    """Yield the folders from the outermost one that pytest skips down to the file's own."""
    hidden, folder = False, root
    for name in file.relative_to(root).parts[:-1]:
        folder /= name
        hidden = hidden or is_pruned(name, patterns)
        if hidden:
            yield folder


def reached(path: Path, root: Path, pruned: Iterable[str]) -> bool:
    """Return True if pytest finds a file when it collects a folder."""
    if not path.is_relative_to(root):
        return False
    patterns = tuple(pruned)
    return not any(is_pruned(name, patterns) for name in path.relative_to(root).parts[:-1])


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
