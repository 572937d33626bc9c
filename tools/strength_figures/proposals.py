"""What `planguard init --from` proposes for recorded and hand-written answers.

    python -m tools.strength_figures.proposals [FOLDER] [--seed 0] [--schemas 10]

Recordings and schemas are a random sample, the same for the same seed. Prints figures only, and what disagrees. With
FOLDER the proposed modules are written there, for `mypy --strict`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import types
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_planguard import Contract, PlanguardError, read_recording
from pytest_planguard.cli.inputs.auto_contracts import demanded
from pytest_planguard.cli.inputs.recorded_answers import example_answers
from pytest_planguard.document.path_pattern import walk
from pytest_planguard.strength.evidence import GoodAnswer, place_name
from pytest_planguard.strength.proposal.proposal import propose
from tests.strength.proposal.test_proposal import HAND, examples

from . import experts

SHARED = Path(__file__).parents[2] / ".." / "shared" / "data"
RECORDINGS = 50
"""Recordings that are taken: the first with answers that are data."""


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
    """Return answers learnt from that are accepted by the proposal, others that are, and how many others there are.

    Every other one is learnt from.
    """
    learnt, others = answers[::2], answers[1::2]
    contract = proposed_contract(learnt)
    return accepted(contract, learnt), accepted(contract, others), len(others)


def tickets() -> list[GoodAnswer]:
    """Return the tickets of the local model that its own contract accepts."""
    folder = SHARED / "local_model"
    rows = [json.loads(line) for line in (folder / "runs_blind.jsonl").read_text(encoding="utf-8").splitlines()]
    valid = [attempt["content"] for row in rows for attempt in row["attempts"] if attempt["valid"]]
    return [GoodAnswer(f"ticket {at}", json.loads(text)) for at, text in enumerate(valid)]


def sample(seed: int | None) -> list[Path]:
    """Return the shared recordings in an order of their own for each seed; None for the order of their paths."""
    paths = sorted((SHARED / "recordings").rglob("*.yaml"))
    return paths if seed is None else random.Random(seed).sample(paths, len(paths))


def recordings(limit: int = RECORDINGS, seed: int | None = None) -> Iterator[tuple[Path, list[GoodAnswer]]]:
    """Yield recordings whose answers are data, with those answers."""
    for path in sample(seed):
        if not limit:
            return
        try:
            answers = [one for one in example_answers([path]) if isinstance(one.data, dict)]
        except (PlanguardError, OSError):
            continue
        if answers:
            limit -= 1
            yield path, answers


def with_schemas(limit: int = 10, seed: int | None = None) -> Iterator[tuple[Mapping[str, Any], list[GoodAnswer]]]:
    """Yield schemas that recorded requests demand, each once, with the answers of a recording that keep it."""
    seen = set()
    for path in sample(seed):
        try:
            exchanges = read_recording(path).exchanges
            demands = [schema for exchange in exchanges for _, schema in demanded(exchange)]
            answers = example_answers([path]) if demands else []
        except (PlanguardError, OSError):
            continue
        for schema in demands:
            digest = json.dumps(schema, sort_keys=True)
            if digest in seen or not schema.get("properties"):
                continue
            if not limit:
                return
            contract = Contract(dict(schema))
            good = [answer for answer in answers if contract.check(answer.data).ok]
            if good:
                seen.add(digest)
                limit -= 1
                yield schema, good


def agreement(schema: Mapping[str, Any], answers: Sequence[GoodAnswer]) -> tuple[int, int]:
    """Return places of the answers on whose type proposal and schema agree, and all places that both know."""
    known = compared(schema, answers)
    return sum(agrees(theirs, ours) for _, theirs, ours in known), len(known)


def compared(
    schema: Mapping[str, Any], answers: Sequence[GoodAnswer]
) -> list[tuple[str, frozenset[str], frozenset[str]]]:
    """Return each place of the answers with the types that the schema allows there and those of the proposal."""
    own = proposed_contract(answers).json_schema or {}
    places = {place_name(path): path for answer in answers for path, _ in walk(answer.data) if path}
    triples = [(name, types_at(schema, path), types_at(own, path)) for name, path in places.items()]
    return [triple for triple in triples if triple[1]]


def agrees(theirs: frozenset[str], ours: frozenset[str]) -> bool:
    """Return whether the proposal has no type that the schema has not; examples show no more than they show."""
    whole = {"integer"} if "number" in theirs else set()
    return bool(ours) and ours <= theirs | whole


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


def of_good_answers(title: str, answers: Sequence[GoodAnswer], splits: int = 10) -> None:
    """Print what proposals from half of the answers accept: every other one, then seeded random halves."""
    own, others, number = kept_aside(answers)
    print(f"{title}: accepts {own} of {len(answers) - number} examples, {others} of {number} kept aside")
    drawn = [kept_aside(random.Random(seed).sample(list(answers), len(answers))) for seed in range(splits)]
    sums = [sum(figures) for figures in zip(*drawn, strict=True)]
    print(f"  {splits} random halves: {sums[1]} of {sums[2]} kept aside ({sums[1] / sums[2]:.1%})", end="")
    print(
        f"; examples {sums[0]} of {splits * (len(answers) - number)}; worst {min(one[1] for one in drawn)} of {number}"
    )


def of_recordings(seed: int) -> list[str]:
    """Print what proposals from recordings accept; return the modules."""
    modules, numbers, good = [], 0, 0
    for _, answers in recordings(seed=seed):
        good += accepted(proposed_contract(answers), answers)
        numbers += len(answers)
        modules.append(propose(answers).module)
    print(f"recordings: {len(modules)} modules accept {good} of {numbers} examples", flush=True)
    return modules


def of_schemas(number: int, seed: int) -> None:
    """Print on how many types of hidden schemas the proposals agree, and where they do not."""
    triples = [compared(schema, answers) for schema, answers in with_schemas(number, seed)]
    known = [triple for one in triples for triple in one]
    agreed = sum(agrees(theirs, ours) for _, theirs, ours in known)
    print(f"schemas of requests: {len(triples)}; types agree at {agreed} of {len(known)} ({agreed / len(known):.0%})")
    wrong = Counter((*sorted(theirs), "->", *sorted(ours)) for _, theirs, ours in known if not agrees(theirs, ours))
    for types_, count in wrong.items():
        print(f"  {count}: {' '.join(types_)}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--schemas", type=int, default=10)
    options = parser.parse_args()
    of_good_answers("tickets", tickets())
    of_good_answers("assessments", experts.assessments())
    hand = examples(*HAND)
    print(f"written by hand: accepts {accepted(proposed_contract(hand), hand)} of {len(hand)}")
    modules = [propose(one).module for one in (tickets(), experts.assessments(), hand)]
    modules += of_recordings(options.seed)
    of_schemas(options.schemas, options.seed)
    for number, module in enumerate(modules if options.folder else ()):
        (options.folder / f"m{number}.py").write_text(module, encoding="utf-8")


if __name__ == "__main__":
    main()
