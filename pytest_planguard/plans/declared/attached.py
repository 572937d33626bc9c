"""JSON Schemas that are attached to plan formats, and their findings."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from ...contract.checking.check import with_positions
from ...contract.finding import Finding
from ...contract.schema.json_schema import JsonSchemaCheck
from ...contract.schema.schema import SchemaCheck
from ...document.answer import Document, read
from ...errors import UsageError
from ..reading.profile import Profile
from ..rules.judge_plan import by_place

_REPORTED_BY_SCHEMA = frozenset({"root-shape"})  # rules whose findings a schema also reports, with the expected type


def json_schema_check(value: object, read_file: Callable[[str], str]) -> SchemaCheck:
    """Return the check of a JSON Schema: an object, or the path of a JSON or YAML file, which `read_file` reads.

    Raises:
        UsageError: it is not a JSON Schema, the file cannot be read, or the optional package is missing.
    """
    if isinstance(value, str):
        try:
            text = read_file(value)
        except (OSError, UnicodeDecodeError) as error:
            why = f"{value} ({error.strerror if isinstance(error, OSError) else 'it is not UTF-8'})"
            raise UsageError(f"the JSON Schema cannot be read: got {why}; name a file beside this one") from None
        value = read(text, format="yaml" if value.endswith((".yaml", ".yml")) else "json", extract="whole").data
    if not isinstance(value, Mapping):
        raise UsageError(f"a JSON Schema is an object or a path: got {json.dumps(value)[:60]}; name a file")
    return JsonSchemaCheck(value)


def with_json_schema(profiles: Iterable[Profile], name: str | None, check: SchemaCheck) -> tuple[Profile, ...]:
    """Return the profiles, with a JSON Schema attached to those of a format or family.

    Raises:
        UsageError: no format is named, or the named one is Markdown.
    """
    known = tuple(profiles)
    if name is None:
        raise UsageError("a JSON Schema is attached to one format: got none; name the format beside it")
    chosen = [one for one in known if name in (one.name, one.family) and one.medium == "data"]
    if not chosen:
        raise UsageError(
            f"a JSON Schema applies to JSON and YAML: got the format {name}, which is Markdown; leave the schema out"
        )
    return tuple(replace(one, schema=check) if one in chosen else one for one in known)


def with_attached(
    profiles: Iterable[Profile], name: str, document: Document, findings: Iterable[Finding]
) -> tuple[Finding, ...]:
    """Return the findings of the rules and of the schema attached to the named format, sorted by place."""
    check = next((profile.schema for profile in profiles if profile.name == name), None)
    if check is None:
        return tuple(findings)
    _, breaches = check.validate(document.data)
    kept = [finding for finding in findings if finding.code not in _REPORTED_BY_SCHEMA]
    return by_place([*kept, *with_positions(breaches, document)])


def digest_of(profiles: Iterable[Profile], names: Collection[str]) -> str:
    """Return a text that changes with the schemas attached to some formats; "" without any."""
    schemas = [one.schema.json_schema() for one in profiles if one.name in names and one.schema is not None]
    return f"json-schema={hashlib.sha256(json.dumps(schemas).encode()).hexdigest()[:12]}" if schemas else ""
