"""The documents of documents.yaml, the answers that are broken in known places, and what is said to be wrong there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

Fault = Mapping[str, Any]
"""Name, path, rule, and the value that stands there; see documents.yaml."""
Step = str | int
RULES = {
    "minimum": ("minimum", "exclusiveMinimum"),
    "maximum": ("maximum",),
    "min_length": ("minLength",),
    "max_length": ("maxLength",),
    "min_items": ("minItems",),
    "max_items": ("maxItems",),
}
"""By rule the keywords of JSON Schema that set its limit."""


@cache
def documents() -> dict[str, dict[str, Any]]:
    """Return the documents by name."""
    read = yaml.safe_load(Path(__file__).with_name("documents.yaml").read_text(encoding="utf-8"))
    return {one["name"]: one for one in read}


def faults(document: str) -> dict[str, Fault]:
    """Return the ways to break a document, by name."""
    return {one["name"]: one for one in documents()[document]["breaks"]}


def schema_at(document: str, path: list[Step]) -> dict[str, Any]:
    """Return the schema of the value at a path; {} for a field that the schema does not have."""
    schema: dict[str, Any] = documents()[document]["schema"]
    for step in path:
        schema = schema["items"] if isinstance(step, int) else schema["properties"].get(step, {})
    return schema


def limit_of(document: str, fault: Fault) -> int | float | None:
    """Return the limit that the fault breaks, None where its rule has none."""
    schema = schema_at(document, fault["path"])
    return next((schema[word] for word in RULES.get(fault["rule"], ()) if word in schema), None)


def neighbours(document: str, fault: Fault) -> list[list[Step]]:
    """Return the fault's path in each other item of the lists it stands in, as far as the good answer has it."""
    moved = []
    for at, step in enumerate(fault["path"]):
        if isinstance(step, int):
            above = _value(documents()[document]["good"], fault["path"][:at])
            paths = ([*fault["path"][:at], n, *fault["path"][at + 1 :]] for n in range(len(above)) if n != step)
            moved += [path for path in paths if _exists(document, path[:-1])]
    return moved


def same_item_rule(one: Fault, other: Fault) -> bool:
    """Whether two faults are the same rule at the same field of different items."""
    return one["rule"] == other["rule"] and one["path"] != other["path"] and _bare(one) == _bare(other)


def _bare(fault: Fault) -> list[Step]:
    return [step if isinstance(step, str) else 0 for step in fault["path"]]


def _value(good: Any, path: list[Step]) -> Any:
    for step in path:
        good = good[step]
    return good


def _exists(document: str, path: list[Step]) -> bool:
    try:
        _value(documents()[document]["good"], path)
    except (KeyError, IndexError, TypeError):
        return False
    return True
