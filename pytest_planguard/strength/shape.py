"""The shape that example values have in common; never tighter than the examples."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from ..contract.phrasing import plural
from .evidence import place_name, span
from .operators import repeats

if TYPE_CHECKING:
    from ..document.path import Path


MAP_KEYS = 8
"""Different keys from which objects with hardly a common key are maps of keys to values: {"alice": 3, "bob": 5}."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value without parts."""

    python: str
    """Its annotation: "str", "int", "date"."""
    evidence: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the texts that repeat in the examples."""

    values: tuple[str, ...]
    evidence: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    item: Shape
    evidence: str


@dataclass(frozen=True, slots=True)
class Field:
    """One key of an object."""

    key: str
    shape: Shape
    required: bool
    """Whether every example has it."""


@dataclass(frozen=True, slots=True)
class Record:
    """An object of known keys."""

    fields: tuple[Field, ...]
    evidence: str


@dataclass(frozen=True, slots=True)
class Table:
    """An object whose keys are data."""

    value: Shape
    evidence: str


@dataclass(frozen=True, slots=True)
class Either:
    """One of several shapes; null among them where an example has it."""

    members: tuple[Shape, ...]


Shape = Scalar | Choice | Items | Record | Table | Either
ANY = Scalar("Any", "no example has one")


def shape_of(values: Sequence[Any], path: Path = (), ids: Collection[str] = ()) -> Shape:
    """Return the shape of example values; `Any` where there is none.

    Args:
        values: the examples.
        path: where they are, for `ids`; an index of a list is 0.
        ids: places of ids and of references to them, which no enumeration is made of: "tasks[*].id".
    """
    members = [member for member in (_of_kind(kind, values, path, ids) for kind in _KINDS) if member is not None]
    if not members:
        return ANY
    return members[0] if len(members) == 1 else Either(tuple(members))


def _of_kind(kind: str, values: Sequence[Any], path: Path, ids: Collection[str]) -> Shape | None:
    """Return the shape of those values that are of one kind of JSON value; None where none is."""
    own = [value for value in values if _kind(value) == kind]
    if not own:
        return None
    if kind == "object":
        return _of_objects(own, path, ids)
    if kind == "list":
        inner = shape_of([item for value in own for item in value], (*path, 0), ids)
        return Items(inner, plural(len(own), "list"))
    return _of_texts(own, free=place_name(path) in ids) if kind == "text" else _of_scalars(kind, own)


_KINDS = ("object", "list", "text", "number", "truth", "null")


def _kind(value: object) -> str:
    if isinstance(value, Mapping):
        return "object"
    if isinstance(value, (list, tuple)):
        return "list"
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool):
        return "truth"
    return "null" if value is None else "number"


def _of_scalars(kind: str, values: Sequence[Any]) -> Shape:
    if kind == "null":
        return Scalar("None", f"{len(values)} times null")
    if kind == "truth":
        return Scalar("bool", plural(len(values), "value"))
    python = "int" if all(isinstance(value, int) for value in values) else "float"
    return Scalar(python, f"{min(values)} to {max(values)}, {plural(len(values), 'number')}")


def _of_texts(texts: list[str], *, free: bool) -> Shape:
    if not free and repeats(texts):
        kinds = tuple(sorted(set(texts)))
        return Choice(kinds, f"{len(kinds)} values in {plural(len(texts), 'text')}")
    if len(texts) > 2 and all(map(_is_date, texts)):
        return Scalar("date", f"{min(texts)} to {max(texts)}")
    return Scalar("str", f"{plural(len(texts), 'text')} of {span([len(text) for text in texts], 'character')}")


def _is_date(text: str) -> bool:
    """Return whether a text is "2026-11-22"; other spellings of ISO 8601 are left as texts."""
    try:
        return len(text) == 10 and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _of_objects(values: Sequence[Mapping[str, Any]], path: Path, ids: Collection[str]) -> Shape:
    keys = list(dict.fromkeys(key for value in values for key in value))
    if _is_table(values, keys):
        inner = shape_of([item for value in values for item in value.values()])
        return Table(inner, f"{len(keys)} different keys in {plural(len(values), 'object')}")
    fields = tuple(_field(key, values, path, ids) for key in keys)
    return Record(fields, plural(len(values), "object"))


def _field(key: str, values: Sequence[Mapping[str, Any]], path: Path, ids: Collection[str]) -> Field:
    own = [value[key] for value in values if key in value]
    return Field(key, shape_of(own, (*path, key), ids), required=len(own) == len(values))


def _is_table(values: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> bool:
    """Return whether keys are data: many of them, hardly one in most objects, and all values of one kind."""
    common = sum(all(key in value for value in values) for key in keys)
    kinds = {_kind(item) for value in values for item in value.values()}
    return len(values) > 1 and len(keys) >= MAP_KEYS and not common and len(kinds) == 1
