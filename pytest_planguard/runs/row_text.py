"""A row as one line of plain ASCII JSON, and back: in pydantic's JSON core where it can, a third of the time."""

from __future__ import annotations

import json
from typing import Any

_ONE_LINE = json.JSONEncoder(separators=(",", ":"))


def row_text(row: dict[str, Any]) -> str:
    """The JSON of a row, plain ASCII on one line; the same for the same row in every process."""
    from pydantic_core import to_json

    try:
        text = to_json(row)
    except ValueError:  # a lone surrogate
        return _ONE_LINE.encode(row)
    return text.decode("ascii") if text.isascii() else _ONE_LINE.encode(row)


def row_of_text(text: str) -> dict[str, Any]:
    """The row that `row_text` wrote."""
    from pydantic_core import from_json

    row: dict[str, Any]
    try:
        row = from_json(text)
    except ValueError:  # a lone surrogate, or an integer of more digits than the core reads
        row = json.loads(text)
    return row
