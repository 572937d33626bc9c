"""Sessions of pytest in a generated project: how to start one, and the rows that it leaves."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

Start = Callable[[Sequence[str], Path, Mapping[str, str]], "subprocess.CompletedProcess[bytes]"]
"""Runs a module with arguments in a folder with an environment, to its end."""


def with_python(python: str, timeout_s: float | None = None) -> Start:
    """Return a function that runs modules in processes of a Python."""

    def start(args: Sequence[str], folder: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
        command = [python, "-m", *args]
        return subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False, timeout=timeout_s)

    return start


def environment() -> dict[str, str]:
    """Return this process's environment without what steers its own pytest."""
    own = {k: v for k, v in os.environ.items() if k != "CI" and not k.startswith(("PYTEST_", "PLANGUARD_", "COV_"))}
    return {**own, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DEBUG_TEMPROOT": _temporary_folder().name}


@cache
def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder for `tmp_path`: two runs of one user that clean up at once warn of a folder that is not empty."""
    return tempfile.TemporaryDirectory(prefix="sessions-")


def rows(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of the last session in a folder, by test; none if it wrote none."""
    file = folder / ".planguard" / "last.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()[1:] if file.exists() else []
    return {row["test"]: row for row in map(json.loads, lines)}


def failed_checks(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield the failed checks of a row: "feedback: the retry feeds back no finding of the attempt before it"."""
    for conversation in row["judged"]:
        yield from (f"{c['name']}: {c['message']}" for c in conversation["checks"] if c["status"] == "fail")


def grades(attempts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield how each finding of some attempts is fed back: "verbatim", "missing"."""
    yield from (graded["how"] or graded["grade"] for attempt in attempts for graded in attempt["fed_back"])
