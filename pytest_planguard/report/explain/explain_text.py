"""Explanations for a terminal: all meanings of one word, or the list of all words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from textwrap import TextWrapper
from typing import Any

from ...registry import Explanation

WIDTH = 100
"""Characters of a line."""
_LABELS = (("What", "what"), ("Why", "why"), ("Example", "example"), ("Do", "fix"))


def render_explanations(entries: Iterable[Explanation]) -> str:
    """Return every meaning of a word, one paragraph each."""
    return "\n".join(f"{entry.name} ({entry.sort})\n{_parts(entry)}" for entry in entries)


def _parts(entry: Explanation) -> str:
    wrapper = TextWrapper(WIDTH, subsequent_indent=" " * 11, break_long_words=False, break_on_hyphens=False)
    paragraphs = (f"  {f'{label}:':<9}{getattr(entry, field)}" for label, field in _LABELS)
    return "".join(f"{wrapper.fill(paragraph)}\n" for paragraph in paragraphs)


def render_list(entries: Iterable[Explanation]) -> str:
    """Return all names, sort by sort, each with the first sentence of what it means."""
    parts = []
    for sort, group in groupby(entries, key=lambda entry: entry.sort):
        listed = list(group)
        width = max(len(entry.name) for entry in listed)
        rows = "".join(f"  {entry.name:<{width}}  {first_sentence(entry.what)}\n" for entry in listed)
        parts.append(f"{sort}\n{rows}")
    return "\n".join(parts)


def first_sentence(text: str) -> str:
    """Return a text up to its first full stop: "A. B." gives "A."."""
    return text.split(". ", 1)[0].rstrip(".") + "."


def explanation_data(entry: Explanation) -> dict[str, Any]:
    """Return an explanation as plain values, for a program."""
    return {
        "name": entry.name,
        "sort": str(entry.sort),
        "what": entry.what,
        "why": entry.why,
        "example": entry.example,
        "do": entry.fix,
    }
