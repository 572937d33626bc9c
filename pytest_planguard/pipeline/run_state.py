"""The tasks of a run directory: what each answered, what it read, and what a changed answer upstream makes invalid."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..errors import RunError
from .atomic import write_atomically

RUN_STATE = "run_state.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class TaskState:
    """One task that has answered."""

    answer: str
    """12 hex digits over its answer."""
    read: Mapping[str, str] = field(default_factory=dict)
    """The tasks whose answers it read, and the digest of each when it did."""


class RunState:
    """The tasks in `run_state.json` of a run's folder. One process writes it.

    Raises:
        RunError: the file is there and is no such state.
    """

    def __init__(self, run_dir: str | os.PathLike[str]) -> None:
        self.path = Path(run_dir) / RUN_STATE
        self.tasks: dict[str, TaskState] = _read(self.path)
        """Task to its state, in the order in which they first answered."""

    def answered(self, task: str, answer: str, needs: Iterable[str] = ()) -> None:
        """Note the answer of a task, and that it rests on the present answers of the tasks that it needs.

        Raises:
            RunError: a task that it needs has no answer, or the file cannot be written.
        """
        read = {}
        for name in needs:
            if name not in self.tasks:
                raise RunError(f"{task} needs the answer of {name}, which has none: note {name} first")
            read[name] = self.tasks[name].answer
        self.tasks[task] = TaskState(sha256(answer.encode("utf-8", "backslashreplace")).hexdigest()[:12], read)
        data = {"version": VERSION, "tasks": {name: asdict(state) for name, state in self.tasks.items()}}
        write_atomically(self.path, data)

    def invalid(self) -> dict[str, tuple[str, ...]]:
        """Return the tasks that have to be asked again, and for each the tasks upstream that are to blame.

        A task is invalid where one that it read has another answer by now, or is invalid itself.
        """
        found: dict[str, tuple[str, ...]] = {}
        more = True
        while more:  # a round for each level of the pipeline
            new = {task: why for task, state in self.tasks.items() if (why := self._why(state, found))}
            more, found = new != found, new
        return found

    def _why(self, state: TaskState, invalid: Mapping[str, object]) -> tuple[str, ...]:
        return tuple(
            name for name, digest in state.read.items() if name in invalid or self.tasks[name].answer != digest
        )


def _read(path: Path) -> dict[str, TaskState]:
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            raise ValueError(f"version {data['version']!r}")
        tasks = {str(name): TaskState(str(one["answer"]), dict(one["read"])) for name, one in data["tasks"].items()}
        if any(name not in tasks for state in tasks.values() for name in state.read):
            raise ValueError("a task reads one that is not there")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise RunError(f"{path} cannot be read: got {error.strerror or error}; make the file readable") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise RunError(f"{path} is no state of a run: got {type(error).__name__}: {error}; delete it") from None
    return tasks
