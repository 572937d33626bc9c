"""Compare the JSON Schema of a request with that of a contract, to choose the contract for an answer.

Comparing the names at the root is not enough: some frameworks wrap every answer in one member, such as `{"data": {…}}`.
Comparing whole schemas is too strict: SDKs rewrite schemas before they send them (`additionalProperties`, inlined
references).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Any

Fields = Mapping[str, "Fields"]
"""Maps each field name to the fields of the object below it. Lists and unions are replaced by their contents."""

_MOST = 2_000
"""Maximum number of fields and parts to read in one schema. Real schemas have fewer than 300. For larger ones, only the
names at the root are compared."""
_DEEPEST = 12
"""Maximum nesting depth of fields. Real schemas have at most 6 levels."""
_ONE = ("items", "additionalItems")
_SEVERAL = ("prefixItems", "anyOf", "oneOf", "allOf")


class Likeness(IntEnum):
    """How similar two schemas are, most similar first."""

    WHOLE = 0
    """Equal except for the order of keys."""
    FIELDS = 1
    """The same fields at every depth."""
    NAMES = 2
    """The same fields at the root."""
    OTHER = 3


class SchemaShape:
    """A JSON Schema, or any other value in its place. Its fields are read when they are first compared."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self.names = properties(schema)
        """The names of the fields at the root."""

    @cached_property
    def fields(self) -> Fields:
        """The fields at every depth, within limits; {} if the schema describes no fields."""
        deep = None
        if isinstance(self._schema, dict):
            with suppress(RecursionError):
                deep = _fields_of(_Spelled(repr(self._schema), self._schema))
        return {name: {} for name in self.names} if deep is None else deep

    def likeness(self, other: SchemaShape) -> Likeness:
        """Return how similar the two schemas are."""
        if self._equals(other):
            return Likeness.WHOLE
        if not self.names or self.names != other.names:
            return Likeness.OTHER
        return Likeness.FIELDS if self.fields == other.fields else Likeness.NAMES

    def shares_no_field(self, other: SchemaShape) -> bool:
        """Return True if both describe fields and have none in common.

        A field with different contents, such as a wrapper `data`, is not in common.
        """
        if not self.names or not other.names or self._equals(other):
            return False
        return not self.names & other.names or not _share(self.fields, other.fields)

    def _equals(self, other: SchemaShape) -> bool:
        return isinstance(self._schema, dict) and bool(self._schema == other._schema)


def properties(schema: Any) -> frozenset[str]:
    """Return the property names at the root of a JSON Schema, following one `$ref`.

    Required names count as well: aisuite drops a parameter named `title` from the properties, but still requires it.
    """
    root = _root(schema)
    named = root.get("properties")
    return frozenset(map(str, (*named, *_required(root)))) if isinstance(named, dict) else frozenset()


def _root(schema: Any) -> Mapping[str, object]:
    """Return a schema, or the definition that it refers to; {} for other values."""
    if not isinstance(schema, dict):
        return {}
    reference, definitions = schema.get("$ref"), schema.get("$defs")
    if isinstance(reference, str) and isinstance(definitions, dict):
        schema = definitions.get(reference.rpartition("/")[2], schema)
    return schema if isinstance(schema, dict) else {}


def _required(schema: Mapping[str, object]) -> Sequence[object]:
    required = schema.get("required")
    return required if isinstance(required, list) else ()


def _share(one: Fields, other: Fields) -> bool:
    """Return True if two schemas have a field in common. If both nest fields in a common field, those must match."""
    common = one.keys() & other.keys()
    return any(not (one[name] and other[name]) or _share(one[name], other[name]) for name in common)


@dataclass(frozen=True, slots=True)
class _Spelled:
    """A schema with its `repr`, which identifies it. A `repr` takes a third of the time of JSON."""

    text: str
    schema: Mapping[str, Any] = field(compare=False)


@lru_cache(maxsize=256)
def _fields_of(spelled: _Spelled) -> Fields | None:
    """Return the fields of a schema, or None if it has too many."""
    schema = spelled.schema
    reader = _Reader(schema)
    found = reader.fields(schema)
    return found if reader.left > 0 else None


class _Reader:
    """Collects the fields of one schema, within a limit for the whole schema."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self.left = _MOST
        """Number of fields and parts that may still be read."""

    def fields(self, schema: object, depth: int = 0, above: frozenset[int] = frozenset()) -> dict[str, Any]:
        """Return the fields of a schema, including its references, list items and alternatives.

        `above` has the ids of the enclosing parts, so that a recursive definition is read only once.
        """
        found: dict[str, Any] = {}
        pieces = self._pieces(schema, above)
        around = above.union(map(id, pieces))
        for name, inner in (pair for piece in pieces for pair in _named(piece)):
            if self.left <= 0:
                break
            self.left -= 1
            _merge(found.setdefault(name, {}), self.fields(inner, depth + 1, around) if depth < _DEEPEST else {})
        return found

    def _pieces(self, schema: object, above: frozenset[int]) -> list[dict[str, Any]]:
        waiting, pieces, seen = [schema], [], set(above)
        while waiting and self.left > 0:
            piece = waiting.pop()
            if not isinstance(piece, dict) or id(piece) in seen:
                continue
            seen.add(id(piece))
            self.left -= 1
            pieces.append(piece)
            waiting += [self._referred(piece.get("$ref")), *(piece.get(key) for key in _ONE)]
            waiting += [one for key in _SEVERAL if isinstance(piece.get(key), list) for one in piece[key]]
        return pieces

    def _referred(self, reference: object) -> object:
        """Return the target of a reference such as "#/$defs/Step"; None for references outside the schema."""
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return None
        here: object = self._root
        for key in reference[2:].split("/"):
            here = here.get(key.replace("~1", "/").replace("~0", "~")) if isinstance(here, dict) else None
        return here


def _named(piece: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield (name, schema) for each field of an object. The schema is None if the field is only listed as required."""
    named = piece.get("properties")
    inner: Mapping[str, object] = named if isinstance(named, dict) else {}
    yield from inner.items()
    yield from ((str(name), None) for name in _required(piece) if str(name) not in inner)


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Merge the fields of another branch into `into`."""
    for name, inner in more.items():
        _merge(into.setdefault(name, {}), inner)
