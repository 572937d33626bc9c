"""Change one place of a JSON or YAML document in the model's text; all other text keeps its wording and its line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .answer import offsets
from .path import Path, value_at

if TYPE_CHECKING:
    from .answer import Document

# The comma after a member, maybe on the next line: in `{"a": 1 , "b": 2}` it follows the 1.
_COMMA = re.compile(r"\s*+,")
_Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: replace a value, add a member, or drop a member or an item."""

    action: Literal["put", "add", "drop"]
    path: Path
    value: object = None
    """A plain JSON value; ignored for "drop"."""


def edit_document(document: Document, edit: Edit) -> str | None:
    """Return the whole answer with one place changed; None if that is impossible.

    Sound JSON allows every change, YAML most, Markdown none. Line breaks in removed text are kept as white space, so
    that the text below keeps its line.
    """
    if not document.ok or not edit.path or document.format == "markdown":
        return None
    try:
        body = _edited(document, edit)
    # A member of a merge has no place, a number no members, NaN no JSON; a deep new value exhausts the stack.
    except (LookupError, TypeError, ValueError, RecursionError):
        return None
    if body is None:
        return None
    return document.text[: document.offset] + body + document.text[document.offset + len(document.body) :]


def _edited(document: Document, edit: Edit) -> str | None:
    """Return the body with one place changed; None if that would move lines.

    New values in YAML are written in flow style, as JSON. In flow style, a new member goes after the bracket. In block
    style it goes to the end of the document, so the mapping must end there. Removed text leaves its line breaks. The
    first entry of a block cannot be removed, since the block itself would move down.

    Raises:
        LookupError: a place is not in the text, such as a member that came from a merge.
        TypeError: the parent is neither an object nor a list.
    """
    body, parent = document.body, edit.path[:-1]
    holder = value_at(document.data, parent)
    siblings: list[str | int] = list(holder) if isinstance(holder, dict) else [*range(len(holder))]
    found = offsets(document, [parent, *((*parent, part) for part in siblings)])
    # Without trailing white space: a YAML block ends at the start of the next one.
    places = {path: (start, start + len(body[start:end].rstrip())) for path, (start, end) in found.items()}
    if edit.action == "add":
        return _with_member(body, places[parent], edit, holder)
    if edit.action == "put":
        start, end = places[edit.path]
        # A YAML list may be at the column of its key; its replacement must be indented deeper.
        apart = document.format == "yaml" and not body[body.rfind("\n", 0, start) + 1 : start].strip()
        return _replaced(body, (start, end), f"{' ' if apart else ''}{_json(edit.value)}")
    at = siblings.index(edit.path[-1])
    start = places[parent][0]
    if not at and body[start] not in "[{":
        return None
    return _replaced(body, _with_comma(body, start + 1, [places[(*parent, part)] for part in siblings], at), "")


def _with_member(body: str, place: _Range, edit: Edit, holder: object) -> str | None:
    key, (start, end) = edit.path[-1], place
    if not isinstance(key, str) or not isinstance(holder, dict):
        return None
    member = f"{_json(key)}: {_json(edit.value)}"
    if body[start] == "{":
        return f"{body[: start + 1]}{member}{', ' if holder else ''}{body[start + 1 :]}"
    if body[end:].strip():
        return None
    indent = start - body.rfind("\n", 0, start) - 1
    return f"{body[:end]}\n{' ' * indent}{member}{body[end:]}"


def _with_comma(body: str, inside: int, ranges: list[_Range], at: int) -> _Range:
    """Return the range of a member or item with one comma: the one before it or the one after it."""
    end = ranges[at][1]
    if at:
        return ranges[at - 1][1], end
    comma = _COMMA.match(body, end)
    return inside, comma.end() if comma else end


def _replaced(body: str, place: _Range, text: str) -> str:
    start, end = place
    return body[:start] + text + "\n" * body.count("\n", start, end) + body[end:]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
