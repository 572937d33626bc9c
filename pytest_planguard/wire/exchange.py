"""One recorded request and answer, provider-neutral, and the message that it was read from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ItemKind(StrEnum):
    """The kind of an item."""

    TEXT = "text"
    CALL = "call"
    """The model calls a tool."""
    RESULT = "result"
    """A tool's result goes back to the model."""


class Role(StrEnum):
    """The speaker. Provider words (developer, human, model, function) are mapped to these."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Finish(StrEnum):
    """Why the answer ended, in one vocabulary for all providers."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of a request or an answer. Thinking blocks are not items."""

    kind: ItemKind
    role: Role
    text: str = ""
    """The words. For a call, its arguments exactly as the model wrote them; for a result, its text."""
    call_id: str | None = None
    name: str | None = None
    """Tool name of a call, and of a result if the provider repeats it."""
    arguments: Any = None
    """Parsed arguments of a call; None if they do not parse (then `text` has them)."""
    is_error: bool = False
    """True for a result that the sender flagged as an error."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; None if it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None

    @classmethod
    def together(cls, usages: Iterable[Usage]) -> Usage:
        """Return the sum of all known counts: 5 tokens for 5 and None, None for nothing but None."""
        used = tuple(usages)
        return cls(_sum_known(u.input_tokens for u in used), _sum_known(u.output_tokens for u in used))


def _sum_known(numbers: Iterable[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


@dataclass(frozen=True, slots=True)
class Message:
    """A raw HTTP request or response, decompressed and de-chunked, header names in lower case."""

    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    method: str = "POST"
    url: str = ""
    status: int = 200


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer, provider-neutral."""

    number: int
    """Position in the cassette, from 1."""
    dialect: str
    """Name of the dialect ("openai.chat", "gemini", …, see `dialects.dialect_table`), or "raw" for an unknown body."""
    url: str = ""
    status: int = 200
    model: str | None = None
    request: tuple[Item, ...] = ()
    answer: tuple[Item, ...] = ()
    tools: Mapping[str, Any] = field(default_factory=dict)
    """Declared tools: name to JSON Schema of the arguments (an empty dict if none was sent)."""
    tool_choice: str | None = None
    """"auto", "none", "required", or the name of the only tool that must be called; None if not sent."""
    output_schema: Mapping[str, Any] | None = None
    """JSON Schema that the request demands of the answer text (response_format, text.format, output_format)."""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    """temperature, top_p, seed, max_tokens (always under this name), stop, … as sent."""
    request_extra: Mapping[str, Any] = field(default_factory=dict)
    """Everything else in the request body that the dialect did not read."""
    previous_id: str | None = None
    """Id of the earlier response that the server should continue (server-held state)."""
    unseen: str | None = None
    """Another part of the request that the server holds and no cassette shows: a cache, a thread, a prompt template."""
    response_id: str | None = None
    finish: Finish | None = None
    refusal: str | None = None
    """The provider's refusal field, if filled."""
    usage: Usage = field(default_factory=Usage)
    error: str | None = None
    """The provider's error message for status >= 400 or an error event in a stream."""
    rejected_text: str | None = None
    """The model's text if the provider rejected it (`failed_generation`)."""
    alternatives: int = 0
    """Number of other choices of the same answer (n > 1), which are not kept; the first choice is the answer."""
    streamed: bool = False
    skipped_lines: int = 0
    """Malformed stream lines that were skipped."""
    latency_s: float | None = None
    """Seconds from sending the request until the whole answer had arrived, measured while recording; None if the
    cassette does not say. A replay does not change it."""
    note: str | None = None
    """Why the exchange was kept as raw text; None if it was understood."""
    raw_request: str = ""
    raw_response: str = ""

    @property
    def is_generation(self) -> bool:
        """True for an exchange with a language model that was understood."""
        return self.dialect != "raw"

    @property
    def answer_text(self) -> str:
        """The text items of the answer, joined by newlines."""
        return "\n".join(i.text for i in self.answer if i.kind is ItemKind.TEXT)

    @property
    def calls(self) -> tuple[Item, ...]:
        """The tool calls of the answer."""
        return tuple(i for i in self.answer if i.kind is ItemKind.CALL)


# How long an answer took when it was recorded, as a header of the recorded response. It is a header because every
# reader and writer of vcrpy's files keeps headers. vcrpy loses a separate key beside `request` and `response` when it
# writes the file again, and serializers that expect a message under each key fail.

LATENCY_HEADER = "x-planguard-latency-s"
"""Response header of a cassette; no server sent it, and no app receives it."""
_SECONDS = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")
"""`1.204`. It is bounded because the file is untrusted: neither `inf` nor `1e9` is a latency."""


def latency_text(seconds: float) -> str:
    """Return seconds as a cassette keeps them, to the millisecond: "1.204"."""
    return f"{max(seconds, 0.0):.3f}"


def latency_of(response: Message) -> float | None:
    """Return the seconds from sending the request until the whole answer had arrived; None if the cassette has none."""
    text = response.headers.get(LATENCY_HEADER)
    return float(text) if text is not None and _SECONDS.fullmatch(text) else None


def all_together(latencies: Iterable[float | None]) -> float | None:
    """Return the sum of the seconds; None without any, or if one is unknown, since a part would pass for the whole."""
    found = list(latencies)
    known = [seconds for seconds in found if seconds is not None]
    return sum(known) if known and len(known) == len(found) else None
