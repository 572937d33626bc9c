r"""Errors inside a text that was printed as a literal: `ParserException('2 validation errors …\ngoal\n  …')`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..entry import ErrorEntry
from .error_lists import list_entries
from .error_maps import map_entries
from .lines import line_entries, lines_of
from .validators import pydantic_entries


def inner_entries(words: str, start: int, end: int) -> Iterator[ErrorEntry]:
    """The entries of `words`; each stands where the value or line stands that holds them."""
    for read in (pydantic_entries, line_entries, list_entries, map_entries):
        for entry in read(words):
            yield replace(entry, start=start, end=end)


_ESCAPE = re.compile(r"\\(.)")
_END = re.compile(r"""['"] ?\){1,9}\Z""")
"""How a printed exception ends."""
_MEANS = {"n": "\n", "r": "\r", "t": "\t"}


def printed_entries(text: str) -> Iterator[ErrorEntry]:
    r"""The entries of every line that has line breaks written as `\n`; each stands where that line stands.

    A program that puts `repr(error)` into its prompt sends such lines, and so does one that turns its errors into JSON
    text twice.
    """
    if "\\n" not in text:
        return
    for line in lines_of(text):
        if "\\n" in line.text:
            words = _ESCAPE.sub(lambda found: _MEANS.get(found[1], found[1]), _END.sub("", line.text.rstrip()))
            yield from inner_entries(words, line.start, line.start + len(line.text))
