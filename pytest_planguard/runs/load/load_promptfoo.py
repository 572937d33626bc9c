"""Cases from what `promptfoo eval -o FILE` writes: its JSON (versions 2 to 4 of the shape) and its JSON Lines.

A result is one test under one provider and one prompt. Its place in the file says nothing: results come in the order in
which they ended, and a repeated test counts on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..model.foreign_fields import number
from ..model.run import CaseRow
from .foreign_row import foreign_finding, judged_foreign, listed_of, numbers_of, object_of, objects_of
from .load_answers import digest_of, text_of

if TYPE_CHECKING:
    from ...contract import Contract
    from ...contract.finding import Finding

TOOL = "promptfoo"
ERROR = 2
"""`failureReason` of a result whose provider failed."""
NAME = 80
"""Characters of a label, or of variables that name a case."""
DEEPEST = 3
Item = dict[str, Any]


class Names(NamedTuple):
    """What tells the results of one file apart."""

    inputs: Mapping[str, int]
    """Description of a test to how many different inputs have it."""
    templates: Mapping[str, bool]
    """Id of a prompt to whether its label is the user's own; promptfoo repeats the template where there is none."""


def results_of(data: Any) -> list[Item] | None:
    """The results of an output, which stand one or two steps deep; None where it is no output of promptfoo."""
    for _ in range(DEEPEST):
        if not isinstance(data, dict) or "results" not in data:
            break
        data = data["results"]
    return data if isinstance(data, list) and data and all(map(is_result, data)) else None


def is_result(item: Any) -> bool:
    """Whether a value is one result."""
    if not isinstance(item, dict) or "success" not in item or not ("response" in item or "error" in item):
        return False
    return "gradingResult" in item or "testCase" in item


def promptfoo_rows(
    places: Sequence[str], data: Any, items: Sequence[Item], contracts: Sequence[Contract]
) -> list[CaseRow]:
    """The results as cases; `places` says where each stands, `data` is the whole output, or None for JSON Lines."""
    names = Names(_described(items), _labels(data, items))
    return [_row(place, item, names, contracts) for place, item in zip(places, items, strict=True)]


def _row(place: str, item: Item, names: Names, contracts: Sequence[Contract]) -> CaseRow:
    response = object_of(item, "response")
    wrong = list(_wrong(item))
    good = item["success"] is True
    answered = response.get("output") is not None and item.get("failureReason") != ERROR
    judged = judged_foreign(response.get("output"), wrong, good, TOOL, contracts, object_of(response, "tokenUsage"))
    variables, prompt = _variables(item), item.get("promptId")
    return CaseRow(
        _key(item, names),
        place,
        inputs=digest_of(variables) if variables else None,
        model=_provider(item),
        variant=_variant(item, names),
        prompt=prompt[:12] if isinstance(prompt, str) else None,
        result=None if contracts and answered else "passed" if good else "failed" if answered else "error",
        judged=(judged,) if answered else (),
        cost=_cost(item, response),
        latency_s=_latency(item, response) if answered else None,
        scores=numbers_of(object_of(item, "namedScores")),
    )


def _wrong(item: Item) -> Iterator[Finding]:
    """The assertions that do not hold; where none is named, the reason of the whole."""
    graded = object_of(item, "gradingResult")
    failed = [part for part in objects_of(graded, "componentResults") if part.get("pass") is False]
    for part in failed:
        asserted = object_of(part, "assertion")
        kind, metric = str(asserted.get("type") or "assertion"), asserted.get("metric")
        yield foreign_finding(f"{kind} ({metric})" if isinstance(metric, str) and metric else kind, part.get("reason"))
    if not failed and graded.get("pass") is False:
        yield foreign_finding("score", graded.get("reason"))


def _key(item: Item, names: Names) -> str:
    """The test's description; its variables where it has none, or shares it with tests of other variables.

    Never its number: that is another one after a repetition, or after a test was put in before it.
    """
    told, said = _description(item), _said(_variables(item))
    if told and (names.inputs[told] == 1 or not said):
        return told
    return (f"{told}: {said}" if told else said) or f"test {item.get('testIdx', item.get('id'))}"


def _said(variables: Mapping[str, Any]) -> str:
    """'task=no paper'; long ones are clipped, with a digest that tells them apart."""
    text = ", ".join(f"{name}={text_of(value)}" for name, value in variables.items())
    return text if len(text) <= NAME else f"{text[:NAME]}~{digest_of(dict(variables))[:8]}"


def _variables(item: Item) -> Mapping[str, Any]:
    """The declared ones; a provider may have added to those that were used."""
    return object_of(object_of(item, "testCase"), "vars") or object_of(item, "vars")


def _description(item: Item) -> str:
    found = object_of(item, "testCase").get("description") or item.get("description")
    return found if isinstance(found, str) else ""


def _described(items: Sequence[Item]) -> Mapping[str, int]:
    found: dict[str, set[str]] = defaultdict(set)
    for item in items:
        found[_description(item)].add(digest_of(_variables(item)))
    return {told: len(inputs) for told, inputs in found.items()}


def _provider(item: Item) -> str | None:
    provider = item.get("provider")
    named = provider.get("label") or provider.get("id") if isinstance(provider, dict) else provider
    return named if isinstance(named, str) else None


def _variant(item: Item, names: Names) -> str | None:
    """The prompt's own label; else, where the file has several prompts, the beginning of its id."""
    label, prompt = object_of(item, "prompt").get("label"), str(item.get("promptId") or "")
    if isinstance(label, str) and label and names.templates.get(prompt, True) and _is_name(item, label):
        return label
    return f"prompt {prompt[:8]}" if prompt and len(names.templates) > 1 else None


def _is_name(item: Item, label: str) -> bool:
    return len(label) <= NAME and "{{" not in label and label != object_of(item, "prompt").get("raw")


def _labels(data: Any, items: Sequence[Item]) -> Mapping[str, bool]:
    """By the table of prompts where the file has one; each prompt that has a result."""
    inner = object_of(data, "results") if isinstance(data, dict) else {}
    table = {p["id"]: p for p in listed_of(inner, "prompts") if isinstance(p, dict) and isinstance(p.get("id"), str)}
    ids = {item["promptId"] for item in items if isinstance(item.get("promptId"), str)}
    return {name: name not in table or table[name].get("label") != table[name].get("raw") for name in sorted(ids)}


def _cost(item: Item, response: dict[str, Any]) -> float | None:
    """Of a real call; 0 stands where the provider said nothing."""
    return None if response.get("cached") is True else number(item, "cost") or None


def _latency(item: Item, response: dict[str, Any]) -> float | None:
    """Of a real call: what came from promptfoo's cache took no time worth telling."""
    taken = number(item, "latencyMs")
    return None if taken is None or response.get("cached") is True else taken / 1000
