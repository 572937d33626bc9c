"""Read the matrix of models and tasks from a file or folder: histories, run records, cassettes, error logs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind
from ...errors import RunError

if TYPE_CHECKING:
    from ...pipeline.matrix import AttemptRecord, Matrix
    from ...runs.load.source import LoadOptions
    from ...runs.model.run import Run

_WITHOUT_ANSWER = frozenset({FailureKind.TRANSPORT.value, FailureKind.AUTH.value})
"""Kinds of requests that fail before a model answers. They say nothing about a model."""


@dataclass(frozen=True, slots=True)
class FoundAttempts:
    """The models and tasks in a file or folder."""

    matrix: Matrix
    problems: tuple[str, ...] = ()
    """The parts that could not be read or judged, each with a way out."""


def matrix_at(path: Path, options: LoadOptions) -> FoundAttempts:
    """Return the matrix of a file, or of all files in a folder together.

    The files are histories of attempts (.jsonl), run records (.jsonl), cassettes, JSON lists of logged errors (objects
    with `model`, `task` or `step`, and `error`; also below "cases"), and model_task_matrix.json. In a folder, other
    files are skipped, a session saved under several names counts once, and a matrix beside a history counts as derived
    from it.

    Raises:
        RunError: the path cannot be read, or has none of these.
    """
    if path.is_dir():
        return _matrix_in_folder(path, options)
    from ...runs.store.project_files import is_cassette

    if is_cassette(path):
        from ...runs.load.load import load_run

        return _of_run(load_run(str(path), options))
    return _matrix_in(path, set())


def _matrix_in_folder(folder: Path, options: LoadOptions) -> FoundAttempts:
    """Return the combined matrix of a folder's files: for each cell the latest result and the sums."""
    from ...pipeline.matrix import merged
    from ...runs.load.load import load_cassettes
    from ...runs.store.project_files import is_cassette

    parts, sessions, recorded = [], set[str](), False
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        if is_cassette(file):
            recorded = True
        elif file.suffix in (".jsonl", ".json") and not _is_derived(file):
            try:
                parts.append(_matrix_in(file, sessions))
            except RunError:  # the app's own file, which `--matrix FILE` would reject
                continue
    if recorded:
        parts.append(_of_run(load_cassettes(str(folder), options)))
    if not any(part.matrix or part.problems for part in parts):
        raise RunError(
            f"{folder} has no attempt of a model: got no history, run record, recording, log of errors or matrix; "
            "name another folder"
        )
    return FoundAttempts(
        merged(part.matrix for part in parts), tuple(problem for part in parts for problem in part.problems)
    )


def _is_derived(file: Path) -> bool:
    from ...pipeline.history import HISTORY
    from ...pipeline.matrix import MATRIX

    return file.name == MATRIX and file.with_name(HISTORY).is_file()


def _matrix_in(file: Path, sessions: set[str]) -> FoundAttempts:
    """Return the attempts of a file other than a cassette; none for a known session. `sessions` grows."""
    from ...pipeline.history import AttemptHistory
    from ...pipeline.matrix import matrix_of, read_matrix
    from ...runs.store.run_file import is_record, read_record

    if file.suffix == ".jsonl":
        with file.open("rb") as lines:
            first = lines.readline()
        if not is_record(first):
            records, bad = AttemptHistory(file).read()
            odd = f"{file}: {bad:,} {'line is' if bad == 1 else 'lines are'} not an attempt (task, model, result, at)"
            if bad and not records:
                raise RunError(f"{odd}; name a history or a run record")
            return FoundAttempts(matrix_of(records), (odd,) if bad else ())
        run = read_record(file)
        if run.header.run is not None and run.header.run in sessions:
            return FoundAttempts({})
        sessions.add(run.header.run or "")
        return _of_run(run)
    logged = _logged_errors(file)
    return FoundAttempts(read_matrix(file) if logged is None else matrix_of(attempts_of_log(logged)))


def _of_run(run: Run) -> FoundAttempts:
    from ...pipeline.matrix import matrix_of

    return FoundAttempts(matrix_of(attempts_of_run(run)), run.problems)


def attempts_of_run(run: Run) -> Iterator[AttemptRecord]:
    """Yield the judged attempts of a run as a history has them. A case without a task is its own task, by its key.

    A stale case and an unjudged answer say nothing about a model.
    """
    from ...pipeline.matrix import AttemptRecord
    from ...runs.figures import UNKNOWN_MODEL

    at = _seconds(run.header.created)
    for row in (row for row in run.rows if not row.stale):
        for attempt in (attempt for judged in row.judged if judged.outcome for attempt in judged.attempts):
            model = attempt.model or row.model or UNKNOWN_MODEL
            failed = f"{'error' if attempt.kind in _WITHOUT_ANSWER else 'fail'}:{attempt.kind}"
            yield AttemptRecord(row.task or row.key, model, "pass" if attempt.ok else failed, at)


def _seconds(created: str | None) -> float:
    """Return seconds since 1970; 0 if a run does not give its time."""
    try:
        return datetime.fromisoformat(created or "").timestamp()
    except ValueError:
        return 0.0


def attempts_of_log(entries: list[dict[str, Any]]) -> Iterator[AttemptRecord]:
    """Yield the attempts in logged errors. Entries with an unknown message are skipped."""
    from ...pipeline.history import read_logged_error
    from ...pipeline.matrix import AttemptRecord

    for entry in entries:
        read = read_logged_error(str(entry["error"]))
        if read is not None:
            task = str(entry.get("task") or entry.get("step") or "unknown")
            yield AttemptRecord(task, str(entry.get("model") or "unknown"), read.result, 0.0)


def _logged_errors(file: Path) -> list[dict[str, object]] | None:
    """Return the entries of an error log; None for another file."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(f"{file} cannot be read: got {error.strerror or error}; make the file readable") from None
    except (ValueError, RecursionError) as error:
        raise RunError(
            f"{file} is not JSON: {error}; expected a history or run record (.jsonl), a cassette, a log of errors or a "
            "model_task_matrix.json"
        ) from None
    entries = data.get("cases") if isinstance(data, dict) else data
    if not isinstance(entries, list) or not entries:
        return None
    return entries if all(isinstance(entry, dict) and "error" in entry for entry in entries) else None
