"""What a pipeline remembers in files beside its work: the answers of its tasks, and bad answers of its stages."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from ..errors import RunError


def write_atomically(path: Path, data: object) -> None:
    """Write data as JSON into a file beside the target, and put it in the target's place.

    Raises:
        RunError: the folder cannot be made or written.
    """
    text = json.dumps(data, ensure_ascii=False, indent=2, sort_keys=False, default=str) + "\n"
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8", errors="backslashreplace")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RunError(f"{path} cannot be written: got {error.strerror or error}; make its folder writable") from None


def read_state(path: Path, kind: Any, what: str, remedy: str) -> Any:
    """Return the content of a file as a value of that type; None where the file is not there.

    Raises:
        RunError: the file cannot be read, or holds something else than `what`; `remedy` says what to do about it.
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


# The tasks of a run directory: what each answered, what it read, and what a changed answer upstream makes invalid.

RUN_STATE = "run_state.json"


@dataclass(frozen=True, slots=True)
class TaskState:
    """One task that has answered."""

    answer: str
    """12 hex digits over its answer."""
    read: Mapping[str, str] = field(default_factory=dict)
    """The tasks whose answers it read, and the digest of each when it did."""


@dataclass(frozen=True, slots=True)
class _Tasks:
    tasks: dict[str, TaskState]
    version: Literal[1] = 1

    def __post_init__(self) -> None:
        if any(name not in self.tasks for state in self.tasks.values() for name in state.read):
            raise ValueError("a task reads one that is not there")


class RunState:
    """The tasks in `run_state.json` of a run's folder. One process writes it.

    Raises:
        RunError: the file is there and is no such state.
    """

    def __init__(self, run_dir: str | os.PathLike[str]) -> None:
        self.path = Path(run_dir) / RUN_STATE
        found: _Tasks | None = read_state(self.path, _Tasks, "state of a run", "delete it")
        self.tasks = {} if found is None else found.tasks
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
        write_atomically(self.path, asdict(_Tasks(self.tasks)))

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


# How many bad answers each stage has had, in a file beside its work, so that a pipeline run again goes on counting.

RETRY_STATE = ".planguard-retry.json"
"""Name of the file, in the folder in which the command runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    version: Literal[1] = 1
    bad_answers: dict[str, int]


class RetryState:
    """Counts of one folder. Every change is written whole or not at all; with nothing to count there is no file."""

    def __init__(self, folder: Path) -> None:
        """Read what an earlier run of the pipeline left.

        Raises:
            RunError: the file cannot be read.
        """
        self.path = folder / RETRY_STATE
        found: _Counts | None = read_state(self.path, _Counts, "retry state", "remove it")
        self._bad = {} if found is None else found.bad_answers

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
            write_atomically(self.path, asdict(_Counts(bad_answers=self._bad)))
        else:
            self.path.unlink(missing_ok=True)

    def reset(self) -> None:
        """Forget everything: the pipeline begins with its first stage."""
        self._bad = {}
        self.path.unlink(missing_ok=True)
