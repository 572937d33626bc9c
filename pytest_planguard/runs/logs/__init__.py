"""Logs of production traffic judged: records read, tied in groups, judged group by group, and summed up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

NAMES = (".jsonl", ".ndjson", ".json", ".pb", ".binpb", ".log", ".txt")
"""How logs are called, before `.gz` or `.zst`."""


def may_be_log(path: Path) -> bool:
    """Return whether a file has the name of a log. It is here so that other files load no reader."""
    name = path.name.lower()
    return name.removesuffix(".gz").removesuffix(".zst").endswith(NAMES)
