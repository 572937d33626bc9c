"""Run records: JSON Lines with a header and a row for each case. Even a truncated record can be read."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...contract.phrasing import plural
from ...errors import RunError
from ..model.codec import NO_JSON, RowError, parsed_json, read_row, row_text, seen
from ..model.run import CaseRow, Run, RunHeader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_LINE = 64 * 1024 * 1024
"""Maximum length of a line, in bytes."""
MAX_PROBLEMS = 20
"""Maximum number of broken lines to report individually. The rest are counted."""


def is_record(first: bytes) -> bool:
    """Return True if a file's first line starts a run record, with or without a header."""
    value = parsed_json(first)
    if not isinstance(value, dict):
        return False
    return value.get(MARK) == KIND or value.keys() >= {"key", "test", "judged"}


def read_record(path: Path, name: str | None = None, known: dict[bytes, CaseRow] | None = None) -> Run:
    """Read a record.

    Args:
        path: the file.
        name: a name for the run. The default is the name in its header, or the path.
        known: maps lines of other records to their rows. Known lines are not parsed again, and new ones are added.

    Raises:
        RunError: the file is unreadable, not a record, or was written by a later planguard. A broken line raises
            nothing; it is listed in the run's problems.
    """
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
    header = RunHeader("")
    rows: list[CaseRow] = []
    problems: list[str] = []
    number = 0
    # One more byte shows that a line is longer, without reading all of it.
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise RunError(f"{path}: line {number} is longer than {MAX_LINE:,} bytes; that is not a run record.")
        if not line.strip():
            continue
        if (row := known.get(line)) is not None:
            rows.append(row)
            continue
        try:
            if number == 1 and _is_header(line):
                header = header_of(path, line)
            else:
                known[line] = row = read_row(CaseRow, line)
                rows.append(row)
        except RowError as error:
            cut = " and is incomplete: writing was interrupted" if str(error) == NO_JSON and line[-1:] != b"\n" else ""
            problems.append(f"line {number}: {error}{cut}")
    return header, rows, problems


def _is_header(line: bytes) -> bool:
    value = parsed_json(line)
    return isinstance(value, dict) and MARK in value


def header_of(path: Path, first: bytes) -> RunHeader:
    """Return the header in a record's first line. Raises RunError if it is missing or has another schema."""
    value = parsed_json(first)
    if not isinstance(value, dict) or value.get(MARK) != KIND:
        raise RunError(f"{path}: it is not a run record: its first line is no header. Save the run again.")
    if value.get("schema") != SCHEMA:
        said = f"record schema {seen(value.get('schema'))}, and this planguard reads {SCHEMA}"
        raise RunError(f"{path}: {said}. Read it with the planguard that wrote it, or run the tests again.")
    try:
        return read_row(RunHeader, first)
    except RowError as error:
        raise RunError(f"{path}: the header: {error}. Save the run again.") from None


def _shortened(path: Path, problems: list[str]) -> tuple[str, ...]:
    lines = [f"{path}: {problem}; the row is left out" for problem in problems[:MAX_PROBLEMS]]
    more = len(problems) - MAX_PROBLEMS
    return (*lines, f"{path}: {plural(more, 'more line')} cannot be read") if more > 0 else tuple(lines)


# Run records: JSON Lines with a header and a row for each case, sorted, in plain ASCII.

SCHEMA = 1
"""The version of the row and header format. Readers reject other versions."""
MARK = "planguard"
KIND = "run"


def record_lines(header: RunHeader, rows: Iterable[CaseRow | str]) -> Iterator[str]:
    """Yield the lines of a record, each with its line break. The rows keep their order.

    A row may already be JSON text from `row_text`.
    """
    data = asdict(header) | {"packages": dict(sorted(header.packages.items()))}
    yield json.dumps({MARK: KIND, "schema": SCHEMA, **data}, separators=(",", ":")) + "\n"
    for row in rows:
        yield f"{row if isinstance(row, str) else row_text(row)}\n"


def by_case(row: CaseRow) -> tuple[str, ...]:
    """Return the sort key: the case, then variant, model and test.

    The order doesn't depend on the number of workers.
    """
    return (row.key, row.variant or "", row.model or "", row.test)
