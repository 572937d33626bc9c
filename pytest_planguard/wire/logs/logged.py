"""One logged call of a model, or the part of one that a record holds, in the shape that all formats are read into."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from ..untrusted_json import parse_json

if TYPE_CHECKING:
    from ..untrusted_json import JsonObject


class Fidelity(StrEnum):
    """How near a logged exchange is to what went over the wire."""

    WIRE = "wire"
    """The bodies as they were sent and received, whitespace aside."""
    MESSAGES = "messages"
    """The words that were sent and received, in the log's own shape."""
    DERIVED = "derived"
    """A framework's own messages: the answer is the model's, but the request may have been worded otherwise."""
    PARTIAL = "partial"
    """A part is missing: cut, masked or not exported."""
    NONE = "none"
    """Nothing of what was said."""


JUDGEABLE = (Fidelity.WIRE, Fidelity.MESSAGES, Fidelity.DERIVED)
"""An exchange of these can be judged; of the others it can only be counted."""
_ORDER = {fidelity: place for place, fidelity in enumerate(Fidelity)}


def best(fidelities: Iterable[Fidelity]) -> Fidelity:
    """Return the one that is nearest to the wire."""
    return min(fidelities, key=_ORDER.__getitem__)


def worst(fidelities: Iterable[Fidelity]) -> Fidelity:
    """Return the one that is farthest from the wire."""
    return max(fidelities, key=_ORDER.__getitem__)


@dataclass(slots=True)
class Logged:
    """A call, or a part of it. Parts with the same `call` are one call: a span and its events, a batch and its result.

    `request` and `response` are bodies that a dialect reads; None where this record does not have them.
    """

    call: str
    """What tells the call apart: a span id, a run id, a custom id; "" where the log has none."""
    trace: str = ""
    """What its log ties calls by; "" for nothing."""
    session: str = ""
    parent: str = ""
    at: int = 0
    """When the request was sent, in nanoseconds since 1970; 0 where unknown."""
    took: int = 0
    """Nanoseconds until the answer was there; 0 where unknown."""
    order: str = ""
    """A text that sorts the calls of one trace; "" where only the time does."""
    request: Any = None
    response: Any = None
    url: str = ""
    status: int = 200
    fidelity: Fidelity = Fidelity.NONE
    why: str = ""
    """What is missing and how to get it, where the fidelity is partial or none."""
    model: str = ""
    events: list[Event] = field(default_factory=list)
    """What was logged of it message by message, until all of it is together."""
    alone: bool = False
    """Whether it is the root of its trace: then the trace is that of one call, and ties nothing."""
    place: str = ""
    """Where it was read: "traces.jsonl:12"."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The record itself, for a key that the user names. Not kept."""


@dataclass(slots=True)
class Event:
    """One message of a call that was logged as its own record."""

    name: str
    body: JsonObject
    at: int = 0


Reading = Callable[[Any], Iterable[Logged]]
"""Reads one record; whatever it holds, a defect of the reader is that record's problem alone."""


@dataclass(frozen=True, slots=True)
class LogReader:
    """How one format is told by content, and read."""

    name: str
    sniff: Callable[[Any], bool]
    """Whether a record, the value of one line or document, is of this format."""
    read: Reading


class CutError(ValueError):
    """A text that must be JSON ends early."""


def unpacked_json(value: object) -> Any:
    """Return the value of a text that holds JSON, also of one that was packed twice; any other value as it is.

    Raises:
        CutError: the text begins as an object or an array and is no JSON: an exporter has cut it.
    """
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


def quick_json(text: str | bytes) -> Any:
    """Return the JSON value of a text, by pydantic's parser, which takes a third of the time and as few levels.

    Raises ValueError where it is no JSON or nested deeper than 200 levels.
    """
    try:
        return _parser()(text)
    except ValueError:  # a lone surrogate, which Python's own parser reads
        return parse_json(text if isinstance(text, str) else text.decode("utf-8-sig"))


@cache
def _parser() -> Callable[[str | bytes], Any]:
    from pydantic_core import from_json

    return from_json
