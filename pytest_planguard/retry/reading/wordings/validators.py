"""The texts of pydantic's and jsonschema's ValidationError."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import PATH_LIMIT, ErrorEntry, parse_place
from .lines import Line, lines_of

_TYPE = re.compile(r" ?(?:\[type=([\w.-]{1,80})(?=, input_value=|\])|\(type=([\w.-]{1,80})(?=;|\)))")
_QUOTED = re.compile(r"(?:\s{0,8}> ?){1,4}")
_HEADER = re.compile(r"validation errors? for ")
_MESSAGE_LINES = 20
"""Lines that one message may have; a location further above belongs to something else."""


def pydantic_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each `[type=…, input_value=…]`, or pydantic 1's `(type=…)`, that stands on an indented line."""
    if not _TYPE.search(text):
        return
    lines = [_unquoted(line) for line in lines_of(text)]
    for at, line in enumerate(lines):
        found = _TYPE.search(line.text)
        if found and line.indent:
            yield _entry(lines, at, found)


def _unquoted(line: Line) -> Line:
    """The line of a quotation ("> goal") without its mark."""
    mark = _QUOTED.match(line.text)
    return Line(line.text[mark.end() :], line.start + mark.end()) if mark else line


def _entry(lines: list[Line], at: int, found: re.Match[str]) -> ErrorEntry:
    head = _location(lines, at)
    first = at if head is None else head + 1
    words = [lines[n].text.strip() for n in range(first, at)] + [lines[at].text[: found.start()].strip()]
    at_root = head is None or bool(_HEADER.search(lines[head].text))
    path = () if at_root or head is None else parse_place(lines[head].text)
    start = lines[first if at_root or head is None else head].start
    return ErrorEntry(path, found[1] or found[2], " ".join(words), start, lines[at].start + len(lines[at].text))


def _location(lines: list[Line], at: int) -> int | None:
    """The nearest line above that is indented less than this one and is no other error."""
    for above in range(at - 1, max(at - 1 - _MESSAGE_LINES, -1), -1):
        if _TYPE.search(lines[above].text) or "For further information" in lines[above].text:
            return None
        if lines[above].text.strip() and lines[above].indent < lines[at].indent:
            return above
    return None


# The text of a jsonschema ValidationError: the message, `Failed validating 'enum' in schema…`, `On instance[…]:`.

_FAILED = re.compile(r"\s*Failed validating ['\"]([\w$]{1,60})['\"] in ")
_INSTANCE = re.compile(r"\s*On \w+((?:\[[^\[\]\n]{1,100}\]){0,40}):\s*")
_SCHEMA_LINES = 200
"""Lines that the printed schema may have."""


def json_schema_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each error that was turned into text as a whole."""
    if "Failed validating " not in text:
        return
    lines = list(lines_of(text))
    for at, line in enumerate(lines):
        found = _FAILED.match(line.text)
        message = next((above for above in reversed(lines[max(at - 3, 0) : at]) if above.text.strip()), None)
        if found and message:
            below = (_INSTANCE.fullmatch(below.text[:PATH_LIMIT]) for below in lines[at + 1 : at + _SCHEMA_LINES])
            place = next((instance[1] for instance in below if instance), None)
            if place is not None:
                path = parse_place(place)
                yield ErrorEntry(path, found[1], message.text.strip(), message.start, line.start + len(line.text))


# jsonschema's messages name the property themselves, whatever stands in front: ('note' was unexpected).
_PROPERTY = re.compile(r"['\"`]([^'\"`\n]{1,200})['\"`] (?:is a required property|was unexpected)")


def property_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each sentence that calls a property required or unexpected, without its place."""
    for found in _PROPERTY.finditer(text):
        yield ErrorEntry((found[1],), None, found[0], found.start(), found.end())
