"""The files that a pipeline and a person exchange: pause.json, and resume.json or abort.json in reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import RunError
from .state_files import read_state, write_atomically

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
        where = f"--run-dir {run_dir}"
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

    Raises:
        RunError: the run does not wait, or the folder cannot be written.
    """
    pause = read_pause(run_dir)
    if pause is None:
        raise RunError(f"{run_dir} does not wait: got no {PAUSE} in it; name the folder of a run that is paused")
    path = run_dir / (RESUME if decision.resume else ABORT)
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
