"""Test files, their data, and digests that show changes since the last measurement."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

_DATA = frozenset({".txt", ".tsv", ".md", ".json", ".yaml"})


def with_data(file: Path) -> list[Path]:
    """Return a test file, and the data below its folder: "test_words.py", "pinned/rules.tsv"."""
    return [file, *sorted(one for one in file.parent.rglob("*") if one.suffix in _DATA)]


def digests(root: Path, folders: Iterable[str]) -> dict[str, str]:
    """Return a digest of each test file below some folders, by relative path, including its data."""
    files = [file for folder in folders for file in sorted((root / folder).rglob("test_*.py"))]
    return {file.relative_to(root).as_posix(): _digest(with_data(file)) for file in files}


def _digest(files: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for file in files:
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()
