"""Draws validators and catalogues from the pool with a committed seed: `python -m tools.feedback_matrix.draw`.

The draw was made before anything was measured. One that cannot be asked stays in the pool with the reason under
`excluded`, and the next one of its kind in the drawn order takes its place.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

SEED = 20261122
SHARE = {"catalogue": 12, "node": 10, "python": 8}
"""How many of each kind are drawn."""
POOL = Path(__file__).with_name("pool.yaml")

Candidate = Mapping[str, Any]


def pool() -> dict[str, list[Candidate]]:
    """Return the candidates by kind, in the order of the file."""
    read: dict[str, list[Candidate]] = yaml.safe_load(POOL.read_text(encoding="utf-8"))
    return read


def order(candidates: Sequence[Candidate], kind: str) -> list[Candidate]:
    """Return all candidates of a kind in the drawn order; exclusions do not change it."""
    return random.Random(f"{SEED} {kind}").sample(candidates, len(candidates))


def drawn() -> dict[str, list[Candidate]]:
    """Return the first candidates of each kind in the drawn order that are not excluded."""
    return {
        kind: [one for one in order(candidates, kind) if "excluded" not in one][: SHARE[kind]]
        for kind, candidates in pool().items()
    }


def main() -> None:
    """Print what is drawn, by kind."""
    for kind, candidates in drawn().items():
        print(f"{kind}: {', '.join(one['name'] for one in candidates)}")


if __name__ == "__main__":
    main()
