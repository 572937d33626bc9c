"""Judge logs of production traffic: read and group the records, judge each group, and add up the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

NAMES = (".jsonl", ".ndjson", ".json", ".pb", ".binpb", ".bin", ".log", ".txt", ".parquet", ".traj", ".eval", ".har")
"""Suffixes of log files, before `.gz` or `.zst`."""


def may_be_log(path: Path) -> bool:
    """Return True if a file has the name of a log. This function is here so that its callers load no reader."""
    return unpacked_name(path).endswith(NAMES)


def unpacked_name(path: Path) -> str:
    """Return a file's name in lower case without the suffix of its compression: "a.jsonl" for `A.jsonl.gz`."""
    return path.name.lower().removesuffix(".gz").removesuffix(".zst")
