"""Collects what the drawn validators and catalogues say: `python -m tools.feedback_matrix.collect`.

Writes .feedback-texts/drawn.json: source, language, document and faults (joined by " + "; " ~2" behind one: the same
in another item) to {"texts": {rendering: text}, "errors": [[place, message]]}.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.retry.reading.wordings.documents import broken, overlap

from .documents import Fault, documents, faults, limit_of, neighbours, schema_at
from .draw import SEED, drawn
from .drawn.catalogues import NODE, PYTHON, Catalogue, catalogues, fill
from .phrases import bracketed, phrase_rule

OUTPUT = Path(".feedback-texts/drawn.json")
FOLDER = Path(__file__).parent / "drawn"
PAIRS = 6
"""Answers with two faults for each document."""
Texts = dict[str, dict[str, dict[str, dict[str, Any]]]]


def main() -> None:
    """Ask every drawn source, and write what it says."""
    texts: Texts = {}
    wanted = {one["name"] for candidates in drawn().values() for one in candidates}
    for name, catalogue in catalogues().items():
        for language in catalogue if name in wanted else ():
            texts.setdefault(name, {})[language] = _of_catalogue(catalogue, language)
    for name, documents_said in _of_validators().items():
        if name in wanted:
            texts[name] = {"en": documents_said}
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")
    print(f"{len(texts)} of {len(wanted)} drawn sources; without texts: {sorted(wanted - set(texts))}")


def _pairs(document: str) -> Iterator[tuple[Fault, Fault]]:
    chance = random.Random(f"{SEED} {document}")
    ways = list(faults(document).values())
    for _ in range(PAIRS):
        first, second = sorted(chance.sample(ways, 2), key=ways.index)
        if not overlap(first["path"], second["path"]):
            yield first, second


def _of_catalogue(catalogue: Catalogue, language: str) -> dict[str, dict[str, Any]]:
    """Return the catalogue's messages about every fault, alone, in other items and in pairs."""
    said: dict[str, dict[str, Any]] = {}
    for document in documents():
        said[document] = {}
        for fault in faults(document).values():
            places = {fault["name"]: fault["path"]}
            places |= {f"{fault['name']} ~{n}": path for n, path in enumerate(neighbours(document, fault))}
            for key, path in places.items():
                error = _message(catalogue[language], document, {**fault, "path": path})
                if error:
                    said[document][key] = {"texts": {}, "errors": [error]}
        for first, second in _pairs(document):
            if first["name"] in said[document] and second["name"] in said[document]:
                both = [said[document][one["name"]]["errors"][0] for one in (first, second)]
                said[document][f"{first['name']} + {second['name']}"] = {"texts": {}, "errors": both}
    return said


def _message(templates: dict[str, str], document: str, fault: Fault) -> list[str] | None:
    """Return place and message of a fault, None where the catalogue has no message for its rule."""
    template = templates.get(phrase_rule(document, fault)) or templates.get(fault["rule"])
    if template is None:
        return None
    path = fault["path"]
    schema = schema_at(document, path)
    field = path[-1] if isinstance(path[-1], str) else next(step for step in reversed(path) if isinstance(step, str))
    given = {
        "field": field,
        "limit": limit_of(document, fault),
        "value": fault.get("value"),
        "values": ", ".join(schema.get("enum", [])),
        "bars": "|".join(schema.get("enum", [])),
        "pattern": schema.get("pattern"),
        "least": schema.get("minimum", schema.get("exclusiveMinimum", schema.get("minLength", 0))),
        "most": schema.get("maximum", schema.get("maxLength", 1000)),
        "length": len(str(fault.get("value"))),
    }
    place = path[:-1] if template.startswith("^") else path
    return [bracketed(place) or "$", fill(template.removeprefix("^"), given)]


def _of_validators() -> Texts:
    """Return what the validators of both languages say about every job: validator, document, faults."""
    jobs = list(_jobs())
    given = json.dumps([{"schema": documents()[name]["schema"], "document": answer} for name, _, answer in jobs])
    texts: Texts = {}
    for script in FOLDER.glob("*.mjs"):
        shutil.copy(script, NODE)
    for command, place in (
        ([str(PYTHON / "bin" / "python"), str(FOLDER / "python_validators.py")], PYTHON),
        (["node", "node_validators.mjs"], NODE),
    ):
        done = subprocess.run(command, cwd=place, input=given, capture_output=True, text=True, check=True)
        sys.stderr.write("".join(sorted({f"{line}\n" for line in done.stderr.splitlines()})))
        for (document, name, _), said in zip(jobs, json.loads(done.stdout), strict=True):
            for validator, one in said.items():
                texts.setdefault(validator, {}).setdefault(document, {})[name] = one
    return {name: documents_said for name, documents_said in texts.items() if _accepts_good(name, documents_said)}


def _accepts_good(name: str, said: dict[str, dict[str, Any]]) -> bool:
    """Whether the validator accepts every good answer; one that does not was asked wrongly, and is left out."""
    refused = {document: one.pop("") for document, one in said.items() if "" in one}
    if refused:
        sys.stderr.write(f"{name} refuses good answers: {str(refused)[:300]}\n")
    return not refused


def _jobs() -> Iterator[tuple[str, str, Any]]:
    """Yield document, name of the faults and answer: the good answer, each fault, in other items, and pairs."""
    for name, document in documents().items():
        yield name, "", document["good"]
        for fault in faults(name).values():
            yield name, fault["name"], broken(document, [fault["name"]])
            for number, path in enumerate(neighbours(name, fault)):
                moved = {"good": deepcopy(document["good"]), "breaks": [{**fault, "path": path}]}
                try:
                    yield name, f"{fault['name']} ~{number}", broken(moved, [fault["name"]])
                except KeyError:
                    continue
        for first, second in _pairs(name):
            names = [first["name"], second["name"]]
            yield name, " + ".join(names), broken(document, names)


if __name__ == "__main__":
    main()
