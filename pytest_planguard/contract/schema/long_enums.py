"""Shorten long enums for the validator that lists errors: each of its errors copies the whole enum.

An answer of 15,000 wrong words and an enum of 2,000 took 2 GB. The shortened schema accepts the same values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LONG = 20
"""Maximum number of values of an enum that errors may copy: about a kilobyte."""
_SHOWN = 4
"""Number of values of a long enum that an error copies. The validator's message names two and counts the others."""
_WITHOUT_IF = ("/draft-03", "/draft-04", "/draft-06")
"""Drafts that ignore `if`."""
_DATA = ("const", "default", "dependencies", "dependentRequired", "enum", "examples")
"""Keywords whose values may hold a list named "enum" that is data, or names of keys."""


def with_short_enums(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return an equivalent schema whose errors about an enum list `LONG` of its values at most.

    `{"enum": [2,000 values]}` becomes `{"if": {"enum": (2,000 values)}, "else": {"enum": (4 values)}}`: the error is
    still one of an enum at the same place, and `whole_enum` finds all values by its path. Schemas of old drafts and
    those without long enums are returned unchanged.
    """
    old = any(draft in str(schema.get("$schema", "")) for draft in _WITHOUT_IF)
    return dict(schema) if old else _shortened(schema, {})


def _shortened(node: Any, known: dict[int, Any]) -> Any:
    """Return a part of the schema with short enums; parts that were one object stay one object.

    Args:
        node: the part.
        known: the results for other parts, by identity.
    """
    if not isinstance(node, Mapping | list):
        return node
    if id(node) not in known:
        if isinstance(node, list):
            known[id(node)] = [_shortened(one, known) for one in node]
        else:
            left = {key: value if key in _DATA else _shortened(value, known) for key, value in node.items()}
            known[id(node)] = _with_condition(left)
    return known[id(node)]


def _with_condition(node: dict[str, Any]) -> dict[str, Any]:
    values = node.get("enum")
    if not isinstance(values, list) or len(values) <= LONG:
        return node
    short = {"if": {"enum": tuple(values)}, "else": {"enum": tuple(values[:_SHOWN])}}
    left = {key: value for key, value in node.items() if key != "enum"}
    return {**left, "allOf": [*left.get("allOf", ()), short]}


def whole_enum(condition: object) -> tuple[Any, ...] | None:
    """Return all values of an enum from the schema that replaced it; None for any other schema."""
    if not isinstance(condition, Mapping) or not isinstance(condition.get("if"), Mapping):
        return None
    values = condition["if"].get("enum")
    return values if isinstance(values, tuple) else None


def whole_message(message: str, number: int) -> str:
    """Return the validator's message about a shortened enum as it is for all of its values."""
    short = f" or {_SHOWN - 2} other candidates"
    return f"{message.removesuffix(short)} or {number - 2} other candidates" if message.endswith(short) else message
