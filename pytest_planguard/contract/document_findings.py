"""Findings about an answer as a whole: syntax, a refusal, truncation, prose, a returned schema, an encoded document.

One clear finding replaces the dozen misleading ones that the validator reports.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..document.prose import classify, loop_message, repeated_end
from .failure_kinds import FailureKind
from .finding import Finding, Related, Severity, any_bad
from .phrasing import as_json, clip
from .schema.bounds import target_of
from .schema.schema import SchemaCheck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..document.answer import Document
    from ..document.formats.reading import Problem
    from .constraints.constraint import ContentConstraint


REFUSED = ("refusal", "content_filter")
"""Finish reasons that mean that the model declined."""
CUT = "length"
"""The finish reason of an answer that reached the token limit."""


def refusal_finding(finish: str | None, refusal: str | None) -> Finding | None:
    """Return the finding for a refusal; None if the provider reports none."""
    if refusal:
        return Finding("refusal", (), f"the model declined: {as_json(refusal)}", FailureKind.REFUSAL)
    if finish in REFUSED:
        return Finding("refusal", (), f"the model declined (finish reason {finish})", FailureKind.REFUSAL)
    return None


def parse_findings(document: Document, finish: str | None) -> list[Finding]:
    """Return the document's syntax problems, and notes on the text that was stripped around it."""
    found = [_problem(problem) for problem in document.problems]
    notes = [
        Finding(note.code, (), note.message, FailureKind(note.code), Severity.INFO, note.span)
        for note in document.notes
    ]
    if finish == CUT:
        found = [_cut_off_finding(document, found)]
    return notes + found


def _problem(problem: Problem) -> Finding:
    return Finding(
        code=problem.code,
        path=problem.path,
        message=problem.message,
        kind=FailureKind(problem.code),
        span=problem.span,
        expected=problem.expected,
        actual=None if problem.actual is None else clip(problem.actual),
        related=tuple(Related(message, span=span) for message, span in problem.related),
        validator_message=problem.parser_message,
    )


def _cut_off_finding(document: Document, found: list[Finding]) -> Finding:
    """Return the finding for an answer that reached the token limit.

    It is only a warning if the document is complete anyway (a closed JSON value or a closed fence). An answer that
    repeats itself up to the limit is a loop: a higher limit would only make it longer.
    """
    repeated = repeated_end(document.text) if found else None
    if repeated is not None:
        message = f"{loop_message(repeated)}, at the token limit"
        return Finding("loop", (), message, FailureKind.LOOP, span=found[0].span)
    after = document.text[document.offset + len(document.body) :]
    if found or not (document.format == "json" or "```" in after or "~~~" in after):
        span = found[0].span if found else None
        reason = f" ({found[0].message})" if found else ""
        message = f"the answer was cut off at the token limit{reason}"
        return Finding("truncated", (), message, FailureKind.TRUNCATED, span=span)
    message = "the token limit was reached, but the document is complete"
    return Finding("truncated", (), message, FailureKind.TRUNCATED, Severity.WARN)


# Prose that happens to parse: Markdown although data is expected, or "k1: some words" without a schema.


def stray_text(document: Document, schema: SchemaCheck, constraints: Sequence[ContentConstraint]) -> Finding | None:
    """Return the finding for a text that only looks like a document; None for a real document."""
    if document.format == "markdown" and _wants_data(schema):
        wanted = "JSON"
    elif document.format == "yaml" and schema.json_schema() is None and _one_remark(document.data, constraints):
        wanted = "YAML"
    else:
        return None
    kind, message = classify(document.text)
    return Finding(kind, (), f"{message}; there is no {wanted} document in it", FailureKind(kind))


def _wants_data(schema: SchemaCheck) -> bool:
    """Return True if the schema describes an object or a list, so that plain text can never be the answer."""
    described = schema.json_schema() or {}
    root = target_of(described.get("$ref"), described) or described
    return root.get("type") in ("object", "array") or "properties" in root


def _one_remark(data: object, constraints: Sequence[ContentConstraint]) -> bool:
    """Return True if a mapping is one key with some words, and no constraint is about that key."""
    if not isinstance(data, dict) or len(data) != 1:
        return False
    ((key, value),) = data.items()
    asked = any(rule.field == key or rule.field.startswith(f"{key}.") for rule in constraints)
    return isinstance(value, str) and len(value.split()) > 1 and not asked


_SCHEMA_WORDS = frozenset({"type", "required", "$schema", "title", "description", "additionalProperties", "$defs"})
_MEMBER_WORDS = frozenset({"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "items"})
_ENVELOPE = frozenset({"schema", "json_schema", "parameters", "input_schema", "function", "response_format"})
"""Keys under which requests hold a schema."""
_LABELS = frozenset({"name", "type", "strict", "description", "title"})
"""Keys that requests have next to the schema."""
_SIGNS = _ENVELOPE | {"properties", "$defs"}
"""Keys that suggest a schema. Every schema has at least one, bare or wrapped."""
_LAYERS = 4
"""Maximum number of layers to look into: the schema and up to three wrappers around it, as in `response_format`."""
_ENCODED_LIMIT = 1_000_000  # longest string that is tried as JSON


def diagnose(check: SchemaCheck, data: object) -> Finding | None:
    """Return the finding that explains why the data as a whole does not fit; None if only parts are wrong."""
    if isinstance(data, str):
        return _encoded(data)
    for where, inner in _inner(data):  # first: under "properties", items that have a "type" look like a schema
        fits = isinstance(inner, (Mapping, list)) and inner and where not in _keys(check)
        if fits and not any_bad(check.validate(inner)[1]):
            around = f"the key {as_json(where)}" if isinstance(where, str) else "a list"
            message = f"the data is wrapped in {around}; return it without this wrapper"
            return Finding("wrapped", (), message, FailureKind.WRAPPED, actual=as_json(data))
    if isinstance(data, Mapping) and _echoes(check, data):
        message = "this is the JSON Schema itself; return data that follows it"
        return Finding("schema_echo", (), message, FailureKind.SCHEMA_ECHO, expected="data", actual=as_json(data))
    return None


def may_be_diagnosed(data: object) -> bool:
    """Return True if invalid data may need `diagnose`. The test is cheap, and False for most answers."""
    if isinstance(data, Mapping):
        return len(data) == 1 or not data.keys().isdisjoint(_SIGNS)
    return isinstance(data, str) or (isinstance(data, list) and len(data) == 1)


def _encoded(text: str) -> Finding | None:
    """Return the finding for a JSON string whose content is a JSON object or list."""
    if len(text) > _ENCODED_LIMIT or text.strip()[:1] not in ("{", "["):
        return None
    try:
        inner = json.loads(text)
    except (ValueError, RecursionError):
        return None
    message = "this is a JSON string that contains the JSON; return the JSON itself, not quoted"
    kind = "an object" if isinstance(inner, dict) else "a list"
    return Finding("encoded", (), message, FailureKind.ENCODED, expected=kind, actual=as_json(text))


def _echoes(check: SchemaCheck, data: Mapping[str, object]) -> bool:
    """Return True for a schema, bare or wrapped as in a request, unless the contract's own data has such keys."""
    if data.keys().isdisjoint(_SIGNS):
        return False
    # The contract's own data may have such keys, and an object may have data in addition to the schema.
    own = _keys(check) - {"title", "description", "type"}
    here = [data]
    for _ in range(_LAYERS):
        here = [found for found in here if not own & (found.keys() | {"properties", "$defs"})]
        if any(map(_is_schema, here)):
            return True
        here = [inner for found in here for inner in _carried(found)]
    return False


def _carried(data: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yield the objects under the wrapper keys; nothing if there are other keys, since those may be data."""
    if not data.keys() - _ENVELOPE - _LABELS:
        yield from (value for key, value in data.items() if key in _ENVELOPE and isinstance(value, Mapping))


def _is_schema(data: Mapping[str, object]) -> bool:
    """Return True for an object that describes properties instead of having them."""
    members = data.get("properties")
    if isinstance(members, Mapping) and members:
        described = all(isinstance(member, Mapping) and _MEMBER_WORDS & member.keys() for member in members.values())
        return described and (bool(_SCHEMA_WORDS & data.keys()) or len(data) == 1)
    return isinstance(data.get("$defs"), Mapping)


def _keys(check: SchemaCheck) -> set[str]:
    """Return the top-level keys that the contract's schema declares."""
    from .schema.schema_fields import nodes_of

    schema = check.json_schema() or {}
    # The root may be a reference or have alternatives: older pydantic writes {"allOf": [{"$ref": "#/$defs/Link"}]}.
    return {key for node in nodes_of(schema, schema) for key in node.get("properties", ())}


def _inner(data: object) -> Iterator[tuple[str | int, object]]:
    """Yield the key and the content of each wrapper that the data may have."""
    if isinstance(data, Mapping):
        if len(data) == 1:
            yield from data.items()
        elif isinstance(data.get("properties"), Mapping):
            yield "properties", data["properties"]
    elif isinstance(data, list) and len(data) == 1:
        yield 0, data[0]
