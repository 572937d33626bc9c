"""The results of models' attempts: a history with one line of JSON each, and errors in other tools' logs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from ..contract.failure_kinds import FailureKind, kind_of_status
from ..errors import RunError
from .matrix import AttemptRecord, fallback_order, matrix_of, write_matrix

# A logged error is all that remains of a call whose answer was not kept. Logs are clipped, and quote validators, so
# that a failure kind read from one is a guess and not a verdict. It never decides about retries: exception types and
# status codes do (`retry.budget`).

_EXCEPTION = re.compile(r"\b(\w+)\((?=[\"'\\)])")
"""An exception as `repr` writes it: ReadTimeout('timed out'), AuthenticationError("Error code: 401 - …")."""
_STATUS = re.compile(r"\b(?:Error code|status(?:_code)?)\s{0,3}[:=]\s{0,3}(\d{3})\b")
"""Error code: 401 - {'error': …}"""
_PYDANTIC = re.compile(r"\[type=(\w+), input_value=(.{0,8})")
"""[type=missing, input_value={'$defs': {'Lever': …"""
_TRUNCATED = re.compile(r"Invalid JSON: EOF while parsing\b")
"""Invalid JSON: EOF while parsing a list at line 25 column 5"""
_NO_JSON = re.compile(r"Could not extract json string from output: ?(.?)", re.DOTALL)
"""ValueError('Could not extract json string from output: I’m happy to …')"""
_CONFIG = re.compile(r"\bCannot create LLM, the llm_name\b")
"""ValueError("Cannot create LLM, the llm_name 'x' is not found in the selected llm_config/<profile>.json.")"""
_TRANSPORT = ("Timeout", "TimeoutError", "ConnectionError", "ConnectError", "ReadError", "RateLimitError")
"""Endings of exception names that mean that no answer arrived: APITimeoutError, ReadTimeout, APIConnectionError."""
_BY_TYPE = {
    "missing": FailureKind.MISSING, "extra_forbidden": FailureKind.EXTRA, "literal_error": FailureKind.ENUM,
    "enum": FailureKind.ENUM, "value_error": FailureKind.RULE, "assertion_error": FailureKind.RULE,
    "json_invalid": FailureKind.INVALID_JSON,
}  # fmt: skip
"""pydantic's error types whose suffix does not show the failure kind."""
_BY_ENDING = {
    "too_short": FailureKind.LENGTH, "too_long": FailureKind.LENGTH, "_type": FailureKind.TYPE,
    "_parsing": FailureKind.TYPE, "_pattern_mismatch": FailureKind.FORMAT, "less_than": FailureKind.RANGE,
    "less_than_equal": FailureKind.RANGE, "greater_than": FailureKind.RANGE, "greater_than_equal": FailureKind.RANGE,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LoggedError:
    """The meaning of a logged error for the model."""

    kind: FailureKind | None
    """The failure kind; None if the call was never made."""
    evidence: str
    """The part of the log that contains the kind."""

    @property
    def result(self) -> str:
        """The error as an attempt's result: "fail:<kind>", or "error:<kind>" if no answer came."""
        if self.kind is None:
            return "error:config"
        return f"{'error' if self.kind in (FailureKind.TRANSPORT, FailureKind.AUTH) else 'fail'}:{self.kind}"


def read_logged_error(text: str) -> LoggedError | None:
    """Return the kind of a logged error; None for unknown words.

    If a validator lists several failures, the first one determines the kind, as in a verdict.
    """
    config = _CONFIG.search(text)
    if config is not None:
        return LoggedError(None, config.group())
    return _without_answer(text) or _without_document(text) or _invalid(text)


def _without_answer(text: str) -> LoggedError | None:
    status = _STATUS.search(text)
    if status is not None:
        return LoggedError(kind_of_status(int(status[1])) or FailureKind.TRANSPORT, status.group())
    names = (match[1] for match in _EXCEPTION.finditer(text))
    name = next((name for name in names if name.endswith(_TRANSPORT)), None)
    return None if name is None else LoggedError(FailureKind.TRANSPORT, name)


def _without_document(text: str) -> LoggedError | None:
    """Read the message of PlanExe's extraction. If the text starts like JSON, the answer was broken JSON."""
    match = _NO_JSON.search(text)
    if match is None:
        return None
    kind = {"'": FailureKind.EMPTY, '"': FailureKind.EMPTY, "": FailureKind.EMPTY, "{": FailureKind.INVALID_JSON}
    return LoggedError(kind.get(match[1], FailureKind.PROSE), match.group())


def _invalid(text: str) -> LoggedError | None:
    match = _PYDANTIC.search(text)
    if match is None:
        return None
    if _TRUNCATED.search(text):
        return LoggedError(FailureKind.TRUNCATED, match.group())
    if match[2].startswith("{'$defs'"):
        return LoggedError(FailureKind.SCHEMA_ECHO, match.group())
    ending = next((kind for end, kind in _BY_ENDING.items() if match[1].endswith(end)), None)
    kind = _BY_TYPE.get(match[1], ending)
    return None if kind is None else LoggedError(kind, match.group())


# The history of attempts has one line of JSON each. Any number of processes may append to it.

HISTORY = "model_attempts.jsonl"


class AttemptHistory:
    """The attempts in one file.

    Each record is appended in one write under a lock, so that records of several processes never mix. A line that a
    killed process left unfinished is skipped and counted.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        given = Path(path)
        self.path = given / HISTORY if given.is_dir() else given

    def append(self, record: AttemptRecord) -> None:
        """Add a record. Raises RunError if the file cannot be written."""
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
        """Return all records in the order in which they were added. Raises RunError if the file cannot be read."""
        return self.read()[0]

    def read(self) -> tuple[tuple[AttemptRecord, ...], int]:
        """Return all records, and the number of invalid lines. Raises RunError if the file cannot be read."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return (), 0
        except OSError as error:
            raise RunError(
                f"{self.path} cannot be read: got {error.strerror or error}; make the file readable"
            ) from None
        from pydantic import TypeAdapter, ValidationError

        adapter, records, bad = TypeAdapter(AttemptRecord), [], 0
        for line in filter(bytes.strip, lines):
            try:
                records.append(adapter.validate_json(line))
            except ValidationError:
                bad += 1
        return tuple(records), bad

    def write_matrix(self, path: Path) -> None:
        """Write the results of each model at each task as model_task_matrix.json, atomically.

        Raises:
            RunError: the history cannot be read, or the file cannot be written.
        """
        write_matrix(path, matrix_of(self.records()))

    def fallback_order(
        self,
        task: str,
        models: Sequence[str],
        *,
        explore: float = 0.0,
        max_age_s: float | None = None,
        now: float | None = None,
    ) -> list[str]:
        """Return the models to ask, in the given order, without those that failed the task.

        If all of them failed, keep the one with the best share of good answers, so that the order is never empty.

        Args:
            task: the task's name.
            models: all models, the preferred one first.
            explore: share of calls (0 to 1) that try a failed model first, to notice when it has improved.
            max_age_s: seconds after which a failure no longer counts; None for never. Needs `now`.
            now: seconds since 1970.

        Raises:
            RunError: the history cannot be read.
            UsageError: no model, an invalid share, or an age without `now`.
        """
        return fallback_order(task, models, matrix_of(self.records()), explore=explore, max_age_s=max_age_s, now=now)


def _write(file: int, line: bytes) -> None:
    """Append a line; start a new line after an unfinished one."""
    size = os.fstat(file).st_size
    if size:
        os.lseek(file, size - 1, os.SEEK_SET)
        # a process that was killed while it wrote left half a line, which must not swallow this record
        line = line if os.read(file, 1) == b"\n" else b"\n" + line
    written = 0
    while written < len(line):  # a full disk may take only a part
        written += os.write(file, line[written:])


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Open the file for appending, and lock it against other processes."""
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        with suppress(ImportError):  # Windows lacks it: appending in one write is the best option there
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)  # also releases the lock
