"""What `planguard init --from` proposes for recorded answers: `python -m tools.strength_figures.proposals [FOLDER]`.

Prints figures only. With FOLDER the modules of the recordings are written there, for mypy.
"""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_planguard import Contract, PlanguardError, read_recording
from pytest_planguard.cli.inputs.auto_contracts import demanded
from pytest_planguard.cli.inputs.recorded_answers import example_answers
from pytest_planguard.document.path_pattern import walk
from pytest_planguard.strength.evidence import GoodAnswer, place_name
from pytest_planguard.strength.proposal.proposal import propose

from . import experts

SHARED = Path(__file__).parents[2] / ".." / "shared" / "data"
RECORDINGS = 50
"""Recordings that are taken, in the order of their paths: the first with answers that are data."""
LEARNT = 0.5
"""Share of good answers that a contract is proposed from; the others are kept aside."""


def proposed_contract(answers: Sequence[GoodAnswer], name: str = "proposed_module") -> Contract[Any]:
    """Return the contract of a proposed module, which is run."""
    module = types.ModuleType(name)
    sys.modules[name] = module  # pydantic looks annotations up there
    exec(propose(answers, name).module, vars(module))
    contract: Contract[Any] = vars(module)["CONTRACT"]
    return contract


def accepted(contract: Contract[Any], answers: Sequence[GoodAnswer]) -> int:
    """Return how many answers a contract accepts."""
    return sum(contract.check(answer.data, context=answer.context).ok for answer in answers)


def kept_aside(answers: Sequence[GoodAnswer]) -> tuple[int, int, int]:
    """Return answers learnt from that are accepted by the proposal, others that are, and how many others there are."""
    learnt, others = answers[::2], answers[1::2]
    contract = proposed_contract(learnt)
    return accepted(contract, learnt), accepted(contract, others), len(others)


def tickets() -> list[GoodAnswer]:
    """Return the tickets of the local model that its own contract accepts."""
    folder = SHARED / "local_model"
    rows = [json.loads(line) for line in (folder / "runs_blind.jsonl").read_text(encoding="utf-8").splitlines()]
    valid = [attempt["content"] for row in rows for attempt in row["attempts"] if attempt["valid"]]
    return [GoodAnswer(f"ticket {at}", json.loads(text)) for at, text in enumerate(valid)]


def recordings(limit: int = RECORDINGS) -> Iterator[tuple[Path, list[GoodAnswer]]]:
    """Yield recordings whose answers are data, with those answers."""
    for path in sorted((SHARED / "recordings").rglob("*.yaml")):
        try:
            answers = [one for one in example_answers([path]) if isinstance(one.data, dict)]
        except (PlanguardError, OSError):
            continue
        if answers and limit:
            limit -= 1
            yield path, answers


def with_schemas(limit: int = 10) -> Iterator[tuple[Mapping[str, Any], list[GoodAnswer]]]:
    """Yield schemas that recorded requests demand, each once, with the answers that keep them."""
    seen = set()
    for path in sorted((SHARED / "recordings").rglob("*.yaml")):
        try:
            exchanges = read_recording(path).exchanges
            demands = [(one, schema) for exchange in exchanges for one, schema in demanded(exchange)]
            answers = example_answers([path]) if demands else []
        except (PlanguardError, OSError):
            continue
        for _, schema in demands:
            digest = json.dumps(schema, sort_keys=True)
            if digest in seen or not limit or not schema.get("properties"):
                continue
            contract = Contract(dict(schema))
            good = [answer for answer in answers if contract.check(answer.data).ok]
            if good:
                seen.add(digest)
                limit -= 1
                yield schema, good


def agreement(schema: Mapping[str, Any], answers: Sequence[GoodAnswer]) -> tuple[int, int]:
    """Return places of the answers on whose type proposal and schema agree, and all places that both know."""
    own = proposed_contract(answers).json_schema or {}
    places = {place_name(path): path for answer in answers for path, _ in walk(answer.data) if path}
    pairs = [(types_at(schema, path), types_at(own, path)) for path in places.values()]
    known = [(theirs, ours) for theirs, ours in pairs if theirs]
    return sum(bool(ours & theirs) for theirs, ours in known), len(known)


def types_at(schema: Mapping[str, Any], path: Sequence[str | int]) -> frozenset[str]:
    """Return the types that a schema allows at a path; () where it says nothing."""
    here = [schema]
    for step in path:
        here = [below for one in here for part in _parts(one, schema) for below in _below(part, step)]
    return frozenset(kind for one in here for part in _parts(one, schema) for kind in _kinds(part))


def _parts(schema: Any, root: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a schema's alternatives, references followed."""
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


def main() -> None:
    """Print the figures."""
    for name, answers in (("tickets", tickets()), ("assessments", experts.assessments())):
        own, others, number = kept_aside(answers)
        print(f"{name}: accepts {own} of {len(answers) - number} examples, {others} of {number} kept aside")
    modules = examples = good = 0
    for _, answers in recordings():
        good += accepted(proposed_contract(answers), answers)
        examples += len(answers)
        modules += 1
        if len(sys.argv) > 1:
            text = propose(answers).module
            (Path(sys.argv[1]) / f"m{modules}.py").write_text(text, encoding="utf-8")
    print(f"recordings: {modules} modules accept {good} of {examples} examples")
    pairs = [agreement(schema, answers) for schema, answers in with_schemas()]
    agreed, known = (sum(numbers) for numbers in zip(*pairs, strict=True))
    print(f"schemas of requests: {len(pairs)}; types agree at {agreed} of {known} places ({agreed / known:.0%})")


if __name__ == "__main__":
    main()
