"""Errors in sentences that name the property: `Missing required field: title`, `'title' is a required property`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import ErrorEntry, parse_place

_NAMED = re.compile(
    r"\b((?:missing|required|unknown|unexpected|extra|duplicate|empty|invalid)"
    r"(?: required| additional| unexpected| enum| value| type){0,2}"
    r" (?:field|key|property|parameter|argument|value|type)(?: for)?):?\s+[`'\"]?([\w$][\w$.\[\]/-]{0,200})",
    re.IGNORECASE,
)
_PARENT = re.compile(
    r"[`'\"]?\s{0,3}[-—(,]?\s{0,3}(?:at|in|of|on|@)\s+[`'\"]?(\$[\w$.\[\]/-]{0,200}|[\w$]+(?:[.\[/][\w$.\[\]/-]{0,200}))"
)


def sentence_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each sentence that names a kind of error and then the field."""
    for found in _NAMED.finditer(text):
        path = parse_place(found[2].rstrip(".,;:"))
        yield ErrorEntry(path, None, found[1], found.start(), found.end())
        parent = _PARENT.match(text, found.end())
        if parent:
            yield ErrorEntry((*parse_place(parent[1]), *path), None, found[1], found.start(), parent.end())
    yield from property_entries(text)


# Errors that name the property in quotes, and no place: of what is missing or too much.
_NAME = r"['\"`]([^'\"`\n]{1,200})['\"`]"
_PROPERTIES = (
    re.compile(rf"{_NAME} is a required property", re.IGNORECASE),
    # ('note' was unexpected)
    re.compile(rf"\({_NAME}(?:, ['\"`][^'\"`\n]{{1,200}}['\"`]){{0,20}} (?:was|were) unexpected\)", re.IGNORECASE),
    re.compile(rf"(?:required property|unexpected propert(?:y|ies)) {_NAME}"),
)


def property_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each sentence that names a missing or unexpected property in quotes, without its place."""
    for pattern in _PROPERTIES:
        for found in pattern.finditer(text):
            yield ErrorEntry((found[1],), None, found[0], found.start(), found.end())
