"""Bedrock's Converse, whole and streamed, and the bodies of Amazon Nova, which are the same under InvokeModel.

Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dialect import (
    AnswerView,
    ApiDialect,
    Body,
    RequestView,
    finishes,
    role_of,
    sampling_of,
    settings,
)
from ..exchange import Item, Role
from ..provider_shapes import call_item, declared, mixed_items, part_text, provider_error, result_item
from ..untrusted_json import JsonObject, as_json, mapping, name_of, objects, parsed_or_none, sequence, whole, words

_TELLING = {"inferenceConfig", "toolConfig", "guardrailConfig", "additionalModelRequestFields", "outputConfig"}
_CHOICES = {"auto": "auto", "any": "required"}
_SILENT = {"reasoningContent", "cachePoint"}


class Converse(ApiDialect):
    """`messages` of blocks without a type in, `output.message` out."""

    name = "bedrock.converse"
    sampling = settings(
        "temperature top_p top_k", maxTokens="max_tokens", max_new_tokens="max_tokens", topP="top_p", topK="top_k",
        stopSequences="stop",
    )  # fmt: skip
    finishes = finishes(
        stop="end_turn stop_sequence", length="max_tokens model_context_window_exceeded", tool_calls="tool_use",
        content_filter="guardrail_intervened content_filtered", error="malformed_model_output malformed_tool_use",
    )  # fmt: skip
    tokens = ("inputTokens", "outputTokens")

    def matches(self, path: str, body: Body) -> bool:
        """Return True if the body has messages and keys of this API. Without such keys, the path decides."""
        if not objects(body.get("messages")):
            return False
        return path.endswith(("/converse", "/converse-stream")) or not _TELLING.isdisjoint(body)

    def read_request(self, body: Body) -> RequestView:
        """Read system text, messages, tools, schema and sampling; the model is in the URL."""
        tools = mapping(body.get("toolConfig"))
        specs = [mapping(tool.get("toolSpec")) for tool in objects(tools.get("tools"))]
        items = block_items(Role.SYSTEM, body.get("system"))
        for message in objects(body.get("messages")):
            items += block_items(role_of(message.get("role")), message.get("content"))
        return RequestView(
            model=name_of(body.get("modelId")),
            items=tuple(items),
            tools=declared((spec, mapping(spec.get("inputSchema")).get("json")) for spec in specs),
            tool_choice=_choice(tools.get("toolChoice")),
            output_schema=_schema(body.get("outputConfig")),
            sampling=sampling_of(mapping(body.get("inferenceConfig")), self.sampling),
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the output message; None without one, unless the body reports an error."""
        message = mapping(body.get("output")).get("message")
        if not isinstance(message, dict) and not provider_error(body):
            return None
        items = block_items(Role.ASSISTANT, mapping(message).get("content"))
        return self.answer(body, items, self.finish(body.get("stopReason")))

    def join(self, objects: Sequence[Body]) -> JsonObject | None:
        """Join the events of a message. An event's name is its `type`; for Nova under InvokeModel, the key around it.

        A call's input is the JSON text as the model wrote it; an empty one is `{}`.
        """
        known, stop, error, usage = False, None, None, JsonObject()
        tools: dict[int, JsonObject] = {}
        pieces: dict[int, list[str]] = {}
        for event in objects:
            error = event.get("error") or error
            kind = next((name for name in _EVENTS if name == event.get("type") or name in event), None)
            if kind is None:
                continue
            known = True
            data = mapping(event.get(kind)) or event
            index, delta = whole(data.get("contentBlockIndex")) or 0, mapping(data.get("delta"))
            if kind == "contentBlockStart" and (tool := _begun(mapping(data.get("start")))):
                tools[index] = tool
            piece = words(delta.get("text")) or words(mapping(delta.get("toolUse")).get("input"))
            if kind == "contentBlockDelta" and piece:
                pieces.setdefault(index, []).append(piece)
            stop = name_of(data.get("stopReason")) or stop
            usage |= mapping(data.get("usage"))
        if not known and not error:
            return None
        written = {index: "".join(texts) for index, texts in pieces.items()}
        blocks: dict[int, JsonObject] = {index: {"text": text} for index, text in written.items()}
        blocks |= {index: {"toolUse": {**tool, "input": written.get(index) or {}}} for index, tool in tools.items()}
        content = [block for _, block in sorted(blocks.items())]
        return {"output": {"message": {"content": content}}, "stopReason": stop, "usage": usage, "error": error}


_EVENTS = (
    "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata",
)  # fmt: skip


def _begun(start: Body) -> JsonObject:
    """Return the call that a streamed block begins; {} for a text. A result belongs to a tool that the provider ran."""
    return mapping(start.get("toolUse")) or ({"type": "server_tool_use"} if "toolResult" in start else {})


def block_items(role: Role, blocks: object) -> list[Item]:
    """Return the items of one message, in order."""
    return mixed_items(role, [_plain(block) for block in sequence(blocks)], _tool_item)


def _plain(block: object) -> Any:
    """Return a block in the form that `content` reads: with a type, text under `text`."""
    if not isinstance(block, dict) or isinstance(block.get("text"), str):
        return block
    if guarded := mapping(mapping(block.get("guardContent")).get("text")):
        return {"type": "text", "text": guarded.get("text")}
    if cited := mapping(block.get("citationsContent")):
        return {"type": "text", "text": "".join(words(part.get("text")) for part in objects(cited.get("content")))}
    if "toolUse" in block or "toolResult" in block:
        return block
    kind = next(iter(block), "thinking")
    return {"type": "thinking" if kind in _SILENT else kind}


def _tool_item(block: Body) -> Item | None:
    """Return a call or result of the client's tools. A tool that the provider ran is named `server_tool_use`."""
    use, result = mapping(block.get("toolUse")), mapping(block.get("toolResult"))
    if use and use.get("type") != "server_tool_use":
        return call_item(use.get("name"), use.get("input"), use.get("toolUseId"))
    if result and words(result.get("type")) in ("", "tool_result"):
        text = "\n".join(filter(None, map(_result_text, sequence(result.get("content")))))
        return result_item(text, result.get("toolUseId"), is_error=result.get("status") == "error")
    return None


def _result_text(part: object) -> str | None:
    json_value = mapping(part).get("json")
    return part_text(_plain(part)) if json_value is None else as_json(json_value)


def _choice(value: object) -> str | None:
    """Return the tool choice: the only key of the object, or the tool that `tool` names."""
    choice = mapping(value)
    named = name_of(mapping(choice.get("tool")).get("name"))
    return named or next((ours for theirs, ours in _CHOICES.items() if theirs in choice), None)


def _schema(config: object) -> JsonObject | None:
    """Return the JSON Schema that the output configuration demands. It is sent as text."""
    structure = mapping(mapping(mapping(config).get("textFormat")).get("structure"))
    sent = mapping(structure.get("jsonSchema")).get("schema")
    schema = parsed_or_none(sent) if isinstance(sent, str) else sent
    return schema if isinstance(schema, dict) else None
