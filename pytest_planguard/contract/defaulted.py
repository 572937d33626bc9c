"""Fields that the answer left out and the schema filled: valid, but a silent default may hide a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .complete import PLAIN, VISIT_LIMIT, fields_of
from .finding import Finding
from .kinds import FailureKind
from .severity import Severity
from .wording import as_json, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.path import Path

LISTED = 20
"""Defaults listed one by one; the rest is counted in one more finding."""


def defaulted(value: Any) -> list[Finding]:
    """One warning for each field of a model in `value` that took its default, outermost first; [] where none did."""
    found: list[Finding] = []
    more = 0
    for path, key, default in _taken(value):
        if len(found) < LISTED:
            message = f"left out, took the default {as_json(default)}"
            found.append(Finding("defaulted", (*path, key), message, FailureKind.MISSING, Severity.WARN))
        else:
            more += 1
    if more:
        message = f"{plural(more, 'more field')} took the default"
        found.append(Finding("defaulted", (), message, FailureKind.MISSING, Severity.WARN))
    return found


_Visit = tuple[Any, int, "str | int | None"]
"""A value to look at, the position of the visit that led to it, and its key there; None for no key."""


def _taken(value: Any) -> Iterator[tuple[Path, str, Any]]:
    """Path of the model, key as the document would spell it, and the default, for each default taken."""
    visits: list[_Visit] = [(value, 0, None)]
    at = 0
    while at < len(visits) < VISIT_LIMIT:
        here = visits[at][0]
        if isinstance(here, dict):
            visits.extend((item, at, key) for key, item in here.items() if type(item) not in PLAIN)
        elif isinstance(here, (list, tuple)):
            visits.extend((item, at, index) for index, item in enumerate(here) if type(item) not in PLAIN)
        elif (given := getattr(here, "__pydantic_fields_set__", None)) is not None:
            values = here.__dict__
            fields, nested = fields_of(type(here))  # type: ignore[arg-type] # a class is hashable
            if len(given) < len(fields):
                path = _path(visits, at)
                yield from ((path, key, values.get(name)) for name, key in fields.items() if name not in given)
            visits.extend((values[name], at, fields[name] or None) for name in nested if name in given)
        at += 1


def _path(visits: list[_Visit], at: int) -> Path:
    """The way to a visited value, put together only where it is needed."""
    keys: list[str | int] = []
    while at:
        _, at_parent, key = visits[at]
        if key is not None:
            keys.append(key)
        at = at_parent
    return tuple(reversed(keys))
