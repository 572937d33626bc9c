"""The history of attempts: one line of JSON each, only ever appended to, by any number of processes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...errors import RunError

HISTORY = "model_attempts.jsonl"


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """What became of one attempt of a model at a task."""

    task: str
    model: str
    result: str
    """"pass", "fail:<kind>" for a bad answer, or "error:<kind>" where no answer came."""
    at: float
    """Seconds since 1970; 0 where that is unknown, as in a recording."""

    @property
    def is_verdict(self) -> bool:
        """Whether the attempt says something about the model: a lost connection does not."""
        return self.result == "pass" or self.result.startswith("fail:")


class AttemptHistory:
    """The attempts in one file.

    Each record is appended in one write under a lock, so that records of several processes never mix. A line that a
    killed process left unfinished is passed over and counted.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        given = Path(path)
        self.path = given / HISTORY if given.is_dir() else given

    def append(self, record: AttemptRecord) -> None:
        """Add a record. Raises RunError where the file cannot be written."""
        line = json.dumps(asdict(record), ensure_ascii=True).encode() + b"\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with _locked(self.path) as file:
                _write(file, line)
        except OSError as error:
            raise RunError(
                f"{self.path} cannot be written: got {error.strerror or error}; make its folder writable"
            ) from None

    def records(self) -> tuple[AttemptRecord, ...]:
        """Return all records in the order in which they were added. Raises RunError where the file cannot be read."""
        return self.read()[0]

    def read(self) -> tuple[tuple[AttemptRecord, ...], int]:
        """Return all records, and how many lines are none. Raises RunError where the file cannot be read."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return (), 0
        except OSError as error:
            raise RunError(
                f"{self.path} cannot be read: got {error.strerror or error}; make the file readable"
            ) from None
        read = [_record(line) for line in lines if line.strip()]
        records = tuple(record for record in read if record is not None)
        return records, len(read) - len(records)


def _write(file: int, line: bytes) -> None:
    """Append a line, on a line of its own also behind an unfinished one."""
    size = os.fstat(file).st_size
    if size:
        os.lseek(file, size - 1, os.SEEK_SET)
        line = line if os.read(file, 1) == b"\n" else b"\n" + line
    written = 0
    while written < len(line):  # a disk that runs full takes a part
        written += os.write(file, line[written:])


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The file, open for appending, while no other process appends to it."""
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        _lock(file)
        yield file
    finally:
        os.close(file)  # gives the lock back


def _lock(file: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: an append of one write is the best there is
        return
    fcntl.flock(file, fcntl.LOCK_EX)


def _record(line: bytes) -> AttemptRecord | None:
    try:
        data: Any = json.loads(line)
        record = AttemptRecord(data["task"], data["model"], data["result"], float(data["at"]))
    except (ValueError, TypeError, KeyError):
        return None
    texts = (record.task, record.model, record.result)
    return record if all(isinstance(text, str) for text in texts) else None
