"""What `planguard check` says of trials: each is a recording of its own, given to the command with its defaults.

Each recording is given to the command by itself. Those that hold one text after different faults are no app's doing,
and the command would hold that against the text. All runs share this process, so that thousands take a minute.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.support.commands import run

from .documents import faults
from .recordings import write_recording
from .trial import Trial

Grades = dict[str, str]
"""By fault the grade of its finding, as the command prints it."""


def grades(trials: Sequence[Trial]) -> list[Grades]:
    """Return the grades of each trial's faults.

    Raises RuntimeError where the command does not judge a trial, or finds something else than its faults: then the
    trial is built wrongly, and no figure may come of it.
    """
    with tempfile.TemporaryDirectory() as folder:
        return [_of_trial(Path(folder) / "trial.json", trial) for trial in trials]


def _of_trial(path: Path, trial: Trial) -> Grades:
    write_recording(path, trial)
    (file,) = _checked(path, trial.document)["files"]
    if file["errors"] or len(file["conversations"]) != 1:
        raise RuntimeError(f"not one conversation: {file}")
    return _grades(trial, file["conversations"][0])


def _checked(path: Path, document: str) -> dict[str, Any]:
    """Return what the command prints as JSON."""
    contract = f"tools.feedback_matrix.contracts:{document.upper()}"
    done = run("check", str(path), "-c", contract, "--format", "json")
    if done.exit_code not in (0, 1):
        raise RuntimeError(f"planguard check failed: got exit code {done.exit_code}; {done.stderr[-2000:]}")
    output: dict[str, Any] = json.loads(done.stdout)
    return output


def _grades(trial: Trial, told: dict[str, Any]) -> Grades:
    ways = faults(trial.document)
    by_path = {tuple(ways[name]["path"]): name for name in trial.answer}
    carried = told["attempts"][0]["carried"]
    if {tuple(one["path"]) for one in carried} != set(by_path):
        paths = [one["path"] for one in carried]  # without the text, which may be held out
        raise RuntimeError(f"other findings than the faults: got {paths} for {trial.answer} of {trial.document}")
    return {by_path[tuple(one["path"])]: one["grade"] for one in carried}
