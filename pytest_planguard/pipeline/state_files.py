"""A pipeline's files: its tasks' answers, the bad answers in a row of each stage, and the pause that a person ends."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from shlex import quote
from typing import Any, Literal

from ..errors import RunError
from ..replay.paths import replace_file


def write_atomically(path: Path, data: object) -> None:
    """Write data as JSON.

    Raises:
        RunError: the folder cannot be created or written.
    """
    text = json.dumps(data, ensure_ascii=False, indent=2, sort_keys=False, default=str) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # an answer may hold half of a surrogate pair ("\\ud800" in JSON), which UTF-8 has not
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


# The files that a pipeline and a person exchange: pause.json, and resume.json or abort.json in reply.


PAUSE, RESUME, ABORT = "pause.json", "resume.json", "abort.json"
_LIMIT = 1_000_000
"""Maximum number of bytes of a reply file to read."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Why and since when a pipeline waits; the content of pause.json."""

    condition: str
    task: str
    value: str
    """The field's value, or the task's state."""
    paused_at: str
    """UTC time in ISO 8601."""
    id: str
    """The id of this pause: a reply with another id belongs to another pause."""
    findings: tuple[dict[str, Any], ...] = ()
    """Findings of the answer, in the form that run files use."""

    def data(self, run_dir: Path) -> dict[str, Any]:
        """Return the content of pause.json."""
        where = f"--run-dir {quote(str(run_dir))}"  # a command to copy: "runs/my plan" has a blank
        ways = {"resume": f"planguard gate resume {where}", "abort": f"planguard gate abort {where}"}
        return {"version": 1, **asdict(self), "findings": list(self.findings), "how_to_go_on": ways}

    def is_same(self, other: Pause) -> bool:
        """Return True if the other pause has the same reason, as after a restart."""
        return (self.condition, self.task, self.value) == (other.condition, other.task, other.value)


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's decision; the content of resume.json or abort.json."""

    resume: bool
    note: str = ""


def write_pause(run_dir: Path, pause: Pause) -> None:
    """Write pause.json. Raises RunError if the folder cannot be written."""
    write_atomically(run_dir / PAUSE, pause.data(run_dir))


def read_pause(run_dir: Path) -> Pause | None:
    """Return the pause of a run; None if it does not wait.

    Raises:
        RunError: pause.json is malformed.
    """
    pause: Pause | None = read_state(run_dir / PAUSE, Pause, "pause", "remove it, and the pipeline writes it again")
    return pause


def write_decision(run_dir: Path, decision: Decision) -> Path:
    """Write resume.json or abort.json for the pause of a run, and return its path.

    An abort may follow a resume, and takes precedence.

    Raises:
        RunError: the run does not wait or is already decided, or the folder cannot be written.
    """
    pause = read_pause(run_dir)
    if pause is None:
        raise RunError(f"{run_dir} does not wait: got no {PAUSE} in it; name the folder of a run that is paused")
    path = run_dir / (RESUME if decision.resume else ABORT)
    made, _ = read_decision(run_dir, pause)
    if made is not None and (decision.resume or not made.resume):
        there = run_dir / (RESUME if made.resume else ABORT)
        raise RunError(f"{run_dir} is already decided, by {there.name}; remove it to decide again")
    write_atomically(path, {"version": 1, "pause": pause.id, "note": decision.note})
    return path


def read_decision(run_dir: Path, pause: Pause) -> tuple[Decision | None, tuple[str, ...]]:
    """Return the decision about a pause, and the refused files with the reasons.

    An abort takes precedence over a resume. A file is stale if it names another pause, or if it names none and is older
    than pause.json. A person may write the file by hand: `{}` is enough.
    """
    refused = []
    for name, resume in ((ABORT, False), (RESUME, True)):
        try:
            data = _object(run_dir / name)
            stale = _stale(run_dir, name, data, pause)
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            refused.append(f"{name} is refused: got {error}; write a JSON object, or {{}}")
            continue
        if stale is None:
            return Decision(resume, str(data.get("note") or "")), tuple(refused)
        refused.append(
            f"{name} is refused: got {stale}; remove it, or run `planguard gate resume` or `planguard gate abort`"
        )
    return None, tuple(refused)


def end_pause(run_dir: Path, pause: Pause, decision: Decision) -> None:
    """Keep a decided pause as gate-<id>.json, and remove the exchanged files."""
    kept = {**pause.data(run_dir), "outcome": "resumed" if decision.resume else "aborted", "note": decision.note}
    write_atomically(run_dir / f"gate-{pause.id}.json", kept)
    for name in (RESUME, ABORT, PAUSE):  # pause.json last: after a kill in between, a pause remains
        (run_dir / name).unlink(missing_ok=True)


def _stale(run_dir: Path, name: str, data: Mapping[str, object], pause: Pause) -> str | None:
    """Return why a reply belongs to another pause; None if it belongs to this one."""
    named = data.get("pause")
    if named is not None:
        return None if named == pause.id else f"the answer to pause {named!r}, not to {pause.id!r}"
    older = (run_dir / name).stat().st_mtime_ns < (run_dir / PAUSE).stat().st_mtime_ns
    return f"a file older than {PAUSE}" if older else None


def _object(path: Path) -> dict[str, object]:
    with path.open("rb") as file:
        content = file.read(_LIMIT + 1)
    if len(content) > _LIMIT:
        raise ValueError(f"more than {_LIMIT:,} bytes")
    try:
        data = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ValueError("no JSON") from None
    if not isinstance(data, dict):
        raise ValueError(f"JSON that is {type(data).__name__}, no object")  # noqa: TRY004 - the file's fault
    return data
