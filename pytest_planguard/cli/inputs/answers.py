"""Answers outside a recording: one a line, or a whole file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...document.file_suffixes import format_of
from ...document.path_pattern import NoFieldError, named_field
from ...runs.model.foreign_fields import parsed_json

if TYPE_CHECKING:
    from pathlib import Path

    from ...contract import Contract
    from ...contract.verdict import Verdict


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """One answer and what its contract says."""

    place: str
    """"line 3", or "" where the whole file is the answer."""
    verdict: Verdict


class _NoAnswerError(ValueError):
    """A line without the answer that was asked for."""


def whole_answer(content: bytes, contract: Contract, path: Path) -> CheckedAnswer:
    """Return the whole file as one answer, in the format that its name says."""
    return CheckedAnswer("", contract.check(content, format=format_of(path)))


def answer_lines(
    content: bytes, contract: Contract, field: str | None
) -> tuple[tuple[CheckedAnswer, ...], tuple[str, ...]]:
    r"""Return each line that is not blank as one answer; with what was wrong with lines that have none.

    Without a field the line is the answer's text, but for a JSON string, which is decoded to its text
    (an answer with line breaks fits on a line only so). With a field the line is an object; a field that is no string
    is judged as the value that it is.
    """
    answers, errors = [], []
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            answers.append(CheckedAnswer(f"line {number}", contract.check(_answer(line, field))))
        except _NoAnswerError as error:
            errors.append(f"line {number}: {error}")
    if not answers and not errors:
        errors.append("no answers: every line is blank. Write one answer a line.")
    return tuple(answers), tuple(errors)


def _answer(line: bytes, field: str | None) -> Any:
    if field is None:
        spelled = parsed_json(line) if line.lstrip()[:1] == b'"' else None
        return spelled if isinstance(spelled, str) else line
    value = parsed_json(line)
    if value is None:
        raise _NoAnswerError(f"no JSON object, so there is no field {field!r}. Without --field a line is the answer.")
    try:
        value = named_field(value, field)
    except NoFieldError as error:
        raise _NoAnswerError(f"{error}. Name the field of the answer with --field.") from None
    if value is None:
        raise _NoAnswerError(f"the field {field!r} is null: there is no answer to judge.")
    return value
