"""Outputs that are pinned whole, byte by byte, as files in the folder `pinned` beside what makes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Outputs = Mapping[str, Callable[[], str]]
"""What makes each output, by the name of its file: "reviews.md"."""


def as_before(test_file: str, outputs: Outputs) -> Callable[[str], None]:
    """Return a test, with a case for each output, that compares it with its file in the folder of the test."""
    folder = Path(test_file).parent / "pinned"

    @pytest.mark.parametrize("name", sorted(outputs.keys() | {file.name for file in folder.iterdir()}))
    def test_an_output_is_as_before(name: str) -> None:
        """Each byte; `make decisions` writes the files again."""
        assert name in outputs, "a file of an output that is gone"
        assert outputs[name]() == (folder / name).read_text(encoding="utf-8")

    return test_an_output_is_as_before


def write_pinned(folder: Path, outputs: Outputs) -> None:
    """Write the files of a folder again, and remove those of outputs that are gone."""
    for file in folder.iterdir():
        if file.name not in outputs:
            file.unlink()
    for name, make in outputs.items():
        (folder / name).write_text(make(), encoding="utf-8", newline="\n")
