"""The cases: every call of `carried` that the open tables and the tests of the readers make, each once.

`python -m tools.ablation.cases` records them. Tests are recorded by loading this module as a plugin of pytest:
`pytest -p tools.ablation.cases tests/retry/matching`.
"""

from __future__ import annotations

import atexit
import importlib
import os
import pickle
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(".ablation")
PATIENCE = 40
"""Pieces of new words above which a case is left out: those are tests of cost."""


@dataclass(frozen=True, slots=True)
class Case:
    """What `carried` was asked: which of the findings the new words carry."""

    findings: Sequence[Any]
    deltas: Sequence[Any]
    data: Any
    schema: Any

    @property
    def text(self) -> str:
        """Everything that a word of the readers may be looked for in."""
        pieces = [piece.text for delta in self.deltas for piece in delta.pieces]
        of_findings = [
            f"{f.message} {f.code} {f.validator_code} {f.validator_message} {f.actual}" for f in self.findings
        ]
        return "\n".join((*pieces, *of_findings))


_recorded: dict[bytes, None] = {}


def record() -> None:
    """Keep the arguments of every call of `carried` from now on; they are written when the process ends."""
    module = importlib.import_module("pytest_planguard.retry.matching.carried")
    original = module.carried

    def recorded(findings: Sequence[Any], reading: Any, *, attempt: int, data: Any = None, schema: Any = None) -> Any:
        if sum(len(delta.pieces) for delta in reading.deltas) <= PATIENCE:
            with suppress(pickle.PicklingError, TypeError, AttributeError):  # an answer that a test made of objects
                _recorded[pickle.dumps(Case(tuple(findings), tuple(reading.deltas), data, schema))] = None
        return original(findings, reading, attempt=attempt, data=data, schema=schema)

    module.carried = recorded  # type: ignore[attr-defined]
    process = os.getpid()
    atexit.register(lambda: _write() if os.getpid() == process else None)


def _write() -> None:
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"cases-{os.getpid()}.pickle").write_bytes(pickle.dumps(list(_recorded)))


def cases() -> list[Case]:
    """Return all recorded cases, each once, always in the same order."""
    kept: dict[bytes, None] = {}
    for path in sorted(FOLDER.glob("cases-*.pickle"), key=lambda p: p.stat().st_mtime):
        kept.update(dict.fromkeys(pickle.loads(path.read_bytes())))
    return [pickle.loads(raw) for raw in kept]


def pytest_configure() -> None:
    """Record while tests run."""
    record()


def main() -> None:
    """Record what the open part of the feedback matrix asks."""
    record()
    check = importlib.import_module("tools.feedback_matrix.check")
    measure = importlib.import_module("tools.feedback_matrix.measure")
    trials: Iterator[Any] = measure.all_trials(measure.TEXTS)
    check.grades([one for one in trials if not one.held_out])


if __name__ == "__main__":
    # as an import, so that the cases have the module's own name in the files
    importlib.import_module("tools.ablation.cases").main()
