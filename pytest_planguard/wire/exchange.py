"""One recorded request and its answer, free of any provider's shapes.

Mappings of these and of all other public values are plain dicts, so that a value can be pickled, compared and turned
into a dict. They are typed `Mapping`: nobody may change them, and a type checker refuses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ItemKind(StrEnum):
    """What an item is."""

    TEXT = "text"
    CALL = "call"
    """The model calls a tool."""
    RESULT = "result"
    """A tool's result goes back to the model."""


class Role(StrEnum):
    """Who speaks. Provider words (developer, human, model, function) are mapped to these."""

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
    """One thing said in a request or an answer. Thinking blocks are not items."""

    kind: ItemKind
    role: Role
    text: str = ""
    """The words; for a call the arguments exactly as the model wrote them; for a result the result's text."""
    call_id: str | None = None
    name: str | None = None
    """Tool name of a call, and of a result where the provider repeats it."""
    arguments: Any = None
    """Parsed arguments of a call; None where they do not parse (then `text` has them)."""
    is_error: bool = False
    """A result that the sender flagged as an error."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; None where it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None

    @classmethod
    def together(cls, usages: Iterable[Usage]) -> Usage:
        """Return the sum of all that is known: 5 tokens for 5 and None, None for nothing but None."""
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
    """Position in the recording, from 1."""
    dialect: str
    """Name of the dialect ("openai.chat", "gemini", …, see `dialects.registry`), or "raw" for a body nobody knows."""
    url: str = ""
    status: int = 200
    model: str | None = None
    request: tuple[Item, ...] = ()
    answer: tuple[Item, ...] = ()
    tools: Mapping[str, Any] = field(default_factory=dict)
    """Declared tools: name to JSON Schema of the arguments (an empty dict where none was sent)."""
    tool_choice: str | None = None
    """"auto", "none", "required", or the name of the one tool that must be called; None where not sent."""
    output_schema: Mapping[str, Any] | None = None
    """JSON Schema that the request demands of the answer text (response_format, text.format, output_format)."""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    """temperature, top_p, seed, max_tokens (under that one name), stop, … as sent."""
    request_extra: Mapping[str, Any] = field(default_factory=dict)
    """Everything else of the request body that a dialect did not read."""
    previous_id: str | None = None
    """Id of the earlier response that the server is asked to continue (server-held state)."""
    unseen: str | None = None
    """What else of the request the server holds and no recording shows: a cache, a thread, a prompt template."""
    response_id: str | None = None
    finish: Finish | None = None
    refusal: str | None = None
    """The provider's refusal field, where filled."""
    usage: Usage = field(default_factory=Usage)
    error: str | None = None
    """The provider's error message for status >= 400 or an error event in a stream."""
    rejected_text: str | None = None
    """What the model wrote where the provider itself rejected it (`failed_generation`)."""
    alternatives: int = 0
    """Further choices of the same answer (n > 1) that were not kept; the first choice is the answer."""
    streamed: bool = False
    skipped_lines: int = 0
    """Malformed stream lines that were skipped."""
    latency_s: float | None = None
    """Seconds from sending the request until the whole answer was there, measured while it was recorded; None where
    the recording does not tell. A replay changes nothing of it."""
    note: str | None = None
    """Why the exchange was kept as raw text; None where it was understood."""
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
