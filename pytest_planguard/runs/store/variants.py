"""Variants of a project's cassettes: `cassettes/<test>/<variant>/<case>.yaml`, or in the configured folder."""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from .cassette_folders import CASSETTES, folders_on_disk
from .pytest_settings import NAMES
from .whole_files import YAML_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SKIPPED = frozenset(("node_modules", "__pycache__", "site-packages", "build", "dist"))
"""Folders without cassettes of this project that may be large."""
SETTINGS = frozenset(NAMES)


def variant_files(root: Path, variant: str) -> list[tuple[Path, str]]:
    """Return the cassettes of a variant below a folder, each with its case key.

    The key is the path without the variant's folder.
    """
    found = []
    for file, plain in _cassettes(root):
        parts = PurePosixPath(plain).with_suffix("").parts
        if len(parts) > 1 and parts[-2] == variant:
            found.append((file, "/".join((*parts[:-2], parts[-1]))))
    return sorted(found, key=lambda item: item[1])


def variant_names(root: Path) -> list[str]:
    """Return the names of all variants below a folder, sorted."""
    return sorted({PurePosixPath(plain).parent.name for _, plain in _cassettes(root)} - {CASSETTES})


def _cassettes(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield every cassette below a folder, at any depth, with its path as if its folder were named `cassettes`."""
    walked = [(root / folder, sorted(names)) for folder, names in _walked(root)]
    folders = folders_on_disk(root, (folder for folder, names in walked if not SETTINGS.isdisjoint(names)))
    for folder, names in walked:
        for name in names if any(name.lower().endswith(YAML_SUFFIXES) for name in names) else ():
            path = (folder / name).relative_to(root).as_posix()
            plain = folders.plain(path)
            if plain is None and root.name == CASSETTES and name.lower().endswith(YAML_SUFFIXES):
                plain = path
            if plain is not None:
                yield folder / name, plain


def _walked(root: Path) -> Iterator[tuple[str, list[str]]]:
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if not name.startswith(".") and name not in SKIPPED)
        yield folder, names
