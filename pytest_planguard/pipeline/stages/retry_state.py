"""How many bad answers each stage has had, in a file beside its work, so that a pipeline run again goes on counting."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...errors import RunError
from ..atomic import write_atomically

RETRY_STATE = ".planguard-retry.json"
"""Name of the file, in the folder in which the command runs."""
_VERSION = 1


class RetryState:
    """Counts of one folder. Every change is written whole or not at all; with nothing to count there is no file."""

    def __init__(self, folder: Path) -> None:
        """Read what an earlier run of the pipeline left.

        Raises:
            RunError: the file cannot be read.
        """
        self.path = folder / RETRY_STATE
        self._bad = _read(self.path)

    def bad_answers(self, stage: str) -> int:
        """Return how many bad answers in a row a stage has had."""
        return self._bad.get(stage, 0)

    def count(self, stage: str, bad: int) -> None:
        """Set the count of a stage; 0 once it has succeeded."""
        if bad == self.bad_answers(stage):
            return
        rest = {name: number for name, number in self._bad.items() if name != stage}
        self._bad = {**rest, stage: bad} if bad else rest
        if self._bad:
            write_atomically(self.path, {"version": _VERSION, "bad_answers": self._bad})
        else:
            self.path.unlink(missing_ok=True)

    def reset(self) -> None:
        """Forget everything: the pipeline begins with its first stage."""
        self._bad = {}
        self.path.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, int]:
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != _VERSION:
            raise ValueError(f"version {data['version']}")
        return {str(name): int(number) for name, number in data["bad_answers"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RunError(f"{path} is no retry state: got {type(error).__name__}: {error}; remove it") from None
