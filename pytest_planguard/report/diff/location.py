"""The location of a case in the repository, for annotations: its test, its cassette, or a line of answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...runs.compare.run_diff import CaseDiff
    from ...runs.model.run import CaseRow

_LINE = re.compile(r"(.+):([1-9][0-9]{0,8})\Z", re.DOTALL)
"""A file with a line, as in cases of JSON Lines: "out/main.jsonl:12"."""


LONGEST = 1_000
"""Maximum number of characters of a text that may be a path."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file. The file's name is not yet escaped."""

    file: str
    """The path with "/". It is relative to the repository's root if the path of the test or the answers is relative."""
    line: int | None = None
    column: int | None = None


def location_of(case: CaseDiff, prefix: str = "", rule: str | None = None) -> Location | None:
    """Return the place of a case in the candidate, if it has the case, and preferably of a bad row.

    None if no place is known.

    Args:
        case: the case.
        prefix: folder that the rows' paths are relative to, itself relative to the repository's root.
        rule: code of the finding whose place is wanted, if the file is the answer itself.
    """
    rows = case.candidate or case.base
    row = next((row for row in rows if not row.ok), rows[0] if rows else None)
    if row is None or not row.test:
        return None
    found = _place(row, rule)
    file = _joined(prefix, found.file)
    return Location(file, found.line, found.column) if len(file) <= LONGEST else None


def _place(row: CaseRow, rule: str | None) -> Location:
    if "::" in row.test:
        return Location(row.test.partition("::")[0], row.line)
    numbered = _LINE.match(row.test)
    if numbered:
        return Location(numbered[1], int(numbered[2]))
    finding = _finding(row, rule)
    if finding is None or finding.span is None or finding.inside:
        return Location(row.test)
    return Location(row.test, finding.span.line, finding.span.column)


def _finding(row: CaseRow, rule: str | None) -> Finding | None:
    """Return the first bad finding if the file is the answer itself. Only then are its places those of the file."""
    if row.cassette is not None or len(row.judged) != 1 or not row.judged[0].single:
        return None
    last = row.judged[0].last
    bad = [f for f in last.findings if f.severity.bad] if last else []
    return next((f for f in bad if rule in (None, f.code)), None)


def _joined(prefix: str, file: str) -> str:
    path = file.replace("\\", "/").removeprefix("./")
    absolute = path.startswith("/") or path[1:3] == ":/"
    return path if absolute or not prefix else f"{prefix.strip('/')}/{path}"
