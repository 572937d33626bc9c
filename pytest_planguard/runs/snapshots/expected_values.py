"""Replace the expected value of one labelled case in its file. All other bytes stay the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...errors import RunError, UsageError
from ..load.case_files import case_references
from ..store.whole_files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from ..load.case_files import CaseReference

SUFFIXES = (".jsonl", ".ndjson")
"""Files with one record per line, so that one record can be replaced."""


def expected_text(value: Any) -> str:
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
