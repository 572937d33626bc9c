"""A search as one self-contained HTML page: how it ended, the calls of each step, and the tree with every answer."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from ...document.path import to_dotted
from ..media.html_page import block, render_page
from ..media.sanitise import one_line
from .search_text import depth_first, ending, lines_about, node_problems, node_title

if TYPE_CHECKING:
    from ...search.result import SearchNode, SearchResult, SearchTree

STEP_HEAD = ("step", "calls", "reopenings")
NODES_SHOWN = 500
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
    shown = list(islice(depth_first(result.tree), NODES_SHOWN))
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
