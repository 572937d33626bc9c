"""The share of good cases over the kept runs as a small chart: bars that a template draws, and the same in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..media.sanitise import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...runs.store.history import RunPoint

STEP, WIDTH, HEIGHT = 16, 12, 48
"""Of one bar, in the chart's own units: from bar to bar, its width, and its height where all cases are good."""
LEAST = 1.5
"""Height of a run without any good case: it is there, and it is not missing."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One run."""

    x: int
    y: float
    height: float
    words: str
    """'main, 2026-11-18 10:00: 8 of 10 good (80 %)'."""
    last: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """All of them, oldest first."""

    bars: tuple[Bar, ...]
    width: int
    height: int
    words: str
    """The same for whoever does not see it: 'Good cases over the last 2 kept runs, oldest first: 80 %, 90 %'."""


def history_chart(points: Sequence[RunPoint]) -> Chart | None:
    """Return the chart; None where fewer than two runs are kept."""
    if len(points) < 2:
        return None
    bars = tuple(_bar(point, at, at == len(points) - 1) for at, point in enumerate(points))
    shares = ", ".join(f"{100 * (point.cases.share or 0):.0f} %" for point in points)
    words = f"Good cases over the last {len(points):,} kept runs, oldest first: {shares}"
    return Chart(bars, STEP * len(points) - (STEP - WIDTH), HEIGHT, words)


def _bar(point: RunPoint, at: int, last: bool) -> Bar:
    share = point.cases.share or 0.0
    height = max(LEAST, share * HEIGHT)
    when = f", {one_line(point.created[:16].replace('T', ' '), 40)}" if point.created else ""
    words = (
        f"{one_line(point.name, 80)}{when}: {point.cases.hits:,} of {point.cases.total:,} good ({100 * share:.0f} %)"
    )
    return Bar(STEP * at, round(HEIGHT - height, 2), round(height, 2), words, last)
