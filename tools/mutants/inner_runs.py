"""What a test starts: how a mutant gets into it, and the CPU time that it takes."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path
from uuid import uuid4

MUTANT = "MUTANT"
"""The variable with the name of the mutant. Inner runs of pytest drop variables whose names start with PLANGUARD."""
_FOLDER = Path(__file__).parent
_KEPT: list[object] = []


def reaching() -> dict[str, str]:
    """Return the variables that make a Python that a test starts read `MUTANT`, be it new or a fork of a warm one."""
    return {"PYTHONPATH": str(_FOLDER / "start"), "WARM_FIRST": str(_FOLDER / "inner.py")}


def serve_inner_runs() -> None:
    """Start the process that forks warm runs, for all forks of this one: starting it takes four seconds."""
    from tests.support.warm.parent import Parent

    os.environ["PYTEST_XDIST_TESTRUNUID"] = uuid4().hex
    _KEPT.append(Parent())  # that process ends with its last connection


def spent_s() -> float:
    """Return the CPU seconds of this process, of those that it has waited for, and of its warm runs."""
    from tests.support.warm.parent import parent

    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    warm = parent().spent_s if parent.cache_info().currsize else 0.0
    return time.process_time() + children.ru_utime + children.ru_stime + warm
