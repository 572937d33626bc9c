"""Cohere chat: version 2 with messages of content parts, and version 1 with one `message` and a history.

Source: https://docs.cohere.com/reference/chat
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dialect import (
    AnswerView,
    ApiDialect,
    Body,
    RequestView,
    called,
    finishes,
    role_of,
    sampling_of,
    settings,
)
from ..exchange import Item, Role, Usage
from ..provider_shapes import call_item, declared, demanded_schema, provider_error, result_item, text_items
from ..untrusted_json import JsonObject, as_json, mapping, name_of, objects, sequence, whole, words
from .openai_chat import ToolCalls, message_items

FINISHES = finishes(
    stop="COMPLETE STOP_SEQUENCE", length="MAX_TOKENS ERROR_LIMIT", tool_calls="TOOL_CALL",
    content_filter="ERROR_TOXIC", error="ERROR TIMEOUT USER_CANCEL",
)  # fmt: skip
SAMPLING = settings(
    "max_tokens temperature seed frequency_penalty presence_penalty", p="top_p", k="top_k", stop_sequences="stop"
)


class CohereChat(ApiDialect):
    """Requests resemble OpenAI's, so only the path distinguishes them; answers have a different shape."""

    name = "cohere.chat"
    sampling, finishes = SAMPLING, FINISHES

    def matches(self, path: str, body: Body) -> bool:
        """Return True if the path is this API's and the body has chat messages."""
        return path.endswith("/v2/chat") and bool(objects(body.get("messages")))

    def read_request(self, body: Body) -> RequestView:
        """Read messages, tools, schema and sampling."""
        choice = body.get("tool_choice")
        return self.request(
            {**body, "tool_choice": choice.lower() if isinstance(choice, str) else choice},
            (item for message in objects(body.get("messages")) for item in _items(message)),
            output=body.get("response_format"),
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the message; None without one, unless the body reports an error. The tool plan counts as a thought."""
        if not provider_error(body) and not (isinstance(body.get("message"), dict) and "finish_reason" in body):
            return None
        items = message_items({**mapping(body.get("message")), "role": "assistant"})
        return self.answer(body, items, self.finish(body.get("finish_reason")), usage=counted(body.get("usage")))

    def join(self, objects: Sequence[Body]) -> JsonObject | None:
        """Join the events of the message, even if it is incomplete. An unknown event changes nothing."""
        body: JsonObject = {"finish_reason": None}
        text: list[str] = []
        tools = ToolCalls()
        known = False
        for event in objects:
            kind, delta = words(event.get("type")), mapping(event.get("delta"))
            message = mapping(delta.get("message"))
            known = known or kind in ("message-start", "content-delta", "tool-call-start", "message-end")
            if kind in ("content-start", "content-delta"):
                text.append(words(mapping(message.get("content")).get("text")))
            elif kind in ("tool-call-start", "tool-call-delta"):
                tools.add({**mapping(message.get("tool_calls")), "index": event.get("index")})
            found = {"id": event.get("id"), "error": event.get("error") or delta.get("error")}
            found |= {"finish_reason": delta.get("finish_reason"), "usage": delta.get("usage")}
            body |= {key: value for key, value in found.items() if value}
        return {**body, "message": {"content": "".join(text), "tool_calls": tools.calls()}} if known else None


def counted(value: object) -> Usage:
    """Return the input and output tokens that the model saw, or the billed ones if only these are given."""
    usage = mapping(value)
    units = mapping(usage.get("tokens")) or mapping(usage.get("billed_units"))
    return Usage(_number(units.get("input_tokens")), _number(units.get("output_tokens")))


def _number(value: object) -> int | None:
    """Return a count, which this API may write as a float."""
    return int(value) if isinstance(value, float) and value.is_integer() else whole(value)


def _items(message: Body) -> list[Item]:
    """Return the items of one message; a tool's result may be a list of documents."""
    if role_of(message.get("role")) is not Role.TOOL or isinstance(message.get("content"), str):
        return message_items(message)
    parts = [_document(part) for part in sequence(message.get("content"))]
    return [result_item(parts, message.get("tool_call_id"))]


def _document(part: object) -> object:
    data = mapping(mapping(part).get("document")).get("data")
    return part if data is None else {"type": "text", "text": as_json(data)}


# Cohere chat, version 1, also under Bedrock: one `message` and a `chat_history` in, `text` out.
# Source: https://docs.cohere.com/v1/reference/chat

_TYPES = {
    "str": "string", "string": "string", "int": "integer", "integer": "integer", "float": "number",
    "number": "number", "bool": "boolean", "boolean": "boolean", "list": "array", "dict": "object",
}  # fmt: skip
"""Python's names of types, which this API uses to declare parameters."""


class CohereMessage(ApiDialect):
    """One message at a time, with the rest as history."""

    name = "cohere.message"
    finishes = FINISHES

    def matches(self, path: str, body: Body) -> bool:  # noqa: ARG002 - part of the protocol
        """Return True if the body has a `message` that is a text."""
        return isinstance(body.get("message"), str) and "messages" not in body

    def read_request(self, body: Body) -> RequestView:
        """Read preamble, history, message, tool results, tools, schema and sampling."""
        items = text_items(Role.SYSTEM, body.get("preamble"))
        for turn in objects(body.get("chat_history")):
            items += _turn(turn)
        items += text_items(Role.USER, body.get("message"))
        items += [_result(result) for result in objects(body.get("tool_results"))]
        return RequestView(
            model=name_of(body.get("model")),
            items=tuple(items),
            tools=declared((tool, _arguments(tool)) for tool in objects(body.get("tools"))),
            output_schema=demanded_schema(body.get("response_format")),
            sampling=sampling_of(body, SAMPLING),
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read text and calls; None for anything else, unless the body reports an error."""
        if not provider_error(body) and not (
            isinstance(body.get("text"), str) and ("generation_id" in body or "chat_history" in body)
        ):
            return None
        items = text_items(Role.ASSISTANT, body.get("text")) + _calls(body.get("tool_calls"))
        sent = {"id": name_of(body.get("generation_id")) or body.get("response_id"), "error": body.get("error")}
        finish = called(self.finish(body.get("finish_reason")), items)
        return self.answer(sent, items, finish, usage=counted(body.get("meta")))

    def join(self, objects: Sequence[Body]) -> JsonObject:
        """Return the response of the last event, or the pieces before the stream broke off."""
        body: JsonObject = {}
        pieces: list[str] = []
        for event in objects:
            body |= {key: event[key] for key in ("generation_id", "error", "tool_calls") if event.get(key)}
            body |= mapping(event.get("response"))
            pieces += [words(event.get("text"))] if event.get("event_type") == "text-generation" else []
        return {"text": "".join(pieces), **body}


def _turn(turn: Body) -> list[Item]:
    """Return the items of one turn of the history: a text, the model's calls, or tool results."""
    role = role_of(turn.get("role"))
    results = [_result(result) for result in objects(turn.get("tool_results"))]
    said = [] if role is Role.TOOL else text_items(role, turn.get("message"))
    return said + _calls(turn.get("tool_calls")) + results


def _calls(calls: object) -> list[Item]:
    """Return the calls, which have no id in this version."""
    return [call_item(call.get("name"), call.get("parameters") or {}, call.get("id")) for call in objects(calls)]


def _result(result: Body) -> Item:
    call = mapping(result.get("call"))
    return result_item(as_json(result.get("outputs") or []), call.get("id"), call.get("name"))


def _arguments(tool: Body) -> JsonObject:
    """Return the JSON Schema of a tool's declared parameters; an empty one if none were sent."""
    declared = mapping(tool.get("parameter_definitions"))
    if not declared:
        return {}
    properties = {name: _property(mapping(value)) for name, value in declared.items()}
    required = [name for name, value in declared.items() if mapping(value).get("required") is True]
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def _property(declared: Body) -> JsonObject:
    kind = words(declared.get("type"))
    known = _TYPES.get(kind.partition("[")[0].lower())  # `List[str]`: the part in brackets is ignored
    schema: JsonObject = {"type": known} if known else {}
    return schema | {key: value for key, value in declared.items() if key == "description" and value}
