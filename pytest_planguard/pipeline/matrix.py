"""The matrix of models and tasks, derived from the attempts, and the model order for a task."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..errors import RunError, UsageError
from ..statistics import wilson
from .state_files import write_atomically

MATRIX = "model_task_matrix.json"
_MOST = 10**12
"""No history has as many attempts: a count of 1e300 is an error, and its share cannot be computed."""
UNKNOWN = "unknown"
SHAPE = '{"model": {"task": "pass", "unknown" or "fail:<kind>"}}'


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """The result of one attempt of a model at a task."""

    task: str
    model: str
    result: str
    """"pass", "fail:<kind>" for a bad answer, or "error:<kind>" if no answer came."""
    at: float
    """Seconds since 1970; 0 if unknown, as in a cassette."""

    @property
    def is_verdict(self) -> bool:
        """True if the attempt says something about the model. A lost connection does not."""
        return self.result == "pass" or self.result.startswith("fail:")


@dataclass(frozen=True, slots=True)
class Cell:
    """The results of one model at one task."""

    state: str = UNKNOWN
    """"pass", "fail:<kind>" or "unknown": the result of the latest attempt."""
    passed: int = 0
    failed: Mapping[str, int] = field(default_factory=dict)
    """Failure kind to the number of attempts."""
    last_seen: float | None = None
    """Seconds since 1970; None if unknown."""

    @property
    def attempts(self) -> int:
        """The number of attempts with a verdict on the model."""
        return self.passed + sum(self.failed.values())

    @property
    def interval(self) -> tuple[float, float]:
        """The share of good answers with 95 % confidence (Wilson); (0, 1) without attempts."""
        return wilson(self.passed, self.attempts)

    def is_bad(self, now: float | None = None, max_age_s: float | None = None) -> bool:
        """Return True if the model failed the task, and recently enough to count."""
        if not self.state.startswith("fail:"):
            return False
        aged = None not in (now, max_age_s, self.last_seen) and now - self.last_seen > max_age_s  # type: ignore[operator]
        return not aged


Matrix = Mapping[str, Mapping[str, Cell]]
"""Model to task to cell."""


def matrix_of(records: Iterable[AttemptRecord]) -> dict[str, dict[str, Cell]]:
    """Return the matrix of a history. Attempts without a verdict, such as lost connections, are skipped."""
    groups: dict[tuple[str, str], list[AttemptRecord]] = {}
    for record in records:
        if record.is_verdict:
            groups.setdefault((record.model, record.task), []).append(record)
    matrix: dict[str, dict[str, Cell]] = {}
    for (model, task), made in sorted(groups.items()):
        matrix.setdefault(model, {})[task] = _cell(made)
    return matrix


def merged(matrices: Iterable[Matrix]) -> dict[str, dict[str, Cell]]:
    """Return the union of several matrices: counts are added up, and the latest result is the state.

    If two cells have the same time, or a time is unknown, the later matrix wins.
    """
    whole: dict[str, dict[str, Cell]] = {}
    for matrix in matrices:
        for model, row in matrix.items():
            cells = whole.setdefault(model, {})
            for task, cell in row.items():
                cells[task] = _both(cells[task], cell) if task in cells else cell
    return {model: dict(sorted(whole[model].items())) for model in sorted(whole)}


def _both(one: Cell, other: Cell) -> Cell:
    latest = one if (one.last_seen or 0) > (other.last_seen or 0) else other
    failed = dict(sorted((Counter(one.failed) + Counter(other.failed)).items()))
    return Cell(latest.state, one.passed + other.passed, failed, latest.last_seen)


def write_matrix(path: Path, matrix: Matrix) -> None:
    """Write model_task_matrix.json atomically. Raises RunError if the file cannot be written."""
    write_atomically(path, matrix_data(matrix))


def matrix_data(matrix: Matrix) -> dict[str, Any]:
    """Return the content of model_task_matrix.json."""
    models = {model: {task: _cell_data(cell) for task, cell in row.items()} for model, row in matrix.items()}
    return {"version": 1, "models": models}


def read_matrix(path: Path) -> dict[str, dict[str, Cell]]:
    """Return the matrix in a file: written by `write_matrix`, or plain `{model: {task: "fail:schema_echo"}}`.

    Raises:
        RunError: the file is missing or not a matrix.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(f"{path} cannot be read: got {error.strerror or error}; name a {MATRIX}") from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path} is not JSON: {error}; name a {MATRIX}") from None
    try:
        whole = _object(data, "the file")
        models = _object(whole.get("models"), "`models`") if "version" in whole else whole
        return {
            model: {task: _cell_from(c, f"`{task}` of `{model}`") for task, c in _object(row, f"`{model}`").items()}
            for model, row in models.items()
        }
    except ValueError as error:
        raise RunError(f"{path} is not a matrix: {error}; expected {SHAPE}; name a {MATRIX}") from None


def _cell(records: list[AttemptRecord]) -> Cell:
    """Return the cell of one model and task. The order in the file decides which attempt is the latest, not clocks."""
    failed = Counter(record.result.removeprefix("fail:") for record in records if record.result != "pass")
    passed = len(records) - sum(failed.values())
    seen = max(record.at for record in records)
    return Cell(records[-1].result, passed, dict(sorted(failed.items())), seen or None)  # 0 is an unknown time


def _cell_data(cell: Cell) -> dict[str, object]:
    seen = None
    with suppress(ValueError, OverflowError, OSError):  # any process may write the history: no year has 1e300 seconds
        seen = None if cell.last_seen is None else datetime.fromtimestamp(cell.last_seen, UTC).isoformat()
    low, high = cell.interval
    return {
        "state": cell.state,
        "passed": cell.passed,
        "failed": dict(cell.failed),
        "last_seen": seen,
        "interval": [round(low, 4), round(high, 4)],
    }


def _object(data: object, place: str) -> dict[str, Any]:
    if isinstance(data, dict):
        return data
    raise ValueError(f"{place} is {'missing' if data is None else json.dumps(data)[:40]} and not an object")


def _cell_from(data: object, place: str) -> Cell:
    if isinstance(data, str):
        return Cell(_state(data, place))
    cell = _object(data, place)
    try:
        seen = cell.get("last_seen")
        at = None if seen is None else datetime.fromisoformat(seen).timestamp()
        failed = {kind: int(count) for kind, count in cell.get("failed", {}).items()}
        passed = int(cell.get("passed", 0))
    except (TypeError, AttributeError, OverflowError, ValueError) as error:
        raise ValueError(f"{place} has counts or a time of another type ({error})") from None
    if not all(0 <= count < _MOST for count in (passed, *failed.values())):
        raise ValueError(f"{place} has a count below 0 or above a trillion")
    return Cell(_state(cell.get("state"), place), passed, failed, at)


def _state(text: object, place: str) -> str:
    if text in ("pass", UNKNOWN) or (isinstance(text, str) and text.startswith("fail:")):
        return str(text)
    raise ValueError(f"{place} is {json.dumps(text)[:40]}")


# The order in which models are asked for a task.

_UNSEEN = Cell()


def fallback_order(
    task: str,
    models: Sequence[str],
    matrix: Matrix,
    *,
    explore: float = 0.0,
    max_age_s: float | None = None,
    now: float | None = None,
    chance: Callable[[], float] = random.random,
) -> list[str]:
    """Return the models to ask: `AttemptHistory.fallback_order` explains the arguments.

    `chance` returns a number from 0 to below 1.
    """
    if not models:
        raise UsageError(f"no model for {task}: got an empty list; name at least one")
    if not 0 <= explore <= 1:
        raise UsageError(f"wrong share to explore: got {explore}; give a number from 0 to 1")
    if max_age_s is not None and now is None:
        raise UsageError("wrong age: got max_age_s without now; give both")
    cells = {model: matrix.get(model, {}).get(task, _UNSEEN) for model in models}
    bad = [model for model in models if cells[model].is_bad(now, max_age_s)]
    order = [model for model in models if model not in bad]
    if not order:
        order = [max(bad, key=lambda model: cells[model].interval)]  # the first of several equally good ones
        bad.remove(order[0])
    if bad and explore and chance() < explore:
        order.insert(0, bad[int(chance() * len(bad))])
    return order
