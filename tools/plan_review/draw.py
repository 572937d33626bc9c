"""Draw hits to be read by a person: stratified by format and rule, seeded, before anything is read.

What `planguard check` shows by default is drawn from; with --remarks the findings of severity info alone.

    python -m tools.plan_review.draw HITS.jsonl [HITS.jsonl ...] --number 100 --seed 20261122 > DRAW.tsv

`python -m tools.plan_review.hits FOLDER --json FILE` writes the hits.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any


def draw(hits: list[dict[str, Any]], number: int, seed: int, *, remarks: bool = False) -> list[dict[str, Any]]:
    """Return the drawn hits: one of each stratum in turn, in a shuffled order, until there are enough."""
    source = random.Random(seed)
    strata: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for hit in hits:
        if "rule" in hit and (hit["severity"] == "info") == remarks:
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
    parser.add_argument("--remarks", action="store_true")
    options = parser.parse_args()
    hits = [json.loads(line) for file in options.files for line in file.read_text(encoding="utf-8").splitlines()]
    drawn = draw(hits, options.number, options.seed, remarks=options.remarks)
    print("number\tformat\trule\tseverity\tdocument\tline\tmessage\tverdict\tremark")
    for number, hit in enumerate(drawn, 1):
        fields = (hit["format"], hit["rule"], hit["severity"], hit["document"], hit["line"], hit["message"])
        print("\t".join([str(number), *(" ".join(str(field).split()) for field in fields), "", ""]))


if __name__ == "__main__":
    main()
