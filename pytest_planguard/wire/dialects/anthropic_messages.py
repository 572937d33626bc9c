"""Anthropic messages, whole and streamed: from Anthropic, through gateways, in envelopes of Bedrock and Vertex.

Source: https://docs.anthropic.com/en/api/messages
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..dialect import AnswerView, ApiDialect, Body, RequestView, finishes, role_of, sent, settings
from ..exchange import Item, Role
from ..provider_shapes import call_item, mixed_items, provider_error, result_item, text_items
from ..untrusted_json import JsonObject, mapping, name_of, objects, whole, words

_OWN_BLOCKS = {"tool_use", "tool_result", "server_tool_use", "thinking", "redacted_thinking", "image", "document"}


class AnthropicMessages(ApiDialect):
    """`messages` with content blocks in, one `message` out."""

    name = "anthropic.messages"
    sampling = settings("max_tokens temperature top_p top_k", stop_sequences="stop")
    finishes = finishes(
        stop="end_turn stop_sequence", length="max_tokens model_context_window_exceeded", tool_calls="tool_use",
        refusal="refusal",
    )  # fmt: skip
    """`pause_turn` is left out on purpose: the answer has not ended, and the client must continue it."""

    def matches(self, path: str, body: Body) -> bool:
        """Return True if the body has messages with this API's keys or blocks; for plain chat, the path decides."""
        if not objects(body.get("messages")) or path.endswith("/chat/completions"):
            return False
        return path.endswith("/messages") or "anthropic_version" in body or "system" in body or _has_own_shapes(body)

    def read_request(self, body: Body) -> RequestView:
        """Read system text, messages, tools, schema and sampling."""
        output = body.get("output_format") or mapping(body.get("output_config")).get("format")
        items = text_items(Role.SYSTEM, body.get("system"))
        for message in objects(body.get("messages")):
            items += block_items(role_of(message.get("role")), message.get("content"))
        return self.request(body, items, output=output)

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read a message; None for anything else, unless it reports an error."""
        content = body.get("content")
        known = "stop_reason" in body or any("type" in block for block in objects(content))
        if not (provider_error(body) or body.get("type") == "message" or known):
            return None
        items, reason = block_items(Role.ASSISTANT, content), words(body.get("stop_reason"))
        refusal = _refusal(body, items) if reason == "refusal" else None
        return self.answer(body, items, self.finish(reason), refusal=refusal)

    def join(self, objects: Sequence[Body]) -> JsonObject | None:
        """Join the events of a message; an error event keeps the text before it."""
        body: JsonObject = {}
        usage: JsonObject = {}
        blocks: dict[int, JsonObject] = {}
        pieces: dict[int, list[str]] = defaultdict(list)
        for event in objects:
            kind, index = words(event.get("type")), whole(event.get("index")) or 0
            if kind == "message_start":
                body |= mapping(event.get("message"))
                usage |= mapping(body.get("usage"))
            elif kind == "content_block_start":
                blocks[index] = mapping(event.get("content_block"))
            elif kind == "content_block_delta":
                delta = mapping(event.get("delta"))
                pieces[index].append(words(delta.get(_PIECES.get(words(delta.get("type")), ""))))
            elif kind == "message_delta":
                body |= sent(event.get("delta"))
                usage |= sent(event.get("usage"))
            elif kind == "error":
                body["error"] = event.get("error")
        if not body and not blocks:
            return None
        content = [_block(blocks[index], "".join(pieces[index])) for index in sorted(blocks)]
        return {"type": "message", **body, "content": content, "usage": usage}


_PIECES = {"text_delta": "text", "input_json_delta": "partial_json"}


def _block(block: JsonObject, written: str) -> JsonObject:
    """Return a streamed block with its pieces; a call's input is the JSON text as the model wrote it."""
    if written and block.get("type") == "tool_use":
        return {**block, "input": written}
    return {**block, "text": words(block.get("text")) + written} if written and block.get("type") == "text" else block


def block_items(role: Role, content: object) -> list[Item]:
    """Return the items of one message in order, with text between calls and results."""
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
    """Return why the model declined: the explanation if sent, else its words, else the provider's word for it."""
    explained = name_of(mapping(body.get("stop_details")).get("explanation"))
    return explained or "\n".join(item.text for item in items) or "refusal"


def _has_own_shapes(body: Body) -> bool:
    blocks = (b for message in objects(body.get("messages")) for b in objects(message.get("content")))
    return any("input_schema" in tool for tool in objects(body.get("tools"))) or any(
        words(block.get("type")) in _OWN_BLOCKS for block in blocks
    )
