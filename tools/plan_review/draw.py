"""Draw hits to be read by a person: stratified by format and rule, seeded, before anything is read.

    python -m tools.plan_review.draw HITS.jsonl [HITS.jsonl ...] --number 100 --seed 20261122 > DRAW.tsv

`python -m tools.plan_review.hits FOLDER --json FILE` writes the hits.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any


def draw(hits: list[dict[str, Any]], number: int, seed: int) -> list[dict[str, Any]]:
    """Return the drawn hits: one of each stratum in turn, in a shuffled order, until there are enough."""
    source = random.Random(seed)
    strata: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for hit in hits:
        if "rule" in hit:
            strata.setdefault((hit["format"], hit["rule"]), []).append(hit)
    queues = [strata[key] for key in sorted(strata)]
    for queue in queues:
        source.shuffle(queue)
    source.shuffle(queues)
    drawn: list[dict[str, Any]] = []
    while len(drawn) < number and any(queues):
        drawn += [queue.pop() for queue in queues if queue]
    return drawn[:number]


def main() -> None:
    """Print the draw, one hit a line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=20261122)
    options = parser.parse_args()
    hits = [json.loads(line) for file in options.files for line in file.read_text(encoding="utf-8").splitlines()]
    print("number\tformat\trule\tseverity\tdocument\tline\tmessage\tverdict\tremark")
    for number, hit in enumerate(draw(hits, options.number, options.seed), 1):
        fields = (hit["format"], hit["rule"], hit["severity"], hit["document"], hit["line"], hit["message"])
        print("\t".join([str(number), *(" ".join(str(field).split()) for field in fields), "", ""]))


if __name__ == "__main__":
    main()
