"""Errors in sentences that name the property: `Missing required field: title`, `'title' is a required property`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

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


# The property that a message names: validators report what is missing or too much at the object around it.

_MESSAGE_LIMIT = 1_000
_Q = "['\"`]"
_NAME = r"['\"`]([^'\"`\n]{1,200})['\"`]"
_KINDS = r"(?:propert(?:y|ies)|keys?(?:\(s\))?|fields?|members?|attributes?)"
_WRONG = r"(?:missing|required|unexpected|additional|unrecogni[sz]ed|unknown|extra|wrong|forbidden)"
_PATTERNS = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        rf"{_NAME} is a required property",
        # {"additionalProperty": "note"}
        r"\"(?:additional|missing|unevaluated)Property\":\s?\"([^\"\n]{1,200})\"",
        # ('note' was unexpected)
        rf"\({_NAME}(?:, {_Q}[^'\"`\n]{{1,200}}{_Q}){{0,20}} (?:was|were) unexpected\)",
        # requires property "sku", Unrecognized key(s) in object: 'note', Additional properties {'note'}
        (
            rf"\b(?:{_WRONG} {{1,2}}){{0,2}}{_KINDS}(?: (?:in|for|of) (?:the )?\w{{1,20}})?(?: not allowed| found)?:?\s"
            rf"[\[({{\"]{{0,3}}{_NAME}"
        ),
        # must contain ['sku'] properties
        rf"\b(?:must|does|do|should) (?:not )?(?:contain|have)(?: the)? (?:{_KINDS}:? )?[\[({{]{_NAME}",
        # Additional properties not allowed: note
        rf"\b{_WRONG}(?: {_KINDS})?(?: not allowed| not permitted)?:\s{{1,2}}[\[({{]?{_Q}?([A-Za-z_$][\w$-]{{0,200}})",
    )
)
_SAID = _PATTERNS[0], _PATTERNS[2]
_REQUIRED = re.compile(rf"(?:required property|unexpected propert(?:y|ies)) {_NAME}")


def property_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each sentence that names a missing or unexpected property in quotes, without its place."""
    for pattern in (*_SAID, _REQUIRED):
        for found in pattern.finditer(text):
            yield ErrorEntry((found[1],), None, found[0], found.start(), found.end())


def with_named_property(entry: ErrorEntry) -> Iterator[ErrorEntry]:
    """The entry again, at the property that its message names."""
    if entry.path is None:
        return
    words = entry.message[:_MESSAGE_LIMIT]
    found = next(filter(None, (pattern.search(words) for pattern in _PATTERNS)), None)
    if found and entry.path[-1:] != (found[1],):
        yield replace(entry, path=(*entry.path, found[1]))
