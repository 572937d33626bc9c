"""A recorded answer in the form that vcrpy's clients take, without anything that would make an SDK wait."""

from __future__ import annotations

from typing import Any

from ..wire.latency import LATENCY_HEADER
from ..wire.untrusted_json import mapping
from .index import Entry
from .interaction import Headers, collect, unpacked

_WAIT = frozenset({"retry-after", "retry-after-ms", "x-retry-after", "x-should-retry-after"})
_LEFT_OUT = _WAIT | {LATENCY_HEADER}
_RETRIED = frozenset({408, 409, 425, 429})


def served(entry: Entry) -> dict[str, Any]:
    """A fresh answer each time: clients change what they are given."""
    response = mapping(entry.raw.raw.get("response"))
    headers, body = unpacked(_headers(response.get("headers")), entry.raw.response.body)
    status = entry.raw.response.status
    kept = [(name, list(values)) for name, values in headers if name.lower() not in _LEFT_OUT]
    return {
        "status": {"code": status, "message": _reason(response)},
        "headers": dict([*kept, *_no_wait(headers, status)]),
        "body": {"string": body},
    }


def _headers(headers: Any) -> Headers:
    pairs = headers if isinstance(headers, list) else mapping(headers).items()
    return collect((pair[0], pair[1]) for pair in pairs if len(pair) == 2)


def _no_wait(headers: Headers, status: int) -> list[tuple[str, list[str]]]:
    """1 ms where an SDK reads milliseconds; 0 s where it reads whole seconds, as urllib3 does."""
    names = {name.lower() for name, _ in headers}
    told = [("retry-after", ["0"])] if "retry-after" in names else []
    return [*told, ("retry-after-ms", ["1"])] if told or status in _RETRIED or status >= 500 else []


def _reason(response: dict[str, Any]) -> str:
    reason = mapping(response.get("status")).get("message")
    return reason if isinstance(reason, str) and reason.isascii() else ""
