"""Store a pipeline's state on disk: its tasks' answers, and how many bad answers in a row each stage has given."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from ..atomic import replace_file
from ..errors import RunError


def write_atomically(path: Path, data: object) -> None:
    """Write data as JSON.

    Raises:
        RunError: the folder cannot be created or written.
    """
    text = json.dumps(data, ensure_ascii=False, indent=2, sort_keys=False, default=str) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode(errors="backslashreplace"))
    except OSError as error:
        raise RunError(f"{path} cannot be written: got {error.strerror or error}; make its folder writable") from None


def read_state(path: Path, kind: Any, what: str, remedy: str) -> Any:
    """Return the content of a file as a value of type `kind`; None if there is no file.

    Raises:
        RunError: the file cannot be read, or is not a valid `what`; `remedy` says how to fix it.
    """
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RunError(f"{path} cannot be read: got {error.strerror or error}; make the file readable") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise RunError(f"{path} is no {what}: got {where}: {first['msg']}; {remedy}") from None


# The tasks of a run: their answers, the answers that they depend on, and the tasks to repeat after a change.

RUN_STATE = "run_state.json"


@dataclass(frozen=True, slots=True)
class TaskState:
    """One task that has answered."""

    answer: str
    """12 hex digits: a digest of the answer."""
    read: Mapping[str, str] = field(default_factory=dict)
    """The tasks whose answers it read, and the digest of each at that time."""


@dataclass(frozen=True, slots=True)
class _Tasks:
    tasks: dict[str, TaskState]
    version: Literal[1] = 1

    def __post_init__(self) -> None:
        if any(name not in self.tasks for state in self.tasks.values() for name in state.read):
            raise ValueError("a task reads one that is not there")


class RunState:
    """The tasks in `run_state.json` of a run's folder. Only one process may write it.

    Raises:
        RunError: the file exists but is not a valid state.
    """

    def __init__(self, run_dir: str | os.PathLike[str]) -> None:
        self.path = Path(run_dir) / RUN_STATE
        found: _Tasks | None = read_state(self.path, _Tasks, "state of a run", "delete it")
        self.tasks = {} if found is None else found.tasks
        """The state of each task, in the order in which they first answered."""

    def answered(self, task: str, answer: str, needs: Iterable[str] = ()) -> None:
        """Record the answer of a task, and that it used the current answers of the tasks in `needs`.

        Raises:
            RunError: a needed task has no answer, or the file cannot be written.
        """
        read = {}
        for name in needs:
            if name not in self.tasks:
                raise RunError(f"{task} needs the answer of {name}, which has none: note {name} first")
            read[name] = self.tasks[name].answer
        self.tasks[task] = TaskState(sha256(answer.encode("utf-8", "backslashreplace")).hexdigest()[:12], read)
        write_atomically(self.path, asdict(_Tasks(self.tasks)))

    def invalid(self) -> dict[str, tuple[str, ...]]:
        """Return the tasks that must be asked again, each with the upstream tasks that invalidate it.

        A task is invalid if it used an answer that has changed since, or an invalid task's answer.
        """
        found: dict[str, tuple[str, ...]] = {}
        more = True
        while more:  # one round for each level of the pipeline
            new = {task: why for task, state in self.tasks.items() if (why := self._why(state, found))}
            more, found = new != found, new
        return found

    def _why(self, state: TaskState, invalid: Mapping[str, object]) -> tuple[str, ...]:
        return tuple(
            name for name, digest in state.read.items() if name in invalid or self.tasks[name].answer != digest
        )


# How often each stage gave a bad answer in a row. The file is kept with the stage's output, so that a restarted
# pipeline continues the count.

RETRY_STATE = ".planguard-retry.json"
"""Name of the file, in the command's working directory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    version: Literal[1] = 1
    bad_answers: dict[str, int]


class RetryState:
    """The counts of one folder. Writes are atomic; if all counts are 0 there is no file."""

    def __init__(self, folder: Path) -> None:
        """Read the counts of an earlier run of the pipeline.

        Raises:
            RunError: the file cannot be read.
        """
        self.path = folder / RETRY_STATE
        found: _Counts | None = read_state(self.path, _Counts, "retry state", "remove it")
        self._bad = {} if found is None else found.bad_answers

    def bad_answers(self, stage: str) -> int:
        """Return the number of consecutive bad answers of a stage."""
        return self._bad.get(stage, 0)

    def count(self, stage: str, bad: int) -> None:
        """Set the count of a stage; 0 after a success."""
        if bad == self.bad_answers(stage):
            return
        rest = {name: number for name, number in self._bad.items() if name != stage}
        self._bad = {**rest, stage: bad} if bad else rest
        if self._bad:
            write_atomically(self.path, asdict(_Counts(bad_answers=self._bad)))
        else:
            self.path.unlink(missing_ok=True)

    def reset(self) -> None:
        """Reset all counts, because the pipeline starts with its first stage."""
        self._bad = {}
        self.path.unlink(missing_ok=True)
