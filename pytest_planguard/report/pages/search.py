"""A plan search as a page, and an experiment with several as a page, data and curves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from ...plan_search.experiment import BUDGETS, MISS_LIMIT
from ...plan_search.result import Edge, TerminationReason
from ...printable import one_line
from ...wire.exchange import Finish
from ..finding_text import named
from ..page import Facts, Foreign, Node, Page, Table, Tree
from ..plain_text import count

if TYPE_CHECKING:
    from ...plan_search.experiment import Delta, Experiment, Share
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
        stack.extend(reversed(children.get(node.number, [])))  # the earliest child is on top


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


FULL = "full"
"""The control strategy that `delta_vs_full` uses for comparison."""


def scorecard(
    experiment: Experiment, *, budgets: Sequence[int] = BUDGETS, controls: Iterable[str] = (FULL,)
) -> list[dict[str, Any]]:
    """Return a row for each category and policy. The category "" holds all problems.

    Args:
        experiment: the trials.
        budgets: calls at which rates are given. The last one applies to `search_epsilon`, `avg_calls` and the deltas.
        controls: policies that all others are compared with.
    """
    categories = [name for name in experiment.categories if name]
    rows = []
    for category in ["", *categories]:
        part = experiment.of_category(category) if category else experiment
        rows += [_row(part, policy, category, budgets, list(controls)) for policy in part.policies]
    return rows


def _row(
    experiment: Experiment, policy: str, category: str, budgets: Sequence[int], controls: Sequence[str]
) -> dict[str, object]:
    last = budgets[-1]
    return {
        "category": category,
        "policy": policy,
        "trials": len(experiment.of(policy)),
        "censored": experiment.censored(policy),
        "miss_rate": experiment.miss_rate(policy),
        "search_epsilon": _share(experiment.epsilon(policy, last)),
        "epsilon": {str(budget): _share(experiment.epsilon(policy, budget)) for budget in budgets},
        "avg_calls": experiment.mean_calls(policy, last),
        "backtrack_rate": _share(experiment.backtrack_rate(policy)),
        "backtrack_depths": {str(depth): times for depth, times in experiment.depths(policy).items()},
        "calls_by_step": experiment.calls_by_step(policy),
        "blame_precision": _share(experiment.blame_precision(policy)),
        "planning_s": _planning(experiment, policy),
        **{
            f"delta_vs_{control}": _delta(experiment.delta(policy, control, last))
            for control in controls
            if control != policy
        },
    }


def _share(share: Share) -> dict[str, object]:
    low, high = share.interval
    return {"hits": share.hits, "total": share.total, "share": share.value, "low": low, "high": high}


def _delta(delta: Delta | None) -> dict[str, object] | None:
    if delta is None:
        return None
    return {"difference": delta.difference, "better": delta.better, "worse": delta.worse, "p": delta.p}


def _planning(experiment: Experiment, policy: str) -> float | None:
    timed = [trial.planning_s for trial in experiment.of(policy) if trial.planning_s is not None]
    return sum(timed) / len(timed) if timed else None


def scorecard_page(rows: Sequence[dict[str, Any]]) -> Page:
    """Return the rows as a page, one line each."""
    budgets = list(rows[0]["epsilon"]) if rows else []
    deltas = list(dict.fromkeys(name for row in rows for name in row if name.startswith("delta_vs_")))
    head = ["category", "policy", *(f"ε({budget})" for budget in budgets), "95 %", "calls", "backtracks"]
    cells = tuple((*_figures(row), *(_change(row, name) for name in deltas)) for row in rows)
    table = Table((*head, *map(Foreign, deltas)), cells, right=frozenset(range(2, len(head) + len(deltas))))
    return Page("Policies", blocks=(table,), notes=tuple(_notes(rows)))


def _figures(row: dict[str, Any]) -> Iterator[Words]:
    epsilon = row["search_epsilon"]
    yield from (Foreign(row["category"] or "all"), Foreign(row["policy"]))
    yield from (_number(share["share"], 3) for share in row["epsilon"].values())
    yield f"{epsilon['low']:.2f}-{epsilon['high']:.2f}"
    yield _number(row["avg_calls"], 1)
    yield _number(row["backtrack_rate"]["share"], 2)


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _change(row: dict[str, Any], name: str) -> str:
    delta = row.get(name)
    return "-" if delta is None else f"{delta['difference']:+.3f} (p={delta['p']:.3g})"


def _notes(rows: Sequence[dict[str, Any]]) -> Iterator[Words]:
    """Yield a line for each policy with too many unrecorded calls to compare it."""
    for row in rows:
        if row["miss_rate"] > MISS_LIMIT and not row["category"]:
            share = f": {row['miss_rate']:.0%} of the calls are not recorded, more than {MISS_LIMIT:.0%}; it is not "
            yield Foreign(row["policy"], 40), f"{share}compared. Record the searches of this policy."


# The curves as SVG.

WIDTH, HEIGHT, LEFT, TOP = 420, 240, 60, 50
"""Lengths in pixels: the size of the curves, and their offset."""
LINE = 18
"""Height of a line of the legend, in pixels."""
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
