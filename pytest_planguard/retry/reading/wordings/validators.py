"""Errors in the fixed words of one validator: a pattern each, with groups for place, code and message."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import ErrorEntry, parse_place
from .lines import plain

_PATTERNS = (
    # pydantic: "tasks.0.id", and indented below "Field required [type=missing, input_value=1, input_type=int]"; its
    # first version writes "tasks -> 0 -> id" and "field required (type=value_error.missing)". A message may have more
    # lines.
    re.compile(
        r"^(?P<indent>[ \t]*)(?P<place>\S.*)\n(?P<message>(?:(?P=indent)[ \t].*\n){0,20}?(?P=indent)[ \t].*?)"
        r" ?[\[(]type=(?P<code>[\w.-]{1,80})(?:, input_value=|[;\])]).*",
        re.MULTILINE,
    ),
    # jsonschema: "417 is not of type 'string'", "Failed validating 'type' in schema['properties']['number']:", the
    # lines of that schema, "On instance['number']:".
    re.compile(
        r"^[ \t]*(?P<message>\S.*)\n\s*Failed validating ['\"](?P<code>[\w$]{1,60})['\"] in .*\n"
        r"(?:.*\n){0,200}?[ \t]*On \w+(?P<place>(?:\[[^\[\]\n]{1,100}\]){0,40}):",
        re.MULTILINE,
    ),
    # jsonschema names a property in the message: "'goal' is a required property", "('note' was unexpected)".
    re.compile(
        r"(?P<message>['\"`](?P<place>[^'\"`\n]{1,200})['\"`] (?:is a required property|was unexpected))(?P<code>)"
    ),
    # Go: "Key: 'Invoice.Lines[1].No' Error:Field validation for 'No' failed on the 'min' tag".
    re.compile(
        r"\bKey: '(?P<place>[^'\n]{1,300})' Error:\s?"
        r"(?P<message>[^'\n]{0,60}'[^'\n]{1,200}' failed on the '(?P<code>[\w|-]{1,60})' tag)"
    ),
    # TypeChat: "Validation path `tasks.0.id` failed for value `1` because:", and the message on the next line.
    re.compile(
        r"Validation path `(?P<place>[^`\n]{0,300})` failed for value `[^\n]{0,2000}` because:\s+"
        r"(?P<message>.{1,1000})(?P<code>)"
    ),
)
_HEADER = re.compile(r"validation errors? for ")
"""In the line above pydantic's error about the whole answer, which has no line for its place."""


def validator_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each error in a validator's own words."""
    text = plain(text)
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            path = () if _HEADER.search(found["place"]) else parse_place(found["place"])
            yield ErrorEntry(path, found["code"] or None, " ".join(found["message"].split()), *found.span())
