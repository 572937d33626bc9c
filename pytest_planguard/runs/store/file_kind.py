"""What a file among cassettes and answers is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LINE_SUFFIXES = (".jsonl", ".ndjson")
YAML_SUFFIXES = (".yaml", ".yml")
ANSWER_SUFFIXES = (".json",)
SUFFIXES = (*YAML_SUFFIXES, *ANSWER_SUFFIXES, *LINE_SUFFIXES)
HEAD = 64 * 1024
"""Bytes in which the key of a cassette must come."""
_INTERACTIONS = re.compile(rb'(?:^|[\s{,])"?interactions"?[ \t]*:')
"""The key of vcrpy's files, in YAML (`interactions:`) or JSON (`{"interactions":`); not `my_interactions:`."""


def is_cassette(path: Path) -> bool:
    """Return whether a file is a cassette: it has a key `interactions` near its start.

    A file that cannot be read is none.
    """
    try:
        with path.open("rb") as file:
            return _INTERACTIONS.search(file.read(HEAD)) is not None
    except OSError:
        return False
