"""Cases from the result files of other evaluation tools: promptfoo's JSON output and pydantic-evals' report.

Their own verdicts count where no contract is named; with one, the raw answers are judged by it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..contract.finding import Finding
from ..contract.kinds import FailureKind
from .fields import count, number
from .load_answers import INPUT_FIELDS, content_of, digest_of, judged_answer, text_of
from .run import AttemptRow, CaseRow, Judged

if TYPE_CHECKING:
    from pathlib import Path

    from ..contract import Contract

PROMPTFOO = "promptfoo"
PYDANTIC_EVALS = "pydantic-evals"
_MARKS = (b'"gradingResult"', b'"assertions"', b'"evaluator_failures"')
_DEEPEST = 3


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
    found = _promptfoo(data)
    if found is not None:
        return [_promptfoo_row(path, item, contracts) for item in found]
    if isinstance(data, dict) and _listed(data, "cases") and "failures" in data:
        cases = [_evals_row(path, case, contracts) for case in _objects(data, "cases")]
        return cases + [_evals_error(path, case) for case in _objects(data, "failures")]
    return None


def _promptfoo(data: Any) -> list[dict[str, Any]] | None:
    """The results of a promptfoo output, which stand one or two steps deep."""
    for _ in range(_DEEPEST):
        if not isinstance(data, dict) or "results" not in data:
            break
        data = data["results"]
    if not isinstance(data, list) or not data:
        return None
    fits = all(
        isinstance(item, dict) and "success" in item and ("response" in item or "error" in item) for item in data
    )
    return data if fits else None


def _promptfoo_row(path: Path, item: dict[str, Any], contracts: Sequence[Contract]) -> CaseRow:
    response, test = _object(item, "response"), _object(item, "testCase")
    asked = item.get("vars") or test.get("vars")
    tokens = _object(response, "tokenUsage")
    provider = item.get("provider")
    named = provider.get("label") or provider.get("id") if isinstance(provider, dict) else provider
    wrong = [
        _finding(str(_object(part, "assertion").get("type") or "assertion"), part.get("reason"))
        for part in _objects(_object(item, "gradingResult"), "componentResults")
        if part.get("pass") is False
    ]
    answered = response.get("output") is not None
    cached = response.get("cached") is True  # then time and cost are those of the cache
    latency = None if cached else number(item, "latencyMs")
    judged = _judged(response.get("output"), wrong, item["success"] is True, PROMPTFOO, contracts, tokens)
    result = "passed" if item["success"] is True else "failed" if answered else "error"
    return CaseRow(
        str(test.get("description") or item.get("description") or f"test {item.get('testIdx', item.get('id'))}"),
        str(path),
        inputs=digest_of(asked) if asked else None,
        model=named if isinstance(named, str) else None,
        variant=_label(_object(item, "prompt")),
        result=None if contracts and answered else result,
        judged=(judged,) if answered else (),
        cost=None if cached else number(item, "cost") or None,  # 0 stands there where nobody knows it
        latency_s=None if latency is None else latency / 1000,
        scores=_numbers(_object(item, "namedScores")),
    )


def _evals_row(path: Path, case: dict[str, Any], contracts: Sequence[Contract]) -> CaseRow:
    asserted = _object(case, "assertions")
    wrong = [_finding(name, _object(asserted, name).get("reason")) for name in asserted if not _holds(asserted, name)]
    metrics = _object(case, "metrics")
    tokens = {"prompt": metrics.get("input_tokens"), "completion": metrics.get("output_tokens")}
    judged = _judged(case.get("output"), wrong, not wrong, PYDANTIC_EVALS, contracts, tokens)
    scores = {name: _object(_object(case, "scores"), name).get("value") for name in _object(case, "scores")}
    return CaseRow(
        _evals_key(case),
        str(path),
        inputs=_inputs(case),
        result=None if contracts else "failed" if wrong else "passed",
        judged=(judged,),
        cost=number(metrics, "cost"),
        latency_s=number(case, "task_duration"),
        scores=_numbers(scores),
    )


def _evals_error(path: Path, case: dict[str, Any]) -> CaseRow:
    return CaseRow(_evals_key(case), str(path), inputs=_inputs(case), result="error")


def _judged(
    output: Any, wrong: Sequence[Finding], ok: bool, tool: str, contracts: Sequence[Contract], tokens: dict[str, Any]
) -> Judged:
    text = text_of(output)
    if contracts:
        return judged_answer(text, contracts)
    kind = wrong[0].kind.value if wrong else None
    used = (count(tokens, "prompt"), count(tokens, "completion"))
    attempt = AttemptRow(text, ok, kind, tuple(wrong), None, None, *used)
    return Judged((attempt,), "valid" if ok else "invalid", ok, contract=tool, single=True)


def _finding(code: str, reason: Any) -> Finding:
    return Finding(code, (), str(reason) if reason else "does not hold", FailureKind.CONTENT)


def _holds(asserted: dict[str, Any], name: str) -> bool:
    return _object(asserted, name).get("value") is True


def _evals_key(case: dict[str, Any]) -> str:
    """Repeated runs of a case have names of their own, and the case's name beside it."""
    return str(case.get("source_case_name") or case.get("name"))


def _inputs(case: dict[str, Any]) -> str | None:
    found = next((case[name] for name in INPUT_FIELDS if case.get(name) is not None), None)
    return None if found is None else digest_of(found)


def _label(prompt: dict[str, Any]) -> str | None:
    """A prompt's own label; promptfoo repeats the whole prompt there where the user gave none."""
    label = prompt.get("label")
    return label if isinstance(label, str) and label != prompt.get("raw") and len(label) <= 80 else None


def _numbers(data: dict[str, Any]) -> dict[str, float]:
    return {name: value for name in data if (value := number(data, name)) is not None}


def _object(data: dict[str, Any], name: str) -> dict[str, Any]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _objects(data: dict[str, Any], name: str) -> Iterator[dict[str, Any]]:
    return (item for item in _listed(data, name) if isinstance(item, dict))


def _listed(data: dict[str, Any], name: str) -> list[Any]:
    value = data.get(name)
    return value if isinstance(value, list) else []
