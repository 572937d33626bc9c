"""Spans and log records of OpenTelemetry from every kind of container, with plain attributes."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ..untrusted_json import mapping, objects, sequence, words


@dataclass(slots=True)
class Span:
    """A span, or a log record, which is a span with only one known event."""

    trace: str
    id: str
    parent: str = ""
    name: str = ""
    start: int = 0
    """Nanoseconds since 1970; 0 if unknown."""
    end: int = 0
    attributes: dict[str, Any] = field(default_factory=dict)
    events: list[tuple[str, dict[str, Any], int]] = field(default_factory=list)
    """Name, attributes or body, and time of each event."""
    scope: str = ""
    """Name of the library that made it; "" if the container does not keep it."""
    failed: bool = False
    dropped: int = 0
    """Attributes that its SDK dropped."""
    resource: Mapping[str, Any] = field(default_factory=dict)
    record: bool = False
    """True for a log record."""


_GROUPS = ("resourceSpans", "batches", "resource_spans", "resourceLogs", "resource_logs")


def is_spans(record: object) -> bool:
    """Return True if a record is or holds spans or log records."""
    found = mapping(record)
    if any(isinstance(found.get(group), list) for group in _GROUPS) or _is_jaeger(found):
        return True
    if isinstance(found.get("trace"), dict) and any(group in found["trace"] for group in _GROUPS):
        return True
    named = "name" in found or "span_name" in found or "eventName" in found
    placed = (named and bool(_ids(found)[0])) or ("spanName" in found and "scopeName" in found)
    return placed and isinstance(found.get("attributes"), (dict, list))


def spans_of(record: Mapping[str, object]) -> Iterator[Span]:
    """Yield the spans and log records of one record: OTLP, Tempo, Jaeger, a printed span, a row of a backend."""
    inner = mapping(record.get("trace")) or record
    if _is_jaeger(inner):
        yield from _jaeger(inner)
        return
    groups = [group for name in _GROUPS for group in objects(inner.get(name))]
    if not groups:
        yield _span(record, {}, "")
    for group in groups:
        resource = attributes_of(mapping(group.get("resource")).get("attributes"))
        for scoped in (each for key in _SCOPES for each in objects(group.get(key))):
            scope = words(mapping(scoped.get("scope") or scoped.get("instrumentationLibrary")).get("name"))
            for name in ("spans", "logRecords", "log_records"):
                yield from (_span(one, resource, scope) for one in objects(scoped.get(name)))


_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "scopeLogs", "scope_logs")


def _span(found: Mapping[str, object], resource: Mapping[str, object], scope: str) -> Span:
    trace, own, parent = _ids(found)
    attributes = attributes_of(found.get("attributes"))
    start = next((at for key in _STARTS if (at := nanoseconds(found.get(key)))), 0)
    status = found.get("status") if not isinstance(found.get("status"), str) else {"code": found["status"]}
    code = mapping(status).get("code", mapping(status).get("status_code", found.get("status_code")))
    span = Span(
        trace,
        own,
        parent,
        words(found.get("name") or found.get("span_name") or found.get("spanName")),
        start,
        next((at for key in _ENDS if (at := nanoseconds(found.get(key)))), 0),
        attributes,
        scope=scope
        or words(mapping(found.get("scope")).get("name") or found.get("otel_scope_name") or found.get("scopeName")),
        failed=code in (2, "2", "STATUS_CODE_ERROR", "ERROR"),
        dropped=_number(found.get("droppedAttributesCount")),
        resource=resource or attributes_of(mapping(found.get("resource")).get("attributes")),
    )
    for event in objects(found.get("events") or found.get("otel_events")):
        name = words(event.get("name") or event.get("event_name"))
        at = nanoseconds(event.get("timeUnixNano") or event.get("timestamp") or event.get("event_timestamp"))
        span.events.append((name, attributes_of(event.get("attributes")), at))
    name = words(found.get("eventName") or attributes.get("event.name"))
    if name or "body" in found:
        span.record = True
        body = plain(found["body"]) if isinstance(found.get("body"), dict) else found.get("body")
        span.events.append((name, mapping(body), start))
    return span


_STARTS = (
    *("startTimeUnixNano", "start_time_unix_nano", "timeUnixNano", "observedTimeUnixNano", "start_time"),
    *("start_timestamp", "startTime", "timestamp", "observed_timestamp"),
)
_ENDS = ("endTimeUnixNano", "end_time_unix_nano", "end_time", "end_timestamp", "endTime")


def _ids(found: Mapping[str, object]) -> tuple[str, str, str]:
    """Return the ids of trace, span and parent as hexadecimal text; "" for those that are missing."""
    context = mapping(found.get("context") or found.get("spanContext")) or found
    keys = (("traceId", "trace_id"), ("spanId", "span_id"))
    trace, own = (next((hex_id(context[key]) for key in pair if context.get(key)), "") for pair in keys)
    parents = ("parentSpanId", "parent_span_id", "parent_id")
    return trace, own, next((hex_id(found[key]) for key in parents if found.get(key)), "")


# "0x8f4b1c2d3e4f5a6b", an id of a span; twice as long, one of a trace.
_HEX = re.compile(r"(?:0x)?([0-9a-fA-F]{16}|[0-9a-fA-F]{32})\Z")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{11}=|[A-Za-z0-9+/]{22}==")
"""`zrABuMJ4fEQ=`, `8BrwDL4HW2BJemIsS6K/7g==`: ids in protobuf's JSON."""


def hex_id(value: object) -> str:
    """Return an id in lower-case hexadecimal digits, from any spelling; any other text unchanged."""
    if isinstance(value, bytes):
        return value.hex()
    text = words(value)
    if found := _HEX.match(text):
        return found[1].lower()
    if _BASE64.fullmatch(text):
        try:
            return base64.b64decode(text, validate=True).hex()
        except binascii.Error:
            return text
    return text


def attributes_of(value: object) -> dict[str, Any]:
    """Return attributes by name, from a list of keys and values or from an object; nested ones get dotted names."""
    if isinstance(value, dict):
        flat: dict[str, object] = {}
        for key, inner in value.items():
            # Only under these prefixes: the value of any other attribute may be an object itself.
            if isinstance(inner, dict) and key in ("gen_ai", "llm", "input", "output", "openinference", "langfuse"):
                flat |= {f"{key}.{name}": deep for name, deep in attributes_of(inner).items()}
            else:
                flat[key] = inner
        return flat
    return {words(pair.get("key")): plain(pair.get("value")) for pair in objects(value)}


def plain(value: object) -> Any:
    """Return the plain value of an `AnyValue`."""
    if not isinstance(value, dict):
        return value
    for kind, inner in value.items():
        if kind in ("kvlistValue", "kvlist_value"):
            return {words(pair.get("key")): plain(pair.get("value")) for pair in objects(mapping(inner).get("values"))}
        if kind in ("arrayValue", "array_value"):
            return [plain(each) for each in sequence(mapping(inner).get("values"))]
        if kind in ("intValue", "int_value"):
            return _number(inner)
        return inner
    return None


_MOST = 2**64
"""No format has larger whole numbers. A duration of 400 digits is no float, so its call could not be read."""


def _number(value: object) -> int:
    try:
        number = int(value)  # type: ignore[call-overload]  # a text of digits, or a number
    except (TypeError, ValueError, OverflowError):
        return 0
    return number if abs(number) < _MOST else 0


_FRACTION = re.compile(r"(.{10}[T ].{8})\.(\d{1,9})\d*(.*)")
"""`2026-11-22T11:14:56.178731456+00:00`: the fraction is kept as digits because a float would lose some."""
_SMALL = 10**11
"""Seconds since 1970 stay below this for three thousand years; milliseconds have exceeded it since 1973."""


def nanoseconds(value: object) -> int:
    """Return a time in nanoseconds since 1970: a number of any unit, its digits as text, or a date; 0 for no time."""
    if isinstance(value, bool) or value is None:
        return 0
    if isinstance(value, float):
        if not abs(value) < _MOST:  # `{"startTime": NaN}`: pydantic's parser reads it, and `int` would raise
            return 0
        if value < _SMALL:
            return round(value * 1e6) * 1000  # microseconds are exact in a float
    if isinstance(value, str) and not value.isdecimal():
        return _dated(value)
    number = _number(value)
    for limit, factor in ((_SMALL, 10**9), (_SMALL * 10**3, 10**6), (_SMALL * 10**6, 10**3)):
        if number < limit:
            return number * factor
    return number


def _dated(text: str) -> int:
    found = _FRACTION.fullmatch(text)
    fraction = int(found[2].ljust(9, "0")) if found else 0
    try:
        moment = datetime.fromisoformat(f"{found[1]}{found[3]}" if found else text)
    except ValueError:
        return 0
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int(moment.timestamp()) * 10**9 + fraction


# Jaeger's JSON: tags with types, references instead of parents, microseconds.


def _is_jaeger(found: Mapping[str, object]) -> bool:
    return any("operationName" in span for trace in objects(found.get("data")) for span in objects(trace.get("spans")))


def _jaeger(found: Mapping[str, object]) -> Iterator[Span]:
    for trace in objects(found.get("data")):
        for span in objects(trace.get("spans")):
            parents = [hex_id(ref.get("spanID")) for ref in objects(span.get("references"))]
            start = _number(span.get("startTime")) * 1000
            tags = _tags(span.get("tags"))
            events = [
                (words(fields.get("event") or fields.get("name")), fields, _number(log.get("timestamp")) * 1000)
                for log in objects(span.get("logs"))
                for fields in [_tags(log.get("fields"))]
            ]
            yield Span(
                hex_id(span.get("traceID")),
                hex_id(span.get("spanID")),
                parents[0] if parents else "",
                words(span.get("operationName")),
                start,
                start + _number(span.get("duration")) * 1000,
                tags,
                events,
                words(tags.get("otel.scope.name") or tags.get("otel.library.name")),
                bool(tags.get("error")),
            )


def _tags(value: object) -> dict[str, object]:
    return {words(tag.get("key")): tag.get("value") for tag in objects(value)}
