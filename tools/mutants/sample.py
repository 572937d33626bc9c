"""Draw mutants: the same seed gives the same sample of the same code."""

from __future__ import annotations

import random
from pathlib import Path

from .sites import Mutant, mutants_of

PACKAGES = ("contract", "retry", "replay", "plans")
EACH = 150
"""Mutants of each package."""


def draw(root: Path, seed: int, each: int = EACH) -> list[Mutant]:
    """Return the same number of mutants for each package, in mixed order."""
    chooser = random.Random(seed)
    drawn = [mutant for package in PACKAGES for mutant in _of_package(root, package, each, chooser)]
    chooser.shuffle(drawn)
    return drawn


def package_of(mutant: Mutant) -> str:
    """Return the package of a mutant: "retry"."""
    return mutant.path.split("/")[1]


def _of_package(root: Path, package: str, each: int, chooser: random.Random) -> list[Mutant]:
    files = (root / "pytest_planguard" / package).rglob("*.py")
    paths = sorted(file.relative_to(root).as_posix() for file in files)
    every = [mutant for path in paths for mutant in mutants_of(root, path)]
    return chooser.sample(every, min(each, len(every)))
