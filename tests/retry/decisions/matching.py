"""What becomes of findings of every kind below words of every kind: the grade of each finding of an answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pytest_planguard import Contract, Finding

from ...support.decisions import Block, Messages, inputs, quoted
from ...support.places import dotted
from .hearing import Found, at_limits

SCHEMA: dict[str, Any] = {
    "title": "Order",
    "type": "object",
    "properties": {
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "price": {"type": "number"},
        "paid": {"type": "boolean"},
        "name": {"type": "string", "minLength": 3, "maxLength": 8},
        "status": {"enum": ["open", "closed"]},
        "day": {"type": "string", "format": "date"},
        "code": {"type": "string", "pattern": "^[A-Z]+$"},
        "tags": {"type": "array", "minItems": 1, "maxItems": 2, "uniqueItems": True, "items": {"type": "string"}},
        "address": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "integer"}, "note": {"minLength": 2}},
                "required": ["id"],
            },
        },
    },
    "required": ["count", "name"],
    "additionalProperties": False,
}
BROKEN: tuple[dict[str, Any], ...] = (
    {"count": "two", "name": "Ada", "price": "dear", "paid": "maybe"},
    {"count": 0, "name": "Al", "status": "opne"},
    {"count": 12, "name": "A very long name", "day": "soon", "code": "ab1"},
    {"name": "Ada", "tags": [], "address": {}},
    {"count": 1, "name": "Ada", "tags": ["a", "b", "c"], "address": "home", "nmae": 1},
    {"count": 1, "name": 5, "tags": ["a", "a"], "lines": [{"id": 1, "note": "x"}, {"note": "ok"}, {"id": "three"}]},
)
SAYINGS = inputs("retry", "sayings")


def matches(page: Messages) -> Iterator[Block]:
    """What becomes of the findings of an answer below each saying, which is made of each of them in a line or more."""
    contract = Contract(SCHEMA)
    for data in BROKEN:
        errors = contract.check(json.dumps(data)).errors
        values = [_values(finding) for finding in errors]
        made = ((saying, "\n".join(saying.format(**one) for one in values)) for saying in SAYINGS)
        block = at_limits(page, json.dumps(data), Found(errors, data), made)
        named = [one._replace(name=quoted(one.input), input=f"{block.title}: {one.input}") for one in block.decided]
        yield Block(f"the answer {block.title}", named)


def _values(finding: Finding) -> dict[str, object]:
    """Return what a saying is filled with."""
    return {
        "place": dotted(finding.path) or "(whole answer)",
        "slashed": "/".join(map(str, finding.path)),
        "key": str(finding.path[-1]) if finding.path else "answer",
        "message": finding.validator_message or finding.message,
        "code": finding.validator_code,
        "actual": finding.actual,
        "expected": finding.expected,
    }
