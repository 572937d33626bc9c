"""A plan search as text and as a page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...document.path import to_dotted
from ...printable import one_line
from ...search.result import Edge, TerminationReason
from ...wire.exchange import Finish
from ..answer.finding_text import count, named
from ..media.html_page import block, render_page
from ..media.text_table import Style

if TYPE_CHECKING:
    from ...search.result import SearchNode, SearchResult, SearchTree


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
"""What each reason says, in words."""
NODES_SHOWN = 60
"""Answers of a tree that are printed; the rest is counted."""
_PREVIEW = 60
_PLAIN = Style(color=False)


def render_search(result: SearchResult, *, color: bool = False) -> str:
    """Return a search as text: a headline, the budgets that bound, the best failed path, the tree."""
    style = Style(color)
    return "\n".join([ending(result, style), *lines_about(result), *_tree(result.tree, style)])


def ending(result: SearchResult, style: Style = _PLAIN) -> str:
    """Return the headline: the policy, the reason it ended for, and what that means."""
    paint = style.good if result.succeeded else style.bad
    reason = paint(result.termination_reason.value.replace("_", " "))
    calls = count(result.total_calls, "call")
    meaning = MEANING[result.termination_reason] if result.error is None else one_line(str(result.error), 200)
    return f"{style.strong(f'plan search ({one_line(result.policy, 40)})')}: {reason} after {calls} ({meaning})"


def lines_about(result: SearchResult) -> list[str]:
    """Return what bound it, what no cassette had, and its path."""
    lines = []
    if result.bound_by:
        lines.append(f"bound by {', '.join(one_line(name, 80) for name in result.bound_by)}")
    if result.misses:
        lines.append(f"{count(result.misses, 'call')} without a recorded answer ({result.miss_rate:.0%})")
    if result.path:
        title = "path" if result.succeeded else "best failed path"
        lines.append(f"{title}: {' > '.join(f'{node.number} {one_line(node.step, 40)}' for node in result.path)}")
    return lines


def depth_first(tree: SearchTree) -> Iterator[SearchNode]:
    """Yield the nodes of a tree, each one before those below it."""
    children = tree.children()
    stack = list(reversed(children.get(None, [])))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children.get(node.number, [])))


def node_title(node: SearchNode) -> str:
    """Return the number and step of a node, why it was asked, and how its answer ended where it did not just stop."""
    how = [] if node.edge is Edge.FORWARD else [node.edge.value]
    if node.finish not in (None, Finish.STOP):
        how.append(f"finish {node.finish.value}")
    return f"{node.number} {one_line(node.step, 40)}" + (f" ({', '.join(how)})" if how else "")


def node_problems(node: SearchNode, tree: SearchTree) -> str:
    """Return what is wrong with a rejected answer, and the step that is blamed for it."""
    wrong = named([finding for finding in node.findings if finding.severity.bad])
    return wrong + (f", back to {one_line(tree.steps[node.level - node.levels_back], 40)}" if node.levels_back else "")


def _tree(tree: SearchTree, style: Style) -> Iterator[str]:
    """Return the nodes depth first, indented by level."""
    for node in islice(depth_first(tree), NODES_SHOWN):
        yield "  " * (node.level + 1) + _line(node, tree, style)
    if len(tree.nodes) > NODES_SHOWN:
        yield f"  …and {count(len(tree.nodes) - NODES_SHOWN, 'more answer')}"


def _line(node: SearchNode, tree: SearchTree, style: Style) -> str:
    if node.passed:
        return f"{node_title(node)}: {style.good('passed')}  {style.dim(one_line(node.answer, _PREVIEW))}"
    return f"{node_title(node)}: {style.bad('rejected')} {node_problems(node, tree)}"


STEP_HEAD = ("step", "calls", "reopenings")
NODES_ON_PAGE = 500
"""Answers that a page has at most, depth first; the rest is counted."""
ANSWER = 20_000
"""Characters of an answer that are shown; the rest is counted."""
DEEPEST = 8
"""Steps by which an answer is indented at most; page.css has a class for each."""
PREVIEW = 200
"""Characters of an answer that passed in its own line, before it is opened."""
_NAME, _MESSAGE = 80, 400


def search_page(result: SearchResult) -> str:
    """Return the page. Answers on the path are open, the others closed; it needs no script."""
    shown = list(islice(depth_first(result.tree), NODES_ON_PAGE))
    on_path = {node.number for node in result.path}
    calls, reopenings = result.calls_by_step, result.reopenings
    return render_page(
        "search.html",
        headline=ending(result),
        succeeded=result.succeeded,
        about=lines_about(result),
        step_head=STEP_HEAD,
        steps=[(one_line(step, _NAME), f"{calls[step]:,}", f"{reopenings[step]:,}") for step in result.tree.steps],
        nodes=[_node(node, result.tree, on_path) for node in shown],
        left_out=len(result.tree.nodes) - len(shown),
    )


def _node(node: SearchNode, tree: SearchTree, on_path: set[int]) -> dict[str, Any]:
    return {
        "title": node_title(node),
        "passed": node.passed,
        "on_path": node.number in on_path,
        "indent": min(node.level, DEEPEST),
        "words": one_line(node.answer, PREVIEW) if node.passed else node_problems(node, tree),
        "findings": [
            {
                "place": one_line(to_dotted(finding.path), _NAME),
                "message": one_line(finding.message, _MESSAGE),
                "code": one_line(finding.code, _NAME),
                "severity": finding.severity.value,
            }
            for finding in node.findings
        ],
        "answer": block(node.answer, ANSWER),
    }
