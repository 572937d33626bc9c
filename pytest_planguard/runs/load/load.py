"""Load a run from any source (a saved run, a file, a folder, a variant), judge its answers, and find one task by name.

Files in a run directory often spell a task differently from the code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import RunError, UsageError, nearest
from ..judge_cases import Judges, judge_run
from ..model.raw_case import problem_lines
from ..store.cassette_folders import variant_names
from ..store.store import Store
from ..store.whole_files import SUFFIXES
from .formats import read_cassettes, read_source
from .source import ReadOptions, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...contract import Contract
    from ...wire.exchange import Exchange
    from ..model.raw_case import RawRun
    from ..model.run import CaseRow, Run


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to read files that are not run records, and how to judge their answers."""

    contracts: tuple[Contract, ...] = ()
    """The contracts that judge the answers. If (), plain answers stay unjudged and `schemas` judges cassettes."""
    schemas: Callable[[Sequence[Exchange]], tuple[Contract, ...]] | None = None
    """Derives contracts from a cassette's requests when no contract is given. If None, cassettes stay unjudged."""
    answer_field: str | None = None
    """Dotted name of the field that holds a line's answer. If None, planguard finds it."""
    case_field: str | None = None
    """Dotted name of the field that holds a line's case key. If None, planguard finds it."""
    max_attempts: int = 3
    root: Path = Path()
    """The folder that holds the saved runs and the cassettes."""
    known: dict[bytes, CaseRow] = field(default_factory=dict)
    """Maps each line of a record to its parsed row, so that a line in two runs is parsed once."""

    @property
    def reading(self) -> ReadOptions:
        """The options for reading."""
        return ReadOptions(self.answer_field, self.case_field, self.root, self.known)

    @property
    def judges(self) -> Judges:
        """The options for judging."""
        return Judges(self.contracts, self.schemas, self.max_attempts)


def load_run(source: str, options: LoadOptions | None = None, name: str | None = None) -> Run:
    """Load a run.

    Args:
        source: the name of a saved run ("last" is the latest), a run record, a file of answers (.jsonl, one per line),
            a cassette, a single answer, a folder of cassettes or answers, or the name of a variant.
        options: how to read and judge the answers.
        name: the name of the run in reports. The default is the source.

    Raises:
        RunError: nothing has that name, or it has nothing to read. The message lists what planguard looked for.
        UsageError: an option doesn't fit the content of the file.
    """
    options = options or LoadOptions()
    return judge_run(read_run(source, options.reading), options.judges, name or source)


def load_cassettes(folder: str, options: LoadOptions | None = None) -> Run:
    """Load the cassettes of a folder as a run and skip its other files.

    Raises:
        UsageError: an option doesn't fit a cassette.
    """
    options = options or LoadOptions()
    return judge_run(read_cassettes(Source(folder, options.reading)), options.judges, folder)


def read_run(name: str, options: ReadOptions | None = None) -> RawRun:
    """Read the cases of a run without judging them. Sources and errors are those of `load_run`."""
    options = options or ReadOptions()
    raw = read_source(Source(name, options))
    if raw is None:
        raise RunError(_nothing(name, Store(options.root), options.root))
    if not raw.cases and raw.header is None:
        lines = problem_lines(raw.problems)
        why = lines[0] if lines else f"no cassette and no answer; looked for {', '.join(SUFFIXES)}"
        raise RunError(f"{Path(name)}: {why}")
    return raw


def _nothing(source: str, store: Store, root: Path) -> str:
    kept, variants = store.names(), variant_names(root)
    near = nearest(source, [*kept, *variants])
    hint = f" Did you mean {near!r}?" if near else ""
    return (
        f"{source!r} is not a file, folder, kept run or variant.{hint} Kept runs: {', '.join(kept) or 'none'}; "
        f"variants: {', '.join(variants) or 'none'}. Keep a run with pytest --planguard-save NAME."
    )


_LEADING_NUMBERS = re.compile(r"^(?:\d+[-_. ]+)+")
"""The numbers by which a pipeline sorts its files: "018-2-" in "018-2-pre_project_assessment"."""
_SEPARATORS = re.compile(r"[\W_]+")
"""Characters in which spellings of a name differ: "_" in "pre_project", the blank in "Pre Project"."""
SUFFIX = "task"
"""A suffix that class names have and file names lack: "PreProjectAssessmentTask", "pre_project_assessment.json"."""


def only_tasks(runs: Sequence[Run], tasks: Sequence[str]) -> tuple[Run, ...]:
    """Return the runs with only the cases of these tasks, named after the tasks.

    Names are compared without case, separators, leading numbers ("018-2-pre_project_assessment") and a final "Task". A
    task may be missing from some runs, if it failed or did not run. Raises UsageError for a task that no run has, with
    the nearest name.
    """
    chosen = [{task: _rows_of(run, task) for task in tasks} for run in runs]
    for task in tasks:
        if not any(rows[task] for rows in chosen):
            raise UsageError(_unknown(runs, task))
    return tuple(
        replace(run, rows=tuple(replace(row, key=task) for task in dict.fromkeys(tasks) for row in rows[task]))
        for run, rows in zip(runs, chosen, strict=True)
    )


def without_task(run: Run) -> str:
    """Return why a case is only in the other run: 'run/v2 has no output of it: the task failed, or did not run'."""
    return f"{run.name} has no output of it: the task failed, or did not run"


def _rows_of(run: Run, task: str) -> list[CaseRow]:
    wanted = folded(task)
    return [row for row in run.rows if task == row.key or wanted in (folded(row.key), folded(_last(row)))]


def _unknown(runs: Sequence[Run], task: str) -> str:
    names = sorted({row.key for run in runs for row in run.rows})
    near = nearest(task, names) or nearest(folded(task), [folded(name) for name in names])
    hint = f" Did you mean {near!r}?" if near else ""
    lacking = " and ".join(run.name for run in runs)
    return f"--task {task!r}: no such task in {lacking}.{hint} There is: {_listed(names)}."


def folded(name: str) -> str:
    """Return a name in a form that ignores spelling: "018-PreProject_AssessmentTask" is "preprojectassessment"."""
    bare = _SEPARATORS.sub("", _LEADING_NUMBERS.sub("", name)).casefold()
    return bare.removesuffix(SUFFIX) or bare


def _last(row: CaseRow) -> str:
    return row.key.rpartition("/")[2]


def _listed(names: list[str], shown: int = 8) -> str:
    more = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {more} more" if more > 0 else "")
