"""An experiment as a picture: the share solved within each number of calls, and how far searches went back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from ...search.experiment import BUDGETS
from ..media.sanitise import one_line

if TYPE_CHECKING:
    from ...search.experiment import Experiment

WIDTH, HEIGHT, LEFT, TOP = 420, 240, 60, 50
"""Lengths in pixels: the curves, and where they begin."""
LINE = 18
COLORS = ("#1d4ed8", "#b91c1c", "#047857", "#7c3aed", "#b45309", "#0e7490", "#be185d", "#4b5563")
"""One a policy, in their order; a ninth policy has the color of the first."""
STYLE = """
  .ground { fill: #ffffff } text { fill: #111827; font: 12px system-ui, sans-serif } .axis { stroke: #9ca3af }
  .curve { fill: none; stroke-width: 2 } .band { opacity: 0.12; stroke: none } .value { text-anchor: middle }
"""


def experiment_svg(experiment: Experiment, budgets: Sequence[int] = BUDGETS) -> str:
    """Return the picture as SVG: a curve and its 95 % band for each policy, and a line on its returns below.

    Args:
        experiment: the trials.
        budgets: numbers of calls, ascending; the last one is the right end.
    """
    policies = experiment.policies
    height = TOP + HEIGHT + 60 + LINE * (len(policies) + 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 40} {height}" role="img">',
        "<title>Share of problems solved within a number of calls</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{LEFT + WIDTH + 40}" height="{height}"/>',
        '<text x="10" y="20">ε(B): solved within B calls, with 95 % intervals</text>',
        *_axes(budgets),
    ]
    for place, policy in enumerate(policies):
        color = COLORS[place % len(COLORS)]
        lines += _curve(experiment, policy, budgets, color)
        y = TOP + HEIGHT + 50 + LINE * place
        lines.append(f'<rect x="10" y="{y - 9}" width="10" height="10" fill="{color}"/>')
        lines.append(f'<text x="26" y="{y}">{escape(_legend(experiment, policy))}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _axes(budgets: Sequence[int]) -> list[str]:
    bottom, right = TOP + HEIGHT, LEFT + WIDTH
    lines = [f'<path class="axis" fill="none" d="M{LEFT} {TOP}V{bottom}H{right}"/>']
    lines += [f'<text x="{LEFT - 30}" y="{_y(share) + 4:g}">{share:g}</text>' for share in (0, 0.5, 1)]
    return lines + [f'<text class="value" x="{_x(b, budgets):g}" y="{bottom + 18}">{b}</text>' for b in budgets]


def _curve(experiment: Experiment, policy: str, budgets: Sequence[int], color: str) -> list[str]:
    """Return the band, then the curve; nothing where every trial is censored."""
    shares = [experiment.epsilon(policy, budget) for budget in budgets]
    if not shares or not shares[0].total:
        return []
    xs = [_x(budget, budgets) for budget in budgets]
    low, high = zip(*(share.interval for share in shares), strict=True)
    band = [*zip(xs, high, strict=True), *reversed(list(zip(xs, low, strict=True)))]
    middle = zip(xs, (share.value or 0.0 for share in shares), strict=True)
    return [
        f'<polygon class="band" fill="{color}" points="{_points(band)}"/>',
        f'<polyline class="curve" stroke="{color}" points="{_points(middle)}"/>',
    ]


def _legend(experiment: Experiment, policy: str) -> str:
    depths = experiment.depths(policy)
    counts = ", ".join(f"{count} × {depth}" for depth, count in depths.items()) or "none"
    return one_line(f"{policy}: returns to an earlier step, times × levels: {counts}", 120)


def _points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{_y(share):g}" for x, share in places)


def _x(budget: int, budgets: Sequence[int]) -> float:
    return round(LEFT + WIDTH * budget / max(1, *budgets), 1)


def _y(share: float) -> float:
    return round(TOP + HEIGHT * (1 - share), 1)
