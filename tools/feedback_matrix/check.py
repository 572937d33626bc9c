"""What `planguard check` says of trials: recordings are written, the command is run, and its JSON output is read."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .documents import faults
from .recordings import write_recording
from .trial import Trial

ROOT = Path(__file__).parents[2]
COMMAND = "from pytest_planguard.cli.main import main; main()"

Grades = dict[str, str]
"""By fault the grade of its finding, as the command prints it."""


def grades(trials: Sequence[Trial]) -> list[Grades]:
    """Return the grades of each trial's faults.

    Raises RuntimeError where the command does not judge a trial, or finds something else than its faults: then the
    trial is built wrongly, and no figure may come of it.
    """
    with tempfile.TemporaryDirectory() as folder:
        named = [(f"trial-{number}", trial) for number, trial in enumerate(trials)]
        read: dict[str, Grades] = {}
        for document in sorted({trial.document for trial in trials}):
            read |= _of_document(Path(folder), document, [pair for pair in named if pair[1].document == document])
    missing = [name for name, _ in named if name not in read]
    if missing:
        raise RuntimeError(f"not judged by planguard check: got no grades for {len(missing)} trials, {missing[:3]}")
    return [read[name] for name, _ in named]


def _of_document(folder: Path, document: str, named: Sequence[tuple[str, Trial]]) -> dict[str, Grades]:
    place = folder / document
    place.mkdir()
    for name, trial in named:
        write_recording(place / f"{name}.json", trial)
    by_name = dict(named)
    return {name: _grades(by_name[name], told) for name, told in _conversations(_run(place, document))}


def _run(place: Path, document: str) -> dict[str, Any]:
    contract = f"tools.feedback_matrix.contracts:{document.upper()}"
    command = [sys.executable, "-c", COMMAND, "check", str(place), "-c", contract, "--format", "json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"planguard check failed: got exit code {done.returncode}; {done.stderr[-2000:]}")
    output: dict[str, Any] = json.loads(done.stdout)
    return output


def _conversations(output: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for file in output["files"]:
        if file["errors"] or len(file["conversations"]) != 1:
            raise RuntimeError(f"not one conversation: {file}")
        yield Path(file["path"]).stem, file["conversations"][0]


def _grades(trial: Trial, told: dict[str, Any]) -> Grades:
    ways = faults(trial.document)
    by_path = {tuple(ways[name]["path"]): name for name in trial.answer}
    carried = told["attempts"][0]["carried"]
    if {tuple(one["path"]) for one in carried} != set(by_path):
        paths = [one["path"] for one in carried]  # without the text, which may be held out
        raise RuntimeError(f"other findings than the faults: got {paths} for {trial.answer} of {trial.document}")
    return {by_path[tuple(one["path"])]: one["grade"] for one in carried}
