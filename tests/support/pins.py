"""Files with what the project says of many inputs: an input and what it becomes, a line each, with a tab between."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

Decide = Callable[[str], object]


def decided(file: Path, decide: Decide) -> list[str]:
    """Return the lines of a file as they are now."""
    return [f"{line}\t{decide(json.loads(line))}" for line in inputs(file)]


def inputs(file: Path) -> list[str]:
    """Return the inputs of a file, as JSON texts."""
    return [line.partition("\t")[0] for line in file.read_text(encoding="utf-8").splitlines()]


def whole(said: Callable[[], Iterator[str]]) -> str:
    """Return a case's texts as one; half of a surrogate pair is spelled out."""
    return "\n".join([*said(), ""]).encode("utf-8", "backslashreplace").decode("utf-8")
