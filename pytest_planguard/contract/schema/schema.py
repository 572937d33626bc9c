"""The schema part of a contract, for any kind of schema, and what it asks about a value: JSON text, depth, defaults."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from ...document.path import Path
    from ..finding import Finding


def to_json_text(value: object) -> str | None:
    """Return the value as JSON text; None if it has none (circular, or deeper than the interpreter's stack).

    Models, dataclasses, dates and decimals are written in pydantic's form; unknown types use `str()`. NaN and Infinity
    keep their names, so that the check finds them.
    """
    from pydantic_core import PydanticSerializationError, to_json

    try:
        return to_json(value, by_alias=True, inf_nan_mode="constants", fallback=str).decode()
    except (PydanticSerializationError, ValueError, RecursionError):
        pass
    try:
        return json.dumps(value, default=str)  # a lone surrogate can only be written as an escape
    except (ValueError, TypeError, RecursionError):
        return None


# The nesting of a value: flat values need no precautions.

FLAT = 2
"""Number of objects and lists in an answer that is certainly validated fast: `{"title": "a", "steps": ["b"]}` has two.
"""


def is_flat(text: str | None) -> bool:
    """Return True if JSON text has at most `FLAT` objects and lists; False if there is no text."""
    return text is not None and text.count("{") + text.count("[") <= FLAT


def levels(data: object, limit: int) -> int:
    """Return the nesting depth of objects and lists, at most `limit`."""
    here, count = [data], 0
    while count < limit:
        inside = [list(value.values()) if isinstance(value, dict) else value for value in here]
        here = [inner for value in inside if isinstance(value, list) for inner in value]
        if not here:
            return count
        count += 1
    return limit


# A field that the answer left out and the schema filled is valid, but a silent default may hide a failure.

LISTED = 20
"""Maximum number of defaults to list. One more finding counts the rest."""


def defaulted(value: object) -> list[Finding]:
    """Return one warning for each model field in `value` that took its default, outermost first."""
    given = getattr(value, "__pydantic_fields_set__", None)
    if given is not None:  # most answers are a flat model with all of its fields, so skip the walk
        fields, nested = fields_of(type(value))  # type: ignore[arg-type] # a class is hashable
        if not nested and len(given) == len(fields):
            return []
    taken = list(_taken(value))
    if not taken:
        return []
    from ..failure_kinds import FailureKind
    from ..finding import Finding, Severity
    from ..phrasing import as_json, plural

    said: list[tuple[Path, str]] = [
        ((*path, key), f"left out, took the default {as_json(default)}") for path, key, default in taken[:LISTED]
    ]
    if len(taken) > LISTED:
        said.append(((), f"{plural(len(taken) - LISTED, 'more field')} took the default"))
    return [Finding("defaulted", path, message, FailureKind.MISSING, Severity.WARN) for path, message in said]


_Visit = tuple[Any, int, str | int | None]
"""A value to visit, the index of the visit that led to it, and its key there; None for no key."""


def _taken(value: object) -> Iterator[tuple[Path, str, object]]:
    """Yield the model's path, the key as the document would spell it, and the value, for each default taken."""
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
            # "" is the key of a root model, which a document does not have.
            visits.extend((values[name], at, fields[name] or None) for name in nested if name in given)
        at += 1


def _path(visits: list[_Visit], at: int) -> Path:
    """Return the path to a visited value, built only if needed."""
    keys: list[str | int] = []
    while at:
        _, at_parent, key = visits[at]
        if key is not None:
            keys.append(key)
        at = at_parent
    return tuple(reversed(keys))


PLAIN = frozenset({str, int, float, bool, type(None)})
"""Types of values that hold no other values."""
VISIT_LIMIT = 100_000
"""Maximum number of values to visit for defaults. The rest are skipped."""
_ROOT = ""
"""The key for the field of a root model, which has no key in the document."""


@lru_cache(maxsize=1024)
def fields_of(model: Hashable) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the fields of a model with their keys in the document, and the names of those that may hold models."""
    root = getattr(model, "__pydantic_root_model__", False)
    fields = getattr(model, "model_fields", {})  # `__pydantic_fields__` came with pydantic 2.10
    aliases = {name: field.validation_alias for name, field in fields.items()}
    keys = {name: _ROOT if root else alias if isinstance(alias, str) else name for name, alias in aliases.items()}
    return keys, tuple(name for name, field in fields.items() if _may_hold_models(field.annotation))


def _may_hold_models(annotation: object) -> bool:
    """Return False only for texts, numbers and the like, and for lists and dicts of them."""
    if get_origin(annotation) is Literal or annotation in PLAIN:
        return False
    parts = get_args(annotation)
    return not parts or any(map(_may_hold_models, parts))


# The schema part of a contract.


class SchemaCheck:
    """One schema. This base class accepts every document, for a contract without a schema."""

    other_names: Mapping[str, tuple[str, ...]] | None = MappingProxyType({})
    """All names of each field that may have several in an answer, by each of them.

    The JSON Schema has only one of them. None if a field may come from another place of an answer.
    """

    @property
    def name(self) -> str:
        """Name for reports: the model's name, or the JSON Schema's title."""
        return "contract"

    def validate(self, data: object, text: str | None = None) -> tuple[Any, list[Finding]]:  # noqa: ARG002 - for others
        """Return the validated value, or None if a finding is bad, and the findings.

        Args:
            data: the plain parsed document.
            text: the document as JSON text if it was written in JSON; None to validate `data` itself.
        """
        return data, []

    def plain(self, value: object, data: object) -> Any:  # noqa: ARG002 - for others
        """Return a validated value as plain data under its JSON names; `data` if the schema converts nothing."""
        return data

    def sound(self, data: object, text: str | None, broken: Sequence[Finding]) -> Any:  # noqa: ARG002 - for others
        """Return the valid parts of bad data in the form of `plain`, with a `HOLE` for each invalid part.

        Args:
            data: as for `validate`.
            text: as for `validate`.
            broken: the bad findings that `validate` returned.
        """
        from ..own_checks import cut

        return cut(data, broken)

    def json_schema(self) -> dict[str, Any] | None:
        """Return the schema as JSON Schema; None if it has none."""
        return None

    def wrapped(self, data: object) -> Any:
        """Return the data in the schema's form; only a bare list may change."""
        return data

    def as_written(self, found: Iterable[Finding]) -> list[Finding]:
        """Return findings about wrapped data with their paths in the answer."""
        return list(found)
