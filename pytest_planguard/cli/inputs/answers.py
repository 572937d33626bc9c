"""Answers outside a cassette: one per line, or a whole file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from ...contract.finding import Severity
from ...runs.model.foreign_fields import parsed_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...contract.finding import Finding
    from ...contract.verdict import Verdict


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """One answer and its verdict."""

    verdict: Verdict
    line: int | None = None
    """Number of the line, from 1; None if the whole file is the answer."""
    key: str = ""
    """Key of the case on a line, as in `planguard diff`; "" if the whole file is the answer."""


class NoAnswerError(ValueError):
    """A line without the requested answer. The message says why, and what to do."""


def answer_of(line: bytes, field: str | None) -> Any:
    """Return the answer on one line.

    Without a field, the line is the answer's text. A JSON string is decoded, because only then does an answer with line
    breaks fit on a line. With a field, the line is an object, and a field that is not a string is judged as its value.

    Raises:
        NoAnswerError: the line lacks the field, or the field has no value.
    """
    if field is None:
        spelled = parsed_json(line) if line.lstrip()[:1] == b'"' else None
        return spelled if isinstance(spelled, str) else line
    value = _parsed(line)
    if value is None:
        raise NoAnswerError(f"no JSON object, so there is no field {field!r}. Name the answer's field with --field.")
    plain = type(value) is dict and field in value and "." not in field
    value = value[field] if plain else _within(value, field)
    if value is None:
        raise NoAnswerError(f"the field {field!r} is null: there is no answer to judge.")
    return value


def _within(value: object, field: str) -> Any:
    from ...document.path_pattern import NoFieldError, named_field

    try:
        return named_field(value, field)
    except NoFieldError as error:
        raise NoAnswerError(f"{error}. Name the field of the answer with --field.") from None


@cache
def _parser() -> Callable[[bytes], Any]:
    """Return pydantic's parser. It is cached, as importing it for every line would be slow."""
    from pydantic_core import from_json

    return from_json


def _parsed(line: bytes) -> Any:
    """Return the JSON value of a line, or None. Pydantic's parser takes a third of the time."""
    try:
        return _parser()(line)
    except ValueError:  # a lone surrogate, which Python's own parser accepts
        return parsed_json(line)


def warnings_fail(verdict: Verdict) -> Verdict:
    """Return the verdict with its warnings as findings that make the answer bad."""
    return replace(verdict, findings=raised(verdict.findings))


def raised(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return the findings with each warning as one that makes the answer bad."""
    return tuple(replace(f, severity=Severity.RETRY) if f.severity is Severity.WARN else f for f in findings)
