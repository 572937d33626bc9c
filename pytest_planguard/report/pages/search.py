"""A plan search as a page (how it ended, its limits, the best failed path, every answer), and its tree as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from ...plan_search.result import Edge, TerminationReason
from ...printable import one_line
from ...wire.exchange import Finish
from ..finding_text import count, named
from ..page import Facts, Foreign, Node, Page, Table, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...plan_search.result import SearchNode, SearchResult, SearchTree
    from ..page import Block, Words

MEANING = {
    TerminationReason.SUCCESS: "every guard on the path passed",
    TerminationReason.ERROR: "the code of a step raised",
    TerminationReason.CENSORED: "the cassette lacks an answer, and nothing else was open",
    TerminationReason.BUDGET_EXHAUSTED: "all calls are made",
    TerminationReason.BACKTRACK_CEILING: "an open path is blocked by the reopenings of its step",
    TerminationReason.STEP_CEILING: "an open path is blocked by the calls of its step",
    TerminationReason.ALL_PRUNED: "every answer was tried; the problem may be unsolvable by this pipeline",
    TerminationReason.GAVE_UP: "the blame for a failure says to give up",
}
PREVIEW = 200
"""Maximum number of characters of a passed answer on its line, before it is opened."""


def search_page(result: SearchResult) -> Page:
    """Return the page."""
    reason = result.termination_reason
    meaning = MEANING[reason] if result.error is None else Foreign(str(result.error), 200)
    calls, reopenings = result.calls_by_step, result.reopenings
    facts = tuple(_facts(result))
    steps = tuple((Foreign(step, 80), f"{calls[step]:,}", f"{reopenings[step]:,}") for step in result.tree.steps)
    table = Table(("step", "calls", "reopenings"), steps, "Calls by step", frozenset({1, 2}))
    nodes, on_path = depth_first(result.tree), {node.number for node in result.path}
    tree = Tree("Every answer", tuple(_node(node, result.tree, node.number in on_path) for node in nodes))
    blocks: tuple[Block, ...] = (*([Facts(facts)] if facts else []), tree, table)
    return Page(
        ("plan search (", Foreign(result.policy, 40), ")"),
        (f"{reason.value.replace('_', ' ')} after {count(result.total_calls, 'call')} (", meaning, ")"),
        blocks=blocks,
    )


def _facts(result: SearchResult) -> Iterator[tuple[str, Words]]:
    """Yield its limits, its unrecorded calls, and its path."""
    if result.bound_by:
        yield "bound by", Foreign(", ".join(one_line(name, 80) for name in result.bound_by), 400)
    if result.misses:
        yield "without a recorded answer", f"{count(result.misses, 'call')} ({result.miss_rate:.0%})"
    if result.path:
        path = " > ".join(f"{node.number} {one_line(node.step, 40)}" for node in result.path)
        yield ("path" if result.succeeded else "best failed path"), Foreign(path, 2_000)


def depth_first(tree: SearchTree) -> Iterator[SearchNode]:
    """Yield the nodes of a tree, each one before those below it."""
    children = tree.children()
    stack = list(reversed(children.get(None, [])))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children.get(node.number, [])))


def _node(node: SearchNode, tree: SearchTree, on_path: bool) -> Node:
    """Return an answer: number and step, why it was requested, its finish unless it just stopped, and its problem."""
    how = [] if node.edge is Edge.FORWARD else [node.edge.value]
    if node.finish not in (None, Finish.STOP):
        how.append(f"finish {node.finish.value}")
    title = f"{node.number} {one_line(node.step, 40)}" + (f" ({', '.join(how)})" if how else "")
    wrong = named([finding for finding in node.findings if finding.severity.bad])
    if node.levels_back:  # the blamed step
        wrong += f", back to {one_line(tree.steps[node.level - node.levels_back], 40)}"
    words = Foreign(node.answer, PREVIEW) if node.passed else Foreign(wrong, 1_000)
    return Node(title, node.level, node.passed, words, node.answer, tuple(node.findings), on_path)


# The tree as SVG.

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
