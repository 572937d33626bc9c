"""Convert a JSON Schema to shapes. An unsupported keyword raises an error that names it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ...contract.failure_kinds import FailureKind
from ...document.path import to_pointer
from ...errors import UsageError
from .shapes import (
    Anything,
    Bound,
    Choice,
    Demand,
    Given,
    Items,
    Member,
    Null,
    Number,
    Record,
    Reference,
    Shape,
    Shapes,
    Span,
    Text,
    Truth,
    Values,
)

ANNOTATIONS = frozenset([
    "$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "title", "description", "default", "examples",
    "deprecated", "readOnly", "writeOnly", "contentMediaType", "contentEncoding", "contentSchema", "discriminator",
])  # fmt: skip
"""Keywords that don't restrict values."""
KEYWORDS = frozenset([
    "type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "minLength", "maxLength", "pattern", "format",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "items", "prefixItems", "minItems",
    "maxItems", "uniqueItems", "properties", "required", "additionalProperties", "propertyNames", "minProperties",
    "maxProperties",
])  # fmt: skip
"""Keywords that are supported."""
PLAIN_TEXTS = frozenset(["password", "path", "binary"])
"""Formats of pydantic types that accept any text: `SecretStr`, `Path`, `bytes`."""
FORMATS = frozenset(["date", "date-time", "time", "duration", "uuid", "email", "uri", "ipv4", "ipv6"])
_CONTAINERS = {"properties": "object", "required": "object", "additionalProperties": "object", "items": "array"}
"""Keywords that imply the type of a schema that does not state it."""


class SchemaReader:
    """Reads one schema.

    `plain` means that the schema itself is the contract. Otherwise pydantic validates: it turns a list with equal items
    into a set, and reports each missing item of a tuple.
    """

    def __init__(self, schema: Mapping[str, Any], *, plain: bool) -> None:
        self._root = schema
        self._own = plain
        self._definitions: dict[str, Shape] = {}

    def shapes(self) -> Shapes:
        """Return the schema as shapes.

        Raises:
            UsageError: a keyword or format is not supported; the message names it and its place.
        """
        root = self._shape(self._root, ())
        return Shapes(root, self._definitions)

    def _shape(self, schema: Any, at: tuple[str, ...], tag: str | None = None) -> Shape:
        if schema is True:
            return Anything()
        if schema is False:
            raise UsageError(f"no value fits the schema at {to_pointer(at)!r}: it is false")
        schema = _merged(schema, self._root, at)
        _refuse_unknown(schema, at)
        if "$ref" in schema:
            return self._reference(schema["$ref"], at, tag)
        if "enum" in schema or "const" in schema:
            return Values(tuple(schema.get("enum", [schema.get("const")])), FailureKind.ENUM)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                return self._choice(schema, keyword, at)
        return self._typed(schema, at, tag)

    def _reference(self, target: str, at: tuple[str, ...], tag: str | None) -> Shape:
        name = target if tag is None else f"{target} as {tag}"
        if name not in self._definitions:
            self._definitions[name] = Anything()  # a placeholder while the definition refers to itself
            self._definitions[name] = self._shape(_lookup(self._root, target), at, tag)
        return Reference(name)

    def _choice(self, schema: Mapping[str, Any], keyword: str, at: tuple[str, ...]) -> Shape:
        listed = [option for option in schema[keyword] if option is not False]  # no value takes that way
        if not listed:
            raise UsageError(f"no value fits the schema at {to_pointer(at)!r}: all of its {keyword} is false")
        tag = schema.get("discriminator", {}).get("propertyName") or _common_tag(listed, self._root)
        options = tuple(
            self._shape(option, (*at, keyword, str(n)), tag)
            for n, option in enumerate(schema[keyword])
            if option is not False
        )
        if not self._own and _is_decimal(listed):
            return Given(options[0], make=lambda number: number)
        return options[0] if len(options) == 1 else Choice(options, told=tag is not None)

    def _typed(self, schema: Mapping[str, Any], at: tuple[str, ...], tag: str | None) -> Shape:
        types = schema.get("type") or next((kind for key, kind in _CONTAINERS.items() if key in schema), None)
        if types is None:
            return Anything()
        names = types if isinstance(types, list) else [types]
        shapes = tuple(self._of_type(name, schema, at, tag) for name in names)
        return shapes[0] if len(shapes) == 1 else Choice(shapes)

    def _of_type(self, name: str, schema: Mapping[str, object], at: tuple[str, ...], tag: str | None) -> Shape:
        simple: dict[str, Callable[[], Shape]] = {
            "string": lambda: self._text(schema, at),
            "integer": lambda: _number(schema, at, whole=True),
            "number": lambda: _number(schema, at, whole=False),
            "boolean": Truth,
            "null": Null,
            "array": lambda: self._items(schema, at),
            "object": lambda: self._record(schema, at, tag),
        }
        if name not in simple:
            raise UsageError(f"unknown type {name!r} in the schema at {to_pointer(at)!r}")
        return simple[name]()

    def _items(self, schema: Mapping[str, Any], at: tuple[str, ...]) -> Shape:
        first = tuple(
            self._shape(item, (*at, "prefixItems", str(n))) for n, item in enumerate(schema.get("prefixItems", ()))
        )
        rest = schema.get("items", True)
        # pydantic reports each missing item of a tuple at a separate place.
        kind = None if first and not self._own else FailureKind.LENGTH
        count = _span(schema, "minItems", "maxItems", kind)
        if rest is False:
            count = count.within(Span(high=Bound(len(first), FailureKind.LENGTH)))
        item = Anything() if rest is False else self._shape(rest, (*at, "items"))
        reported = FailureKind.RULE if self._own else None
        unlike = Demand(as_text, reported) if schema.get("uniqueItems") else None
        return Items(item, first, _sound(count, "items", at), unlike)

    def _record(self, schema: Mapping[str, Any], at: tuple[str, ...], tag: str | None) -> Shape:
        needed = set(schema.get("required", ()))
        members = {
            name: Member(self._shape(below, (*at, "properties", name)), FailureKind.MISSING if name in needed else None)
            for name, below in schema.get("properties", {}).items()
        }
        members |= {name: Member(Anything(), FailureKind.MISSING) for name in needed - set(members)}
        others = schema.get("additionalProperties", True)
        closed = others is False
        names = schema.get("propertyNames", True)
        return Record(
            members,
            self._shape(others, (*at, "additionalProperties")) if isinstance(others, Mapping) else None,
            closed,
            _sound(_span(schema, "minProperties", "maxProperties", FailureKind.LENGTH), "members", at),
            self._text(names, (*at, "propertyNames")) if isinstance(names, Mapping) else Text(),
            tag=tag if tag in members else None,
        )

    def _text(self, schema: Mapping[str, object], at: tuple[str, ...]) -> Text:
        stated = schema.get("format")
        form = None if stated is None or stated in PLAIN_TEXTS else str(stated)
        if form is not None and form not in FORMATS and (self._own or form != "uuid4"):
            raise UsageError(
                f"no values are made for the format {form!r} of the schema at {to_pointer(at)!r}: "
                "give a strategy for its field with `given`"
            )
        patterns = (Demand(schema["pattern"], FailureKind.FORMAT),) if "pattern" in schema else ()
        length = _sound(_span(schema, "minLength", "maxLength", FailureKind.LENGTH), "characters", at)
        # pydantic reports a bad address with the same kind, be it text or not.
        typed = None if form in ("ipv4", "ipv6") and not self._own else FailureKind.TYPE
        return Text(length, patterns, form, typed=typed)


def as_text(value: object) -> str:
    """Return a comparison key for a JSON value. 1 and 1.0 have the same key."""
    import json

    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    return json.dumps(whole, sort_keys=True)


def _merged(schema: Mapping[str, Any], root: Mapping[str, Any], at: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the schema merged with its `allOf` parts, and with its `$ref` target if it has other keywords as well."""
    if False in (allowed := schema.get("allOf", ())):
        raise UsageError(f"no value fits the schema at {to_pointer(at)!r}: a part of its allOf is false")
    parts: list[Any] = [part for part in allowed if part is not True]  # `true` demands nothing
    rest = {key: value for key, value in schema.items() if key != "allOf"}
    if "$ref" in rest and set(rest) - ANNOTATIONS - {"$ref"}:
        parts.append(_lookup(root, rest.pop("$ref")))
    if len(parts) == 1 and not set(rest) - ANNOTATIONS:
        return {**rest, **parts[0]} if "$ref" not in parts[0] else {**parts[0]}
    for part in parts:
        flat = _merged(_lookup(root, part["$ref"]) if "$ref" in part else part, root, at)
        for key, value in flat.items():
            rest[key] = _both(key, rest[key], value, at) if key in rest and key not in ANNOTATIONS else value
    return rest


_TIGHTER: dict[str, Callable[[Any, Any], Any]] = {
    "properties": lambda one, other: {**one, **other},
    "required": lambda one, other: [*one, *other],
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}
"""How to merge two values of the same keyword."""


def _both(keyword: str, one: object, other: object, at: tuple[str, ...]) -> object:
    if one == other:
        return one
    if keyword in _TIGHTER:
        return _TIGHTER[keyword](one, other)
    raise UsageError(f"two different {keyword!r} in one allOf at {to_pointer(at)!r} are not generated; pass `given`")


def _refuse_unknown(schema: Mapping[str, object], at: tuple[str, ...]) -> None:
    unknown = sorted(key for key in schema if key not in ANNOTATIONS | KEYWORDS and not key.startswith("x-"))
    if unknown:
        raise UsageError(
            f"no values are made for the keyword {unknown[0]!r} of the schema at {to_pointer(at)!r}: "
            "give a strategy for its field with `given`"
        )


def _lookup(root: Mapping[str, Any], target: str) -> Any:
    """Return the target of a reference inside the schema: "#/$defs/Task"."""
    here: Any = root
    for part in target.removeprefix("#").split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        here = here[int(name)] if isinstance(here, list) else here.get(name) if isinstance(here, Mapping) else None
    if here is None or not target.startswith("#"):
        raise UsageError(f"the schema's reference {target!r} leads nowhere inside the schema")
    return here


def _common_tag(options: Iterable[Any], root: Mapping[str, Any]) -> str | None:
    """Return the member that has a different constant in every alternative, if any."""
    schemas = [option if isinstance(option, Mapping) else {} for option in options]  # `true` has no members
    tags = [_constants(_lookup(root, one["$ref"]) if "$ref" in one else one) for one in schemas]
    for name in tags[0] if tags else ():
        values = [tag.get(name) for tag in tags]
        if None not in values and len({as_text(value) for value in values}) == len(values):
            return name
    return None


def _constants(schema: Mapping[str, Any]) -> dict[str, Any]:
    members = schema.get("properties", {}).items()
    return {name: below["const"] for name, below in members if isinstance(below, Mapping) and "const" in below}


def _is_decimal(options: Sequence[Any]) -> bool:
    """Return True if the alternatives are pydantic's schema for a Decimal: a number, or numeric text."""
    types = [option.get("type") for option in options if isinstance(option, Mapping)]
    return types[:2] == ["number", "string"] and set(types[2:]) <= {"null"}


def _number(schema: Mapping[str, Any], at: tuple[str, ...], *, whole: bool) -> Number:
    size = _sound(_span(schema, "minimum", "maximum", FailureKind.RANGE), "numbers", at)
    return Number(whole, size, schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum"), schema.get("multipleOf"))


def _span(schema: Mapping[str, Any], low: str, high: str, kind: FailureKind | None) -> Span:
    return Span(*(Bound(schema[name], kind) if name in schema else None for name in (low, high)))


def _sound(span: Span, noun: str, at: tuple[str, ...]) -> Span:
    if span.low is not None and span.empty and span.high is not None:
        raise UsageError(
            f"no value fits the schema at {to_pointer(at)!r}: "
            f"at least {span.low.limit:g} and at most {span.high.limit:g} {noun}"
        )
    return span
