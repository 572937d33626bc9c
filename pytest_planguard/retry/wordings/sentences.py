"""Errors in a sentence that names the field last: `Missing required field: title`, `'title' is a required property`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..entry import Entry, parse_place

_NAMED = re.compile(
    r"\b((?:missing|required|unknown|unexpected|extra|duplicate|empty|invalid)"
    r"(?: required| additional| unexpected| enum| value| type){0,2}"
    r" (?:field|key|property|parameter|argument|value|type)(?: for)?):?\s+[`'\"]?([\w$][\w$.\[\]/-]{0,200})",
    re.IGNORECASE,
)
_PARENT = re.compile(
    r"[`'\"]?\s{0,3}[-—(,]?\s{0,3}(?:at|in|of|on|@)\s+[`'\"]?(\$[\w$.\[\]/-]{0,200}|[\w$]+(?:[.\[/][\w$.\[\]/-]{0,200}))"
)
_PROPERTY = re.compile(
    r"['\"`]([^'\"`\n]{1,200})['\"`] is a required property"
    r"|required property ['\"`]([^'\"`\n]{1,200})['\"`]"
    r"|\(['\"`]([^'\"`\n]{1,200})['\"`](?:, ['\"`][^'\"`\n]{1,200}['\"`]){0,20} (?:was|were) unexpected\)"
    r"|unexpected propert(?:y|ies) ['\"`]([^'\"`\n]{1,200})['\"`]"
)


def sentence_entries(text: str) -> Iterator[Entry]:
    """One entry for each sentence that names a kind of error and then the field."""
    for found in _NAMED.finditer(text):
        path = parse_place(found[2].rstrip(".,;:"))
        yield Entry(path, None, found[1], found.start(), found.end())
        parent = _PARENT.match(text, found.end())
        if parent:
            yield Entry((*parse_place(parent[1]), *path), None, found[1], found.start(), parent.end())
    for found in _PROPERTY.finditer(text):
        yield Entry((_name(found),), None, found[0], found.start(), found.end())


def with_named_property(entry: Entry) -> Iterator[Entry]:
    """The entry again, at the property that its message names: validators report a missing key at its parent."""
    found = _PROPERTY.search(entry.message) if entry.path is not None else None
    if found and entry.path is not None and entry.path[-1:] != (_name(found),):
        yield replace(entry, path=(*entry.path, _name(found)))


def _name(found: re.Match[str]) -> str:
    return next(group for group in found.groups() if group is not None)
