r"""Errors inside a text that was printed as a literal: `ParserException('2 validation errors …\\ngoal\\n  …')`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import Entry
from .inner import inner_entries
from .lines import lines_of

_ESCAPE = re.compile(r"\\(.)")
_END = re.compile(r"""['"] ?\){1,9}\Z""")
"""How a printed exception ends."""
_MEANS = {"n": "\n", "r": "\r", "t": "\t"}


def printed_entries(text: str) -> Iterator[Entry]:
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
