"""A result as plain JSON data, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding, finding_data
from ...contract.severity import Severity
from ...errors import UsageError
from ...wire.exchange import Finish
from .node import Edge, SearchNode
from .result import SearchResult, SearchTree, StepError, TerminationReason

VERSION = 1
"""Of the form below; a change that older readers cannot take raises it."""


def result_data(result: SearchResult) -> dict[str, Any]:
    """Return a result as plain JSON data. The path is given as numbers of nodes."""
    return {
        "version": VERSION,
        "policy": result.policy,
        "succeeded": result.succeeded,
        "termination_reason": result.termination_reason.value,
        "bound_by": list(result.bound_by),
        "total_calls": result.total_calls,
        "classify_calls": result.classify_calls,
        "misses": result.misses,
        "error": None if result.error is None else _error_data(result.error),
        "path": [node.number for node in result.path],
        "steps": list(result.tree.steps),
        "nodes": [_node_data(node) for node in result.tree.nodes],
    }


def read_result(data: Mapping[str, Any]) -> SearchResult:
    """Return the result that `result_data` gave this data for.

    Findings come back with code, path, severity, kind, message, expected, actual and hint; places in the text are
    not kept.

    Raises:
        UsageError: no such data, or a version that is not known.
    """
    if data.get("version") != VERSION:
        raise UsageError(
            f"a search result has version {VERSION}: got {data.get('version')!r}; write it again with this version"
        )
    try:
        return _result(data)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise UsageError(f"no search result: got data without a valid {error}; write it again") from error


def _result(data: Mapping[str, Any]) -> SearchResult:
    tree = SearchTree(tuple(data["steps"]), tuple(_node(item) for item in data["nodes"]))
    for place, node in enumerate(tree.nodes):
        if node.number != place + 1 or not 0 <= node.level < len(tree.steps):
            raise ValueError(f"node {place + 1}")
        if node.parent is not None and not 0 < node.parent <= place:  # a path leads from each node to the first step
            raise ValueError(f"parent of node {place + 1}")
    return SearchResult(
        data["succeeded"],
        tuple(tree.nodes[number - 1] for number in data["path"]),
        data["total_calls"],
        tree,
        TerminationReason(data["termination_reason"]),
        data["policy"],
        tuple(data["bound_by"]),
        data["classify_calls"],
        data["misses"],
        None if data["error"] is None else StepError(**data["error"]),
    )


def _error_data(error: StepError) -> dict[str, str]:
    return {"step": error.step, "part": error.part, "message": error.message}


def _node_data(node: SearchNode) -> dict[str, Any]:
    return {
        "number": node.number,
        "level": node.level,
        "step": node.step,
        "prefix": node.prefix,
        "feedback": node.feedback,
        "index": node.index,
        "edge": node.edge.value,
        "parent": node.parent,
        "previous_attempt_id": node.previous_attempt_id,
        "answer": node.answer,
        "passed": node.passed,
        "findings": [finding_data(finding) for finding in node.findings],
        "blamed": node.blamed,
        "score": node.score,
        "duplicate": node.duplicate,
        **({} if node.finish is None else {"finish": node.finish.value}),
    }


def _node(data: Mapping[str, Any]) -> SearchNode:
    return SearchNode(
        data["number"],
        data["level"],
        data["step"],
        data["prefix"],
        data["feedback"],
        data["index"],
        Edge(data["edge"]),
        data["parent"],
        data["previous_attempt_id"],
        data["answer"],
        data["passed"],
        tuple(_finding(item) for item in data["findings"]),
        data["blamed"],
        data["score"],
        data["duplicate"],
        Finish(data["finish"]) if data.get("finish") is not None else None,
    )


def _finding(data: Mapping[str, Any]) -> Finding:
    return Finding(
        data["code"],
        tuple(data["path"]),
        data["message"],
        FailureKind(data["kind"]),
        Severity(data["severity"]),
        expected=data["expected"],
        actual=data["actual"],
        hint=data["hint"],
    )
