"""Sets of recordings of one project: `cassettes/<test>/<variant>/<case>.yaml`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .file_kind import YAML_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CASSETTES = "cassettes"
SKIPPED = frozenset(("node_modules", "__pycache__", "site-packages", "build", "dist"))
"""Folders that hold no recordings of this project and may be large."""


def variant_files(root: Path, variant: str) -> list[tuple[Path, str]]:
    """Return the recordings of a variant below a folder, each with its case key.

    Its path without the variant's folder.
    """
    found = []
    for file in _recordings(root):
        parts = file.relative_to(root).with_suffix("").parts
        if len(parts) > 1 and parts[-2] == variant:
            found.append((file, "/".join((*parts[:-2], parts[-1]))))
    return sorted(found, key=lambda item: item[1])


def variant_names(root: Path) -> list[str]:
    """Return the names of all variants below a folder, sorted."""
    return sorted({file.parent.name for file in _recordings(root)} - {CASSETTES})


def _recordings(root: Path) -> Iterator[Path]:
    """Yield every YAML file in a folder named `cassettes`, at any depth."""
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if not name.startswith(".") and name not in SKIPPED)
        place = root / folder
        if CASSETTES in place.relative_to(root).parts or root.name == CASSETTES:
            yield from (place / name for name in sorted(names) if name.lower().endswith(YAML_SUFFIXES))
