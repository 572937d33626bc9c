"""A sample that an earlier tree fixed, found again in today's: `--at COMMIT` of `python -m tools.mutants.run`.

A mutant is carried over where its line is still there, in its own module or in another one of its package. What was
rewritten since has no such place, and is left out.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from .sample import PACKAGES, draw, package_of
from .sites import Mutant, mutants_of


def draw_at(root: Path, commit: str, seed: int, each: int) -> list[Mutant]:
    """Return the sample of the tree of a commit as mutants of today's tree, in the same order."""
    with tempfile.TemporaryDirectory() as folder:
        packages = [f"pytest_planguard/{package}" for package in PACKAGES]
        packed = subprocess.run(["git", "archive", commit, *packages], cwd=root, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        earlier = Path(folder)
        return list(_carried(earlier, root, draw(earlier, seed, each)))


def _carried(earlier: Path, root: Path, sample: Iterable[Mutant]) -> Iterator[Mutant]:
    for mutant in sample:
        line, place = _text(earlier, mutant.path)[mutant.line - 1], _place(_mutants(earlier, mutant.path), mutant)
        for path, number in _candidates(earlier, root, mutant, line):
            same = [one for one in _mutants(root, path) if one.line == number and one.what == mutant.what]
            if place < len(same):
                yield same[place]
                break


def _place(mutants: Iterable[Mutant], mutant: Mutant) -> int:
    """Return how many equal changes of the same line come before a mutant."""
    return [one.number for one in mutants if (one.line, one.what) == (mutant.line, mutant.what)].index(mutant.number)


def _candidates(earlier: Path, root: Path, mutant: Mutant, line: str) -> Iterator[tuple[str, int]]:
    """Yield the places of a line today: as a comparison of its module finds it, else where its text is once."""
    if (root / mutant.path).is_file():
        before, after = _text(earlier, mutant.path), _text(root, mutant.path)
        for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
            if block.a < mutant.line <= block.a + block.size:
                yield mutant.path, mutant.line - block.a + block.b
                return
    places = _places(root, package_of(mutant))[line.strip()]
    if len(places) == 1:
        yield places[0]


_mutants = cache(mutants_of)


@cache
def _places(root: Path, package: str) -> defaultdict[str, list[tuple[str, int]]]:
    """Return the files and numbers of every line of a package by its text."""
    places = defaultdict(list)
    for file in sorted((root / "pytest_planguard" / package).rglob("*.py")):
        path = file.relative_to(root).as_posix()
        for number, text in enumerate(_text(root, path), 1):
            places[text.strip()].append((path, number))
    return places


@cache
def _text(root: Path, path: str) -> list[str]:
    return (root / path).read_text("utf-8").splitlines()
