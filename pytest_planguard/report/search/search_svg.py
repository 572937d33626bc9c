"""The tree of a search as a picture: a row a step, a circle an answer, the winning path drawn thick."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from ..media.sanitise import one_line

if TYPE_CHECKING:
    from ...search.result import SearchNode, SearchResult

COLUMN, ROW, MARGIN, RADIUS = 44, 70, 130, 14
"""Lengths in pixels: the distance of two answers, of two steps, the room for the names of steps, a circle."""
NODES_DRAWN = 500
"""Answers that a picture has at most, the first ones."""
STYLE = """
  .ground { fill: #ffffff } text { fill: #111827; font: 12px system-ui, sans-serif } .number { text-anchor: middle }
  .passed { fill: #d1fae5; stroke: #047857 } .rejected { fill: #fee2e2; stroke: #b91c1c }
  .edge { stroke: #9ca3af; fill: none } .path { stroke: #047857; stroke-width: 3; fill: none }
"""


def search_svg(result: SearchResult) -> str:
    """Return the picture as SVG. Each circle has the step, the answer and what was wrong as its title."""
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
    """Return the column of each node: leaves side by side, parents over the middle of their children."""
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
