"""Change one place of a document in the model's own text: everything else keeps its words and its line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from .json_scan import locate_many
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


def edited(document: Document, edit: Edit) -> str | None:
    """The whole answer with one place changed; None where that cannot be done.

    Sound JSON can be changed in every way, YAML in most, Markdown in none. Line breaks that are cut out come back as
    white space, so that what stands below keeps its line.
    """
    if not document.ok or not edit.path:
        return None
    try:
        body = _edited_json(document, edit) if document.format == "json" else _edited_yaml(document, edit)
    except (LookupError, TypeError, ValueError, RecursionError):
        return None
    if body is None:
        return None
    return document.text[: document.offset] + body + document.text[document.offset + len(document.body) :]


def _edited_json(document: Document, edit: Edit) -> str | None:
    body, parent = document.body, edit.path[:-1]
    siblings = _siblings(document.data, parent)
    wanted = [parent, *((*parent, part) for part in siblings)]
    places = locate_many(body, wanted)
    if edit.action == "add":
        return _added(body, places[parent][0] + 1, edit, alone=not siblings)
    if edit.action == "put":
        return _replaced(body, places[edit.path], _json(edit.value))
    ranges = [places[(*parent, part)] for part in siblings]
    return _replaced(body, _with_comma(body, places[parent][0] + 1, ranges, siblings.index(edit.path[-1])), "")


def _siblings(data: Any, parent: Path) -> list[str | int]:
    """The keys or indices beside each other at a place, in the order of the text."""
    holder = value_at(data, parent)
    if isinstance(holder, dict):
        return list(holder)
    if isinstance(holder, list):
        return list(range(len(holder)))
    raise TypeError(holder)


def _added(body: str, start: int, edit: Edit, *, alone: bool) -> str:
    key = edit.path[-1]
    if not isinstance(key, str) or body[start - 1] != "{":
        raise TypeError(key)
    return f"{body[:start]}{_json(key)}: {_json(edit.value)}{'' if alone else ', '}{body[start:]}"


def _with_comma(body: str, inside: int, ranges: list[_Range], at: int) -> _Range:
    """A member or item from the one before it, or to the one behind it: with the one comma that goes with it."""
    end = ranges[at][1]
    if at:
        return ranges[at - 1][1], end
    comma = _COMMA.match(body, end)
    return inside, comma.end() if comma else end


def _replaced(body: str, place: _Range, text: str) -> str:
    start, end = place
    return body[:start] + text + "\n" * body.count("\n", start, end) + body[end:]


def _edited_yaml(document: Document, edit: Edit) -> str | None:
    if document.format != "yaml":
        return None
    from .edit_yaml import edited_yaml

    return edited_yaml(document.body, document.data, edit, _siblings(document.data, edit.path[:-1]))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
