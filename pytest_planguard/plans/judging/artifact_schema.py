"""Check autospec's YAML artifacts against their schemas, `autospec-schemas.yaml`.

What autospec's validators check is an error. What only its schema declares is a warning.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeGuard, cast

from ...contract.document_findings import parse_findings
from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding, Severity
from ...contract.finding_places import with_positions
from ...contract.phrasing import as_json, did_you_mean
from ...document import path as paths
from ...document.answer import Document
from ...errors import UsageError
from ..reading.parsed_data import Record, object_of

Fields = dict[str, Any]
"""The fields of an object, as the file writes them."""
COMPLETED = "completed"
"""The default schema version: a finished feature is "Completed"."""
FINISHED = MappingProxyType({COMPLETED: "Completed", "implemented": "Implemented"})
"""The word for a finished feature by schema version. The first design said Implemented."""
REPORTED_BY_SCHEMA = frozenset({"root-shape", "status-enum"})
"""Rules whose findings are left out if the schema reports the same place, since it names the expected field."""
_TYPES: dict[str, type] = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
_NAMES = {kind: name for name, kind in _TYPES.items()} | {float: "number", type(None): "null"}


def schema_kind(format_name: str) -> str | None:
    """Return the name of a format's schema: "spec" for "autospec-spec"; None if the format has no schema."""
    return format_name.removeprefix("autospec-") if format_name.startswith("autospec-") else None


def check_version(version: str) -> str:
    """Return the name of a schema version. Raises UsageError for an unknown one."""
    if version not in FINISHED:
        raise UsageError(f"unknown schema version {version!r}. Known: {', '.join(FINISHED)}")
    return version


@cache
def schema_of(kind: str, version: str = COMPLETED) -> Fields:
    """Return the top-level fields of a kind of artifact, for example "spec"."""
    import yaml

    text = Path(__file__).with_name("autospec-schemas.yaml").read_text("utf-8").replace("$finished", FINISHED[version])
    return cast("Fields", yaml.load(text, yaml.CSafeLoader)[kind])


def schema_findings(document: Document, kind: str, version: str = COMPLETED) -> list[Finding]:
    """Return the breaches of an artifact's schema, with their places in the text. `version` is a key of `FINISHED`."""
    data = document.data
    if isinstance(data, dict):
        warnings = {"plan": _unmitigated, "tasks": _unexplained}.get(kind)
        found = [*_of_object(data, schema_of(kind, version), ()), *(warnings(document) if warnings else ())]
    elif any(finding.severity.bad for finding in parse_findings(document, None)):
        found = []  # they explain why there is no object
    else:
        found = [_finding("type", (), "expected object at the document's root", expected="object")]
    return with_positions(found, document)


def with_schema(findings: Iterable[Finding], breaches: Iterable[Finding]) -> list[Finding]:
    """Return the findings of rules and schema. If both find the same fault, keep the rule's, unless it knows less."""
    breaches = list(breaches)
    places = {one.path for one in breaches}
    kept = [one for one in findings if one.code not in REPORTED_BY_SCHEMA or one.path not in places]
    known = {finding.identity for finding in kept}
    return [*kept, *(one for one in breaches if one.identity not in known)]


def _finding(code: str, path: paths.Path, message: str, severity: Severity = Severity.RETRY, **more: Any) -> Finding:
    return Finding(code, path, message, FailureKind(code), severity, **more)


def _of_object(value: Record, fields: Fields, path: paths.Path) -> Iterator[Finding]:
    """Yield the breaches of one object, field by field."""
    for marked, field in fields.items():
        name = marked.rstrip("?!")
        yield from _of_value(value[name], field, (*path, name)) if name in value else _missing(marked, field, path)


def _is_enum(field: object) -> TypeGuard[list[str]]:
    return isinstance(field, list) and isinstance(field[0], str)


def _type_of(field: Any) -> str:
    """Return the type of a field, a key of `_TYPES`; each item of a list of fields is an object."""
    return "object" if isinstance(field, dict) else "array" if isinstance(field, list) else field.split()[0]


def _missing(marked: str, field: object, path: paths.Path) -> Iterator[Finding]:
    if not marked.endswith("?"):
        name, severity = marked.rstrip("!"), Severity.WARN if marked.endswith("!") else Severity.RETRY
        more = {"expected": f"one of {', '.join(field)}" if _is_enum(field) else _type_of(field)}
        more["hint"] = f"add the field {name}"
        yield _finding("missing", (*path, name), f"missing required field {name}", severity, **more)


def _of_value(value: object, field: Any, path: paths.Path) -> Iterator[Finding]:
    """Yield the breaches of one value and its descendants."""
    if _is_enum(field):
        if value not in field:
            listed = ", ".join(field)
            more: dict[str, Any] = {"expected": listed, "actual": as_json(value), "allowed": tuple(field)}
            yield _finding("enum", path, f"expected one of {listed}", hint=did_you_mean(value, field), **more)
        return
    wanted = _type_of(field)
    if not isinstance(value, _TYPES[wanted]) or (wanted == "integer" and isinstance(value, bool)):
        # the validators check the types of objects, lists and summaries alone
        checked = wanted in ("object", "array") or (path[-1] == "summary" and isinstance(value, dict | list))
        yield _wrong_type(value, wanted, path, Severity.RETRY if checked else Severity.WARN)
    elif isinstance(value, dict):
        yield from _of_object(value, field, path)
    elif isinstance(value, list):
        for number, item in enumerate(value if isinstance(field, list) else ()):
            if isinstance(item, dict):
                yield from _of_object(item, field[0], (*path, number))
            else:
                yield _wrong_type(item, "object", (*path, number))
    elif isinstance(value, str):
        yield from _of_text(value, field.split()[1:], path)


def _wrong_type(value: object, expected: str, path: paths.Path, severity: Severity = Severity.RETRY) -> Finding:
    actual = _NAMES.get(type(value), "string")
    message = f"expected {expected}, got {actual}"
    return _finding("type", path, message, severity, expected=expected, actual=actual)


def _of_text(value: str, limits: list[str], path: paths.Path) -> Iterator[Finding]:
    match limits:
        case [most] if len(value) > int(most):
            expected, actual = f"at most {most} characters", str(len(value))
            yield _finding("length", path, f"expected {expected}, got {actual}", expected=expected, actual=actual)
        case [pattern, example, *declared] if not re.fullmatch(pattern, value):
            expected, severity = f"text like {example}", Severity.WARN if declared else Severity.RETRY
            more = {"expected": expected, "actual": as_json(value)}
            yield _finding("format", path, f"expected {expected}", severity, **more)


def _objects(record: Record, key: str) -> Iterator[tuple[int, Record]]:
    """Yield the objects of a list field with their indices."""
    listed = record.get(key)
    return ((at, object_of(item)) for at, item in enumerate(listed if isinstance(listed, list) else ()))


def _unmitigated(document: Document) -> Iterator[Finding]:
    """Yield high-impact risks without a mitigation."""
    for number, risk in _objects(document.data, "risks"):
        mitigation = risk.get("mitigation")
        if risk.get("impact") == "high" and not (isinstance(mitigation, str) and mitigation.strip()):
            message = f"high-impact risk {risk.get('id', f'risks[{number}]')} has no mitigation strategy"
            more = {"expected": "a mitigation", "span": document.locate(("risks", number))}
            yield _finding("missing", ("risks", number, "mitigation"), message, Severity.WARN, **more)


def _unexplained(document: Document) -> Iterator[Finding]:
    """Yield blocked tasks without a reason."""
    for outer, phase in _objects(document.data, "phases"):
        for inner, task in _objects(phase, "tasks"):
            if task.get("status") == "Blocked" and not str(task.get("blocked_reason") or "").strip():
                path = ("phases", outer, "tasks", inner)
                message, span = "blocked task is missing a blocked_reason", document.locate((*path, "status"))
                more = {"expected": "a reason", "span": span}
                yield _finding("missing", (*path, "blocked_reason"), message, Severity.WARN, **more)
