"""Examples out of cassettes of others, and what a proposal from some of them says of the rest."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_planguard import CheckContext, Contract, PlanguardError, read_cassette
from pytest_planguard.cli.inputs.recorded_answers import example_answers
from pytest_planguard.contract.strength.evidence import GoodAnswer, place_name
from pytest_planguard.contract.strength.proposal import propose
from pytest_planguard.document.path_pattern import walk
from pytest_planguard.retry.judging.request_contracts import demanded

SHARED = Path(__file__).parents[3] / ".." / "shared" / "data"
ASSESSED = ("expert1", "expert2", "combined_summary", "go_no_go_recommendation")
"""What a model wrote of an expert assessment; the pipeline added the rest."""


def run_module(source: str, name: str = "proposed_by_a_test") -> Contract[Any]:
    """The contract of a module's source, which is run as a user's project runs it."""
    module = types.ModuleType(name)
    sys.modules[name] = module  # pydantic looks annotations up there
    exec(source, vars(module))
    contract: Contract[Any] = vars(module)["CONTRACT"]
    return contract


def accepted(contract: Contract[Any], answers: Sequence[GoodAnswer]) -> int:
    """How many answers a contract accepts."""
    return sum(contract.check(answer.data, context=answer.context).ok for answer in answers)


def kept_aside(answers: Sequence[GoodAnswer]) -> tuple[int, int]:
    """How many of every other answer are accepted by the proposal from those between them, and how many they are."""
    others = answers[1::2]
    return accepted(run_module(propose(answers[::2]).module), others), len(others)


def tickets() -> list[GoodAnswer]:
    """The tickets of the local model that its own contract accepts."""
    rows = map(json.loads, (SHARED / "local_model" / "runs_blind.jsonl").read_text(encoding="utf-8").splitlines())
    valid = [attempt["content"] for row in rows for attempt in row["attempts"] if attempt["valid"]]
    return [GoodAnswer(f"ticket {at}", json.loads(text)) for at, text in enumerate(valid)]


def assessments() -> list[GoodAnswer]:
    """The expert assessments, each with its prompts."""
    answers = []
    for file in sorted((SHARED / "planexe" / "expert_assessments").glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        context = CheckContext(prompt_texts=(data["system_prompt"], data["user_prompt"]))
        answers.append(GoodAnswer(file.stem, {key: data[key] for key in ASSESSED}, context))
    return answers


def cassettes(limit: int) -> Iterator[list[GoodAnswer]]:
    """The answers that are data of the first so many cassettes that have some."""
    for path in sorted((SHARED / "recordings").rglob("*.yaml")):
        if not limit:
            return
        try:
            answers = [one for one in example_answers([path]) if isinstance(one.data, dict)]
        except (PlanguardError, OSError):
            continue
        if answers:
            limit -= 1
            yield answers


def with_schemas(limit: int) -> Iterator[tuple[Mapping[str, Any], list[GoodAnswer]]]:
    """So many schemas that recorded requests demand, each once, with the answers of a cassette that keep it."""
    seen = set()
    for path in sorted((SHARED / "recordings").rglob("*.yaml")):
        try:
            exchanges = read_cassette(path).exchanges
            demands = [schema for exchange in exchanges for _, schema in demanded(exchange)]
            answers = example_answers([path]) if demands else []
        except (PlanguardError, OSError):
            continue
        for schema in demands:
            digest = json.dumps(schema, sort_keys=True)
            if digest in seen or not schema.get("properties"):
                continue
            if len(seen) == limit:
                return
            contract = Contract(dict(schema))
            good = [answer for answer in answers if contract.check(answer.data).ok]
            if good:
                seen.add(digest)
                yield schema, good


def agreement(schema: Mapping[str, Any], answers: Sequence[GoodAnswer]) -> tuple[int, int]:
    """Places of the answers on whose type proposal and schema agree, and all places that both know."""
    own = run_module(propose(answers).module).json_schema or {}
    places = {place_name(path): path for answer in answers for path, _ in walk(answer.data) if path}
    pairs = [(types_at(schema, path), types_at(own, path)) for path in places.values()]
    known = [pair for pair in pairs if pair[0]]
    return sum(agrees(*pair) for pair in known), len(known)


def agrees(theirs: frozenset[str], ours: frozenset[str]) -> bool:
    """Whether the proposal has no type that the schema has not; examples show no more than they show."""
    whole = {"integer"} if "number" in theirs else set()
    return bool(ours) and ours <= theirs | whole


def types_at(schema: Mapping[str, Any], path: Sequence[str | int]) -> frozenset[str]:
    """The types that a schema allows at a path; none where it says nothing."""
    here = [schema]
    for step in path:
        here = [below for one in here for part in _parts(one, schema) for below in _below(part, step)]
    return frozenset(kind for one in here for part in _parts(one, schema) for kind in _kinds(part))


def _parts(schema: Any, root: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A schema's alternatives, references followed."""
    if not isinstance(schema, Mapping):
        return
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target: Any = root
        for key in reference[2:].split("/"):
            target = target.get(key, {})
        yield from _parts(target, root)
        return
    alternatives = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())]
    for one in alternatives:
        yield from _parts(one, root)
    if not alternatives:
        yield schema


def _below(schema: Mapping[str, Any], step: str | int) -> Iterator[Any]:
    if isinstance(step, int):
        yield schema.get("items", {})
    elif step in schema.get("properties", {}):
        yield schema["properties"][step]
    elif isinstance(schema.get("additionalProperties"), Mapping):
        yield schema["additionalProperties"]


def _kinds(schema: Mapping[str, Any]) -> Iterator[str]:
    kind = schema.get("type")
    names = [kind] if isinstance(kind, str) else list(kind or ())
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    names += ["string" for value in values if isinstance(value, str)]
    yield from (str(name).lower() for name in names)  # Gemini spells types in capitals
