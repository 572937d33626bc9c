"""Documents of six kinds, known ways to break them, and what real validators said: fixtures/feedback/."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from functools import cache
from typing import Annotated, Any, Literal, Optional

import yaml
from pydantic import ConfigDict, Field, create_model

from ....support.paths import ROOT

FOLDER = ROOT / "fixtures" / "feedback"
LIMITS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "pattern": "pattern",
}
PLAIN = {"string": str, "integer": int, "number": float, "boolean": bool}


@cache
def documents() -> dict[str, dict[str, Any]]:
    """By name: schema, good answer, ways to break it."""
    return {one["name"]: one for one in yaml.safe_load((FOLDER / "documents.yaml").read_text(encoding="utf-8"))}


def broken(document: dict[str, Any], names: list[str]) -> Any:
    """The good answer with the named places broken."""
    bad = deepcopy(document["good"])
    for way in document["breaks"]:
        if way["name"] in names:
            *above, last = way["path"]
            inner = bad
            for step in above:
                inner = inner[step]
            if way.get("delete"):
                del inner[last]
            else:
                inner[last] = way["value"]
    return bad


def as_model(schema: dict[str, Any], name: str = "Answer") -> Any:
    """The pydantic type that says what the schema says."""
    kind = schema.get("type")
    limits = {ours: schema[theirs] for theirs, ours in LIMITS.items() if theirs in schema}
    if kind == "object":
        fields = {n: _field(s, n, n in schema["required"]) for n, s in schema["properties"].items()}
        extra = "forbid" if schema.get("additionalProperties") is False else "ignore"
        return create_model(name, __config__=ConfigDict(extra=extra), **fields)
    if kind == "array":
        return Annotated[list[as_model(schema["items"], name.rstrip("s"))], Field(**limits)]
    if "anyOf" in schema:
        return Optional[as_model(schema["anyOf"][0], name)]  # noqa: UP045 - built at run time
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if schema.get("format") == "date":
        return date
    plain = PLAIN[kind or "string"]
    return Annotated[plain, Field(**limits)]


def _field(schema: dict[str, Any], name: str, required: bool) -> Any:
    kind = as_model(schema, name.title())
    return (kind, ...) if required else (kind | None, None)
