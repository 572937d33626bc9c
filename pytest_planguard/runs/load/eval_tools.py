"""Read outputs of other evaluation tools as runs: promptfoo and pydantic-evals."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...wire.untrusted_json import as_json
from ..judge_cases import RawCase, RawRun, ReadProblem, ToolVerdict, digest_of, tool_finding
from ..model.codec import count, list_or_empty, number, numbers_of, object_or_empty, objects_or_empty, parsed_json
from ..model.judged_answers import AttemptRow
from ..model.run import CaseRow
from .source import declared_input

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from .source import Source


TOOL = "promptfoo"
ERROR = 2
"""`failureReason` of a result whose provider failed."""
NAME = 80
"""Maximum number of characters of a label, or of the variables that identify a case."""
DEEPEST = 3
"""Maximum number of nested `results` objects around the list of results: {"results": {"results": [...]}}."""
YAML_NOT_READ = "it is what promptfoo writes as YAML, which is not read. Write JSON: promptfoo eval -o results.json"
_RESULT_MARKS = (b'"gradingResult"', b'"testCase"')
"""Every result contains one of these. This quick test saves parsing large files of other kinds."""
_YAML_START = re.compile(rb"\AevalId: ", re.MULTILINE)
"""The start of promptfoo's YAML: "evalId: eval-abc-2025-01-31T12:00:00"."""
Item = dict[str, Any]


class ResultNames(NamedTuple):
    """The parts that distinguish the results of one file."""

    inputs: Mapping[str, int]
    """Number of distinct inputs by test description."""
    templates: Mapping[str, bool]
    """True for the id of each prompt whose label is the user's own. Without a label, promptfoo repeats the template."""


def is_promptfoo(source: Source) -> bool:
    """Return True if a file is promptfoo's output as one JSON document."""
    try:
        marked = any(mark in source.content for mark in _RESULT_MARKS)
    except OSError:
        return False
    return marked and results_of(source.document) is not None


def is_promptfoo_lines(source: Source) -> bool:
    """Return True if every line of a file is a promptfoo result. The first line is checked first."""
    if not (source.has_lines and is_result(parsed_json(source.first_line))):
        return False
    return all(is_result(value) for _, value in source.values)


def is_promptfoo_yaml(source: Source) -> bool:
    """Return True if a file is promptfoo's output as YAML."""
    return _YAML_START.match(source.head) is not None


def read_promptfoo(source: Source) -> RawRun:
    """Read the results of one JSON document as cases."""
    results = results_of(source.document) or []
    names = ResultNames(_inputs_by_description(results), _labels(source.document, results))
    return RawRun(tuple(_case(source.name, item, names) for item in results))


def read_promptfoo_lines(source: Source) -> RawRun:
    """Read the result on each line as a case."""
    results = [item for _, item in source.values]
    names = ResultNames(_inputs_by_description(results), _labels(None, results))
    return RawRun(tuple(_case(f"{source.name}:{number}", item, names) for number, item in source.values))


def refuse_promptfoo_yaml(source: Source) -> RawRun:
    """Report that this format is not supported, and which one is."""
    return RawRun(problems=(ReadProblem(source.name, YAML_NOT_READ),))


def results_of(data: object) -> list[Item] | None:
    """Return the results of promptfoo's output, or None if it is something else."""
    for _ in range(DEEPEST):
        if not isinstance(data, dict) or "results" not in data:
            break
        data = data["results"]
    return data if isinstance(data, list) and data and all(map(is_result, data)) else None


def is_result(item: object) -> bool:
    """Return True if a value is one result."""
    if not isinstance(item, dict) or "success" not in item or not ("response" in item or "error" in item):
        return False
    return "gradingResult" in item or "testCase" in item


def _case(place: str, item: Item, names: ResultNames) -> RawCase:
    response = object_or_empty(item, "response")
    # Exactly true: any text, even "false", would count as true.
    good, answered = item["success"] is True, response.get("output") is not None and item.get("failureReason") != ERROR
    result = "passed" if good else "failed" if answered else "error"
    variables, prompt = _variables(item), item.get("promptId")
    row = CaseRow(
        _key(item, names),
        place,
        inputs=digest_of(variables) if variables else None,
        model=_provider(item),
        variant=_variant(item, names),
        prompt=prompt[:12] if isinstance(prompt, str) else None,
        cost=_cost(item, response),
        latency_s=_latency(item, response) if answered else None,
        scores=numbers_of(object_or_empty(item, "namedScores")),
    )
    verdict = ToolVerdict(TOOL, result, tuple(_failed_assertions(item)))
    answer = _answer(response["output"], response, "tokenUsage", "prompt", "completion") if answered else None
    return RawCase(row, answer, verdict=verdict)


def _answer(output: object, data: Item, tokens: str, sent: str, came: str) -> AttemptRow:
    """Return an answer without a verdict, with the counts of tokens that a member of the data holds."""
    counts = object_or_empty(data, tokens)
    return AttemptRow(as_json(output), ok=True, input_tokens=count(counts, sent), output_tokens=count(counts, came))


def _failed_assertions(item: Item) -> Iterator[Finding]:
    """Yield the assertions that fail. If none is listed, yield the reason of the whole result."""
    graded = object_or_empty(item, "gradingResult")
    failed = [part for part in objects_or_empty(graded, "componentResults") if part.get("pass") is False]
    for part in failed:
        asserted = object_or_empty(part, "assertion")
        kind, metric = str(asserted.get("type") or "assertion"), asserted.get("metric")
        yield tool_finding(f"{kind} ({metric})" if isinstance(metric, str) and metric else kind, part.get("reason"))
    if not failed and graded.get("pass") is False:
        yield tool_finding("score", graded.get("reason"))


def _key(item: Item, names: ResultNames) -> str:
    """Return the test's description. If it has none or shares it, use its variables.

    The test's number can't be the key, because a repetition or an inserted test changes it.
    """
    title, variables = _description(item), _variables_text(_variables(item))
    if title and (names.inputs[title] == 1 or not variables):
        return title
    return (f"{title}: {variables}" if title else variables) or f"test {item.get('testIdx', item.get('id'))}"


def _variables_text(variables: Mapping[str, object]) -> str:
    """Return text such as "task=no paper". Long text is clipped and gets a digest to keep it unique."""
    text = ", ".join(f"{name}={as_json(value)}" for name, value in variables.items())
    return text if len(text) <= NAME else f"{text[:NAME]}~{digest_of(dict(variables))[:8]}"


def _variables(item: Item) -> Mapping[str, object]:
    """Return the declared variables. The used ones may include additions by a provider."""
    return object_or_empty(object_or_empty(item, "testCase"), "vars") or object_or_empty(item, "vars")


def _description(item: Item) -> str:
    description = object_or_empty(item, "testCase").get("description") or item.get("description")
    return description if isinstance(description, str) else ""


def _inputs_by_description(items: Sequence[Item]) -> Mapping[str, int]:
    digests: dict[str, set[str]] = defaultdict(set)
    for item in items:
        digests[_description(item)].add(digest_of(_variables(item)))
    return {title: len(inputs) for title, inputs in digests.items()}


def _provider(item: Item) -> str | None:
    provider = item.get("provider")
    named = provider.get("label") or provider.get("id") if isinstance(provider, dict) else provider
    return named if isinstance(named, str) else None


def _variant(item: Item, names: ResultNames) -> str | None:
    """Return the prompt's own label. Without one, return the start of its id if the file has several prompts."""
    label, prompt = object_or_empty(item, "prompt").get("label"), str(item.get("promptId") or "")
    if isinstance(label, str) and label and names.templates.get(prompt, True) and _is_name(item, label):
        return label
    return f"prompt {prompt[:8]}" if prompt and len(names.templates) > 1 else None


def _is_name(item: Item, label: str) -> bool:
    return len(label) <= NAME and "{{" not in label and label != object_or_empty(item, "prompt").get("raw")


def _labels(data: object, items: Sequence[Item]) -> Mapping[str, bool]:
    """Return each prompt with a result, with True if the table of prompts shows that its label is the user's own."""
    inner = object_or_empty(data, "results") if isinstance(data, dict) else {}
    table = {
        p["id"]: p for p in list_or_empty(inner, "prompts") if isinstance(p, dict) and isinstance(p.get("id"), str)
    }
    ids = {item["promptId"] for item in items if isinstance(item.get("promptId"), str)}
    return {name: name not in table or table[name].get("label") != table[name].get("raw") for name in sorted(ids)}


def _cost(item: Item, response: dict[str, Any]) -> float | None:
    """Return the cost of a real call. None for 0, which promptfoo writes for an unknown cost."""
    return None if response.get("cached") is True else number(item, "cost") or None


def _latency(item: Item, response: dict[str, Any]) -> float | None:
    """Return the latency of a real call. A cached answer has none."""
    taken = number(item, "latencyMs")
    return None if taken is None or response.get("cached") is True else taken / 1000


PYDANTIC_EVALS = "pydantic-evals"
_MARKS = (b'"assertions"', b'"evaluator_failures"')
"""Every report contains one of these. This quick test saves parsing large files of other kinds."""


def is_pydantic_evals(source: Source) -> bool:
    """Return True if a file is a report: an object with a list of cases and one of failures."""
    try:
        marked = any(mark in source.content for mark in _MARKS)
    except OSError:
        return False
    report = source.document if marked else None
    return isinstance(report, dict) and bool(list_or_empty(report, "cases")) and "failures" in report


def read_pydantic_evals(source: Source) -> RawRun:
    """Read the cases of a report, then those that raised."""
    report = source.document
    cases = [_evals_case(source.name, case) for case in objects_or_empty(report, "cases")]
    return RawRun((*cases, *(_failure(source.name, case) for case in objects_or_empty(report, "failures"))))


def _evals_case(place: str, case: dict[str, Any]) -> RawCase:
    metrics, scores = object_or_empty(case, "metrics"), object_or_empty(case, "scores")
    row = CaseRow(
        _evals_key(case),
        place,
        inputs=declared_input(case),
        cost=number(metrics, "cost"),
        latency_s=number(case, "task_duration"),
        scores=numbers_of({name: object_or_empty(scores, name).get("value") for name in scores}),
    )
    answer = _answer(case.get("output"), case, "metrics", "input_tokens", "output_tokens")
    return RawCase(row, answer, verdict=_verdict(object_or_empty(case, "assertions")))


def _verdict(assertions: dict[str, Any]) -> ToolVerdict:
    failed = [name for name in assertions if object_or_empty(assertions, name).get("value") is not True]
    findings = tuple(tool_finding(name, object_or_empty(assertions, name).get("reason")) for name in failed)
    return ToolVerdict(PYDANTIC_EVALS, "failed" if findings else "passed", findings)


def _failure(place: str, case: dict[str, Any]) -> RawCase:
    row = CaseRow(_evals_key(case), place, inputs=declared_input(case))
    return RawCase(row, verdict=ToolVerdict(PYDANTIC_EVALS, "error"))


def _evals_key(case: dict[str, Any]) -> str:
    """Return the case's name. For a repeated run, that is not the run's name but the one of its source case."""
    return str(case.get("source_case_name") or case.get("name"))
