"""The text of a jsonschema ValidationError: the message, `Failed validating 'enum' in schema…`, `On instance[…]:`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import PATH_LIMIT, Entry, parse_place
from .lines import lines_of

_FAILED = re.compile(r"\s*Failed validating ['\"]([\w$]{1,60})['\"] in ")
_INSTANCE = re.compile(r"\s*On \w+((?:\[[^\[\]\n]{1,100}\]){0,40}):\s*")
_SCHEMA_LINES = 200
"""Lines that the printed schema may have."""


def json_schema_entries(text: str) -> Iterator[Entry]:
    """One entry for each error that was turned into text as a whole."""
    if "Failed validating " not in text:
        return
    lines = lines_of(text)
    for at, line in enumerate(lines):
        found = _FAILED.match(line.text)
        message = next((above for above in reversed(lines[max(at - 3, 0) : at]) if above.text.strip()), None)
        if found and message:
            below = (_INSTANCE.fullmatch(below.text[:PATH_LIMIT]) for below in lines[at + 1 : at + _SCHEMA_LINES])
            place = next((instance[1] for instance in below if instance), None)
            if place is not None:
                path = parse_place(place)
                yield Entry(path, found[1], message.text.strip(), message.start, line.start + len(line.text))
