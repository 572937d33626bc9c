"""Small values that a JSON Schema allows, for a place with a missing or wrong value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...contract.schema.schema_fields import schemas_below
from ...wire.untrusted_json import sequence

MAX_DEPTH = 12
"""Maximum number of levels of a schema to follow; a recursive one ends there."""
MAX_SIZE = 1_000
"""Maximum number of characters or items of a sample; a rule that needs more cannot be sampled."""
Schema = Mapping[str, Any]

_FORMATS = {
    "date": "2024-01-31",
    "date-time": "2024-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "P1D",
    "email": "someone@example.com",
    "uri": "https://example.com/",
    "uuid": "6f1c2f0e-2c55-4c0e-9a3c-1f0a3b5d7e9f",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}


def samples(node: Schema, root: Schema, depth: int = 0) -> Iterator[Any]:
    """Yield values that a schema's keywords allow, the most likely first: few and small."""
    for keyword in ("const", "default"):
        if keyword in node:
            yield node[keyword]
    for keyword in ("enum", "examples"):
        values = node.get(keyword)
        yield from values[:5] if isinstance(values, list) else ()
    if depth < MAX_DEPTH:
        for kind in _types(node):
            if kind in _BY_TYPE:
                yield from _BY_TYPE[kind](node, root, depth)


def resized(value: object, node: Schema, root: Schema) -> Iterator[Any]:
    """Yield the value made longer, shorter, larger or smaller to fit the schema's bounds."""
    if isinstance(value, bool):
        return
    if isinstance(value, str):
        yield fitted(value, _whole(node, "minLength", 0), _whole(node, "maxLength", MAX_SIZE))
    elif isinstance(value, list):
        low, high = _whole(node, "minItems", 0), _whole(node, "maxItems", MAX_SIZE)
        yield _filled(value[: max(low, high)], low, node, root, 0)
    elif isinstance(value, int | float):
        yield clamped(value, node)


def fitted(text: str, low: int, high: int) -> str:
    """Return the text cut to `high` characters, or extended to `low` with its own words."""
    filler = f"{text.strip() or 'word'} "
    if len(text) < low:
        text = (text + " " if text and not text.endswith(" ") else text) + filler * (low // len(filler) + 1)
        text = text[:low]
        text = f"{text[:-1]}x" if text.endswith(" ") else text
    return text if len(text) <= high else f"{text[: max(0, high - 1)]}{'x' if high else ''}"


def clamped(number: float, node: Schema) -> float:
    """Return the nearest number within the bounds, as a multiple of `multipleOf` if there is one between them."""
    moved = _within(number, node)
    step = _number(node, "multipleOf") or (1 if node.get("type") == "integer" else 0)
    if step <= 0:
        return moved
    lower = moved - moved % step
    return lower if _within(lower, node) == lower else lower + step


def _within(number: float, node: Schema) -> float:
    """Return the number moved within the bounds, by one more if the bound itself is excluded."""
    low, high = _number(node, "minimum"), _number(node, "maximum")
    above, below = _number(node, "exclusiveMinimum"), _number(node, "exclusiveMaximum")
    if low is not None:
        number = max(number, low)
    if above is not None and number <= above:
        number = above + 1
    if high is not None:
        number = min(number, high)
    if below is not None and number >= below:
        number = below - 1
    return number


def _types(node: Schema) -> list[str]:
    named = node.get("type")
    if isinstance(named, str):
        return [named]
    if isinstance(named, list):
        return sorted((str(n) for n in named), key=lambda name: name == "null")
    return ["object"] if "properties" in node else []


def _texts(node: Schema, _root: Schema, _depth: int) -> Iterator[object]:
    form = node.get("format")
    if isinstance(form, str) and form in _FORMATS:
        yield _FORMATS[form]
    else:
        yield fitted("sample", _whole(node, "minLength", 0), _whole(node, "maxLength", MAX_SIZE))


def _numbers(node: Schema, _root: Schema, _depth: int) -> Iterator[object]:
    for start in (1, 0):
        number = clamped(start, node)
        yield int(number) if node.get("type") == "integer" else number


def _objects(node: Schema, root: Schema, depth: int) -> Iterator[object]:
    found = {}
    for name in sequence(node.get("required")):
        inner = [s for at in schemas_below(root, node, str(name)) for s in samples(at, root, depth + 1)]
        if not inner:
            return
        found[str(name)] = inner[0]
    yield found


def _filled(items: list[Any], low: int, node: Schema, root: Schema, depth: int) -> list[object]:
    """Return the list extended to its minimum length, with distinct items while the schema has samples."""
    if len(items) >= low:
        return items
    known = (
        [s for at in schemas_below(root, node, len(items)) for s in samples(at, root, depth + 1)] or items or ["sample"]
    )
    more = ((known[n % len(known)], n // len(known)) for n in range(low - len(items)))
    return [*items, *(f"{value} {turn + 1}" if turn and isinstance(value, str) else value for value, turn in more)]


_BY_TYPE = {
    "string": _texts,
    "integer": _numbers,
    "number": _numbers,
    "boolean": lambda *_: iter((True, False)),
    "array": lambda node, root, depth: iter([_filled([], _whole(node, "minItems", 0), node, root, depth)]),
    "object": _objects,
    "null": lambda *_: iter((None,)),
}


def _number(node: Schema, keyword: str) -> float | None:
    value = node.get(keyword)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _whole(node: Schema, keyword: str, otherwise: int) -> int:
    value = node.get(keyword)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_SIZE else otherwise
