"""Changes that may fix one finding of an answer, the most likely ones first. `repair` tries them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind
from ...contract.schema.schema_fields import schemas_at
from ...document.edit import Edit
from ...document.path import get_at
from .schema_examples import MAX_SIZE, resized, samples

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...document.path import Path


_ABSENT = object()
MAX_SIBLINGS = 4
"""Maximum number of items of a list whose values may replace another item's."""
MAX_ALLOWED = 5
"""Maximum number of a finding's allowed values to try, so that tries are left for other changes."""
# "2" and "-14"; more digits may not be a whole number in JavaScript, which many apps use.
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,15}")


def edits(finding: Finding, data: object, contract: object, donors: Sequence[object] = ()) -> Iterator[Edit]:
    """Yield changes that may fix a finding and only touch its place.

    Args:
        finding: the finding to fix.
        data: the parsed answer.
        contract: for its JSON Schema and its content constraints, if it has them.
        donors: later answers of the same conversation, with the model's own values for that place.
    """
    path = finding.path
    now = get_at(data, path, _ABSENT)
    for donor in donors:
        yield from _from_donor(path, now, get_at(donor, path, _ABSENT))
    if finding.kind is FailureKind.EXTRA:
        yield Edit("drop", path)
        return
    for value in (*_of_siblings(path, data), *_values(finding, now, data, contract)):
        yield Edit("add" if now is _ABSENT else "put", path, value)
    if isinstance(path[-1], int) and now is not _ABSENT:  # last, since the items behind it get other numbers
        yield Edit("drop", path)


def _from_donor(path: Path, now: object, other: object) -> Iterator[Edit]:
    if other is _ABSENT and now is not _ABSENT:
        yield Edit("drop", path)
    elif other is not _ABSENT and now is _ABSENT:
        yield Edit("add", path, other)
    elif other is not _ABSENT and (type(other), other) != (type(now), now):  # for Python, 1 equals true
        yield Edit("put", path, other)


def _of_siblings(path: Path, data: object) -> Iterator[object]:
    """Yield the values at that place in other items of the list: `guests[0].age` for `guests[1].age`."""
    at = next((n for n in reversed(range(len(path))) if isinstance(path[n], int)), None)
    if at is None:
        return
    for number in range(MAX_SIBLINGS):
        value = get_at(data, (*path[:at], number, *path[at + 1 :]), _ABSENT)
        if number != path[at] and value is not _ABSENT:
            yield value


def _values(finding: Finding, now: object, data: object, contract: object) -> Iterator[object]:
    yield from finding.allowed[:MAX_ALLOWED]
    yield from _cast(now)
    schema = getattr(contract, "json_schema", None)
    root: Mapping[str, object] = schema if isinstance(schema, Mapping) else {}
    for node in (*constraint_rules(finding, data, contract), *schemas_at(root, finding.path)):
        if now is not _ABSENT:
            yield from resized(now, node, root)
        yield from samples(node, root)
    yield from _reworded(finding, now, data, contract)


def _cast(now: object) -> Iterator[object]:
    """Yield the value in another type: models write "2" for 2, and one item for a list with one item."""
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


def constraint_rules(finding: Finding, data: object, contract: object) -> Iterator[Mapping[str, Any]]:
    """Yield the content constraints at a place, as keywords of JSON Schema."""
    for constraint in _constraints(finding, data, contract):
        params = constraint.params
        words = _AS_SCHEMA.get(constraint.constraint_type, {})
        node: dict[str, Any] = {word: params[name] for name, word in words.items() if params[name] is not None}
        if constraint.constraint_type == "non_empty":
            node = {"minLength": 1, "minItems": 1}
        if "enum" in node:
            node["enum"] = list(node["enum"])
        if node:
            yield node


def _constraints(finding: Finding, data: object, contract: object) -> list[Any]:
    found, path = getattr(contract, "constraints", ()), finding.path
    if finding.code == "missing":
        return [*found]
    alike = (c for c in found if c.code == finding.code)
    return [c for c in alike if any(path[: len(where)] == where for where, _ in c.pattern.select(data))]


_AS_SCHEMA: Mapping[str, Mapping[str, str]] = {
    "min_length": {"chars": "minLength"},
    "max_length": {"chars": "maxLength"},
    "count": {"min": "minItems", "max": "maxItems"},
    "range": {"min": "minimum", "max": "maximum"},
    "one_of": {"values": "enum"},
}
"""Maps types of content constraints to their parameters, and those to keywords of JSON Schema."""


def _reworded(finding: Finding, now: object, data: object, contract: object) -> Iterator[Any]:
    """Yield texts for rules about words: with the required words, without the forbidden ones, or with new ones."""
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
