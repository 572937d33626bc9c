"""Anthropic messages, whole and streamed: on Anthropic's host, through gateways, in Bedrock's and Vertex' envelopes.

Source: https://docs.anthropic.com/en/api/messages
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..dialect import (
    AnswerView,
    Body,
    RequestView,
    common_request,
    extra_of,
    finishes,
    left_over,
    role_of,
    usage_of,
    without,
)
from ..exchange import Finish, Item, Role
from ..provider_shapes import call_item, mixed_items, provider_error, result_item, text_items
from ..untrusted_json import JsonObject, mapping, name_of, objects, whole, words

FINISHES = finishes(
    stop="end_turn stop_sequence", length="max_tokens model_context_window_exceeded", tool_calls="tool_use",
    refusal="refusal",
)  # fmt: skip
"""`pause_turn` is missing on purpose: the answer has not ended, it waits to be continued."""
SAMPLING = {
    "max_tokens": "max_tokens", "temperature": "temperature", "top_p": "top_p", "top_k": "top_k",
    "stop_sequences": "stop",
}  # fmt: skip
_READ = {"model", "messages", "system", "tools", "tool_choice", "output_format", "output_config", *SAMPLING}
_OWN_BLOCKS = {"tool_use", "tool_result", "server_tool_use", "thinking", "redacted_thinking", "image", "document"}


class AnthropicMessages:
    """`messages` with content blocks in, one `message` out."""

    name = "anthropic.messages"

    def matches(self, path: str, body: Body) -> bool:
        """Whether the body has messages with this API's own keys or blocks; the path settles a plain chat body."""
        if not objects(body.get("messages")) or path.endswith("/chat/completions"):
            return False
        return path.endswith("/messages") or "anthropic_version" in body or "system" in body or _has_own_shapes(body)

    def read_request(self, body: Body) -> RequestView:
        """Read system text, messages, tools, schema and sampling."""
        output = body.get("output_format") or mapping(body.get("output_config")).get("format")
        items = text_items(Role.SYSTEM, body.get("system"))
        for message in objects(body.get("messages")):
            items += block_items(role_of(message.get("role")), message.get("content"))
        extra = extra_of(
            body,
            _READ,
            tool_choice=without(body.get("tool_choice"), "type", "name"),
            output_config=without(body.get("output_config"), "format"),
        )
        return common_request(body, items, output=output, sampling=SAMPLING, extra=extra)

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read a message; None for anything else, unless it reports an error."""
        error = provider_error(body)
        if error:
            return AnswerView(finish=Finish.ERROR, error=error.message, rejected_text=error.rejected_text)
        blocks = objects(body.get("content"))
        if body.get("type") != "message" and not ("stop_reason" in body or any("type" in block for block in blocks)):
            return None
        return self._message(body)

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Put the message together from its events; an error event keeps what was written before it."""
        stream = MessageStream()
        for event in objects:
            stream.add(event)
        message, error = stream.message(), stream.error
        return self._message(message, error) if message is not None or error else None

    def _message(self, message: Body | None, failure: Body | None = None) -> AnswerView:
        body = message or {}
        error = provider_error(failure)
        items = tuple(block_items(Role.ASSISTANT, body.get("content")))
        reason = words(body.get("stop_reason"))
        return AnswerView(
            items=items,
            model=name_of(body.get("model")),
            response_id=name_of(body.get("id")),
            finish=Finish.ERROR if error else FINISHES.get(reason),
            refusal=_refusal(body, items) if reason == "refusal" else None,
            usage=usage_of(body.get("usage"), "input_tokens", "output_tokens"),
            error=error.message if error else None,
        )


def block_items(role: Role, content: object) -> list[Item]:
    """Return the items of one message, in order: text between the calls and results."""
    if isinstance(content, str):
        return text_items(role, content)
    return mixed_items(role, content, _tool_item)


def _tool_item(block: Body) -> Item | None:
    if block.get("type") == "tool_use":
        return call_item(block.get("name"), block.get("input"), block.get("id"))
    if block.get("type") == "tool_result":
        return result_item(block.get("content"), block.get("tool_use_id"), is_error=block.get("is_error") is True)
    return None


def _refusal(body: Body, items: Sequence[Item]) -> str:
    """Why the model declined: the explanation where one is sent, else its words, else the provider's word for it."""
    explained = name_of(mapping(body.get("stop_details")).get("explanation"))
    return explained or "\n".join(item.text for item in items) or "refusal"


def _has_own_shapes(body: Body) -> bool:
    blocks = (b for message in objects(body.get("messages")) for b in objects(message.get("content")))
    return any("input_schema" in tool for tool in objects(body.get("tools"))) or any(
        words(block.get("type")) in _OWN_BLOCKS for block in blocks
    )


# Streamed Anthropic messages put together: events become the message that was streamed.

_PIECES = {"text_delta": "text", "input_json_delta": "partial_json"}


class MessageStream:
    """One streamed message. Blocks belong together by index."""

    def __init__(self) -> None:
        self.error: Body | None = None
        """The error event, where one came."""
        self._message: JsonObject | None = None
        self._usage: JsonObject = {}
        self._blocks: dict[int, JsonObject] = {}
        self._pieces: dict[int, list[str]] = defaultdict(list)

    def add(self, event: Body) -> None:
        """Take the next event; an unknown one changes nothing."""
        kind, index = words(event.get("type")), whole(event.get("index")) or 0
        if kind == "message_start":
            self._message = dict(mapping(event.get("message")))
            self._usage |= mapping(self._message.get("usage"))
        elif kind == "content_block_start":
            self._blocks[index] = mapping(event.get("content_block"))
        elif kind == "content_block_delta":
            delta = mapping(event.get("delta"))
            self._pieces[index].append(words(delta.get(_PIECES.get(words(delta.get("type")), ""))))
        elif kind == "message_delta":
            self._message = {**(self._message or {}), **left_over(mapping(event.get("delta")), ())}
            self._usage |= left_over(mapping(event.get("usage")), ())
        elif kind == "error":
            self.error = event

    def message(self) -> JsonObject | None:
        """Return the message as a whole answer has it; None where no event belonged to one."""
        if self._message is None and not self._blocks:
            return None
        content = [self._block(index) for index in sorted(self._blocks)]
        return {**(self._message or {}), "content": content, "usage": self._usage}

    def _block(self, index: int) -> JsonObject:
        """Return a block with its pieces; a call's input is the JSON text as the model wrote it."""
        block = self._blocks[index]
        written = "".join(self._pieces[index])
        if not written:
            return block
        if block.get("type") == "tool_use":
            return {**block, "input": written}
        return {**block, "text": words(block.get("text")) + written} if block.get("type") == "text" else block
