"""Errors in a sentence that names the field last: `Missing required field: title`, `'title' is a required property`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import Entry, parse_place
from .properties import property_entries

_NAMED = re.compile(
    r"\b((?:missing|required|unknown|unexpected|extra|duplicate|empty|invalid)"
    r"(?: required| additional| unexpected| enum| value| type){0,2}"
    r" (?:field|key|property|parameter|argument|value|type)(?: for)?):?\s+[`'\"]?([\w$][\w$.\[\]/-]{0,200})",
    re.IGNORECASE,
)
_PARENT = re.compile(
    r"[`'\"]?\s{0,3}[-—(,]?\s{0,3}(?:at|in|of|on|@)\s+[`'\"]?(\$[\w$.\[\]/-]{0,200}|[\w$]+(?:[.\[/][\w$.\[\]/-]{0,200}))"
)


def sentence_entries(text: str) -> Iterator[Entry]:
    """One entry for each sentence that names a kind of error and then the field."""
    for found in _NAMED.finditer(text):
        path = parse_place(found[2].rstrip(".,;:"))
        yield Entry(path, None, found[1], found.start(), found.end())
        parent = _PARENT.match(text, found.end())
        if parent:
            yield Entry((*parse_place(parent[1]), *path), None, found[1], found.start(), parent.end())
    yield from property_entries(text)
