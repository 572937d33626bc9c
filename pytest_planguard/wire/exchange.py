"""A recorded request and answer in provider-neutral form, and the raw messages that it was read from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ..statistics import sum_of_known
from .untrusted_json import mapping, parse_json


class ItemKind(StrEnum):
    """The kind of an item."""

    TEXT = "text"
    CALL = "call"
    """The model calls a tool."""
    RESULT = "result"
    """A tool's result is returned to the model."""


class Role(StrEnum):
    """The speaker. Provider words (developer, human, model, function) are mapped to these."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Finish(StrEnum):
    """Why the answer ended, in the same terms for all providers."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of a request or an answer. Thinking blocks are left out."""

    kind: ItemKind
    role: Role
    text: str = ""
    """The text. For a call: its arguments, exactly as the model wrote them. For a result: its text."""
    call_id: str | None = None
    name: str | None = None
    """The tool's name, for a call, and for a result if the provider repeats it."""
    arguments: Any = None
    """The parsed arguments of a call; None if they cannot be parsed (`text` has them anyway)."""
    is_error: bool = False
    """True if the app marked the result as an error."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts from the provider; None if unknown."""

    input_tokens: int | None = None
    output_tokens: int | None = None

    @classmethod
    def together(cls, usages: Iterable[Usage]) -> Usage:
        """Return the sums of the known counts. A sum without any known count is unknown."""
        used = tuple(usages)
        return cls(sum_of_known(u.input_tokens for u in used), sum_of_known(u.output_tokens for u in used))


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several answers to the same request (n > 1)."""

    items: tuple[Item, ...]
    finish: Finish | None = None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A raw HTTP request or response, de-chunked and decompressed, with lower-case header names."""

    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    method: str = "POST"
    url: str = ""
    status: int = 200


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer in provider-neutral form."""

    number: int
    """1-based position in the cassette."""
    dialect: str
    """The name of the dialect ("openai.chat", "gemini", …; see `dialects.dialect_table`), or "raw" for an unknown
    body."""
    url: str = ""
    status: int = 200
    model: str | None = None
    request: tuple[Item, ...] = ()
    answer: tuple[Item, ...] = ()
    tools: Mapping[str, Any] = field(default_factory=dict)
    """The declared tools: maps a name to the JSON Schema of its arguments ({} if none was sent)."""
    tool_choice: str | None = None
    """"auto", "none", "required", or the name of the tool that must be called; None if not sent."""
    output_schema: Mapping[str, Any] | None = None
    """The JSON Schema that the answer's text must match (response_format, text.format, output_format)."""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    """The sampling settings as sent: temperature, top_p, seed, max_tokens (always under this name), stop, …"""
    prefill: str = ""
    """The assistant's text at the end of the request, which the model continues. It is part of `answer`, not of
    `request`."""
    previous_id: str | None = None
    """The id of an earlier response that the server should continue (server-side state)."""
    thread: str | None = None
    """The id of the conversation that the server holds. Each request with it continues the previous one."""
    response_id: str | None = None
    finish: Finish | None = None
    refusal: str | None = None
    """The content of the provider's refusal field, if any."""
    usage: Usage = field(default_factory=Usage)
    error: str | None = None
    """The provider's error message for status >= 400 or an error event in a stream."""
    rejected_text: str | None = None
    """The model's text if the provider rejected it (`failed_generation`)."""
    others: tuple[Choice, ...] = ()
    """The additional choices (n > 1), after the first one, which is in `answer`."""
    pending: bool = False
    """True if the answer was still queued or running. A later request may bring it: see `assistant_threads`."""
    streamed: bool = False
    skipped_lines: int = 0
    """Number of malformed stream lines that were skipped."""
    latency_s: float | None = None
    """Seconds from sending the request until the whole answer had arrived, measured while recording. None if the
    cassette doesn't have it. A replay does not change it."""
    state: Mapping[str, str] = field(default_factory=dict)
    """Texts by name that the app showed while it sent the request, such as its files; {} if none were recorded."""
    note: str | None = None
    """Why the exchange was kept as raw text; None if it could be read."""
    raw_request: str = ""
    raw_response: str = ""

    @property
    def is_generation(self) -> bool:
        """True if this is an exchange with a language model and could be read."""
        return self.dialect != "raw"

    @property
    def answer_text(self) -> str:
        """The answer's text items, joined by newlines."""
        return "\n".join(i.text for i in self.answer if i.kind is ItemKind.TEXT)

    @property
    def calls(self) -> tuple[Item, ...]:
        """The tool calls of the answer."""
        return tuple(i for i in self.answer if i.kind is ItemKind.CALL)


# How long an answer took when it was recorded, as a header of the recorded response. It is a header because every
# reader and writer of vcrpy's files keeps headers. vcrpy loses a separate key beside `request` and `response` when it
# writes the file again, and serializers that expect a message under each key fail.

LATENCY_HEADER = "x-planguard-latency-s"
"""A response header that exists only in cassettes: servers don't send it, and apps don't receive it."""
_SECONDS = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")
"""`1.204`. The length is limited because the file is untrusted: neither `inf` nor `1e9` is a latency."""


def latency_text(seconds: float) -> str:
    """Return seconds in a cassette's format, with milliseconds: "1.204"."""
    return f"{max(seconds, 0.0):.3f}"


def latency_of(response: Message) -> float | None:
    """Return the seconds from sending the request until the whole answer had arrived; None if the cassette has none."""
    text = response.headers.get(LATENCY_HEADER)
    return float(text) if text is not None and _SECONDS.fullmatch(text) else None


MODEL_HEADER = "x-planguard-model"
"""The header of a recorded request that holds the model that its test names."""
STATE_HEADER = "x-planguard-state"
"""The header of a recorded request that holds the state as JSON."""


def state_of(request: Message) -> Mapping[str, str]:
    """Return the texts by name that were recorded with a request; {} without any, or if they are not texts."""
    text = request.headers.get(STATE_HEADER)
    try:
        value = parse_json(text) if text else {}
    except ValueError:
        return {}
    return {name: part for name, part in mapping(value).items() if isinstance(part, str)}


def all_together(latencies: Iterable[float | None]) -> float | None:
    """Return the sum of the seconds; None without any, or if one is unknown, because a partial sum would mislead."""
    found = list(latencies)
    known = [seconds for seconds in found if seconds is not None]
    return sum(known) if known and len(known) == len(found) else None
