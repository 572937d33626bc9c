"""Change one place of a JSON or YAML document in the model's own text: everything else keeps its words and its line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from .json.json_scan import locate_many
from .path import Path, value_at

if TYPE_CHECKING:
    from .answer import Document

_COMMA = re.compile(r"[ \t\n\r]*+,")
_Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: put a value in the place of another, add a member, or drop a member or an item."""

    action: Literal["put", "add", "drop"]
    path: Path
    value: Any = None
    """A plain JSON value; nothing for "drop"."""


def edit_document(document: Document, edit: Edit) -> str | None:
    """Return the whole answer with one place changed; None where that cannot be done.

    Sound JSON can be changed in every way, YAML in most, Markdown in none. Line breaks that are cut out come back as
    white space, so that what stands below keeps its line.
    """
    if not document.ok or not edit.path:
        return None
    try:
        body = _edit_json(document, edit) if document.format == "json" else _edit_if_yaml(document, edit)
    except (LookupError, TypeError, ValueError, RecursionError):
        return None
    if body is None:
        return None
    return document.text[: document.offset] + body + document.text[document.offset + len(document.body) :]


def _edit_json(document: Document, edit: Edit) -> str | None:
    body, parent = document.body, edit.path[:-1]
    siblings = _siblings(document.data, parent)
    wanted = [parent, *((*parent, part) for part in siblings)]
    places = locate_many(body, wanted)
    if edit.action == "add":
        return _add_json_member(body, places[parent][0] + 1, edit, alone=not siblings)
    if edit.action == "put":
        return _replace_range(body, places[edit.path], _json(edit.value))
    ranges = [places[(*parent, part)] for part in siblings]
    return _replace_range(body, _with_comma(body, places[parent][0] + 1, ranges, siblings.index(edit.path[-1])), "")


def _siblings(data: Any, parent: Path) -> list[str | int]:
    """Return the keys or indices beside each other at a place, in the order of the text."""
    holder = value_at(data, parent)
    if isinstance(holder, dict):
        return list(holder)
    if isinstance(holder, list):
        return list(range(len(holder)))
    raise TypeError(holder)


def _add_json_member(body: str, start: int, edit: Edit, *, alone: bool) -> str:
    key = edit.path[-1]
    if not isinstance(key, str) or body[start - 1] != "{":
        raise TypeError(key)
    return f"{body[:start]}{_json(key)}: {_json(edit.value)}{'' if alone else ', '}{body[start:]}"


def _with_comma(body: str, inside: int, ranges: list[_Range], at: int) -> _Range:
    """Return a member or item from the one before it, or to the one behind it: with the one comma that goes with it."""
    end = ranges[at][1]
    if at:
        return ranges[at - 1][1], end
    comma = _COMMA.match(body, end)
    return inside, comma.end() if comma else end


def _replace_range(body: str, place: _Range, text: str) -> str:
    start, end = place
    return body[:start] + text + "\n" * body.count("\n", start, end) + body[end:]


def _edit_if_yaml(document: Document, edit: Edit) -> str | None:
    if document.format != "yaml":
        return None
    return edit_yaml(document.body, document.data, edit, _siblings(document.data, edit.path[:-1]))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


# Change one place of a YAML document in its own text: block or flow style, every other line where it stands.


def edit_yaml(body: str, data: Any, edit: Edit, siblings: list[str | int]) -> str | None:
    """Return the text with one place changed; None where that cannot be done without moving lines.

    New values are written in flow style, which is JSON. A member is added in flow style behind the bracket, in block
    style at the end of the document: there the mapping must end. What is cut out leaves its line breaks; what a block
    begins with stays, since the block itself would begin further down.

    Raises:
        LookupError: a place that stands nowhere in the text, such as a member that came from a merge.
    """
    parent = edit.path[:-1]
    from .yaml.yaml_load import locate_yaml

    found = locate_yaml(body, [parent, *((*parent, part) for part in siblings)])
    places = {path: _trim_range(body, place) for path, place in found.items()}
    if edit.action == "add":
        return _add_yaml_member(body, places[parent], edit, value_at(data, parent))
    if edit.action == "put":
        start, end = places[edit.path]
        alone = not body[body.rfind("\n", 0, start) + 1 : start].strip()
        # A list may stand in the column of its key; what replaces it must stand further in.
        return _replace_range(body, (start, end), f"{' ' if alone else ''}{_json(edit.value)}")
    at = siblings.index(edit.path[-1])
    flow = body[places[parent][0]] in "[{"
    if not flow and not at:
        return None
    ranges = [places[(*parent, part)] for part in siblings]
    return _drop_yaml_part(body, places[parent][0] + flow, ranges, at, flow=flow)


def _trim_range(body: str, place: _Range) -> _Range:
    """Return the range without the white space behind it: a block ends where the next one begins."""
    start, end = place
    return start, start + len(body[start:end].rstrip())


def _add_yaml_member(body: str, place: _Range, edit: Edit, holder: Any) -> str | None:
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


def _drop_yaml_part(body: str, inside: int, ranges: list[_Range], at: int, *, flow: bool) -> str:
    """Return a member or item with its key or dash, and in flow style with the one comma that goes with it."""
    start, end = ranges[at - 1][1] if at else inside, ranges[at][1]
    if flow and not at:
        rest = body[end:]
        comma = len(rest) - len(rest.lstrip())
        end += comma + 1 if rest[comma : comma + 1] == "," else 0
    return _replace_range(body, (start, end), "")
