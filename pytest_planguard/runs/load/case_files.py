"""Read files of labelled cases: the input of an app, and the answer it should give.

A file is read twice: names and tags of all cases when pytest collects, and a case's values when its test runs.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...errors import UsageError, offer

FIELDS = ("name", "input", "expected", "tags")
EXPECTED = "expected."
"""The beginning of a column that is a member of the expected value."""
SUFFIXES = (".jsonl", ".ndjson", ".csv", ".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """One case of a file."""

    name: str
    """A name that is unique in the file. It is part of the test's id."""
    input: Any = None
    """The app's input: any JSON value."""
    expected: Any = None
    """The answer that the app should give: any JSON value."""
    tags: tuple[str, ...] = ()
    has_expected: bool = True
    """False if the file gives no expected answer. An expected null is an answer."""


@dataclass(frozen=True, slots=True)
class CaseReference:
    """A case that is read when it is needed."""

    path: Path
    name: str
    tags: tuple[str, ...]
    line: int
    """The 1-based line number of its record."""
    start: int
    """Number of bytes in the file before its record."""
    length: int
    """Number of bytes of its record; 0 for a case in `kept`, since its format can't be read from the middle."""
    kept: LabelledCase | None = field(default=None, repr=False)
    cells: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Members of the expected value as they are in a table."""

    def load(self, schema: Mapping[str, object] | None = None) -> LabelledCase:
        """Read the case.

        Args:
            schema: the JSON Schema of the expected value. A cell such as 4711 is a text if the field can only be one.

        Raises:
            UsageError: the file has changed since its cases were listed.
        """
        if self.kept is not None:
            read = {
                name: cell for name, cell in self.cells.items() if type(self.kept.expected[name]) in (int, float, bool)
            }
            texts = {name: cell for name, cell in read.items() if schema and _is_text(schema, name)}
            return replace(self.kept, expected={**self.kept.expected, **texts}) if texts else self.kept
        try:
            with self.path.open("rb") as file:
                file.seek(self.start)
                record = file.read(self.length)
            found = _labelled(json.loads(record), f"{self.path}:{self.line}")
        except (OSError, ValueError, UsageError):  # removed, or other bytes at the place of the record
            found = None
        if found is None or found.name != self.name:
            raise UsageError(f"{self.path}:{self.line}: the file has changed since its cases were listed; run again")
        return found


def case_references(path: Path) -> list[CaseReference]:
    """Return the cases of a file, in its order.

    - JSON Lines (`.jsonl`): one object per line with `name`, `input`, `expected`, `tags`. Only `input` is required.
    - YAML (`.yaml`): a list of such objects.
    - CSV (`.csv`): columns with these names. `input.x` and `expected.x` are members of an object. A cell that is JSON
      (a number, true, null, a list, a quoted text) is read as JSON, and so are TRUE and FALSE. Blanks separate tags.

    A case without a name is named by eight hexadecimal digits of a hash of its input, so inserting other cases doesn't
    rename it.

    Raises:
        UsageError: the file is missing, its suffix unknown, a record unreadable or a name used twice. The message gives
            the line.
    """
    if path.suffix not in SUFFIXES:
        raise UsageError(f"{path}: cases are read from {', '.join(SUFFIXES)} files")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: the file of cases cannot be read: {error.strerror or error}") from None
    readers = {".jsonl": _of_lines, ".ndjson": _of_lines, ".csv": _of_table}
    found = list(readers.get(path.suffix, _of_yaml)(path, content))
    _refuse_twins(path, found)
    if not found:
        raise UsageError(f"{path}: the file has no cases")
    return found


def _of_lines(path: Path, content: bytes) -> Iterator[CaseReference]:
    start = 0
    # `splitlines` would also split at a lone "\r", which JSON allows between members, and lose the offsets.
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.strip():
            place = f"{path}:{number}"
            case = _labelled(_json_line(line, place), place)
            yield CaseReference(path, case.name, case.tags, number, start, len(line))
        start += len(line) + 1


def _json_line(line: bytes, place: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place}: a case is a JSON object on one line: {error}") from None


def _of_yaml(path: Path, content: bytes) -> Iterator[CaseReference]:
    from ...document.answer import read

    document = read(content, format="yaml", extract="whole")
    if document.problems:
        problem = document.problems[0]
        raise UsageError(f"{path}: the file of cases cannot be read as YAML: {problem.message}")
    if not isinstance(document.data, list):
        raise UsageError(f"{path}: a YAML file of cases is a list of objects with the members {', '.join(FIELDS)}")
    for number, record in enumerate(document.data, 1):
        case = _labelled(record, f"{path}: case {number}")
        yield CaseReference(path, case.name, case.tags, 0, 0, 0, kept=case)


def _of_table(path: Path, content: bytes) -> Iterator[CaseReference]:
    try:
        text = content.decode("utf-8-sig")  # spreadsheets write the mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{path}:{line}: the file is not UTF-8: got {error.object[error.start]:#04x}; save it as UTF-8"
        ) from None
    rows = csv.DictReader(io.StringIO(text, newline=""))
    columns = _columns(rows, path)
    wholes = [name.partition(".")[0] for name in columns]
    _refuse_unknown(wholes, f"{path}:1")
    # Only the first dot divides: "input.price.net" is the member "price.net", beside the member "price".
    both = next(
        (whole for whole, name in zip(wholes, columns, strict=True) if name != whole and whole in columns), None
    )
    if both is not None:
        raise UsageError(
            f"{path}:1: the column {both!r} is the whole, and {both + '.…'!r} a member of it; leave out one"
        )
    for row in _rows(rows, path):
        place = f"{path}:{rows.line_num}"
        if None in row or None in row.values():
            raise UsageError(f"{place}: the row has not as many cells as there are columns")
        case = _labelled(_record(row), place)
        cells = {key.removeprefix(EXPECTED): cell for key, cell in row.items() if cell and key.startswith(EXPECTED)}
        yield CaseReference(path, case.name, case.tags, rows.line_num, 0, 0, case, cells)


def _columns(rows: csv.DictReader[str], path: Path) -> dict[str, None]:
    with _readable(rows, path):
        return dict.fromkeys(rows.fieldnames or ())


def _rows(rows: csv.DictReader[str], path: Path) -> Iterator[dict[str, str]]:
    with _readable(rows, path):
        yield from rows


@contextmanager
def _readable(rows: csv.DictReader[str], path: Path) -> Iterator[None]:
    try:
        yield
    except csv.Error as error:  # a cell above Python's limit of 131,072 characters, as of a quote that never ends
        line = max(rows.line_num, 1)
        raise UsageError(f"{path}:{line}: the row cannot be read: {error}; is a quote left open?") from None


def _is_text(schema: Mapping[str, object], name: str) -> bool:
    """Return True if a field of the expected value is a text according to its schema, and can be nothing else."""
    from ...contract.schema.schema_fields import schemas_at

    kinds = {str(node.get("type")) for node in schemas_at(schema, (name,))}
    return "string" in kinds and kinds <= {"string", "null"}


def _record(row: Mapping[str, str]) -> dict[str, Any]:
    """Turn columns such as `input.x` into members of objects. An empty cell leaves out its member."""
    record: dict[str, Any] = {}
    for name, cell in row.items():
        whole, _, member = name.partition(".")
        if whole in ("name", "tags"):
            record |= {whole: cell} if cell else {}
        elif not member:
            record[whole] = _cell(cell)
        elif cell:
            record.setdefault(whole, {})[member] = _cell(cell)
    return record


def _cell(text: str) -> Any:
    """Read "12", "true", "TRUE", "null", '["a"]' and '"12"' as JSON. Anything else, such as "007", is text."""
    try:
        return json.loads(text.lower() if text in ("TRUE", "FALSE") else text)  # as spreadsheets write them
    except (ValueError, RecursionError):
        return text


def _labelled(record: object, place: str) -> LabelledCase:
    if not isinstance(record, dict):
        raise UsageError(f"{place}: a case is an object with the members {', '.join(FIELDS)}; got {record!r:.80}")
    _refuse_unknown(record, place)
    name, tags = record.get("name"), record.get("tags", ())
    if isinstance(tags, str):
        tags = tags.split()
    if not isinstance(tags, list | tuple) or not all(isinstance(tag, str) and tag for tag in tags):
        raise UsageError(f"{place}: the tags of a case are a list of words; got {tags!r:.80}")
    if name is not None and (not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip()):
        raise UsageError(f"{place}: the name of a case is a text; got {name!r:.80}")
    asked, expected = record.get("input"), record.get("expected")
    named = _digest(asked) if name is None else str(name)
    return LabelledCase(named, asked, expected, tuple(tags), "expected" in record)


def _refuse_unknown(names: Iterable[str], place: str) -> None:
    unknown = next((name for name in names if name not in FIELDS), None)
    if unknown is not None:
        raise UsageError(f"{place}: a case has no member {unknown!r}{offer(None, FIELDS, listed='Its members')}")


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]


def _refuse_twins(path: Path, cases: Sequence[CaseReference]) -> None:
    first: dict[str, CaseReference] = {}
    for case in cases:
        other = first.setdefault(case.name, case)
        if other is not case:
            lines = f" (lines {other.line} and {case.line})" if case.line else ""
            raise UsageError(f"{path}: two cases are called {case.name!r}{lines}; give each its own name")
