"""Cases from the JSON report of pydantic-evals: a case that raised is an error, an assertion that fails a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...wire.untrusted_json import as_json
from ..model.foreign_fields import count, list_or_empty, number, numbers_of, object_or_empty, objects_or_empty
from ..model.raw_case import RawAnswer, RawCase, RawRun, ToolVerdict, tool_finding
from .answers import declared_input

if TYPE_CHECKING:
    from .source import Source

TOOL = "pydantic-evals"
_MARKS = (b'"assertions"', b'"evaluator_failures"')
"""One of these is in every report: a quick test that saves parsing a large file that is something else."""


def is_pydantic_evals(source: Source) -> bool:
    """Return whether a file is a report: an object with a list of cases and one of failures."""
    try:
        marked = any(mark in source.content for mark in _MARKS)
    except OSError:
        return False
    report = source.document if marked else None
    return isinstance(report, dict) and bool(list_or_empty(report, "cases")) and "failures" in report


def read_pydantic_evals(source: Source) -> RawRun:
    """Read the cases of a report, then those that raised."""
    report = source.document
    cases = [_case(source.name, case) for case in objects_or_empty(report, "cases")]
    return RawRun((*cases, *(_failure(source.name, case) for case in objects_or_empty(report, "failures"))))


def _case(place: str, case: dict[str, Any]) -> RawCase:
    metrics, scores = object_or_empty(case, "metrics"), object_or_empty(case, "scores")
    tokens = (count(metrics, "input_tokens"), count(metrics, "output_tokens"))
    return RawCase(
        _key(case),
        place,
        RawAnswer(as_json(case.get("output")), *tokens),
        verdict=_verdict(object_or_empty(case, "assertions")),
        inputs=declared_input(case),
        cost=number(metrics, "cost"),
        latency_s=number(case, "task_duration"),
        scores=numbers_of({name: object_or_empty(scores, name).get("value") for name in scores}),
    )


def _verdict(assertions: dict[str, Any]) -> ToolVerdict:
    failed = [name for name in assertions if object_or_empty(assertions, name).get("value") is not True]
    findings = tuple(tool_finding(name, object_or_empty(assertions, name).get("reason")) for name in failed)
    return ToolVerdict(TOOL, "failed" if findings else "passed", findings)


def _failure(place: str, case: dict[str, Any]) -> RawCase:
    return RawCase(_key(case), place, verdict=ToolVerdict(TOOL, "error"), inputs=declared_input(case))


def _key(case: dict[str, Any]) -> str:
    """Return the case's name; repeated runs of a case have names of their own, and the case's name beside it."""
    return str(case.get("source_case_name") or case.get("name"))
