"""The logs among the files of `planguard check`: recognise, judge and save them as a run."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

import click

from ...errors import UsageError
from ..commands import excludes
from ..inputs.sources import STDIN, are_lines, input_again
from ..output import INTERRUPTED, is_terminal, say
from .log_options import LogArguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ...runs.logs.judging import LogJudge
    from ...runs.logs.summary import KeptPartitions, LogSummary
    from ...wire.logs.logged import LogReader
    from ..inputs.sources import Source
    from .log_options import NamedJudge


MOST_ROWS = 10_000
"""Conversations that a saved run lists, bad ones first."""


@dataclass(slots=True)
class Logs:
    """How the logs among the files are judged."""

    given: LogArguments
    judge: NamedJudge
    new_only: bool = False
    """True if only rules fail that the replaced run did not break."""
    new_rules: tuple[str, ...] | None = field(default=None, init=False)
    every_row: bool = False
    """True to list good conversations too."""
    field: str | None = None
    """The field of a line that holds the answer. If set, a file that is not in a log's format is a file of answers."""

    def judged(
        self, sources: Iterable[Source], suffixes: tuple[str, ...]
    ) -> tuple[tuple[Path, LogSummary] | None, tuple[Source, ...]]:
        """Return the first log and the summary of all (None if no file is a log), and the other files.

        Raises UsageError for an option, or for a contract that cannot be loaded.
        """
        from ...runs.logs import may_be_log

        mapped = self.given.mapped()
        logs: list[Path] = []
        others: list[Source] = []
        names: dict[Path, str] = {}
        with TemporaryDirectory(prefix="planguard-input-") as folder:
            for source in sources:
                read = _input_as_file(source, Path(folder))
                if read.path != STDIN and may_be_log(read.path) and _is_log(read, mapped, refused=self.field is None):
                    logs.append(read.path)
                    names[read.path] = source.path.as_posix()
                elif source.named or source.path.name.lower().endswith(suffixes):
                    others.append(source)
            if not logs:
                self._refuse()
                return None, tuple(others)
            return (Path(names[logs[0]]), self._summary(logs, names)), tuple(others)

    def _refuse(self) -> None:
        if self.given != LogArguments():
            raise UsageError(
                "an option for logs was given, and no file is a log; name others, or say with --map where they have "
                "request and answer"
            )

    def _summary(self, paths: list[Path], names: Mapping[Path, str] | None = None) -> LogSummary:
        from ...runs.logs.engine import LogJob, judge_files

        given, every = self.given, self.every_row or self.given.save is not None
        make = replace(self.judge, rows="all" if every else "bad", most=MOST_ROWS if every else 100)
        judge = make()  # report errors in a contract before reading anything
        from .log_options import engine_of

        excludes("--resume", given.resume, "--engine", given.engine is not None)
        run = engine_of(given.engine) if given.engine is not None else None
        kept = _kept(make, judge) if given.resume else None
        with _Progress() as done:
            jobs = given.jobs or 1
            job = LogJob(tuple(paths), make, given.grouping(), given.mapped(), jobs, done, run, kept, names or {})
            try:
                found = judge_files(job)
            except KeyboardInterrupt:
                again = (
                    "The same command goes on from there." if given.resume else "With --resume it can go on from there."
                )
                say(f"planguard: stopped after {done.percent} % of {done.what} the logs. {again}", err=True)
                raise click.exceptions.Exit(INTERRUPTED) from None
        if given.save and self.new_only:
            known = set(_known(given.save))
            self.new_rules = tuple(sorted(rule for rule in found.broken if rule not in known))
        if given.save:
            _save(found, given.save)
        return found


def _input_as_file(source: Source, folder: Path) -> Source:
    """Return standard input that has lines as a file, which readers of logs need; any other source as it is."""
    if source.path != STDIN or not are_lines(content := input_again()):
        return source
    file = folder / "stdin.jsonl"
    file.write_bytes(content)
    return replace(source, path=file)


def _is_log(source: Source, mapped: LogReader | None, *, refused: bool) -> bool:
    """Return True for a log. Raises UsageError if a named file needs an extra; a file of a folder is skipped."""
    from ...printable import one_line
    from ...runs.logs.records import is_log

    try:
        return is_log(source.path, mapped, refused=refused)
    except UsageError as error:
        if source.named:
            raise
        say(f"note: {one_line(str(source.path), 200)} was skipped: {error}", err=True)
        return False


def _kept(make: NamedJudge, judge: LogJudge) -> KeptPartitions:
    """Return where summaries are kept: a folder for these contracts with their code, options and prices."""
    from hashlib import sha256

    from ... import __version__
    from ...runs.logs.summary import KeptPartitions
    from ...runs.store.store import Store

    places = [spec.rpartition(":")[0] or spec for spec in (*make.specs, *make.extensions)]
    files = [one if one.endswith(".py") else getattr(sys.modules.get(one), "__file__", None) for one in places]
    code = [Path(file).read_text("utf-8", "replace") for file in files if file]
    how = repr((__version__, make, [contract.digest for contract in judge.contracts], code, judge.prices))
    store = Store(Path.cwd())
    store.prepare()
    return KeptPartitions(store.folder / "logs" / sha256(how.encode()).hexdigest()[:16], how)


def _known(name: str) -> Iterator[str]:
    """Yield the rules that the saved run of that name breaks; nothing if it does not exist yet."""
    from ...runs.model.broken_rules import broken_rules
    from ...runs.store.store import Store

    store = Store(Path.cwd())
    for row in store.load(name).rows if store.has(name) else ():
        yield from map(str, broken_rules([row]))


def _save(found: LogSummary, name: str) -> None:
    from ...runs.model.run import RunHeader
    from ...runs.store.store import Store

    header = RunHeader(name, created=datetime.now(UTC).isoformat(timespec="seconds"))
    Store(Path.cwd()).save(name, header, sorted(listed.row for listed in found.listed))


class _Progress:
    """A bar on stderr with the rate and the remaining time, once reading takes longer than a moment."""

    def __enter__(self) -> Self:
        self._bar: Any = None
        self._task: Any = None
        self.what, self.percent = "reading", 0
        return self

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show for how many bytes of the total this is done."""
        if self._bar is not None and what != self.what:
            self._bar.reset(self._task, description=f"{what} logs", total=total)
        self.what, self.percent = what, 100 * done // max(1, total)
        if self._bar is None and is_terminal(sys.stderr):
            from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

            from ..output import console

            shown = "{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn()
            self._bar = Progress(*shown, console=console(err=True), transient=True)
            self._task = self._bar.add_task(f"{what} logs", total=total)
            self._bar.start()
        if self._bar is not None:
            self._bar.update(self._task, completed=done)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
