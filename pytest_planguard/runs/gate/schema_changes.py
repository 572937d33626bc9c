"""Compare JSON Schemas: which answers are newly allowed, which no longer, and what only the model reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import Any

from ...contract.phrasing import plural
from ...document.path import to_dotted


class Effect(StrEnum):
    """How a change affects the answers that match."""

    WIDER = auto()
    """Some more answers match."""
    NARROWER = auto()
    """Some answers no longer match."""
    OTHER = auto()
    """Both kinds of effect, as far as can be known."""
    WORDS = auto()
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
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "dependentSchemas",
    "dependencies",
)
"""Keywords whose values are compared as a whole: that one pattern allows more than another cannot be known."""
_WORDS = ("title", "description", "examples", "default")
_UNIONS = ("anyOf", "oneOf")
NOT_ALL = "the schemas have more places than are compared, so further changes are unknown"
"""A separate change: a schema whose references multiply must not pass as an unchanged one."""
TOO_DEEP = "the schemas are nested too deep to be compared"
Schema = Mapping[str, Any]


def schema_changes(before: object, after: object) -> tuple[SchemaChange, ...]:
    """Return the changes between two JSON Schemas, place by place, at most `MOST`."""
    found: dict[SchemaChange, None] = {}
    comparison = _Comparison(before, after)
    try:
        for change in comparison.changes(before, after, ()):
            found[change] = None
            if len(found) == MOST:
                break
    except RecursionError:  # {"items": {"items": …}} 300 times over, from a recorded tool
        found[_change(TOO_DEEP, Effect.OTHER)] = None
    if comparison.ended_early:
        found[_change(NOT_ALL, Effect.OTHER)] = None
    return tuple(found)


class _Comparison:
    """Two documents during their comparison. A pair that is being compared already is a recursion, and is skipped."""

    def __init__(self, before: object, after: object) -> None:
        self._roots = (before, after)
        self._open: set[tuple[str, str]] = set()
        self._steps = 0
        definitions = [[_mapping(root).get(name) for name in ("$defs", "definitions")] for root in self._roots]
        self._redefined = definitions[0] != definitions[1]

    @property
    def ended_early(self) -> bool:
        """True if there are more places than `STEPS`."""
        return self._steps > STEPS

    def changes(self, before: object, after: object, path: tuple[str | None, ...]) -> Iterator[SchemaChange]:
        one, other = (_resolved(side, root) for side, root in zip((before, after), self._roots, strict=True))
        pair = (_text(one), _text(other))
        self._steps += 1
        if (pair[0] == pair[1] and '"$ref"' not in _text(one)) or pair in self._open or self._steps > STEPS:
            return
        self._open.add(pair)
        place = to_dotted(path) if path else ""
        yield from (replace(change, place=change.place or place) for change in self._here(one, other, path))
        # Only a pair inside itself is a recursion: the same two definitions at another place are compared there, too.
        self._open.discard(pair)

    def _here(self, before: Schema, after: Schema, path: tuple[str | None, ...]) -> Iterator[SchemaChange]:
        old, new = (_alternatives(side, root) for side, root in zip((before, after), self._roots, strict=True))
        unions = [any(name in side for name in _UNIONS) for side in (before, after)]
        if any(unions) or len(old) > 1 or len(new) > 1:
            yield from self._of_alternatives(old, new, path)
            if all(unions):  # {"properties": …, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}: both count
                before, after = ({k: v for k, v in side.items() if k not in _UNIONS} for side in (before, after))
            else:  # the alternatives of a list of types have the rest of the schema in them
                yield from _words(before, after)
                if any(union and _demands(side) for union, side in zip(unions, (before, after), strict=True)):
                    yield _change("demands beside a union of types came or went", Effect.OTHER)
                return
        yield from _types(before, after)
        yield from _values(before, after)
        yield from _bounds(before, after)
        yield from self._by_reference(before, after)
        yield from _words(before, after)
        yield from self._of_object(before, after, path)
        yield from self._of_items(before, after, path)
        yield from self._of_all(_list(before.get("allOf")), _list(after.get("allOf")), path)

    def _by_reference(self, before: Schema, after: Schema) -> Iterator[SchemaChange]:
        """Yield keywords that are compared as a whole, and are equal but for a definition that they refer to."""
        for name in _FORMS if self._redefined else ():
            if name in before and before[name] == after.get(name) and '"$ref"' in _text(before[name]):
                yield _change(f"{name} refers to definitions that changed", Effect.OTHER)

    def _of_alternatives(
        self, old: Sequence[Schema], new: Sequence[Schema], path: tuple[str | None, ...]
    ) -> Iterator[SchemaChange]:
        """Pair equal alternatives, then those of the same type or name. The rest are gone or new."""
        for same in (a for a in old if a in new):  # {"items": {"$ref": …}} is equal on both sides of a new definition
            yield from self.changes(same, same, path)
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
        demanded, demands = (
            {name for name in _list(side.get("required")) if isinstance(name, str)} for side in (before, after)
        )
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
        others = [_mapping(side.get("additionalProperties")) for side in (before, after)]
        if any(others) and not any(closed):
            yield from self.changes(others[0], others[1], (*path, None))

    def _of_items(self, before: Schema, after: Schema, path: tuple[str | None, ...]) -> Iterator[SchemaChange]:
        if "items" in before or "items" in after:
            yield from self.changes(before.get("items", {}), after.get("items", {}), (*path, None))
        old, new = (_list(side.get("prefixItems")) for side in (before, after))
        for one, other in zip(old, new, strict=False):
            yield from self.changes(one, other, (*path, None))
        if len(old) != len(new):
            yield _change("its items by position changed", Effect.OTHER)

    def _of_all(
        self, old: Sequence[object], new: Sequence[object], path: tuple[str | None, ...]
    ) -> Iterator[SchemaChange]:
        """Compare the parts of "allOf" in order. A part without a counterpart is one demand less, or one more."""
        for one, other in zip(old, new, strict=False):
            yield from self.changes(one, other, path)
        if len(old) != len(new):
            fewer = len(new) < len(old)
            what = f"allOf has {plural(len(new), 'part')}, and {len(old)} before"
            equal = old[: len(new)] == new[: len(old)]
            yield _change(what, (Effect.WIDER if fewer else Effect.NARROWER) if equal else Effect.OTHER)


def _resolved(schema: object, root: object) -> Schema:
    """Return a schema with its reference resolved; {} for a reference that leads nowhere or in a cycle."""
    found = {"not": {}} if schema is False else _mapping(schema)  # {"items": false} allows none
    for _ in range(8):  # a reference to a reference to …: a longer chain is a cycle
        reference = found.get("$ref")
        if not isinstance(reference, str):
            return found
        target: object = root
        for part in reference.removeprefix("#").strip("/").split("/"):
            target = _mapping(target).get(part.replace("~1", "/").replace("~0", "~")) if part else target
        found = {**_mapping(target), **{name: value for name, value in found.items() if name != "$ref"}}
    return {}


def _alternatives(schema: Schema, root: object) -> list[Schema]:
    """Return the alternatives: the parts of "anyOf" or "oneOf", or one per type in a list of types.

    Alternatives of alternatives are looked at once each: {"anyOf": [{"$ref": "#"}]} has itself among them. An inner
    union with demands beside it stays one alternative.
    """
    found: list[Schema] = []
    waiting, seen = [schema], {_text(schema)}
    while waiting:
        one = waiting.pop()
        union = next((one[name] for name in _UNIONS if isinstance(one.get(name), list)), None)
        if union is not None and (one is schema or not _demands(one)):
            parts = {_text(part): part for part in (_resolved(each, root) for each in reversed(union))}
            waiting += [part for text, part in parts.items() if text not in seen]
            seen |= parts.keys()
        elif isinstance(one.get("type"), list):
            found += [{**one, "type": kind} for kind in one["type"]]
        else:
            found.append(one)
    return found


def _demands(union: Schema) -> bool:
    """Return True if a union has more than its alternatives and words: {"anyOf": […], "required": ["a"]}."""
    return not union.keys() <= {*_UNIONS, *_WORDS, "$defs", "definitions", "discriminator"}


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
    before_all, after_all = set(old), set(new)
    if gone := [value for value in old if value not in after_all]:
        yield _change(f"{_listed(gone)} no longer allowed", Effect.NARROWER)
    if fresh := [value for value in new if value not in before_all]:
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
            # A lower minimum allows more, a lower maximum less.
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


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def _shown(value: object) -> str:
    text = "none" if value is None else _text(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
