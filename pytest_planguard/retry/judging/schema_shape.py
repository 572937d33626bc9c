"""How much two JSON Schemas are alike, a request's and a contract's. This chooses a contract for an answer.

Frameworks wrap each answer in one member, so the names at the root are the same for every task: `{"data": {…}}`. SDKs
rewrite schemas before they send them (`additionalProperties`, inlined references), so few are equal as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Any

Fields = Mapping[str, "Fields"]
"""Names of fields, each with those of the objects below it. Lists and unions are replaced by their contents."""

_MOST = 2_000
"""The most fields and parts to read in one schema; real ones have fewer than 300. A larger one counts by its root."""
_DEEPEST = 12
"""The most levels of fields below fields; real schemas have at most 6."""
_ONE = ("items", "additionalItems")
_SEVERAL = ("prefixItems", "anyOf", "oneOf", "allOf")


class Likeness(IntEnum):
    """From the most alike to the least."""

    WHOLE = 0
    """Equal except for the order of keys."""
    FIELDS = 1
    """The same fields at every depth."""
    NAMES = 2
    """The same fields at the root."""
    OTHER = 3


class SchemaShape:
    """A JSON Schema, or a value in place of one. It is read when it is first compared."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self.names = properties(schema)
        """The names of the fields at its root."""

    @cached_property
    def fields(self) -> Fields:
        """Fields at every depth, within limits; {} if it describes no fields."""
        deep = None
        if isinstance(self._schema, Mapping):
            with suppress(RecursionError):
                deep = _fields_of(_Spelled(repr(self._schema), self._schema))
        return {name: {} for name in self.names} if deep is None else deep

    def likeness(self, other: SchemaShape) -> Likeness:
        """Return how much both are alike."""
        if self._equals(other):
            return Likeness.WHOLE
        if not self.names or self.names != other.names:
            return Likeness.OTHER
        return Likeness.FIELDS if self.fields == other.fields else Likeness.NAMES

    def shares_no_field(self, other: SchemaShape) -> bool:
        """Return True if both describe fields and share none. `data` with different contents is not shared."""
        if not self.names or not other.names or self._equals(other):
            return False
        return not self.names & other.names or not _share(self.fields, other.fields)

    def _equals(self, other: SchemaShape) -> bool:
        return isinstance(self._schema, Mapping) and bool(self._schema == other._schema)


def properties(schema: Any) -> frozenset[str]:
    """Return the property names of a JSON Schema's root, including required ones, after one `$ref`; may be empty.

    aisuite drops a parameter named `title` from the properties, but still requires it.
    """
    root = _root(schema)
    named = root.get("properties")
    return frozenset(map(str, (*named, *_required(root)))) if isinstance(named, Mapping) else frozenset()


def _root(schema: Any) -> Mapping[str, Any]:
    """Return a schema, or the definition that it refers to; {} for other values."""
    if not isinstance(schema, Mapping):
        return {}
    reference, definitions = schema.get("$ref"), schema.get("$defs")
    if isinstance(reference, str) and isinstance(definitions, Mapping):
        schema = definitions.get(reference.rpartition("/")[2], schema)
    return schema if isinstance(schema, Mapping) else {}


def _required(schema: Mapping[str, Any]) -> Sequence[Any]:
    required = schema.get("required")
    return required if isinstance(required, list) else ()


def _share(one: Fields, other: Fields) -> bool:
    """Return True if two schemas share a field. If both describe fields below a common one, only those count."""
    common = one.keys() & other.keys()
    return any(not (one[name] and other[name]) or _share(one[name], other[name]) for name in common)


@dataclass(frozen=True, slots=True)
class _Spelled:
    """A schema with its `repr`, which identifies it and takes a third of the time of JSON."""

    text: str
    schema: Mapping[str, Any] = field(compare=False)


@lru_cache(maxsize=256)
def _fields_of(spelled: _Spelled) -> Fields | None:
    """Return the fields of a schema; None if it has too many."""
    schema = spelled.schema
    reader = _Reader(schema)
    found = reader.fields(schema)
    return found if reader.left > 0 else None


class _Reader:
    """Collects the fields of one schema, within a limit for the whole schema."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self.left = _MOST
        """How many more fields and parts may be read."""

    def fields(self, schema: Any, depth: int = 0, above: frozenset[int] = frozenset()) -> dict[str, Any]:
        """Return the fields of a schema and its parts: references, list items, alternatives.

        `above` has the ids of the enclosing parts: a definition that refers to itself is not read again.
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

    def _pieces(self, schema: Any, above: frozenset[int]) -> list[dict[str, Any]]:
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

    def _referred(self, reference: Any) -> Any:
        """Return the target of a reference within the schema: "#/$defs/Step"; None for any other."""
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return None
        here: Any = self._root
        for key in reference[2:].split("/"):
            here = here.get(key.replace("~1", "/").replace("~0", "~")) if isinstance(here, dict) else None
        return here


def _named(piece: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the fields of one object, and the schema of each; None for one that is only required."""
    named = piece.get("properties")
    inner: Mapping[str, Any] = named if isinstance(named, Mapping) else {}
    yield from inner.items()
    yield from ((str(name), None) for name in _required(piece) if str(name) not in inner)


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add the fields of another branch."""
    for name, inner in more.items():
        _merge(into.setdefault(name, {}), inner)
