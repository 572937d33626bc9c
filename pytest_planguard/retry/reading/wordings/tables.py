"""Errors in a Markdown table with a head: one column of places, the others say what is expected, found or wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import ErrorEntry, parse_place
from .lines import LABELS, Line, lines_of

_RULE = re.compile(r"\s*\|?\s*:?-{1,80}:?\s*(?:\|\s*:?-{1,80}:?\s*){1,40}\|?\s*")
_PLACES = frozenset({"field", "path", "pointer", "place", "location", "loc", "key", "property", "where", "parameter"})
_CELL_LIMIT = 40
_DESCRIBES = re.compile(r"(?:less|greater|smaller|larger|more|fewer|lower|higher) than\b")


def table_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each row below a head that names a column of places."""
    head: list[str] = []
    if "|" not in text:
        return
    lines = lines_of(text)
    for line, below in zip(lines, [*lines[1:], Line("", 0)], strict=True):
        if "|" not in line.text:
            head = []
        elif _RULE.fullmatch(below.text[:2_000]):
            head = [cell.lower() for cell in _cells(line.text)]
        elif head and not _RULE.fullmatch(line.text[:2_000]):
            yield from _row(head, _cells(line.text), line)


def _cells(row: str) -> list[str]:
    return [cell.strip().strip("`*") for cell in row.strip().strip("|").split("|", _CELL_LIMIT)]


def _row(head: list[str], cells: list[str], line: Line) -> Iterator[ErrorEntry]:
    where = next((at for at, name in enumerate(head) if name in _PLACES), None)
    if where is None or where >= len(cells) or " " in cells[where]:
        return
    said = [_said(name, cell) for at, (name, cell) in enumerate(zip(head, cells, strict=False)) if at != where and cell]
    message = ", ".join(s for s in said if s)
    yield ErrorEntry(parse_place(cells[where]), None, message, line.start, line.start + len(line.text))


def _said(head: str, cell: str) -> str:
    """A cell as a sentence: under "Problem" stands a fault, under "Expected" a demand; other columns quote values."""
    if head in LABELS or head.endswith(("problem", "wrong")):
        return f"is {cell}" if _DESCRIBES.match(cell) else cell
    return (
        f"{head} {cell}" if head in ("expected", "got", "found", "actual", "received", "code", "rule", "type") else ""
    )
