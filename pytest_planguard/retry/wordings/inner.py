"""What a text says that stands inside another one: in a JSON string, or printed as a literal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..entry import Entry
from .error_lists import list_entries
from .error_maps import map_entries
from .lines import line_entries
from .pydantic_text import pydantic_entries


def inner_entries(words: str, start: int, end: int) -> Iterator[Entry]:
    """The entries of `words`; each stands where the value or line stands that holds them."""
    for read in (pydantic_entries, line_entries, list_entries, map_entries):
        for entry in read(words):
            yield replace(entry, start=start, end=end)
