"""Run records: JSON Lines, a header and then a row for each case, sorted, plain ASCII."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .header import RunHeader
    from .run import CaseRow, Run

FORMAT = 1
"""The version of the record that is written; a reader refuses a later one."""
MARK = "planguard"
KIND = "run"


def record_lines(header: RunHeader, rows: Iterable[dict[str, Any] | str]) -> Iterator[str]:
    """The lines of a record, each with its line break.

    Rows are plain data, or their JSON as plain ASCII on one line, in the order in which they are to stand.
    """
    yield _line(header_data(header))
    for row in rows:
        yield f"{row}\n" if isinstance(row, str) else _line(row)


def run_lines(run: Run) -> Iterator[str]:
    """The lines of a run's record: reading them gives the run back."""
    from .row_write import row_data

    return record_lines(run.header, (row_data(row) for row in sorted(run.rows, key=by_case)))


def header_data(header: RunHeader) -> dict[str, Any]:
    """The header as plain data."""
    return {
        MARK: KIND,
        "format": FORMAT,
        "name": header.name,
        "run": header.run,
        "created": header.created,
        "commit": header.commit,
        "dirty": header.dirty,
        "packages": dict(sorted(header.packages.items())),
        "match": header.match,
        "record": header.record,
    }


def by_case(row: CaseRow) -> tuple[str, ...]:
    """Sorted by case, then by what tells rows of one case apart: the same order for any number of workers."""
    return (row.key, row.variant or "", row.model or "", row.test)


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")) + "\n"
