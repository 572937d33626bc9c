"""Errors as Go's validators print them: `Key: 'Invoice.Lines[1].Quantity' Error:… failed on the 'min' tag`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import Entry, parse_place

_FAILED = re.compile(
    r"\bKey: '([^'\n]{1,300})' Error:\s?([^'\n]{0,60}'[^'\n]{1,200}' failed on the '([\w|-]{1,60})' tag)"
)


def tag_entries(text: str) -> Iterator[Entry]:
    """One entry for each key; the tag is its code."""
    for found in _FAILED.finditer(text):
        yield Entry(parse_place(found[1]), found[3], found[2], found.start(), found.end())
