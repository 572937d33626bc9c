"""Change one place of a YAML document in its own text: block or flow style, every other line where it stands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .path import value_at
from .yaml_load import locate_yaml

if TYPE_CHECKING:
    from .edit import Edit

_Range = tuple[int, int]


def edited_yaml(body: str, data: Any, edit: Edit, siblings: list[str | int]) -> str | None:
    """The text with one place changed; None where that cannot be done without moving lines.

    New values are written in flow style, which is JSON. A member is added in flow style behind the bracket, in block
    style at the end of the document: there the mapping must end. What is cut out leaves its line breaks; what a block
    begins with stays, since the block itself would begin further down.

    Raises:
        LookupError: a place that stands nowhere in the text, such as a member that came from a merge.
    """
    parent = edit.path[:-1]
    found = locate_yaml(body, [parent, *((*parent, part) for part in siblings)])
    places = {path: _trimmed(body, place) for path, place in found.items()}
    if edit.action == "add":
        return _added(body, places[parent], edit, value_at(data, parent))
    if edit.action == "put":
        start, end = places[edit.path]
        alone = not body[body.rfind("\n", 0, start) + 1 : start].strip()
        # A list may stand in the column of its key; what replaces it must stand further in.
        return _replaced(body, (start, end), f"{' ' if alone else ''}{_json(edit.value)}")
    at = siblings.index(edit.path[-1])
    flow = body[places[parent][0]] in "[{"
    if not flow and not at:
        return None
    ranges = [places[(*parent, part)] for part in siblings]
    return _dropped(body, places[parent][0] + flow, ranges, at, flow=flow)


def _trimmed(body: str, place: _Range) -> _Range:
    """The range without the white space behind it: a block ends where the next one begins."""
    start, end = place
    return start, start + len(body[start:end].rstrip())


def _added(body: str, place: _Range, edit: Edit, holder: Any) -> str | None:
    start, end = place
    if not isinstance(edit.path[-1], str) or not isinstance(holder, dict):
        return None
    member = f"{_json(edit.path[-1])}: {_json(edit.value)}"
    if body[start] == "{":
        return f"{body[: start + 1]}{member}{', ' if holder else ''}{body[start + 1 :]}"
    if body[end:].strip():
        return None
    indent = start - body.rfind("\n", 0, start) - 1
    return f"{body[:end]}\n{' ' * indent}{member}{body[end:]}"


def _dropped(body: str, inside: int, ranges: list[_Range], at: int, *, flow: bool) -> str:
    """A member or item with its key or dash, and in flow style with the one comma that goes with it."""
    start, end = ranges[at - 1][1] if at else inside, ranges[at][1]
    if flow and not at:
        rest = body[end:]
        comma = len(rest) - len(rest.lstrip())
        end += comma + 1 if rest[comma : comma + 1] == "," else 0
    return _replaced(body, (start, end), "")


def _replaced(body: str, place: _Range, text: str) -> str:
    start, end = place
    return body[:start] + text + "\n" * body.count("\n", start, end) + body[end:]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
