"""Cases from plain answers: a file that is one answer, or a file with an answer a line."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from ...document.path_pattern import NoFieldError, named_field
from ...errors import RunError, UsageError
from ..compare.rejudge import judge_answer
from ..model.judged_answers import AttemptRow, Judged
from ..model.run import CaseRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ...contract import Contract

ANSWER_FIELDS = ("output", "answer", "actual_output", "completion", "response", "content", "text")
"""Names under which a line's answer is looked for, in this order."""
KEY_FIELDS = ("case", "case_id", "id", "key", "test", "task_id", "name", "task")
INPUT_FIELDS = ("inputs", "input", "prompt", "question", "messages", "vars")
MODEL_FIELD = "model"
MAX_FILE = 200 * 1024 * 1024
"""Bytes of a file that are read."""

Loaded = tuple[list[CaseRow], list[tuple[str, str]]]
"""Cases, and what could not be read: (where, why)."""


def answer_file(path: Path, key: str, contracts: Sequence[Contract]) -> Loaded:
    """The whole file as one answer."""
    try:
        text = content_of(path).decode("utf-8-sig", errors="surrogateescape")
    except OSError as error:
        return [], [(str(path), f"cannot be read: {error.strerror or error}")]
    return [CaseRow(key, str(path), judged=(judged_answer(text, contracts),))], []


def answer_lines(
    path: Path, contracts: Sequence[Contract], field: str | None, case: str | None, prefix: str = ""
) -> Loaded:
    """Each line that is not blank as one case; the number of a line is its key where it has none.

    Raises:
        UsageError: a field that the user named is in no line.
        RunError: the file cannot be read.
    """
    try:
        lines = content_of(path).split(b"\n")
    except OSError as error:
        raise RunError(f"{path}: the run cannot be read: {error.strerror or error}. Check the path.") from error
    rows: list[CaseRow] = []
    problems: list[tuple[str, str]] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                rows.append(_row(path, number, json.loads(line), contracts, field, case, prefix))
            except (ValueError, RecursionError, NoFieldError) as error:
                why = str(error) if isinstance(error, NoFieldError) else "it is no JSON"
                problems.append((f"{path}: line {number}", f"{why}; the line is left out"))
    if not rows and field and problems:
        raise UsageError(f"--field {field!r}: {': '.join(problems[0])}")
    return rows, problems


def judged_answer(text: str, contracts: Sequence[Contract]) -> Judged:
    """An answer judged by the one contract that there is; not judged where there is none.

    Raises UsageError where there are several: which one would be a guess.
    """
    if not contracts:
        return Judged((AttemptRow(text, ok=True),), "", ok=True, single=True)
    if len(contracts) > 1:
        raise UsageError(f"plain answers are judged by one contract, and {len(contracts)} were named; leave one")
    (contract,) = contracts
    attempt = judge_answer(text, contract)
    outcome = "valid" if attempt.ok else "invalid"
    return Judged((attempt,), outcome, attempt.ok, "1", contract.name, contract.digest, single=True)


def _row(
    path: Path,
    number: int,
    line: Any,
    contracts: Sequence[Contract],
    field: str | None,
    case: str | None,
    prefix: str,
) -> CaseRow:
    answer = named_field(line, field) if field else _first(line, ANSWER_FIELDS, line)
    key = named_field(line, case) if case else _first(line, KEY_FIELDS, number)
    asked = _first(line, INPUT_FIELDS, None)
    model = line.get(MODEL_FIELD) if isinstance(line, dict) else None
    judged = judged_answer(text_of(answer), contracts)
    return CaseRow(
        f"{prefix}/{text_of(key)}" if prefix else text_of(key),
        f"{path}:{number}",
        inputs=None if asked is None else digest_of(asked),
        model=model if isinstance(model, str) else None,
        judged=(judged,),
        contracts=((judged.contract, judged.digest),) if judged.digest else (),
    )


def _first(line: Any, names: Sequence[str], default: Any) -> Any:
    """The first of the fields that the line has and that is not null."""
    if not isinstance(line, dict):
        return default
    return next((line[name] for name in names if line.get(name) is not None), default)


def text_of(value: Any) -> str:
    """An answer as text; anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def digest_of(value: Any) -> str:
    """Twelve hexadecimal digits over a declared input."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def content_of(path: Path) -> bytes:
    """The bytes of a file of bearable size. Raises RunError for a larger one, and OSError."""
    if path.stat().st_size > MAX_FILE:
        raise RunError(f"{path}: larger than {MAX_FILE // 2**20} MB; split it.")
    return path.read_bytes()
