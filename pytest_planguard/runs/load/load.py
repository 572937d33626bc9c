"""Load a run from any source (a saved run, a file, a folder, a variant), and find one task by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import RunError, UsageError, nearest
from ...replay.files.names import first_sample, leads_out
from ..judge_cases import RawCase, RawRun, ReadProblem, judge_run, problem_lines
from ..model.codec import parsed_json
from ..store.cassette_folders import RecordedCase, by_digest, recorded_case, test_file_of, variant_files, variant_names
from ..store.project_files import SUFFIXES, is_cassette
from ..store.run_file import is_record, read_record
from ..store.store import Store
from .eval_tools import (
    is_promptfoo,
    is_promptfoo_lines,
    is_promptfoo_yaml,
    is_pydantic_evals,
    read_promptfoo,
    read_promptfoo_lines,
    read_pydantic_evals,
    refuse_promptfoo_yaml,
)
from .source import (
    LoadOptions,
    Shape,
    Source,
    is_cassette_file,
    read_answer_file,
    read_answer_lines,
    read_cassette_case,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.run import CaseRow, Run


LOOKED_AT = 5
"""Number of lines to check to see if a file is a log."""
LOG_NOT_READ = (
    "it is a log of calls, not of answers. Keep its conversations as a run with planguard check {name} --save NAME, "
    "or name the field of the answer with --field, such as response.body.choices.0.message.content"
)


@dataclass(frozen=True, slots=True)
class Format:
    """A format in which a run, or part of one, is stored."""

    name: str
    shape: Shape
    """A folder, a file, or only a name."""
    recognise: Callable[[Source], bool]
    """Returns True if a source of that shape has this format, by its content and suffix."""
    read: Callable[[Source], RawRun]


def read_source(source: Source) -> RawRun | None:
    """Read a source in the first format that recognises it, or return None."""
    for form in FORMATS:
        if form.shape is source.shape and form.recognise(source):
            return form.read(source)
    return None


def _is_run_record(source: Source) -> bool:
    """Return True if the user named a run record. A record inside a folder isn't part of another run."""
    return source.has_lines and not source.in_folder and is_record(source.first_line)


def _read_run_record(source: Source) -> RawRun:
    return _raw(read_record(source.path, source.name, source.options.known))


def _is_kept_run(source: Source) -> bool:
    return Store(source.options.root).has(source.name)


def _read_kept_run(source: Source) -> RawRun:
    return _raw(Store(source.options.root).load(source.name, source.options.known))


def _is_variant(source: Source) -> bool:
    return bool(variant_files(source.options.root, source.name))


def _read_variant(source: Source) -> RawRun:
    files = variant_files(source.options.root, source.name)
    return _read_files(replace(source, variant=source.name), files)


def _read_folder(source: Source) -> RawRun:
    return _read_files(source, ((file, _key(file, source.path)) for file in _files(source.path)))


def read_cassettes(folder: Source) -> RawRun:
    """Read only the cassettes of a folder."""
    files = (file for file in _files(folder.path) if is_cassette(file))
    return _read_files(folder, ((file, _key(file, folder.path)) for file in files))


def _is_log(source: Source) -> bool:
    """Return True for a log of calls. If the user named the field of the answer, any file is a file of answers."""
    if source.options.answer_field is not None:
        return False
    from ...wire.logs.readers import looks_logged  # check reads plans without it

    if not source.has_lines:
        return looks_logged(source.document)
    return any(looks_logged(parsed_json(line)) for _, line in islice(source.lines(), LOOKED_AT))


def _refuse_log(source: Source) -> RawRun:
    return RawRun(problems=(ReadProblem(source.name, LOG_NOT_READ.format(name=source.path)),))


FORMATS = (
    Format("folder", Shape.FOLDER, lambda _: True, _read_folder),
    # The first matching row reads a file. JSON Lines come first, by suffix. A file that no other row recognises is one
    # plain answer.
    Format("run record", Shape.FILE, _is_run_record, _read_run_record),
    Format("promptfoo JSON Lines", Shape.FILE, is_promptfoo_lines, read_promptfoo_lines),
    Format("log lines", Shape.FILE, lambda source: source.has_lines and _is_log(source), _refuse_log),
    Format("answers, one a line", Shape.FILE, lambda source: source.has_lines, read_answer_lines),
    Format("cassette", Shape.FILE, is_cassette_file, read_cassette_case),
    Format("promptfoo JSON", Shape.FILE, is_promptfoo, read_promptfoo),
    Format("pydantic-evals report", Shape.FILE, is_pydantic_evals, read_pydantic_evals),
    Format("promptfoo YAML", Shape.FILE, is_promptfoo_yaml, refuse_promptfoo_yaml),
    Format("log", Shape.FILE, _is_log, _refuse_log),
    Format("answer", Shape.FILE, lambda _: True, read_answer_file),
    Format("kept run", Shape.NAME, _is_kept_run, _read_kept_run),
    Format("variant", Shape.NAME, _is_variant, _read_variant),
)
"""All formats, in the order in which they are tried."""


def _raw(run: Run) -> RawRun:
    """Return a judged run as a `RawRun`. Its problems already name their places."""
    cases = tuple(RawCase(row) for row in run.rows)
    return RawRun(cases, tuple(ReadProblem("", problem) for problem in run.problems), run.header)


def _read_files(source: Source, files: Iterable[tuple[Path, str]]) -> RawRun:
    """Read the files of a folder or variant, each with its case key. The key of a cassette is its test's, if known.

    Samples of one case have the key of the first.
    """
    keys = dict(files)
    runs = []
    for path, own in keys.items():
        # "case.2.yaml" is the second sample of the case in "case.yaml", if that file exists.
        key = keys.get(first_sample(path), own) if is_cassette(path) else own
        case = recorded_case(key) or RecordedCase(key, None)
        variant = source.variant or case.variant
        part = replace(source, name=str(path), key=case.key, variant=variant, in_folder=True)
        runs.append(_refused_link(path, source) or read_source(part) or RawRun())
    cases = tuple(case for run in runs for case in run.cases)
    return RawRun(cases, tuple(problem for run in runs for problem in run.problems))


def _refused_link(file: Path, source: Source) -> RawRun | None:
    """Return the problem of a link that leads out of the folder or project; None for other files."""
    folder = source.path if source.path.is_dir() else source.options.root
    if not (file.is_symlink() and leads_out(file, folder)):
        return None
    return RawRun(problems=(ReadProblem(str(file), f"is a link out of {folder}; name it to read it"),))


def _files(folder: Path) -> list[Path]:
    """Return the visible files of a folder that may be cassettes or answers, sorted."""
    return [
        file
        for file in sorted(folder.rglob("*"))
        if file.suffix.lower() in SUFFIXES
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
        and file.is_file()
    ]


def _key(file: Path, folder: Path) -> str:
    """Return the file's path in its folder without its last suffix. It is equal in folders with the same layout."""
    return file.relative_to(folder).with_suffix("").as_posix()


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
    return judge_run(read_run(source, options), options, name or source)


def load_cassettes(folder: str, options: LoadOptions | None) -> Run:
    """Load the cassettes of a folder as a run and skip its other files.

    Raises:
        UsageError: an option doesn't fit a cassette.
    """
    options = options or LoadOptions()
    return judge_run(read_cassettes(Source(folder, options)), options, folder)


def read_run(name: str, options: LoadOptions | None = None) -> RawRun:
    """Read the cases of a run without judging them. Sources and errors are those of `load_run`."""
    options = options or LoadOptions()
    raw = read_source(Source(name, options))
    if raw is None:
        raise RunError(_nothing(name, Store(options.root), options.root))
    # A kept run without a case is a run; a file or folder without any is a mistake.
    if not raw.cases and raw.header is None:
        lines = problem_lines(raw.problems)
        raise RunError(lines[0] if lines else f"{name}: no cassette and no answer; looked for {', '.join(SUFFIXES)}")
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


def named_by_tests(rows: Iterable[CaseRow], ids: Iterable[str]) -> tuple[CaseRow, ...]:
    """Return the rows, those with a cassette's path as key named by its test if the path gives it, or one of these ids.

    The path of a test in a class doesn't give its id back, but a list of known failures or the last run has it.
    """
    of_file: dict[str, list[str]] = {}
    for known in dict.fromkeys(ids):
        of_file.setdefault(known.partition("::")[0], []).append(known)

    @cache  # a test with a thousand parameters has as many rows
    def digests(file: str, model: str | None) -> dict[str, str]:
        return by_digest(of_file[file], model)

    def named(row: CaseRow) -> CaseRow:
        file = test_file_of(row.key)
        known = digests(file, row.for_model) if file in of_file else None
        case = None if file is None else recorded_case(row.key, known, row.for_model)
        return row if case is None else replace(row, key=case.key, variant=row.variant or case.variant)

    return tuple(map(named, rows))


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
