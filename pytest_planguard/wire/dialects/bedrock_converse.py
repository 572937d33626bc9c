"""Bedrock's Converse, whole and streamed, and the bodies of Amazon Nova, which are the same under InvokeModel.

Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dialect import (
    AnswerView,
    Body,
    RequestView,
    extra_of,
    finishes,
    left_over,
    role_of,
    sampling_of,
    usage_of,
    without,
)
from ..exchange import Finish, Item, Role
from ..provider_shapes import call_item, mixed_items, part_text, provider_error, result_item
from ..untrusted_json import JsonObject, as_json, mapping, name_of, objects, parsed_or_none, sequence, whole, words

FINISHES = finishes(
    stop="end_turn stop_sequence", length="max_tokens model_context_window_exceeded", tool_calls="tool_use",
    content_filter="guardrail_intervened content_filtered", error="malformed_model_output malformed_tool_use",
)  # fmt: skip
SAMPLING = {
    "maxTokens": "max_tokens", "max_new_tokens": "max_tokens", "temperature": "temperature", "topP": "top_p",
    "top_p": "top_p", "topK": "top_k", "top_k": "top_k", "stopSequences": "stop",
}  # fmt: skip
_READ = ("modelId", "messages", "system", "inferenceConfig", "toolConfig", "outputConfig")
_TELLING = {"inferenceConfig", "toolConfig", "guardrailConfig", "additionalModelRequestFields", "outputConfig"}
_CHOICES = {"auto": "auto", "any": "required"}
_SILENT = {"reasoningContent", "cachePoint"}


class Converse:
    """`messages` of blocks without a type in, `output.message` out."""

    name = "bedrock.converse"

    def matches(self, path: str, body: Body) -> bool:
        """Return whether the body has messages and keys of this API; the path settles a body without any."""
        if not objects(body.get("messages")):
            return False
        return path.endswith(("/converse", "/converse-stream")) or not _TELLING.isdisjoint(body)

    def read_request(self, body: Body) -> RequestView:
        """Read system text, messages, tools, schema and sampling; the URL has the model."""
        config = mapping(body.get("inferenceConfig"))
        tools = mapping(body.get("toolConfig"))
        items = block_items(Role.SYSTEM, body.get("system"))
        for message in objects(body.get("messages")):
            items += block_items(role_of(message.get("role")), message.get("content"))
        return RequestView(
            model=name_of(body.get("modelId")),
            items=tuple(items),
            tools=_tools(tools),
            tool_choice=_choice(tools.get("toolChoice")),
            output_schema=_schema(body.get("outputConfig")),
            sampling=sampling_of(config, SAMPLING),
            extra=_extra(body, config, tools),
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the output message; None without one, unless the body reports an error."""
        message = mapping(body.get("output")).get("message")
        error = provider_error(body)
        if not isinstance(message, dict) and not error:
            return None
        return AnswerView(
            items=tuple(block_items(Role.ASSISTANT, mapping(message).get("content"))),
            finish=Finish.ERROR if error else FINISHES.get(words(body.get("stopReason"))),
            usage=usage_of(body.get("usage"), "inputTokens", "outputTokens"),
            error=error.message if error else None,
        )

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Put the message together from its events; None where no event belonged to one."""
        stream = ConverseStream()
        for event in objects:
            stream.add(event)
        body = stream.answer()
        return self.read_answer(body) if body is not None else None


def block_items(role: Role, blocks: object) -> list[Item]:
    """Return the items of one message, in order."""
    return mixed_items(role, [_plain(block) for block in sequence(blocks)], _tool_item)


def _plain(block: object) -> Any:
    """Return a block as `content` reads it: with a type, text under `text`."""
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
    """Return a call or result of the client's tools. What the provider ran itself is named `server_tool_use`."""
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


def _specs(tools: Body) -> list[JsonObject]:
    return [mapping(tool.get("toolSpec")) for tool in objects(tools.get("tools")) if "toolSpec" in tool]


def _tools(tools: Body) -> JsonObject:
    """Declared tools: name to JSON Schema of the arguments, an empty dict where none was sent."""
    schemas = ((spec.get("name"), mapping(spec.get("inputSchema")).get("json")) for spec in _specs(tools))
    return {name: mapping(schema) for sent, schema in schemas if (name := name_of(sent))}


def _choice(value: object) -> str | None:
    """Tool choice: the one key of the object says which, `tool` names one."""
    choice = mapping(value)
    named = name_of(mapping(choice.get("tool")).get("name"))
    return named or next((ours for theirs, ours in _CHOICES.items() if theirs in choice), None)


def _schema(config: object) -> JsonObject | None:
    """Return the JSON Schema that the output configuration demands, sent as a text."""
    structure = mapping(mapping(mapping(config).get("textFormat")).get("structure"))
    sent = mapping(structure.get("jsonSchema")).get("schema")
    schema = parsed_or_none(sent) if isinstance(sent, str) else sent
    return schema if isinstance(schema, dict) else None


def _extra(body: Body, config: Body, tools: Body) -> JsonObject:
    specs = [without(spec, "inputSchema") for spec in _specs(tools)]
    remarks = [spec for spec in specs if spec.keys() - {"name"}]
    remarks += [tool for tool in objects(tools.get("tools")) if "toolSpec" not in tool]
    return extra_of(body, _READ, inferenceConfig=left_over(config, SAMPLING), tools=remarks)


# Streamed Converse answers put together: events become the body that the same answer would have had whole.

_EVENTS = (
    "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata",
)  # fmt: skip


class ConverseStream:
    """One streamed message. Blocks belong together by index."""

    def __init__(self) -> None:
        self._known = False
        self._error: Any = None
        self._stop: str | None = None
        self._usage: JsonObject = {}
        self._tools: dict[int, JsonObject] = {}
        self._pieces: dict[int, list[str]] = {}

    def add(self, event: Body) -> None:
        """Take the next event; its name is its `type`, or, from Nova under InvokeModel, the key that wraps it."""
        self._error = event.get("error") or self._error
        kind = next((name for name in _EVENTS if name == event.get("type") or name in event), None)
        if kind is None:
            return
        self._known = True
        data = mapping(event.get(kind)) or event
        index = whole(data.get("contentBlockIndex")) or 0
        if kind == "contentBlockStart":
            self._start(index, mapping(data.get("start")))
        elif kind == "contentBlockDelta":
            delta = mapping(data.get("delta"))
            if piece := words(delta.get("text")) or words(mapping(delta.get("toolUse")).get("input")):
                self._pieces.setdefault(index, []).append(piece)
        self._stop = name_of(data.get("stopReason")) or self._stop
        self._usage.update(mapping(data.get("usage")))

    def answer(self) -> JsonObject | None:
        """Return the body of the whole answer; None where no event belonged to one."""
        if not self._known and not self._error:
            return None
        content = [self._block(index) for index in sorted({*self._tools, *self._pieces})]
        return {
            "output": {"message": {"content": content}},
            "stopReason": self._stop,
            "usage": self._usage,
            "error": self._error,
        }

    def _start(self, index: int, start: Body) -> None:
        if tool := mapping(start.get("toolUse")):
            self._tools[index] = tool
        elif "toolResult" in start:  # a tool that the provider ran itself
            self._tools[index] = {"type": "server_tool_use"}

    def _block(self, index: int) -> JsonObject:
        """A block with its pieces; a call's input is the JSON text as the model wrote it, an empty one is `{}`."""
        written = "".join(self._pieces.get(index, []))
        tool = self._tools.get(index)
        return {"text": written} if tool is None else {"toolUse": {**tool, "input": written or {}}}
