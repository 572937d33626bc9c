"""Outputs that are pinned whole, byte by byte, as files in the folder `pinned` beside what makes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

Outputs = Mapping[str, Callable[[], str]]
"""What makes each output, by the name of its file: "reviews.md"."""


def write_pinned(folder: Path, outputs: Outputs) -> None:
    """Write the files of a folder again, and remove those of outputs that are gone."""
    for file in folder.iterdir():
        if file.name not in outputs:
            file.unlink()
    for name, make in outputs.items():
        (folder / name).write_text(make(), encoding="utf-8", newline="\n")
