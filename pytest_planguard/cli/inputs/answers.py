"""Answers outside a cassette: one a line, or a whole file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ...document.answer import format_of
from ...runs.model.foreign_fields import parsed_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ...contract import Contract
    from ...contract.verdict import Verdict


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """One answer and what its contract says."""

    place: str
    """"line 3", or "" where the whole file is the answer."""
    verdict: Verdict
    line: int | None = None
    """Number of the line, from 1; None where the whole file is the answer."""
    key: str = ""
    """Key of the case on a line, as `planguard diff` finds it; "" where the whole file is the answer."""


class NoAnswerError(ValueError):
    """A line without the answer that was asked for; the message says why, and what to do."""


def whole_answer(content: bytes, contract: Contract, path: Path) -> CheckedAnswer:
    """Return the whole file as one answer, in the format that its name says."""
    return CheckedAnswer("", contract.check(content, format=format_of(path)))


def answer_of(line: bytes, field: str | None) -> Any:
    """Return the answer of one line.

    Without a field the line is the answer's text, but for a JSON string, which is decoded to its text (an answer with
    line breaks fits on a line only so). With a field the line is an object; a field that is no string is judged as the
    value that it is.

    Raises:
        NoAnswerError: the line has no such field, or the field has no value.
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


def _within(value: Any, field: str) -> Any:
    from ...document.path_pattern import NoFieldError, named_field

    try:
        return named_field(value, field)
    except NoFieldError as error:
        raise NoAnswerError(f"{error}. Name the field of the answer with --field.") from None


@cache
def _parser() -> Callable[[bytes], Any]:
    """Return pydantic's parser; an import in a function that runs for every line shows in its cost."""
    from pydantic_core import from_json

    return from_json


def _parsed(line: bytes) -> Any:
    """Return the JSON value of a line; None for one that is no JSON. Pydantic's parser takes a third of the time."""
    try:
        return _parser()(line)
    except ValueError:  # a lone surrogate, which Python's own parser reads
        return parsed_json(line)
