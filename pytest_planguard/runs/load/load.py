"""A run from whatever the user names: a kept run, a file, a folder, a variant of the recordings."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ...document.text.nearest import nearest
from ...errors import RunError
from ...replay.files.names import first_sample
from ..model.header import RunHeader
from ..model.run import Run
from ..store.file_kind import LINE_SUFFIXES, SUFFIXES, is_recording
from ..store.record import is_record, read_record
from ..store.store import Store
from ..store.variants import variant_files, variant_names
from .load_answers import answer_file, answer_lines
from .load_foreign import NOT_READ, foreign_lines, foreign_rows, is_promptfoo_yaml
from .load_recordings import recording_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...contract import Contract
    from ...wire.exchange import Exchange
    from ..model.run import CaseRow

ONLY = "answer"
"""Case key of a file that is the only one of its run."""
HEAD = 4 * 1024 * 1024
"""Bytes of a file's first line that are looked at to tell what it is."""


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How files that are no run records are read."""

    contracts: tuple[Contract, ...] = ()
    """Judge the answers; () leaves plain answers unjudged and recordings to `schemas`."""
    schemas: Callable[[Sequence[Exchange]], tuple[Contract, ...]] | None = None
    """Makes contracts from the requests of a recording where none was named; None: then nothing judges it."""
    answer_field: str | None = None
    """Dotted name of the field of a line that holds the answer; None finds it."""
    case_field: str | None = None
    """Dotted name of the field of a line that is the case key; None finds it."""
    max_attempts: int = 3
    root: Path = Path()
    """Where kept runs and recordings are looked for."""
    known: dict[bytes, CaseRow] = field(default_factory=dict)
    """Rows of records by their line: what two runs have alike is read once."""


def load_run(source: str, options: LoadOptions | None = None, name: str | None = None) -> Run:
    """Load a run.

    Args:
        source: the name of a kept run ("last" is the last one), a run record, a file of answers (.jsonl, one a line),
            a recording, a single answer, a folder of recordings or answers, or the name of a variant.
        options: how answers are judged and read.
        name: how the run is called in reports; the source by default.

    Raises:
        RunError: there is nothing of that name, or nothing to read in it; the message says what was looked for.
        UsageError: an option does not fit what is in the file.
    """
    options = options or LoadOptions()
    called = name or source
    store = Store(options.root)
    path = Path(source)
    if path.is_dir():
        return _many(called, ((file, _key(file, path)) for file in _files(path)), options)
    if path.is_file():
        return _file(called, path, options)
    if store.has(source):
        return store.load(source, options.known)
    files = variant_files(options.root, source)
    if files:
        return _many(called, files, options, variant=source)
    raise RunError(_nothing(source, store, options.root))


def _file(name: str, path: Path, options: LoadOptions) -> Run:
    if path.suffix.lower() in LINE_SUFFIXES:
        first = _first_line(path)
        if is_record(first):
            return read_record(path, name, options.known)
        if foreign := foreign_lines(path, first, options.contracts):
            return _run(name, foreign, [], path)
        rows, problems = answer_lines(path, options.contracts, options.answer_field, options.case_field)
        return _run(name, rows, problems, path)
    # One file on each side is one case, whatever the files are called.
    return _many(name, [(path, ONLY)], options)


def _many(name: str, files: Iterable[tuple[Path, str]], options: LoadOptions, variant: str | None = None) -> Run:
    rows: list[CaseRow] = []
    problems: list[tuple[str, str]] = []
    keys = dict(files)
    for path, own in keys.items():
        key = keys.get(first_sample(path), own) if is_recording(path) else own  # samples are rows of one case
        if path.suffix.lower() in LINE_SUFFIXES:
            found, wrong = answer_lines(path, options.contracts, options.answer_field, options.case_field, key)
        elif is_recording(path):
            judges = options.contracts or options.schemas or ()
            found, wrong = recording_row(path, key, judges, options.max_attempts, variant)
        elif foreign := foreign_rows(path, options.contracts):
            found, wrong = foreign, []
        elif is_promptfoo_yaml(path):
            found, wrong = [], [(str(path), NOT_READ)]
        else:
            found, wrong = answer_file(path, key, options.contracts)
        rows += found
        problems += wrong
    return _run(name, rows, problems, Path(name))


def _run(name: str, rows: list[CaseRow], problems: list[tuple[str, str]], place: Path) -> Run:
    told = told_problems(problems)
    if not rows:
        why = told[0] if told else f"no recording and no answer; looked for {', '.join(SUFFIXES)}"
        raise RunError(f"{place}: {why}")
    return Run(RunHeader(name), tuple(sorted(rows, key=lambda row: (row.key, row.test))), told)


def told_problems(problems: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Problems as lines; those with the same reason are one line, however many there are."""
    places: dict[str, list[str]] = {}
    for place, why in problems:
        places.setdefault(why, []).append(place)
    return tuple(
        f"{found[0]}{f' and {len(found) - 1:,} more' if len(found) > 1 else ''}: {why}" for why, found in places.items()
    )


def _files(folder: Path) -> list[Path]:
    """Files of a folder that may be recordings or answers, sorted; hidden ones are somebody else's."""
    return [
        file
        for file in sorted(folder.rglob("*"))
        if file.suffix.lower() in SUFFIXES
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
        and file.is_file()
    ]


def _key(file: Path, folder: Path) -> str:
    """The file's path in its folder without its last suffix: equal in every folder of the same shape."""
    return file.relative_to(folder).with_suffix("").as_posix()


def _first_line(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.readline(HEAD)
    except OSError as error:
        raise RunError(f"{path}: the run cannot be read: {error.strerror or error}. Check the path.") from error


def _nothing(source: str, store: Store, root: Path) -> str:
    kept, variants = store.names(), variant_names(root)
    near = nearest(source, [*kept, *variants])
    hint = f" Did you mean {near!r}?" if near else ""
    return (
        f"{source!r} is no file, no folder, no kept run and no variant.{hint} Kept runs: {', '.join(kept) or 'none'}; "
        f"variants: {', '.join(variants) or 'none'}. Keep a run with pytest --planguard-save NAME."
    )
