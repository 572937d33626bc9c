"""Our own feedback styles, read by the functions that stand beside the ones that write them."""

from __future__ import annotations

from collections.abc import Iterator

from ....contract.feedback.command_style import parse_bullets
from ....contract.feedback.entry_lines import parse_entries
from ....contract.feedback.styles import parse_problems
from ..entry import ErrorEntry, place


def own_entries(text: str) -> Iterator[ErrorEntry]:
    """The entries of every style of ours."""
    for path, code, message in [*parse_entries(text), *parse_bullets(text)]:
        start = max(text.find(message), 0)
        yield ErrorEntry(place(path), code, message, start, start + len(message))
    for path, code, message, start, end in parse_problems(text):
        yield ErrorEntry(place(path), code, message, start, end)
