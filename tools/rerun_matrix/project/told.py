"""A plugin of the project that writes down all that is reported, by a clock of its own: only `work` takes time."""

from __future__ import annotations

import json
import os
import random
import time
import warnings
from pathlib import Path
from typing import Any

import _pytest.timing
import pytest

_NOW = [1000.0]
CALL: pytest.StashKey[dict[str, pytest.TestReport]] = pytest.StashKey()


def work(seconds: float) -> None:
    """Let time pass."""
    _NOW[0] += seconds


def _clock() -> float:
    return _NOW[0]


time.perf_counter = _clock  # type: ignore[assignment]
_pytest.timing.perf_counter = _clock  # type: ignore[assignment]


_FILE = Path(os.environ["TOLD"]).open("a", encoding="utf-8") if "TOLD" in os.environ else None  # noqa: SIM115


def _tell(**what: Any) -> None:
    if _FILE is not None:
        _FILE.write(f"{json.dumps(what, sort_keys=True)}\n")
        _FILE.flush()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Both recipes of pytest's documentation for fixtures that want to know how the test went."""
    report = yield
    setattr(item, f"rep_{report.when}", report)
    item.stash.setdefault(CALL, {})[report.when] = report
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shuffle classes and functions, and the methods of each class; with `ORDER` as the seed."""
    if "ORDER" not in os.environ:
        return
    drawn = random.Random(os.environ["ORDER"])
    groups: dict[Any, list[pytest.Item]] = {}
    for item in items:
        groups.setdefault(getattr(item, "cls", None) or item, []).append(item)
    shuffled = [*groups.values()]
    drawn.shuffle(shuffled)
    for group in shuffled:
        drawn.shuffle(group)
    items[:] = [item for group in shuffled for item in group]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down a report, where the run is controlled."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    _tell(
        test=report.nodeid,
        when=report.when,
        kind=type(report).__name__,
        outcome=report.outcome,
        sections=[s for s in report.sections if s[0] != "planguard"],
        text=str(report.longreprtext),
        seconds=round(report.duration, 6),
        properties=[p for p in report.user_properties if not p[0].startswith("planguard")],
    )


def pytest_warning_recorded(warning_message: warnings.WarningMessage, nodeid: str) -> None:
    """Write down a warning."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        _tell(test=nodeid, when="warning", text=str(warning_message.message))
