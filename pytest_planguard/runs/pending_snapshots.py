"""Keep the snapshots and expected values that did not match in the last run, until a person decides about them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import RunError, UsageError
from .load.case_files import case_references
from .model.foreign_fields import RowError, maybe_text, seen, text
from .snapshot_text import SUFFIX
from .store.store import FOLDER, IGNORE, IGNORE_ALL
from .store.whole_files import not_written, write_whole

if TYPE_CHECKING:
    from .load.case_files import CaseReference


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
        return write_whole(self.file(pending.path, pending.case), [_text(pending)], "the pending snapshot")

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


def _text(pending: PendingSnapshot) -> str:
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
