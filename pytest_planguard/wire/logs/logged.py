"""One logged call of a model, or the part of one in a record, in the common shape for all formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from ..untrusted_json import parse_json

if TYPE_CHECKING:
    from ..untrusted_json import JsonObject


class Fidelity(StrEnum):
    """How close a logged exchange is to the bytes on the wire."""

    WIRE = "wire"
    """The bodies as they were sent and received, except for whitespace."""
    MESSAGES = "messages"
    """The words that were sent and received, in the log's format."""
    DERIVED = "derived"
    """A framework's own messages: the answer is the model's, but the request may have been worded differently."""
    PARTIAL = "partial"
    """A part is missing: cut, masked or not exported."""
    NONE = "none"
    """None of the content."""


JUDGEABLE = (Fidelity.WIRE, Fidelity.MESSAGES, Fidelity.DERIVED)
"""Exchanges with one of these can be judged. All others can only be counted."""
_ORDER = {fidelity: place for place, fidelity in enumerate(Fidelity)}


def best(fidelities: Iterable[Fidelity]) -> Fidelity:
    """Return the one closest to the wire."""
    return min(fidelities, key=_ORDER.__getitem__)


def worst(fidelities: Iterable[Fidelity]) -> Fidelity:
    """Return the one farthest from the wire."""
    return max(fidelities, key=_ORDER.__getitem__)


@dataclass(slots=True)
class Logged:
    """A call, or part of one. Parts with the same `call` form one call: a span and its events, a batch and its result.

    `request` and `response` are bodies that a dialect reads; None if this record does not have them.
    """

    call: str
    """The identity of the call: a span id, a run id, a custom id; "" if the log has none."""
    trace: str = ""
    """The id that ties a trace's calls together in the log; "" without one."""
    session: str = ""
    parent: str = ""
    at: int = 0
    """When the request was sent, in nanoseconds since 1970; 0 if unknown."""
    took: int = 0
    """Nanoseconds until the answer arrived; 0 if unknown."""
    order: str = ""
    """A text that sorts the calls of one trace; "" if only the time orders them."""
    request: Any = None
    response: Any = None
    url: str = ""
    status: int = 200
    fidelity: Fidelity = Fidelity.NONE
    why: str = ""
    """The missing part and how to get it, if the fidelity is partial or none."""
    model: str = ""
    events: list[Event] = field(default_factory=list)
    """The messages that were logged separately, until they are assembled."""
    settings: JsonObject = field(default_factory=dict)
    """What a span says of a call whose messages are `events`: the request's settings, the finish and the tokens."""
    alone: bool = False
    """True for the root of a trace that contains only this call, so that the trace ties nothing together."""
    place: str = ""
    """File and line of the record: "traces.jsonl:12"."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The original record, in case the user names a key in it. It is not kept."""


@dataclass(slots=True)
class Event:
    """One message of a call, logged as a separate record."""

    name: str
    body: JsonObject
    at: int = 0


Reading = Callable[[Any], Iterable[Logged]]
"""Reads one record of any content; a failure of the reader affects that record alone."""


@dataclass(frozen=True, slots=True)
class LogReader:
    """How to recognise one format by its content, and how to read it."""

    name: str
    sniff: Callable[[Any], bool]
    """Returns True if a record, the value of one line or document, is of this format."""
    read: Reading


class CutError(ValueError):
    """A text that must be JSON ends too early."""


def unpacked_json(value: object) -> Any:
    """Return the value of a text that holds JSON, even if it was packed twice; any other value as it is.

    Raises:
        CutError: the text begins as an object or an array but is not JSON: an exporter has cut it.
    """
    # Twice: a backend may pack an attribute that its SDK packed already.
    for _ in range(2):
        if not isinstance(value, str) or not (text := value.strip()) or text[0] not in '{["':
            return value
        try:
            value = quick_json(text)
        except ValueError:
            if text[0] == '"':
                return value
            raise CutError(f"the text ends early, after {len(text):,} characters") from None
    return value


def unpacked_or(value: object, otherwise: Any = None) -> Any:
    """Return the same; `otherwise` for a text that was cut."""
    try:
        return unpacked_json(value)
    except CutError:
        return otherwise


def quick_json(text: str | bytes) -> Any:
    """Return the JSON value of a text, using pydantic's parser, which takes a third of the time.

    Raises ValueError if it is not JSON or is nested deeper than 200 levels.
    """
    try:
        return _parser()(text)
    except ValueError:  # a lone surrogate, which Python's parser reads
        return parse_json(text if isinstance(text, str) else text.decode("utf-8-sig"))


def compact_json(value: object) -> bytes:
    """Return JSON on one line, using pydantic's writer, which takes a third of the time."""
    try:
        return _writer()(value)
    except ValueError:  # a lone surrogate
        return json.dumps(value).encode()


@cache
def _writer() -> Callable[[object], bytes]:
    from pydantic_core import to_json

    return to_json


@cache
def _parser() -> Callable[[str | bytes], object]:
    from pydantic_core import from_json

    return from_json
