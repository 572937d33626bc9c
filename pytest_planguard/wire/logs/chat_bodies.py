"""Messages as logs write them, turned into the bodies of chat completions, which a dialect reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..untrusted_json import JsonObject, as_json, mapping, name_of, objects, sequence, words

CHAT_URL = "https://log.invalid/v1/chat/completions"
"""The address of a body that was assembled here. No such host exists."""
_ENDPOINTS = (
    ("https://log.invalid/v1/messages", lambda body: body.get("type") == "message"),
    ("https://log.invalid/v1/responses", lambda body: body.get("object") == "response"),
    ("https://log.invalid/model/model/converse", lambda body: "message" in mapping(body.get("output"))),
    ("https://log.invalid/models/model:generateContent", lambda body: "candidates" in body),
)  # fmt: skip


def url_of(response: object) -> str:
    """Return an address of the API whose answers have this form, because requests of several APIs look alike."""
    body = mapping(response)
    return next((url for url, answers_so in _ENDPOINTS if answers_so(body)), CHAT_URL)


_CALLS = ("tool_call", "server_tool_call", "function_call")
_RESULTS = ("tool_call_response", "server_tool_call_response", "tool_result", "function_call_output")
_SILENT = ("reasoning", "thinking", "redacted_thinking")


def chat_messages(value: object) -> list[JsonObject]:
    """Return messages of parts (the conventions' form) as chat messages; chat messages are returned as they are."""
    found: list[JsonObject] = []
    for message in [{"role": "user", "content": value}] if isinstance(value, str) else objects(value):
        if "parts" in message and "content" not in message:
            found += _of_parts(message)
        elif "lc" in message or ("kwargs" in message and "id" in message):
            found += _of_langchain(message)
        elif isinstance(mapping(message.get("data")).get("content"), (str, list)):  # {"type": "human", "data": {…}}
            found += _of_langchain({"id": [words(message.get("type"))], "kwargs": message["data"]})
        elif "message" in message and "content" not in message:
            found += chat_messages([message["message"]])
        elif "role" not in message and words(message.get("type")) in _TYPES:
            found += _of_langchain({"id": [words(message["type"])], "kwargs": message})
        else:
            found.append(message)
    return found


def _of_parts(message: Mapping[str, object]) -> list[JsonObject]:
    role, parts = words(message.get("role")) or "user", sequence(message.get("parts"))
    found: list[JsonObject] = []
    content: list[Any] = []
    calls: list[JsonObject] = []
    for part in parts:
        # A part may be a bare text. `"parts": [5]` is hostile: it is neither text nor an object, and counts as empty.
        held = {"type": "text", "text": part} if isinstance(part, str) else mapping(part)
        kind = words(held.get("type"))
        if kind in _RESULTS:
            result = next((held[key] for key in ("response", "result", "content", "output") if key in held), None)
            found.append(tool_result(held.get("id"), result, name_of(held.get("name"))))
        elif kind in _CALLS:
            calls.append(tool_call(held.get("id"), held.get("name"), held.get("arguments", held.get("input"))))
        elif kind == "text" or (not kind and "text" in held):
            text = held.get("content", held.get("text"))
            content.append({"type": "text", "text": text if isinstance(text, str) else as_json(text)})
        elif kind and kind not in _SILENT:
            content.append({"type": kind})
    if content or calls or not found:
        found.append(spoken(role, content[0]["text"] if len(content) == 1 and "text" in content[0] else content, calls))
    return found


_TYPES: Mapping[str, str] = {
    "humanmessage": "user", "human": "user", "user": "user", "humanmessagechunk": "user",
    "systemmessage": "system", "system": "system",
    "aimessage": "assistant", "aimessagechunk": "assistant", "ai": "assistant", "assistant": "assistant",
    "toolmessage": "tool", "tool": "tool", "functionmessage": "tool", "function": "tool",
}  # fmt: skip
"""LangChain's classes and type names of messages, in lower case."""


def _of_langchain(message: Mapping[str, object]) -> list[JsonObject]:
    held = mapping(message.get("kwargs")) or message
    kind = words((sequence(message.get("id")) or [""])[-1]).lower()
    role = _TYPES.get(kind) or _TYPES.get(words(held.get("type")).lower()) or words(held.get("role")) or "user"
    if role == "tool":
        return [tool_result(held.get("tool_call_id"), held.get("content"), name_of(held.get("name")))]
    calls = [tool_call(c.get("id"), c.get("name"), c.get("args")) for c in objects(held.get("tool_calls"))]
    raw = objects(mapping(held.get("additional_kwargs")).get("tool_calls"))
    return [spoken(role, held.get("content"), raw or calls)]


def spoken(role: str, content: object, calls: Iterable[JsonObject] = ()) -> JsonObject:
    """Return a chat message."""
    listed = list(calls)
    return {"role": role, "content": content or None, **({"tool_calls": listed} if listed else {})}


def tool_call(call_id: object, name: object, arguments: object) -> JsonObject:
    """Return a call in the form of a chat message."""
    text = "" if arguments is None else as_json(arguments)
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": text}}


def tool_result(call_id: object, content: object, name: str | None) -> JsonObject:
    """Return a result in the form of a chat message."""
    return {"role": "tool", "tool_call_id": call_id, **({"name": name} if name else {}), "content": content}


def tool_definitions(value: object) -> list[JsonObject]:
    """Return declared tools in the form of a chat request."""
    found = []
    for tool in objects(value):
        inner = mapping(tool.get("function")) or tool
        schema: object = next((inner[key] for key in ("parameters", "input_schema", "inputSchema") if key in inner), {})
        if name := name_of(inner.get("name")):
            found.append({"type": "function", "function": {"name": name, "parameters": mapping(schema)}})
    return found


def request_body(
    model: object, messages: list[JsonObject], tools: object = None, schema: object = None, **settings: object
) -> JsonObject:
    """Return the body of a request. Settings that are `None` were not logged."""
    body: JsonObject = {"model": name_of(model), "messages": messages}
    body |= {key: value for key, value in settings.items() if value is not None}
    if tools := tool_definitions(tools):
        body["tools"] = tools
    if isinstance(schema, dict) and schema:
        held = mapping(schema.get("json_schema")) or {"schema": mapping(schema.get("schema")) or schema}
        body["response_format"] = {"type": "json_schema", "json_schema": held}
    return body


_FINISHES = {"tool_call": "tool_calls", "tool_use": "tool_calls", "end_turn": "stop", "max_tokens": "length"}


def response_body(
    model: object,
    message: object,
    finish: object = None,
    tokens: tuple[object, object] = (None, None),
    answer_id: object = None,
) -> JsonObject | None:
    """Return the body of an answer; None without a message."""
    answered = chat_messages([message]) if isinstance(message, dict) else []
    if not answered:
        return None
    calls = [call for one in answered for call in objects(one.get("tool_calls"))]
    contents = [one["content"] for one in answered if one.get("content")]
    whole = answered[0] if len(answered) == 1 else spoken("assistant", contents, calls)
    reason = words(finish or mapping(message).get("finish_reason")).lower()
    return {
        "id": name_of(answer_id),
        "model": name_of(model),
        "choices": [{"index": 0, "message": whole, "finish_reason": _FINISHES.get(reason, reason)}],
        "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]},
    }
