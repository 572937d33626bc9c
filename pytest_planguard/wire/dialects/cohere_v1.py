"""Cohere chat, version 1, also under Bedrock: one `message` and a `chat_history` in, `text` out.

Source: https://docs.cohere.com/v1/reference/chat
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dialect import AnswerView, Body, RequestView, left_over, role_of, sampling_of
from ..exchange import Finish, Item, Role
from ..provider_shapes.content import call_item, result_item, text_items
from ..provider_shapes.provider_error import provider_error
from ..provider_shapes.tools import demanded_schema
from ..untrusted_json import as_json, mapping, name_of, objects, words
from .cohere_v2 import FINISHES, SAMPLING, tokens

_READ = ("model", "message", "chat_history", "preamble", "tools", "tool_results", "response_format", *SAMPLING)
_TYPES = {
    "str": "string", "string": "string", "int": "integer", "integer": "integer", "float": "number",
    "number": "number", "bool": "boolean", "boolean": "boolean", "list": "array", "dict": "object",
}  # fmt: skip
"""Python's names of types, in which this API declares parameters."""


class CohereMessage:
    """One message at a time, the rest as history."""

    name = "cohere.message"

    def matches(self, path: str, body: Body) -> bool:  # noqa: ARG002 - part of the protocol
        """Return whether the body has a message that is a text."""
        return isinstance(body.get("message"), str) and "messages" not in body

    def read_request(self, body: Body) -> RequestView:
        """Read preamble, history, message, tool results, tools, schema and sampling."""
        items = text_items(Role.SYSTEM, body.get("preamble"))
        for turn in objects(body.get("chat_history")):
            items += _turn(turn)
        items += text_items(Role.USER, body.get("message"))
        items += [_result(result) for result in objects(body.get("tool_results"))]
        held = name_of(body.get("conversation_id"))
        return RequestView(
            model=name_of(body.get("model")),
            items=tuple(items),
            tools={tool["name"]: _arguments(tool) for tool in _named(body.get("tools"))},
            output_schema=demanded_schema(body.get("response_format")),
            sampling=sampling_of(body, SAMPLING),
            extra=_extra(body),
            unseen=f"conversation {held}" if held else None,
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read text and calls; None for anything else, unless the body reports an error."""
        error = provider_error(body)
        if not error and not (
            isinstance(body.get("text"), str) and ("generation_id" in body or "chat_history" in body)
        ):
            return None
        return AnswerView(
            items=tuple(text_items(Role.ASSISTANT, body.get("text")) + _calls(body.get("tool_calls"))),
            response_id=name_of(body.get("generation_id")) or name_of(body.get("response_id")),
            finish=Finish.ERROR if error else _finish(body),
            usage=tokens(body.get("meta")),
            error=error.message if error else None,
        )

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Read the response of the last event, or what came before the stream broke off."""
        body: dict[str, Any] = {}
        pieces: list[str] = []
        for event in objects:
            kind = event.get("event_type")
            body |= {key: event[key] for key in ("generation_id", "error", "tool_calls") if event.get(key)}
            body |= mapping(event.get("response"))
            pieces += [words(event.get("text"))] if kind == "text-generation" else []
        return self.read_answer({"text": "".join(pieces), **body})


def _turn(turn: Body) -> list[Item]:
    """Return the items of one turn of the history: a text, calls of the model, results of tools."""
    role = role_of(turn.get("role"))
    results = [_result(result) for result in objects(turn.get("tool_results"))]
    said = [] if role is Role.TOOL else text_items(role, turn.get("message"))
    return said + _calls(turn.get("tool_calls")) + results


def _calls(calls: Any) -> list[Item]:
    """Calls; this version gives them no id."""
    return [call_item(call.get("name"), call.get("parameters") or {}, call.get("id")) for call in objects(calls)]


def _result(result: Body) -> Item:
    call = mapping(result.get("call"))
    return result_item(as_json(result.get("outputs") or []), call.get("id"), call.get("name"))


def _finish(body: Body) -> Finish | None:
    finish = FINISHES.get(words(body.get("finish_reason")))
    return Finish.TOOL_CALLS if finish is Finish.STOP and objects(body.get("tool_calls")) else finish


def _named(tools: Any) -> list[dict[str, Any]]:
    return [tool for tool in objects(tools) if name_of(tool.get("name"))]


def _arguments(tool: Body) -> dict[str, Any]:
    """Return the JSON Schema of a tool's declared parameters; an empty one where none were sent."""
    declared = mapping(tool.get("parameter_definitions"))
    if not declared:
        return {}
    properties = {name: _property(mapping(value)) for name, value in declared.items()}
    required = [name for name, value in declared.items() if mapping(value).get("required") is True]
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def _property(declared: Body) -> dict[str, Any]:
    kind = words(declared.get("type"))
    known = _TYPES.get(kind.partition("[")[0].lower())  # `List[str]`: what is inside is not read
    schema: dict[str, Any] = {"type": known} if known else {}
    return schema | {key: value for key, value in declared.items() if key == "description" and value}


def _extra(body: Body) -> dict[str, Any]:
    extra = left_over(body, _READ)
    remarks = [{k: v for k, v in tool.items() if k != "parameter_definitions"} for tool in _named(body.get("tools"))]
    if described := [remark for remark in remarks if remark.keys() - {"name"}]:
        extra["tools"] = described
    return extra
