"""The matrix of models and tasks in a file: a history, a run record, a log of errors, or a matrix that was derived."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import RunError

if TYPE_CHECKING:
    from ...pipeline.models.history import AttemptRecord
    from ...pipeline.models.matrix import Matrix
    from ...runs.model.run import Run


def matrix_in(file: Path) -> Matrix:
    """Return the matrix of a file.

    Read are a history of attempts (.jsonl), a run record (.jsonl), a JSON list of logged errors (objects with `model`,
    `task` or `step`, and `error`; also below "cases"), and a model_task_matrix.json.

    Raises:
        RunError: the file cannot be read, or is none of these.
    """
    from ...pipeline.models.history import AttemptHistory
    from ...pipeline.models.matrix import matrix_of, read_matrix
    from ...runs.store.record import is_record, read_record

    if file.suffix == ".jsonl":
        first = file.read_bytes().partition(b"\n")[0]
        return matrix_of(attempts_of_run(read_record(file)) if is_record(first) else AttemptHistory(file).records())
    logged = _logged_errors(file)
    return read_matrix(file) if logged is None else matrix_of(attempts_of_log(logged))


def attempts_of_run(run: Run) -> Iterator[AttemptRecord]:
    """Yield the attempts of a run as a history has them. A case without a task is one of its own, by its key."""
    from ...pipeline.models.history import AttemptRecord
    from ...runs.task_figures import UNKNOWN_MODEL

    for row in run.rows:
        for attempt in (attempt for judged in row.judged for attempt in judged.attempts):
            result = "pass" if attempt.ok else f"fail:{attempt.kind}"
            yield AttemptRecord(row.task or row.key, attempt.model or row.model or UNKNOWN_MODEL, result, 0.0)


def attempts_of_log(entries: list[dict[str, Any]]) -> Iterator[AttemptRecord]:
    """Yield the attempts that logged errors tell of; an error in words that nobody knows is passed over."""
    from ...pipeline.models.history import AttemptRecord
    from ...pipeline.models.logged_error import read_logged_error

    for entry in entries:
        read = read_logged_error(str(entry["error"]))
        if read is not None:
            task = str(entry.get("task") or entry.get("step") or "unknown")
            yield AttemptRecord(task, str(entry.get("model") or "unknown"), read.result, 0.0)


def _logged_errors(file: Path) -> list[dict[str, Any]] | None:
    """Return the entries of a log of errors; None for another file."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"{file} is no matrix: got {type(error).__name__}: {error}; name another file") from None
    entries = data.get("cases") if isinstance(data, dict) else data
    if not isinstance(entries, list) or not entries:
        return None
    return entries if all(isinstance(entry, dict) and "error" in entry for entry in entries) else None
