"""Draw plan searches as SVG: a tree of steps, and a curve of successes over budgets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from ...plan_search.experiment import BUDGETS
from ...printable import one_line

if TYPE_CHECKING:
    from ...plan_search.experiment import Experiment
    from ...plan_search.result import SearchNode, SearchResult


COLUMN, ROW, MARGIN, RADIUS = 44, 70, 130, 14
"""Lengths in pixels: between answers, between steps, the width for the names of steps, a circle."""
NODES_DRAWN = 500
"""Maximum number of answers in a picture. Later answers are left out."""
STYLE = """
  .ground { fill: #ffffff } text { fill: #111827; font: 12px system-ui, sans-serif } .number { text-anchor: middle }
  .passed { fill: #d1fae5; stroke: #047857 } .rejected { fill: #fee2e2; stroke: #b91c1c }
  .edge { stroke: #9ca3af; fill: none } .path { stroke: #047857; stroke-width: 3; fill: none }
"""


def search_svg(result: SearchResult) -> str:
    """Return the picture as SVG. The title of each circle has the step, the answer and the problem."""
    nodes = result.tree.nodes[:NODES_DRAWN]
    columns = _columns(nodes)
    width = MARGIN + int((max(columns.values(), default=0) + 1) * COLUMN) + 20
    height = len(result.tree.steps) * ROW + 60
    best = {node.number for node in result.path}
    title = f"plan search ({result.policy}): {result.termination_reason.value} after {result.total_calls} calls"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(one_line(title))}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{width}" height="{height}"/>',
        f'<text x="10" y="20">{escape(one_line(title))}</text>',
    ]
    for level, step in enumerate(result.tree.steps):
        lines.append(f'<text x="10" y="{_y(level) + 4}">{escape(one_line(step, 18))}</text>')
    lines += [_edge(node, columns, thick=node.number in best) for node in nodes if node.parent is not None]
    lines += [_circle(node, columns) for node in nodes]
    left_out = len(result.tree.nodes) - len(nodes)
    if left_out:
        lines.append(f'<text x="10" y="{height - 8}">{left_out:,} more answers are not drawn</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _columns(nodes: tuple[SearchNode, ...]) -> dict[int, float]:
    """Return the column of each node: leaves side by side, parents centred over their children."""
    children: dict[int | None, list[int]] = {}
    for node in nodes:
        children.setdefault(node.parent, []).append(node.number)
    columns: dict[int, float] = {}
    stack = [(number, False) for number in reversed(children.get(None, []))]
    leaves = 0
    while stack:
        number, ready = stack.pop()
        below = children.get(number, [])
        if not below:
            columns[number] = leaves
            leaves += 1
        elif ready:
            columns[number] = (columns[below[0]] + columns[below[-1]]) / 2
        else:
            stack.append((number, True))
            stack.extend((child, False) for child in reversed(below))
    return columns


def _x(column: float) -> float:
    return MARGIN + (column + 0.5) * COLUMN


def _y(level: int) -> int:
    return 50 + level * ROW


def _edge(node: SearchNode, columns: dict[int, float], *, thick: bool) -> str:
    start, end = _x(columns[node.parent or 0]), _x(columns[node.number])
    css = "path" if thick else "edge"
    return f'<path class="{css}" d="M{start:g} {_y(node.level - 1) + RADIUS}L{end:g} {_y(node.level) - RADIUS}"/>'


def _circle(node: SearchNode, columns: dict[int, float]) -> str:
    wrong = "; ".join(f"{finding.message} [{finding.code}]" for finding in node.findings if finding.severity.bad)
    tooltip = f"{node.number} {node.step} ({node.edge.value}): {one_line(wrong or node.answer, 300)}"
    x, y = _x(columns[node.number]), _y(node.level)
    css = "passed" if node.passed else "rejected"
    return (
        f'<g><title>{escape(one_line(tooltip))}</title><circle class="{css}" cx="{x:g}" cy="{y}" r="{RADIUS}"/>'
        f'<text class="number" x="{x:g}" y="{y + 4}">{node.number}</text></g>'
    )


WIDTH, HEIGHT, LEFT, TOP = 420, 240, 60, 50
"""Lengths in pixels: the size of the curves, and their offset."""
LINE = 18
COLORS = ("#1d4ed8", "#b91c1c", "#047857", "#7c3aed", "#b45309", "#0e7490", "#be185d", "#4b5563")
"""One colour per policy, in order. A ninth policy has the first colour."""
CURVE_STYLE = """
  .ground { fill: #ffffff } text { fill: #111827; font: 12px system-ui, sans-serif } .axis { stroke: #9ca3af }
  .curve { fill: none; stroke-width: 2 } .band { opacity: 0.12; stroke: none } .value { text-anchor: middle }
"""


def experiment_svg(experiment: Experiment, budgets: Sequence[int] = BUDGETS) -> str:
    """Return the picture as SVG: a curve with its 95 % band for each policy, and a line on its returns below.

    Args:
        experiment: the trials.
        budgets: numbers of calls, ascending. The last one is the right end.
    """
    policies = experiment.policies
    height = TOP + HEIGHT + 60 + LINE * (len(policies) + 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 40} {height}" role="img">',
        "<title>Share of problems solved within a number of calls</title>",
        f"<style>{CURVE_STYLE}</style>",
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
    lines += [f'<text x="{LEFT - 30}" y="{_curve_y(share) + 4:g}">{share:g}</text>' for share in (0, 0.5, 1)]
    return lines + [f'<text class="value" x="{_curve_x(b, budgets):g}" y="{bottom + 18}">{b}</text>' for b in budgets]


def _curve(experiment: Experiment, policy: str, budgets: Sequence[int], color: str) -> list[str]:
    """Return the band, then the curve; nothing if every trial is censored."""
    shares = [experiment.epsilon(policy, budget) for budget in budgets]
    if not shares or not shares[0].total:
        return []
    xs = [_curve_x(budget, budgets) for budget in budgets]
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
    return " ".join(f"{x:g},{_curve_y(share):g}" for x, share in places)


def _curve_x(budget: int, budgets: Sequence[int]) -> float:
    return round(LEFT + WIDTH * budget / max(1, *budgets), 1)


def _curve_y(share: float) -> float:
    return round(TOP + HEIGHT * (1 - share), 1)
