"""A plan search as a page: how it ended, the limiting budgets, the best failed path, every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
