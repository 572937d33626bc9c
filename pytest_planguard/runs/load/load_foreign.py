"""Cases from the result files of other evaluation tools: promptfoo's JSON and JSON Lines, pydantic-evals' report.

Their own verdicts count where no contract is named; with one, the raw answers are judged by it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..model.foreign_fields import number
from ..model.run import CaseRow
from .foreign_row import foreign_finding, judged_foreign, listed_of, numbers_of, object_of, objects_of
from .load_answers import INPUT_FIELDS, content_of, digest_of
from .load_promptfoo import is_result, promptfoo_rows, results_of

if TYPE_CHECKING:
    from pathlib import Path

    from ...contract import Contract

PYDANTIC_EVALS = "pydantic-evals"
HEAD = 4096
"""Bytes in which promptfoo's YAML shows what it is."""
NOT_READ = "it is what promptfoo writes as YAML, which is not read. Write JSON: promptfoo eval -o results.json"
_MARKS = (b'"gradingResult"', b'"assertions"', b'"evaluator_failures"')
_PROMPTFOO_YAML = re.compile(rb"\AevalId: ", re.MULTILINE)


def foreign_rows(path: Path, contracts: Sequence[Contract]) -> list[CaseRow] | None:
    """The cases of a result file of another tool; None where the file is none."""
    try:
        content = content_of(path)
    except OSError:  # reading it as an answer says what is wrong
        return None
    if not any(mark in content for mark in _MARKS):
        return None
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return None
    found = results_of(data)
    if found is not None:
        return promptfoo_rows([str(path)] * len(found), data, found, contracts)
    if isinstance(data, dict) and listed_of(data, "cases") and "failures" in data:
        cases = [_evals_row(path, case, contracts) for case in objects_of(data, "cases")]
        return cases + [_evals_error(path, case) for case in objects_of(data, "failures")]
    return None


def foreign_lines(path: Path, first: bytes, contracts: Sequence[Contract]) -> list[CaseRow] | None:
    """The cases of a file of promptfoo's with a result a line; None where its first line, or any other, is none."""
    if not is_result(_parsed(first)):
        return None
    lines = [(number, line) for number, line in enumerate(content_of(path).split(b"\n"), 1) if line.strip()]
    items = [_parsed(line) for _, line in lines]
    if not all(map(is_result, items)):
        return None
    return promptfoo_rows([f"{path}:{number}" for number, _ in lines], None, items, contracts)


def is_promptfoo_yaml(path: Path) -> bool:
    """Whether a file is promptfoo's output as YAML. A file that cannot be read is none."""
    try:
        with path.open("rb") as file:
            return _PROMPTFOO_YAML.match(file.read(HEAD)) is not None
    except OSError:
        return False


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _evals_row(path: Path, case: dict[str, Any], contracts: Sequence[Contract]) -> CaseRow:
    asserted = object_of(case, "assertions")
    failed = [name for name in asserted if object_of(asserted, name).get("value") is not True]
    wrong = [foreign_finding(name, object_of(asserted, name).get("reason")) for name in failed]
    metrics = object_of(case, "metrics")
    tokens = {"prompt": metrics.get("input_tokens"), "completion": metrics.get("output_tokens")}
    judged = judged_foreign(case.get("output"), wrong, not wrong, PYDANTIC_EVALS, contracts, tokens)
    scores = {name: object_of(object_of(case, "scores"), name).get("value") for name in object_of(case, "scores")}
    return CaseRow(
        _evals_key(case),
        str(path),
        inputs=_inputs(case),
        result=None if contracts else "failed" if wrong else "passed",
        judged=(judged,),
        cost=number(metrics, "cost"),
        latency_s=number(case, "task_duration"),
        scores=numbers_of(scores),
    )


def _evals_error(path: Path, case: dict[str, Any]) -> CaseRow:
    return CaseRow(_evals_key(case), str(path), inputs=_inputs(case), result="error")


def _evals_key(case: dict[str, Any]) -> str:
    """Repeated runs of a case have names of their own, and the case's name beside it."""
    return str(case.get("source_case_name") or case.get("name"))


def _inputs(case: dict[str, Any]) -> str | None:
    found = next((case[name] for name in INPUT_FIELDS if case.get(name) is not None), None)
    return None if found is None else digest_of(found)
