"""Runs every validator over the broken documents and keeps its texts: `python -m tools.feedback_matrix.texts OUT.json`.

Runs in the validators' own environment (see README.md). The result maps validator, document and the broken places,
joined by " + ", to texts by rendering. A place in a list is also broken in the neighbouring item (" ~"), to know
which texts name the item at all.
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

from tests.retry.reading.wordings.documents import broken, documents, overlap

from .python import builders, classes, schemas  # noqa: F401 - each registers its checks
from .python.found import CHECKS

ROOT = Path(__file__).parents[2]
NODE = ROOT / ".venv-validators-node"
Job = tuple[str, str, dict[str, Any], Any]
"""Name of the document, what is broken, schema, answer."""


def jobs() -> Iterator[Job]:
    """Each place broken alone, in the item beside it, and some together with another one."""
    chance = random.Random(1)
    for document in documents().values():
        breaks = document["breaks"]
        yield document["name"], "", document["schema"], document["good"]
        for way in breaks:
            yield document["name"], way["name"], document["schema"], broken(document, [way["name"]])
            neighbour = _neighbour(document, way)
            if neighbour:
                yield document["name"], f"{way['name']} ~", document["schema"], neighbour
        for _ in range(8):
            first, second = sorted(chance.sample(breaks, 2), key=breaks.index)
            if not overlap(first["path"], second["path"]):
                names = [first["name"], second["name"]]
                yield document["name"], " + ".join(names), document["schema"], broken(document, names)


def _neighbour(document: dict[str, Any], way: dict[str, Any]) -> Any:
    for at, step in enumerate(way["path"]):
        if isinstance(step, int):
            moved = [*way["path"][:at], 1 - step if step < 2 else 0, *way["path"][at + 1 :]]
            try:
                return broken({"good": deepcopy(document["good"]), "breaks": [{**way, "path": moved}]}, [way["name"]])
            except (KeyError, IndexError):
                return None
    return None


def in_python(job: Job) -> dict[str, Any]:
    """What each validator of this language says, where it says anything."""
    found = {}
    for name, check in CHECKS.items():
        said = check(job[2], job[3])
        if said:
            found[name] = said.plain()
    return found


def in_node(all_jobs: list[Job]) -> list[dict[str, Any]]:
    """The same in the other language, for all jobs at once; the scripts run where their packages are."""
    for script in (Path(__file__).parent / "node").glob("*.mjs"):
        shutil.copy(script, NODE)
    given = json.dumps([{"schema": schema, "document": answer} for _, _, schema, answer in all_jobs])
    done = subprocess.run(["node", "run.mjs"], cwd=NODE, input=given, capture_output=True, text=True, check=True)
    sys.stderr.write(done.stderr)
    said: list[dict[str, Any]] = json.loads(done.stdout)
    return said


def main() -> None:
    """Write the texts; a validator that rejects the good answer is a mistake of ours."""
    every = list(jobs())
    texts: dict[str, dict[str, dict[str, Any]]] = {}
    for job, theirs in zip(every, in_node(every), strict=True):
        for name, said in {**in_python(job), **theirs}.items():
            assert job[1], f"{name} rejects the good {job[0]}: {said}"
            texts.setdefault(name, {}).setdefault(job[0], {})[job[1]] = said
    Path(sys.argv[1]).write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")
    print(len(texts), "validators:", *sorted(texts))


if __name__ == "__main__":
    main()
