"""The pieces of text in one object of a stream: an SDK's object, a parsed event of a cassette, or plain text.

No SDK is imported. Objects are recognised by their fields, so plain data and SDK objects are read alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum, auto
from typing import Any, NamedTuple

Fields = Mapping[str, Any]
_NO_FIELDS: Fields = {}


class Channel(StrEnum):
    """The part of an answer that a piece belongs to."""

    TEXT = auto()
    ARGUMENTS = auto()
    """The arguments of a tool call, as JSON text."""
    THINKING = auto()
    REFUSAL = auto()
    """The provider's own field for a refusal."""


class Delta(NamedTuple):
    """One piece of an answer."""

    text: str
    channel: Channel = Channel.TEXT
    call: int | None = 0
    """The provider's number of the piece's tool call or block; 0 for text, None for a whole call that the provider
    sends in one piece without a number."""
    tool: str | None = None
    """Name of the called tool, in the first piece of a call; otherwise None."""
    output_tokens: int | None = None
    """Tokens of the answer so far, if the provider counts them in the stream."""


def deltas_of(item: object) -> Sequence[Delta]:
    """Return the pieces in one object of a stream; () for an object without any, such as a ping."""
    if isinstance(item, str):
        return (Delta(item),)
    fields = _fields(item)
    choices = fields.get("choices")
    if choices is not None:
        return _of_choices(fields, choices)
    kind = _words(fields.get("type") or fields.get("event_type") or fields.get("object"))
    reader = _BY_TYPE.get(kind)
    if reader is not None:
        return tuple(reader(fields))
    return () if kind in _WITHOUT_TEXT else tuple(_of_untyped(fields))


def _fields(item: object) -> Fields:
    """Return the fields of a mapping or of an object. pydantic models and dataclasses have theirs in `__dict__`."""
    if isinstance(item, dict):
        return item
    return getattr(item, "__dict__", _NO_FIELDS)


def _of_choices(fields: Fields, choices: Any) -> Sequence[Delta]:
    """Read the first choice of a chat completion or text completion."""
    tokens = _count(fields.get("usage"), "completion_tokens")
    first = next((c for c in _objects(choices) if not c.get("index")), None)
    if first is None:
        return () if tokens is None else (Delta("", output_tokens=tokens),)
    message = first.get("delta") or first.get("message")
    if message is None:
        return (Delta(_words(first.get("text")), output_tokens=tokens),)
    delta = _fields(message)
    content = delta.get("content")
    if isinstance(content, str) and content:
        return (Delta(content, output_tokens=tokens),)
    return tuple(_of_message(delta, message, tokens))


def _of_message(delta: Fields, message: object, tokens: int | None) -> Iterator[Delta]:
    """Yield the pieces of a chat message's delta that is not just plain text."""
    for part in _objects(delta.get("content")):
        yield Delta(_words(part.get("text")), output_tokens=tokens)
    if refusal := _words(delta.get("refusal")):
        yield Delta(refusal, Channel.REFUSAL)
    extra = getattr(message, "model_extra", None) or delta
    if thinking := _words(extra.get("reasoning_content")) or _words(extra.get("reasoning")):
        yield Delta(thinking, Channel.THINKING)
    for call in _objects(delta.get("tool_calls")):
        function = _fields(call.get("function") or call.get("custom"))
        yield _arguments(function.get("arguments") or function.get("input"), call.get("index"), function.get("name"))
    if legacy := _fields(delta.get("function_call")):
        yield _arguments(legacy.get("arguments"), 0, legacy.get("name"))


def _arguments(piece: object, call: object, name: object) -> Delta:
    """Return a piece of a call; arguments that are data become JSON text."""
    if piece is not None and not isinstance(piece, str):
        import json

        piece = json.dumps(piece, ensure_ascii=False, default=str)
    return Delta(piece or "", Channel.ARGUMENTS, call if isinstance(call, int) else 0, _words(name) or None)


def _block_start(fields: Fields) -> Iterator[Delta]:
    """Read Anthropic's block start: it may contain text; a tool's block names the tool."""
    block = _fields(fields.get("content_block"))
    if block.get("type") == "text" and (text := _words(block.get("text"))):
        yield Delta(text)
    elif block.get("type") == "tool_use":
        yield _arguments(block.get("input") or "", fields.get("index"), block.get("name"))


def _block_delta(fields: Fields) -> Iterator[Delta]:
    delta = _fields(fields.get("delta"))
    kind = delta.get("type")
    if kind == "text_delta":
        yield Delta(_words(delta.get("text")))
    elif kind == "input_json_delta":
        yield _arguments(delta.get("partial_json"), fields.get("index"), None)
    elif kind == "thinking_delta":
        yield Delta(_words(delta.get("thinking")), Channel.THINKING)


def _message_delta(fields: Fields) -> Iterator[Delta]:
    """Read Anthropic's message end, which has the number of tokens."""
    yield Delta("", output_tokens=_count(fields.get("usage"), "output_tokens"))


def _cohere_content(fields: Fields) -> Iterator[Delta]:
    content = _fields(_fields(_fields(fields.get("delta")).get("message")).get("content"))
    if content.get("thinking"):
        yield Delta(_words(content["thinking"]), Channel.THINKING)
    yield Delta(_words(content.get("text")))


def _cohere_call(fields: Fields) -> Iterator[Delta]:
    calls = _fields(_fields(_fields(fields.get("delta")).get("message")).get("tool_calls"))
    function = _fields(calls.get("function"))
    yield _arguments(function.get("arguments"), fields.get("index"), function.get("name"))


def _added_item(fields: Fields) -> Iterator[Delta]:
    """Read a call in OpenAI's responses. The call's name comes before its arguments."""
    item = _fields(fields.get("item"))
    if item.get("type") in ("function_call", "custom_tool_call"):
        yield _arguments("", fields.get("output_index"), item.get("name"))


def _assistant_message(fields: Fields) -> Iterator[Delta]:
    for part in _objects(_fields(fields.get("delta")).get("content")):
        yield Delta(_words(_fields(part.get("text")).get("value")))


def _plain(channel: Channel, key: str) -> Callable[[Fields], Iterator[Delta]]:
    """Return a reader for events that hold one piece of text under a key."""

    def read(fields: Fields) -> Iterator[Delta]:
        yield Delta(_words(fields.get(key)), channel)

    return read


def _call_piece(fields: Fields) -> Iterator[Delta]:
    yield _arguments(fields.get("delta"), fields.get("output_index"), None)


_BY_TYPE: dict[str, Callable[[Fields], Iterator[Delta]]] = {
    "content_block_start": _block_start,
    "content_block_delta": _block_delta,
    "message_delta": _message_delta,
    "completion": _plain(Channel.TEXT, "completion"),
    "response.output_text.delta": _plain(Channel.TEXT, "delta"),
    "response.refusal.delta": _plain(Channel.REFUSAL, "delta"),
    "response.reasoning_summary_text.delta": _plain(Channel.THINKING, "delta"),
    "response.reasoning_text.delta": _plain(Channel.THINKING, "delta"),
    "response.output_item.added": _added_item,
    "response.function_call_arguments.delta": _call_piece,
    "response.custom_tool_call_input.delta": _call_piece,
    "content-delta": _cohere_content,
    "tool-call-start": _cohere_call,
    "tool-call-delta": _cohere_call,
    "text-generation": _plain(Channel.TEXT, "text"),
    "thread.message.delta": _assistant_message,
}
"""Type of an event to its reader; other events hold no piece, or repeat earlier ones."""
_WITHOUT_TEXT = frozenset({"message_start", "content_block_stop", "message_stop", "ping", "text", "input_json"})
"""Types of events whose fields look like another provider's text: Anthropic's helper sends each `text` twice."""


def _of_untyped(fields: Fields) -> Iterator[Delta]:
    """Read Gemini, Bedrock Converse or Ollama."""
    if fields.get("candidates"):
        yield from _gemini(fields)
    elif block := _converse_block(fields):
        yield from _converse(block)
    elif message := _fields(fields.get("message")):
        yield Delta(_words(message.get("thinking")), Channel.THINKING)
        yield Delta(_words(message.get("content")))
        for call in _objects(message.get("tool_calls")):
            function = _fields(call.get("function"))
            yield _arguments(function.get("arguments"), 0, function.get("name"))._replace(call=None)
    else:
        yield Delta(next((text for key in _TEXT_KEYS if (text := _words(fields.get(key)))), ""))


_TEXT_KEYS = ("response", "outputText", "generation", "value")
"""Keys for the text of a completion in Ollama, Titan, Llama and Writer."""


def _gemini(fields: Fields) -> Iterator[Delta]:
    usage = fields.get("usageMetadata") or fields.get("usage_metadata")
    tokens = _count(usage, "candidatesTokenCount") or _count(usage, "candidates_token_count")
    content = _fields(next(_objects(fields["candidates"]), _NO_FIELDS).get("content"))
    for part in _objects(content.get("parts")):
        if call := _fields(part.get("functionCall") or part.get("function_call")):
            yield _arguments(call.get("args") or {}, 0, call.get("name"))._replace(call=None)
        elif part.get("text"):
            channel = Channel.THINKING if part.get("thought") else Channel.TEXT
            yield Delta(_words(part["text"]), channel, output_tokens=tokens)


def _converse_block(fields: Fields) -> Fields:
    """Return the event itself, which boto3 nests below its name."""
    inner = fields.get("contentBlockDelta") or fields.get("contentBlockStart")
    return _fields(inner) if inner else fields if "contentBlockIndex" in fields else _NO_FIELDS


def _converse(block: Fields) -> Iterator[Delta]:
    started = _fields(_fields(block.get("start")).get("toolUse"))
    if started and started.get("type") != "server_tool_use":
        yield _arguments("", block.get("contentBlockIndex"), started.get("name"))
    delta = _fields(block.get("delta"))
    if use := _fields(delta.get("toolUse")):
        yield _arguments(use.get("input"), block.get("contentBlockIndex"), None)
    elif thinking := _fields(delta.get("reasoningContent")):
        yield Delta(_words(thinking.get("text")), Channel.THINKING)
    else:
        yield Delta(_words(delta.get("text")))


def _objects(value: object) -> Iterator[Fields]:
    """Yield the fields of each item of a list. A provider's error may have any other value in its place."""
    items = value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else ()
    return map(_fields, items)


def _words(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(usage: object, key: str) -> int | None:
    value = _fields(usage).get(key) if usage is not None else None
    return value if isinstance(value, int) else None
