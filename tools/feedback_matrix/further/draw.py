"""Draws further validators of Python with a committed seed: `python -m tools.feedback_matrix.further.draw`.

One that cannot be asked stays in candidates.yaml with the reason under `excluded`, and the next one takes its place.
"""

from __future__ import annotations

import random
from pathlib import Path

import yaml

from ..draw import Candidate
from . import SEED

WANTED = 10
"""How many are drawn."""
CANDIDATES = Path(__file__).with_name("candidates.yaml")


def order() -> list[Candidate]:
    """Return all candidates in the drawn order; exclusions do not change it."""
    candidates: list[Candidate] = yaml.safe_load(CANDIDATES.read_text(encoding="utf-8"))
    return random.Random(SEED).sample(candidates, len(candidates))


def drawn() -> list[Candidate]:
    """Return the first candidates in the drawn order that are not excluded."""
    return [one for one in order() if "excluded" not in one][:WANTED]


if __name__ == "__main__":
    print(", ".join(one["name"] for one in order()))
