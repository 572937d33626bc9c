"""Propose what may fix one finding: small changes of the answer, the likeliest first. The contract says which does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ....contract.failure_kinds import FailureKind
from ....document.edit import Edit
from ....document.path import value_at
from .schema_examples import MAX_SIZE, nodes_at, resized, samples

if TYPE_CHECKING:
    from ....contract.finding import Finding

_ABSENT = object()
MAX_SIBLINGS = 4
"""Items of a list whose values are tried in the place of another item's."""
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,15}")


def edits(finding: Finding, data: Any, contract: Any, donors: Sequence[Any] = ()) -> Iterator[Edit]:
    """Changes that may fix a finding, and touch nothing but its place.

    Args:
        finding: what is wrong.
        data: the parsed answer.
        contract: for its JSON Schema and its content constraints, where it has them.
        donors: later answers of the same conversation: what the model itself put in that place.
    """
    path = finding.path
    now = _at(data, path)
    for donor in donors:
        yield from _from_donor(path, now, _at(donor, path))
    if finding.kind is FailureKind.EXTRA:
        yield Edit("drop", path)
        return
    for value in (*_of_siblings(path, data), *_values(finding, now, data, contract)):
        yield Edit("add" if now is _ABSENT else "put", path, value)
    if isinstance(path[-1], int) and now is not _ABSENT:
        yield Edit("drop", path)


def _from_donor(path: tuple[str | int, ...], now: Any, other: Any) -> Iterator[Edit]:
    if other is _ABSENT and now is not _ABSENT:
        yield Edit("drop", path)
    elif other is not _ABSENT and now is _ABSENT:
        yield Edit("add", path, other)
    elif other is not _ABSENT and (type(other), other) != (type(now), now):
        yield Edit("put", path, other)


def _of_siblings(path: tuple[str | int, ...], data: Any) -> Iterator[Any]:
    """Yield what other items of the innermost list have in that place: `guests[0].age` for `guests[1].age`."""
    at = next((n for n in reversed(range(len(path))) if isinstance(path[n], int)), None)
    items = _at(data, path[:at]) if at is not None else None
    for number, _ in enumerate(items[:MAX_SIBLINGS] if isinstance(items, list) else ()):
        value = _at(data, (*path[:at], number, *path[at + 1 :])) if at is not None and number != path[at] else _ABSENT
        if value is not _ABSENT:
            yield value


def _values(finding: Finding, now: Any, data: Any, contract: Any) -> Iterator[Any]:
    yield from finding.allowed[:5]
    yield from _cast(now)
    schema = getattr(contract, "json_schema", None)
    root: Mapping[str, Any] = schema if isinstance(schema, Mapping) else {}
    for node in (*constraint_rules(finding, data, contract), *nodes_at(root, finding.path)):
        if now is not _ABSENT:
            yield from resized(now, node, root)
        yield from samples(node, root)
    yield from _reworded(finding, now, data, contract)


def _cast(now: Any) -> Iterator[Any]:
    """Yield the same value in another type: models write "2" for 2 and one item for a list of one."""
    if isinstance(now, str):
        text = now.strip()
        if _WHOLE_NUMBER.fullmatch(text):
            yield int(text)
        elif text.casefold() in ("true", "false"):
            yield text.casefold() == "true"
        yield from ([now], [part.strip() for part in now.split(",")][:MAX_SIZE])
    elif now is not _ABSENT and not isinstance(now, dict | list):
        yield "" if now is None else str(now)
    elif isinstance(now, list) and len(now) == 1:
        yield now[0]


def constraint_rules(finding: Finding, data: Any, contract: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the content constraints of a place, in the words of JSON Schema."""
    for constraint in _constraints(finding, data, contract):
        params = constraint.params
        words = _AS_SCHEMA.get(constraint.constraint_type, {})
        node: dict[str, Any] = {
            word: params[name] for name, group in words.items() for word in group if params[name] is not None
        }
        if constraint.constraint_type == "non_empty":
            node = {"minLength": 1, "minItems": 1}
        if "enum" in node:
            node["enum"] = list(node["enum"])
        if node:
            yield node


def _constraints(finding: Finding, data: Any, contract: Any) -> list[Any]:
    found = [c for c in getattr(contract, "constraints", ()) if c.code == finding.code or finding.code == "missing"]
    return [c for c in found if finding.code == "missing" or _speaks_of(c, finding.path, data)]


def _speaks_of(constraint: Any, path: tuple[str | int, ...], data: Any) -> bool:
    return any(path[: len(where)] == where for where, _ in constraint.pattern.select(data))


_AS_SCHEMA: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "min_length": {"chars": ("minLength",)},
    "max_length": {"chars": ("maxLength",)},
    "count": {"min": ("minItems",), "max": ("maxItems",)},
    "range": {"min": ("minimum",), "max": ("maximum",)},
    "one_of": {"values": ("enum",)},
}


def _reworded(finding: Finding, now: Any, data: Any, contract: Any) -> Iterator[Any]:
    """For rules about words: with the wanted ones, without the forbidden ones, in words of its own."""
    if not isinstance(now, str):
        return
    for constraint in _constraints(finding, data, contract):
        values = [v for v in constraint.params.get("values", ()) if isinstance(v, str)]
        if constraint.constraint_type == "contains":
            yield " ".join([now, *values]).strip()
        elif constraint.constraint_type == "excludes":
            text = now
            for value in values:
                text = re.sub(re.escape(value), "other", text, flags=re.IGNORECASE)
            yield text
    if finding.code in ("distinct", "not_copied"):
        yield f"{now} (another one)"
        yield "something of its own"


def _at(data: Any, path: tuple[str | int, ...]) -> Any:
    try:
        return value_at(data, path)
    except LookupError:
        return _ABSENT
