"""Run records: JSON Lines, a header and then a row for each case. Read also where the end was cut."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import RunError
from ..model.foreign_fields import RowError, inner, maybe_text, parsed_json, seen
from ..model.header import NOTHING, RunHeader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..model.header import RunHeader
    from ..model.run import CaseRow, Run

MAX_LINE = 64 * 1024 * 1024
"""Bytes of the longest line that is read."""
MAX_PROBLEMS = 20
"""Broken lines that are reported one by one; the rest is counted."""


def is_record(first: bytes) -> bool:
    """Return whether a file's first line starts a run record, with or without a header."""
    value = parsed_json(first)
    if not isinstance(value, dict):
        return False
    return value.get(MARK) == KIND or (isinstance(value.get("schema"), int) and "case" in value and "test" in value)


def read_record(path: Path, name: str | None = None, known: dict[bytes, CaseRow] | None = None) -> Run:
    """Read a record.

    Args:
        path: the file.
        name: how the run is called from now on; by default what its header says, else the path.
        known: rows that other records had, by their line: an equal line is the same row, read once. Grows.

    Raises:
        RunError: the file cannot be read, is no record, or was written by a later planguard. A single broken line is
            a problem of the run, not an error.
    """
    from ..model.run import Run  # a session of tests only writes, and does without what reads

    try:
        with path.open("rb") as file:
            header, rows, problems = _read(path, file, {} if known is None else known)
    except OSError as error:
        raise RunError(f"{path}: the run cannot be read: {error.strerror or error}. Check the path.") from error
    if not rows and problems:
        raise RunError(f"{path}: it is not a run record: {problems[0]}. Save the run again.")
    called = name or header.name or str(path)
    return Run(replace(header, name=called), tuple(sorted(rows, key=by_case)), _shortened(path, problems))


def _read(path: Path, file: Any, known: dict[bytes, CaseRow]) -> tuple[RunHeader, list[CaseRow], list[str]]:
    from ..model.row_read import read_row

    header = RunHeader("")
    rows: list[CaseRow] = []
    problems: list[str] = []
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise RunError(f"{path}: line {number} is longer than {MAX_LINE:,} bytes; that is no run record.")
        if not line.strip():
            continue
        if (row := known.get(line)) is not None:
            rows.append(row)
            continue
        try:
            value = _value(line)
            if number == 1 and isinstance(value, dict) and MARK in value:
                header = _header(path, value)
            else:
                known[line] = row = read_row(value)
                rows.append(row)
        except RowError as error:
            problems.append(f"line {number}: {error}")
    return header, rows, problems


def header_of(path: Path, first: bytes) -> RunHeader:
    """Return the header in a record's first line. Raises RunError where there is none, or for a later format."""
    value = parsed_json(first)
    if not isinstance(value, dict) or value.get(MARK) != KIND:
        raise RunError(f"{path}: it is not a run record: its first line is no header. Save the run again.")
    return _header(path, value)


def _header(path: Path, data: dict[str, Any]) -> RunHeader:
    version = data.get("format")
    if version != FORMAT:
        raise RunError(f"{path}: record format {seen(version)}, and this planguard reads {FORMAT}. Update planguard.")
    dirty = data.get("dirty")
    packages = {str(k): v for k, v in inner(data, "packages").items() if isinstance(v, str)}
    return RunHeader(
        maybe_text(data, "name") or "",
        maybe_text(data, "run"),
        maybe_text(data, "created"),
        maybe_text(data, "commit"),
        dirty if isinstance(dirty, bool) else None,
        packages or NOTHING,
        maybe_text(data, "match"),
        maybe_text(data, "record"),
    )


def _value(line: bytes) -> Any:
    value = parsed_json(line)
    if value is None:
        cut = "" if line.endswith(b"\n") else " and is incomplete: writing was interrupted"
        raise RowError(f"it is not JSON{cut}")
    return value


def _shortened(path: Path, problems: list[str]) -> tuple[str, ...]:
    lines = [f"{path}: {problem}; the row is left out" for problem in problems[:MAX_PROBLEMS]]
    more = len(problems) - MAX_PROBLEMS
    return (*lines, f"{path}: {more:,} more lines cannot be read") if more > 0 else tuple(lines)


# Run records: JSON Lines, a header and then a row for each case, sorted, plain ASCII.

FORMAT = 1
"""The version of the record that is written; a reader refuses a later one."""
MARK = "planguard"
KIND = "run"


def record_lines(header: RunHeader, rows: Iterable[dict[str, Any] | str]) -> Iterator[str]:
    """Yield the lines of a record, each with its line break.

    Rows are plain data, or their JSON as plain ASCII on one line, in the order in which they are written.
    """
    yield _line(header_data(header))
    for row in rows:
        yield f"{row}\n" if isinstance(row, str) else _line(row)


def header_data(header: RunHeader) -> dict[str, Any]:
    """Return the header as plain data."""
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
