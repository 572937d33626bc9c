"""Compare JSON Schemas: which answers are newly allowed, which no longer, and what only the model reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from ...document.path import to_dotted


class Effect(StrEnum):
    """How a change affects the answers that match."""

    WIDER = "wider"
    """Some more answers match."""
    NARROWER = "narrower"
    """Some answers no longer match."""
    OTHER = "other"
    """Both kinds of effect, as far as can be known."""
    WORDS = "words"
    """The same answers match, but the model reads other words."""


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One difference at one place."""

    place: str
    """"steps[*].status"; "" for the whole answer."""
    what: str
    effect: Effect

    @property
    def breaking(self) -> bool:
        """True if an answer that matched may no longer match."""
        return self.effect in (Effect.NARROWER, Effect.OTHER)

    def __str__(self) -> str:
        return f"{self.place}: {self.what}" if self.place else self.what


STEPS = 20_000
"""Maximum number of places to compare. It is needed for a recorded tool whose schema's references multiply."""
MOST = 200
"""Maximum number of changes to list. Two unrelated schemas differ in more places than anyone reads."""
_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
_FORMS = (
    "pattern",
    "format",
    "multipleOf",
    "uniqueItems",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "contains",
)
_WORDS = ("title", "description", "examples", "default")
_BESIDE = {*_WORDS, "$defs", "definitions", "deprecated", "$schema", "$id", "discriminator"}
Schema = Mapping[str, Any]


def schema_changes(before: object, after: object) -> tuple[SchemaChange, ...]:
    """Return the changes between two JSON Schemas, place by place, at most `MOST`."""
    found: list[SchemaChange] = []
    for change in _Comparison(before, after).changes(before, after, ()):
        if change not in found:
            found.append(change)
        if len(found) == MOST:
            break
    return tuple(found)


class _Comparison:
    """Two documents during their comparison. A pair that is being compared already is a recursion, and is skipped."""

    def __init__(self, before: object, after: object) -> None:
        self._roots = (before, after)
        self._open: set[tuple[str, str]] = set()
        self._steps = 0

    def changes(self, before: object, after: object, path: tuple[str | None, ...]) -> Iterator[SchemaChange]:
        one, other = (_resolved(side, root) for side, root in zip((before, after), self._roots, strict=True))
        pair = (_text(one), _text(other))
        self._steps += 1
        if (pair[0] == pair[1] and '"$ref"' not in _text(one)) or pair in self._open or self._steps > STEPS:
            return
        self._open.add(pair)
        place = to_dotted(path) if path else ""
        yield from (replace(change, place=change.place or place) for change in self._here(one, other, path))
        self._open.discard(pair)

    def _here(self, before: Schema, after: Schema, path: tuple[str | None, ...]) -> Iterator[SchemaChange]:
        old, new = (_alternatives(side, root) for side, root in zip((before, after), self._roots, strict=True))
        if len(old) > 1 or len(new) > 1:
            yield from self._of_alternatives(old, new, path)
            yield from _words(before, after)
            return
        yield from _types(before, after)
        yield from _values(before, after)
        yield from _bounds(before, after)
        yield from _words(before, after)
        yield from self._of_object(before, after, path)
        yield from self._of_items(before, after, path)

    def _of_alternatives(
        self, old: Sequence[Schema], new: Sequence[Schema], path: tuple[str | None, ...]
    ) -> Iterator[SchemaChange]:
        """Pair equal alternatives, then those of the same type or name. The rest are gone or new."""
        gone, fresh = [a for a in old if a not in new], [b for b in new if b not in old]
        for one in [*gone]:
            twin = next((b for b in fresh if _kind(b) == _kind(one)), None)
            if twin is not None:
                gone.remove(one)
                fresh.remove(twin)
                yield from self.changes(one, twin, path)
        yield from (_change(f"{_kind(one)} is no longer allowed", Effect.NARROWER) for one in gone)
        yield from (_change(f"{_kind(one)} is allowed, too", Effect.WIDER) for one in fresh)

    def _of_object(self, before: Schema, after: Schema, path: tuple[str | None, ...]) -> Iterator[SchemaChange]:
        old, new = (_mapping(side.get("properties")) for side in (before, after))
        demanded, demands = (set(side.get("required", ())) for side in (before, after))
        closed = [side.get("additionalProperties") is False for side in (before, after)]
        for name in sorted(demanded - demands):
            yield _at((*path, name), "no longer required", Effect.WIDER)
        for name in sorted(demands - demanded):
            yield _at((*path, name), "required now", Effect.NARROWER)
        for name in sorted(old.keys() - new.keys()):
            yield _at((*path, name), "gone from the schema", Effect.NARROWER if closed[1] else Effect.WIDER)
        for name in sorted(new.keys() - old.keys()):
            yield _at((*path, name), "new in the schema", Effect.WIDER if closed[0] else Effect.WORDS)
        if closed[0] != closed[1]:
            word = "no longer allowed" if closed[1] else "allowed now"
            yield _change(f"other fields are {word}", Effect.NARROWER if closed[1] else Effect.WIDER)
        for name in sorted(old.keys() & new.keys()):
            yield from self.changes(old[name], new[name], (*path, name))
        if all(isinstance(side.get("additionalProperties"), Mapping) for side in (before, after)):
            yield from self.changes(before["additionalProperties"], after["additionalProperties"], (*path, None))

    def _of_items(self, before: Schema, after: Schema, path: tuple[str | None, ...]) -> Iterator[SchemaChange]:
        if "items" in before or "items" in after:
            yield from self.changes(before.get("items", {}), after.get("items", {}), (*path, None))
        if before.get("prefixItems") != after.get("prefixItems"):
            yield _change("its items by position changed", Effect.OTHER)


def _resolved(schema: object, root: object) -> Schema:
    """Return a schema with its reference resolved; {} for a reference that leads nowhere or in a cycle."""
    found = _mapping(schema)
    for _ in range(8):
        reference = found.get("$ref")
        if not isinstance(reference, str):
            return found
        target: object = root
        for part in reference.removeprefix("#").strip("/").split("/"):
            target = _mapping(target).get(part.replace("~1", "/").replace("~0", "~")) if part else target
        found = {**_mapping(target), **{name: value for name, value in found.items() if name != "$ref"}}
    return {}


def _alternatives(schema: Schema, root: object) -> list[Schema]:
    """Return the alternatives: the parts of "anyOf" or "oneOf", or one per type in a list of types."""
    for name in ("anyOf", "oneOf"):
        if isinstance(schema.get(name), list):
            return [part for each in schema[name] for part in _alternatives(_resolved(each, root), root)]
    if isinstance(schema.get("type"), list):
        return [{**schema, "type": kind} for kind in schema["type"]]
    return [schema]


def _types(before: Schema, after: Schema) -> Iterator[SchemaChange]:
    old, new = before.get("type"), after.get("type")
    if old != new:
        wider = new is None or (old, new) == ("integer", "number")
        narrower = old is None or (old, new) == ("number", "integer")
        yield _change(
            f"{old or 'any type'} → {new or 'any type'}",
            Effect.WIDER if wider else Effect.NARROWER if narrower else Effect.OTHER,
        )


def _values(before: Schema, after: Schema) -> Iterator[SchemaChange]:
    old, new = _enum(before), _enum(after)
    if old is None or new is None:
        if old is not new:
            effect = Effect.WIDER if new is None else Effect.NARROWER
            yield _change("any value is allowed" if new is None else f"only {_listed(list(new))} allowed", effect)
        return
    if gone := [value for value in old if value not in new]:
        yield _change(f"{_listed(gone)} no longer allowed", Effect.NARROWER)
    if fresh := [value for value in new if value not in old]:
        yield _change(f"{_listed(fresh)} allowed, too", Effect.WIDER)


def _enum(schema: Schema) -> list[str] | None:
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    return [_text(value) for value in values] if isinstance(values, list) else None


def _bounds(before: Schema, after: Schema) -> Iterator[SchemaChange]:
    for name in (*_LOWER, *_UPPER, *_FORMS):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        effect = Effect.OTHER
        if old is None or new is None:
            effect = Effect.NARROWER if old is None else Effect.WIDER
        elif isinstance(old, int | float) and isinstance(new, int | float) and name not in _FORMS:
            effect = Effect.WIDER if (new < old) == (name in _LOWER) else Effect.NARROWER
        yield _change(f"{name} {_shown(old)} → {_shown(new)}", effect)


def _words(before: Schema, after: Schema) -> Iterator[SchemaChange]:
    for name in _WORDS:
        if before.get(name) != after.get(name):
            yield _change(f"{name} {_shown(before.get(name))} → {_shown(after.get(name))}", Effect.WORDS)


def _change(what: str, effect: Effect) -> SchemaChange:
    return SchemaChange("", what, effect)


def _at(path: tuple[str | None, ...], what: str, effect: Effect) -> SchemaChange:
    return SchemaChange(to_dotted(path), what, effect)


def _kind(schema: Schema) -> str:
    """Return the name of an alternative: its title, its type, or its values."""
    values = _enum(schema)
    return str(schema.get("title") or schema.get("type") or (_listed(values) if values else "another value"))


def _listed(values: Sequence[str]) -> str:
    return ", ".join(values)


def _mapping(value: object) -> Schema:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def _shown(value: object) -> str:
    text = "none" if value is None else _text(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
