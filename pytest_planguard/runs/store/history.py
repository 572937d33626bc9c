"""How many cases were good in each of the runs that are kept, oldest first: whether a project gets better."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...errors import RunError
from ..run_figures import figures_of_run
from ..statistics import Rate
from .store import LAST

if TYPE_CHECKING:
    from .store import Store

SHOWN = 20
"""Runs that a chart shows, the newest of those that are kept."""


class RunPoint(NamedTuple):
    """One run of a history."""

    name: str
    created: str | None
    """When it was written, ISO 8601; None where unknown."""
    cases: Rate
    """Good cases of those that were judged."""


def kept_history(store: Store, shown: int = SHOWN) -> tuple[RunPoint, ...]:
    """Return the newest kept runs in the order in which they were written.

    The last run is often kept under a name as well and counts once, under that name. A run that judged nothing, or
    that cannot be read, is left out.
    """
    # A file is written once, when its session ends: its time tells the newest ones without reading them all.
    newest = sorted(store.names(), key=lambda name: store.path(name).stat().st_mtime, reverse=True)[: 2 * shown]
    points: dict[object, RunPoint] = {}
    for name in newest:
        try:
            run = store.load(name)
        except RunError:
            continue
        cases = figures_of_run(run).cases
        if cases.total:
            same = run.header.run or (run.header.created, name)
            if same not in points or name != LAST:
                points[same] = RunPoint(name, run.header.created, cases)
    return tuple(sorted(points.values(), key=lambda point: point.created or "")[-shown:])
