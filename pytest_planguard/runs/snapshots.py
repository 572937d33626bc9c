"""Snapshots: their text without what changes from run to run, and those that wait for a person's decision."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from dataclasses import dataclass
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..document.path import to_dotted, value_at
from ..document.path_pattern import parse_path
from ..errors import RunError, UsageError
from .load.case_files import case_references
from .model.codec import RowError, maybe_text, seen, text
from .store.project_files import not_written, write_whole
from .store.store import FOLDER, IGNORE, IGNORE_ALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..document.path_pattern import PathPattern
    from ..replay.matching.normalise import Normaliser
    from .load.case_files import CaseReference


SUFFIX = "pgsnap"
"""File suffix. No other snapshot extension claims files with it, so none deletes them."""
VOLATILE = "volatile"
"""The word for all named normalisers together."""
REDACTED = "<redacted>"
_HIDDEN = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a review of the file would not show, or that UTF-8 cannot encode. They are escaped."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """The parts that a snapshot does not keep."""

    places: tuple[PathPattern, ...] = ()
    """Fields whose values are replaced. A missing field still counts as a difference."""
    normalisers: tuple[Normaliser, ...] = ()
    """Rewritings of volatile text, applied to the whole value, so that equal ids stay equal."""


NO_REDACTION = Redaction()


def redaction(words: Iterable[str]) -> Redaction:
    """Return the redaction that the words ask for.

    A word is "volatile" for all normalisers, the name of one, or a path ("meta.duration_s").

    Args:
        words: in any order. Normalisers are applied in the order of their table.

    Raises:
        UsageError: a word is not a valid path.
    """
    from ..replay.matching.normalise import NORMALISERS

    asked = list(words)
    chosen = [one for one in NORMALISERS if VOLATILE in asked or one.name in asked]
    names = {VOLATILE, *NORMALISERS.names}
    return Redaction(tuple(parse_path(word) for word in asked if word not in names), tuple(chosen))


def snapshot_text(value: Any, redact: Redaction = NO_REDACTION) -> str:
    """Return JSON types as the text of a snapshot: sorted keys, two blanks per level, a line break at the end.

    Raises:
        UsageError: a normaliser turns it into something that is not JSON.
    """
    text = json.dumps(_without(value, redact.places), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    for normaliser in redact.normalisers:
        text = normaliser.apply(text)
    try:
        found = json.loads(text)
    except ValueError as error:
        names = ", ".join(normaliser.name for normaliser in redact.normalisers)
        raise UsageError(f"a normaliser ({names}) made a value of a snapshot that is not JSON: {error}") from error
    shown = json.dumps(found, sort_keys=True, ensure_ascii=False, indent=2)
    return _HIDDEN.sub(lambda char: f"\\u{ord(char[0]):04x}", shown) + "\n"


def snapshot_value(text: str) -> Any:
    """Return the value of a snapshot's text. Raises RunError if it is no longer JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RunError(f"the snapshot is not JSON: {error}. Restore it, or write it again.") from error


def same_snapshot(one: str, other: str) -> bool:
    """Return True if two texts are the same snapshot, regardless of their layout."""
    if one == other:
        return True
    try:
        return snapshot_text(snapshot_value(one)) == snapshot_text(snapshot_value(other))
    except RunError:
        return False


def _without(value: object, places: Iterable[PathPattern]) -> object:
    """Return a copy with the values at these places replaced, or the value itself if no place matches."""
    paths = {path for pattern in places for path, _ in pattern.select(value)}
    if not paths:
        return value
    if () in paths:
        return REDACTED
    copy = json.loads(json.dumps(value))
    for path in sorted(paths, key=len, reverse=True):  # deeper paths first, as their parent may be replaced too
        value_at(copy, path[:-1])[path[-1]] = REDACTED
    return copy


# A Python value as JSON types, the same in every process. This is what a snapshot keeps.


def plain_value(value: Any) -> Any:
    """Return the value as dict, list, str, int, float, bool or None.

    Models become their JSON form, by alias. Dates, UUIDs, enums and the like become text, and sets become sorted lists.

    Raises:
        UsageError: a part of it is not data, not JSON (NaN), or nested too deeply.
    """
    from pydantic_core import PydanticSerializationError, to_jsonable_python

    try:
        data = to_jsonable_python(value, by_alias=True, fallback=_members)
        json.dumps(data)
    except PydanticSerializationError as error:
        raise UsageError(f"a snapshot keeps data (models, dicts, lists, texts, numbers): {error}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"a snapshot keeps JSON: {error}") from error
    except TypeError as error:
        raise UsageError(f"a snapshot keeps data (models, dicts, lists, texts, numbers): {error}") from error
    for place, number in _numbers_without_json(data):
        where = f"{number} at {to_dotted(place)}"
        raise UsageError(f"a snapshot keeps JSON, which lacks {where}; replace it by None or a text")
    return _with_sorted_sets(data, value)


def _members(value: Any) -> dict[str, Any]:
    """Return the fields of an attrs class or a msgspec Struct; raise TypeError for anything else."""
    fields = _own_fields(value)
    if fields is None:
        raise TypeError(f"{type(value).__name__} is not data")
    return fields


def _own_fields(value: object) -> dict[str, Any] | None:
    """Return the fields by their names in JSON; None if it is neither an attrs class nor a msgspec Struct."""
    kind: Any = type(value)
    if hasattr(kind, "__struct_fields__"):
        config, unset = kind.__struct_config__, import_module("msgspec").UNSET
        # A union of Structs tells them apart by their tag, which is no field: {"type": "Cat"}.
        tag = {} if config.tag is None else {config.tag_field: config.tag}
        names = zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True)
        fields = {key: getattr(value, name, unset) for key, name in names}
        return tag | {key: field for key, field in fields.items() if field is not unset}
    if hasattr(kind, "__attrs_attrs__"):
        # attrs.field(init=False) has no value until the user's code sets one.
        return {one.name: getattr(value, one.name) for one in kind.__attrs_attrs__ if hasattr(value, one.name)}
    return None


def _numbers_without_json(data: object) -> Iterator[tuple[tuple[str | int, ...], float]]:
    """Yield the numbers that JSON lacks, infinite ones and NaN, with their paths."""
    left: list[tuple[tuple[str | int, ...], object]] = [((), data)]
    while left:
        path, value = left.pop()
        if isinstance(value, float) and not isfinite(value):
            yield path, value
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        left.extend(((*path, key), part) for key, part in parts)


def _with_sorted_sets(data: object, value: object) -> object:
    """Return the plain data with sets in a fixed order: a set of texts is ordered differently in each process."""
    if isinstance(data, list) and isinstance(value, set | frozenset):
        return sorted(data, key=lambda item: json.dumps(item, sort_keys=True))
    if isinstance(data, list) and isinstance(value, list | tuple):
        return [_with_sorted_sets(item, raw) for item, raw in zip(data, value, strict=True)]
    if isinstance(data, dict):
        raws = dict(_fields(data, value))
        return {key: _with_sorted_sets(item, raws[key]) if key in raws else item for key, item in data.items()}
    return data


def _fields(data: dict[str, Any], value: object) -> Iterator[tuple[str, object]]:
    """Yield the Python values behind the fields of plain data, by the names of those fields."""
    if isinstance(value, dict) and len(value) == len(data):
        yield from zip(data, value.values(), strict=True)
    elif dataclasses.is_dataclass(value):
        yield from ((field.name, getattr(value, field.name, None)) for field in dataclasses.fields(value))
    elif (own := _own_fields(value)) is not None:
        yield from own.items()
    else:
        for name, info in getattr(type(value), "model_fields", {}).items():
            yield info.serialization_alias or info.alias or name, getattr(value, name, None)


SUFFIXES = (".jsonl", ".ndjson")
"""Files with one record per line, so that one record can be replaced."""


def expected_text(value: object) -> str:
    """Return an expected value as a review shows it."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str) + "\n"


def is_expected(path: Path, name: str, text: str | None) -> bool:
    """Return True if the case of that name still has this expected value."""
    try:
        found = _reference(path, name).load()
    except (RunError, UsageError):
        return False
    return text is not None and found.has_expected and expected_text(found.expected) == text


def write_expected(path: Path, name: str, text: str) -> Path:
    """Write the expected value of a case atomically.

    Raises:
        RunError: the case no longer exists, or the file can't be read or written.
    """
    reference = _reference(path, name)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: it cannot be read: {error.strerror or error}") from None
    end = reference.start + reference.length
    record = content[reference.start : end]
    changed = json.dumps(json.loads(record) | {"expected": json.loads(text)}, ensure_ascii=False).encode()
    line_end = b"\r" if record.endswith(b"\r") else b""
    # The other records keep their bytes: a review shows one changed line.
    whole = content[: reference.start] + changed + line_end + content[end:]
    return write_whole(path, [whole.decode()], "the expected value")


def _reference(path: Path, name: str) -> CaseReference:
    try:
        found = next((one for one in case_references(path) if one.name == name), None)
    except UsageError as error:
        raise RunError(str(error)) from None
    if found is None:
        raise RunError(f"{path}: there is no case {name!r} any more. Run its test again.")
    return found


FORMAT = 1
KIND = "snapshot"
PENDING = "pending"


@dataclass(frozen=True, slots=True)
class PendingSnapshot:
    """A test's new value of a snapshot, or of a labelled case's expected value."""

    test: str
    """Id of the test."""
    path: str
    """Path of the snapshot: relative to the root folder, with forward slashes, or absolute."""
    before: str | None
    """The snapshot's text; None if it does not exist yet."""
    after: str
    """The text that the test produced."""
    rows: str = ""
    """The changes in readable form, one line per field."""
    case: str = ""
    """Name of the labelled case in the file `path` that has the expected value; "" for a snapshot."""


@dataclass(frozen=True, slots=True)
class PendingStore:
    """The pending snapshots in one folder."""

    root: Path
    """The folder that holds `.planguard/`."""

    def file(self, path: str, case: str = "") -> Path:
        """Return the path for the pending text of a snapshot, or of a labelled case in a file."""
        named = f"{path}\0{case}" if case else path
        name = hashlib.sha256(named.encode(errors="surrogatepass")).hexdigest()[:16]
        return self.root / FOLDER / PENDING / f"{name}.json"

    def keep(self, pending: PendingSnapshot) -> Path:
        """Keep a pending snapshot and replace the previous one. Raises RunError."""
        ignore = self.root / FOLDER / IGNORE
        if not ignore.exists():
            write_whole(ignore, [IGNORE_ALL], "the run's folder")
        return write_whole(self.file(pending.path, pending.case), [_pending_text(pending)], "the pending snapshot")

    def drop(self, path: str, case: str = "") -> None:
        """Forget the pending text of a snapshot or a labelled case, if there is one. Raises RunError."""
        file = self.file(path, case)
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise not_written(file, error, "the pending snapshot") from error

    def all(self) -> tuple[PendingSnapshot, ...]:
        """Return all pending snapshots, sorted by test and path. Raises RunError for a file that cannot be read."""
        files = sorted((self.root / FOLDER / PENDING).glob("*.json"))
        return tuple(sorted((_read(file) for file in files), key=lambda one: (one.test, one.path)))

    def target(self, pending: PendingSnapshot) -> Path:
        """Return the path of the snapshot itself."""
        return self.root / pending.path

    def is_current(self, pending: PendingSnapshot) -> bool:
        """Return True if the snapshot is unchanged since the test ran."""
        if pending.case:
            return is_expected(self.target(pending), pending.case, pending.before)
        try:
            return self.target(pending).read_text(encoding="utf-8") == pending.before
        except FileNotFoundError:
            return pending.before is None
        except (OSError, UnicodeDecodeError):
            return False

    def accept(self, pending: PendingSnapshot) -> Path:
        """Write the snapshot atomically, and forget the pending text.

        Raises RunError if the snapshot has changed in the meantime, or cannot be written.
        """
        if not self.is_current(pending):
            what = f"the expected value of {pending.case!r}" if pending.case else "the snapshot"
            raise RunError(f"{pending.path}: {what} has changed since its test ran. Run the test again.")
        target = self.target(pending)
        if pending.case:
            written = write_expected(target, pending.case, pending.after)
        else:
            written = write_whole(target, [pending.after], "the snapshot")
        self.drop(pending.path, pending.case)
        return written


def _pending_text(pending: PendingSnapshot) -> str:
    data = {
        "planguard": KIND,
        "format": FORMAT,
        "test": pending.test,
        "path": pending.path,
        "before": pending.before,
        "after": pending.after,
        "rows": pending.rows,
        "case": pending.case,
    }
    return json.dumps(data, indent=1) + "\n"


def _read(file: Path) -> PendingSnapshot:
    way = "Delete it, and run the tests again."
    try:
        data: object = json.loads(file.read_bytes())
        if not isinstance(data, dict) or data.get("planguard") != KIND or data.get("format") != FORMAT:
            raise RowError(f"it is not a pending snapshot of format {FORMAT}: {seen(data)}")
        before, path, case = maybe_text(data, "before"), text(data, "path"), text(data, "case")
        suffixes = SUFFIXES if case else (f".{SUFFIX}",)
        if not path.endswith(suffixes):  # a forged pending file must not make a review write any other file
            raise RowError(f"the field 'path' must name a {' or '.join(suffixes)} file, got {seen(path)}")
        after = text(data, "after")
        if case:
            json.loads(after)  # it is written into a record, so it must be JSON
        return PendingSnapshot(text(data, "test"), path, before, after, text(data, "rows"), case)
    except OSError as error:
        raise RunError(f"{file}: it cannot be read: {error.strerror or error}. {way}") from error
    except (ValueError, RecursionError) as error:
        raise RunError(f"{file}: {error}. {way}") from error
