"""Cassettes that no test used: the traces of tests that were renamed or removed. Further samples go with the first."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .names import first_sample
from .reader import SUFFIXES


def orphans(folder: str | Path, used: Iterable[str | Path], *, tests: Iterable[str | Path] | None = None) -> list[Path]:
    """Return the cassettes under `folder` that are not among `used`, sorted.

    Arguments:
        folder: where cassettes stand; a folder that does not exist has none.
        used: the cassettes that tests opened.
        tests: folders of cassettes (one a test file) whose tests all ran; others are not judged. None judges all.
    """
    opened = {Path(path).resolve() for path in used}
    judged = None if tests is None else [Path(test).resolve() for test in tests]
    found = (p for p in Path(folder).rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
    unused = (p for p in found if opened.isdisjoint((p.resolve(), first_sample(p.resolve()))))
    return sorted(p for p in unused if _is_judged(p.resolve(), judged))


def _is_judged(path: Path, folders: list[Path] | None) -> bool:
    return folders is None or any(path.is_relative_to(folder) for folder in folders)
