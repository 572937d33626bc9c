"""OpenTelemetry's `gen_ai.*` in all forms: attributes, span events, log records, and their predecessors.

Source: https://github.com/open-telemetry/semantic-conventions-genai
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..untrusted_json import JsonObject, mapping, name_of, objects, sequence, words
from .chat_bodies import CHAT_URL, chat_messages, request_body, response_body
from .logged import CutError, Event, Fidelity, Logged, unpacked_json
from .spans import Span

CALLS = ("chat", "generate_content", "text_completion", "completion", "message")
"""Operations that call a model; agents, tools and embeddings do not count."""
SWITCH = (
    "no content was captured: set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT to SPAN_ONLY, to true for older "
    "instrumentations, or TRACELOOP_TRACE_CONTENT=true for OpenLLMetry"
)
CUT = "the content is cut: raise OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT or the limit of what exports it"
DROPPED = "attributes were dropped: raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT"
_FRAMEWORKS = re.compile(
    r"pydantic[-_.]ai|crewai|agno|smolagents|autogen|semantic.?kernel|haystack|llama.?index|strands"
)
"""Scopes of frameworks that log messages before they reword them for the wire."""
_OWN_MESSAGES = ("model_request_parameters", "pydantic_ai.all_messages", "logfire.json_schema")
"""Attributes of such frameworks, for containers that do not store the scope."""
_SETTINGS = {
    "temperature": "temperature", "top_p": "top_p", "top_k": "top_k", "max_tokens": "max_tokens", "seed": "seed",
    "stop_sequences": "stop", "frequency_penalty": "frequency_penalty", "presence_penalty": "presence_penalty",
}  # fmt: skip


def read_gen_ai(span: Span) -> Logged | None:
    """Return the call in a span or a log record; None without one."""
    found = span.attributes
    events = [Event(name, body, at) for name, body, at in span.events if _NAMES.match(name)]
    if not _is_call(span) and not events:
        return None
    logged = call_of(span, name_of(found.get("gen_ai.conversation.id") or found.get("session.id")) or "")
    logged.model = words(found.get("gen_ai.response.model") or found.get("gen_ai.request.model"))
    logged.fidelity, logged.why, logged.events = Fidelity.NONE, SWITCH, events
    try:
        messages = _messages(found)
        if messages is not None:
            logged.request = _request(found, *messages[:1])
            logged.response = _response(found, messages[1])
    except CutError:
        logged.fidelity, logged.why = Fidelity.PARTIAL, CUT
        return logged
    if not events and (logged.request is None or logged.response is None) and span.failed:
        logged.why = "the call failed, and has no answer"
    elif logged.request is not None and logged.response is not None:
        logged.fidelity, logged.why = _fidelity(span), ""
    elif logged.request is not None or logged.response is not None:
        logged.fidelity, logged.why = Fidelity.PARTIAL, "only one of request and answer was captured"
    if logged.fidelity is not Fidelity.NONE and span.dropped and any(key.endswith(".0.role") for key in found):
        logged.fidelity, logged.why = Fidelity.PARTIAL, DROPPED
    if events and not logged.request:
        logged.settings = {**_settings(found), "finish": _finish(found), "tokens": _tokens(found)}
    return logged


def call_of(span: Span, session: str) -> Logged:
    """Return the fields of a call that every convention logs in the same way: ids and times."""
    took = max(0, span.end - span.start) if span.end else 0
    fields = {**span.resource, **span.attributes, "trace_id": span.trace, "session": session}
    # A record has no parent, but the span that it belongs to may, and may follow in another file.
    alone = not span.parent and not span.record
    ids = (span.id, span.trace, session, span.parent)
    return Logged(*ids, span.start, took, url=CHAT_URL, fields=fields, alone=alone)


def _is_call(span: Span) -> bool:
    found = span.attributes
    operation = words(found.get("gen_ai.operation.name") or found.get("llm.request.type"))
    if operation:
        return operation in CALLS
    # Without an operation, only spans that name a model in the older conventions are calls.
    named = "gen_ai.request.model" in found and ("gen_ai.system" in found or "gen_ai.provider.name" in found)
    return named and words(found.get("traceloop.span.kind")) not in ("workflow", "task", "agent", "tool")


def _messages(found: Mapping[str, object]) -> tuple[list[JsonObject], JsonObject | None] | None:
    """Return the messages of the request, and the answer's message; None if nothing was captured.

    Raises CutError.
    """
    asked = _content(found, "gen_ai.input.messages", "gen_ai.prompt", "llm.prompts")
    answered = _content(found, "gen_ai.output.messages", "gen_ai.completion", "llm.completions")
    if asked is None and answered is None:
        return None
    system = chat_messages(_system(unpacked_json(found.get("gen_ai.system_instructions"))))
    first = next(iter(objects(answered)), None)
    if isinstance(answered, str) and answered:
        first = {"role": "assistant", "content": answered}
    return system + chat_messages(asked), first


def _content(found: Mapping[str, object], key: str, flat: str, oldest: str) -> object:
    value = unpacked_json(found.get(key))
    if isinstance(value, dict):  # an envelope with a version around the list
        value = next((inner for inner in value.values() if isinstance(inner, list)), None)
    if value:
        return value
    indexed = indexed_messages(found, f"{flat}.") or indexed_messages(found, f"{oldest}.")
    return indexed or unpacked_json(found.get(flat)) or None


def _system(value: object) -> list[JsonObject]:
    if isinstance(value, str) and value:
        return [{"role": "system", "content": value}]
    return [{"role": "system", "parts": value}] if sequence(value) else []


# "0.content", "12.tool_calls.0.name": one attribute of a message with a number.
_INDEXED = re.compile(r"(\d{1,4})\.(.{1,200})")


def indexed_messages(found: Mapping[str, object], prefix: str, inside: str = "") -> list[JsonObject]:
    """Return messages whose fields are separate attributes: `gen_ai.prompt.0.tool_calls.0.arguments`.

    Arguments:
        found: the attributes.
        prefix: the text before the number of a message.
        inside: the text between the number and the name of a field: "message.".
    """
    return [_indexed_message(fields) for fields in _numbered(found, prefix, inside)]


def _indexed_message(fields: Mapping[str, Any]) -> JsonObject:
    message = {
        key: fields[key] for key in ("role", "content", "tool_call_id", "name", "finish_reason") if key in fields
    }
    # A list of parts, written as text. "[1] says so" is no JSON, and would count as cut.
    if isinstance(message.get("content"), str) and message["content"][:2] in ("[{", "[ "):
        parsed = unpacked_json(message["content"])
        if any("type" in part for part in objects(parsed)):
            message["content"] = parsed
    parts = _numbered(fields, "contents.", "message_content.")
    if parts and not message.get("content"):
        message["content"] = [{"type": part.get("type", "text"), **part} for part in parts]
    calls = []
    for call in _numbered(fields, "tool_calls.", "tool_call."):
        name, arguments = (call.get(f"function.{key}", call.get(key)) for key in ("name", "arguments"))
        calls.append({"id": call.get("id"), "type": "function", "function": {"name": name, "arguments": arguments}})
    return {**message, **({"tool_calls": calls} if calls else {})}


def _numbered(fields: Mapping[str, object], prefix: str, inside: str) -> list[dict[str, object]]:
    listed: dict[int, dict[str, object]] = {}
    for key, value in fields.items():
        if key.startswith(prefix) and (parts := _INDEXED.fullmatch(key[len(prefix) :])):
            listed.setdefault(int(parts[1]), {})[parts[2].removeprefix(inside)] = value
    return [listed[number] for number in sorted(listed)]


def _settings(found: Mapping[str, object]) -> JsonObject:
    return {ours: found.get(f"gen_ai.request.{key}") for key, ours in _SETTINGS.items()}


def _request(found: Mapping[str, object], messages: list[JsonObject]) -> JsonObject | None:
    if not messages:
        return None
    tools = unpacked_json(found.get("gen_ai.tool.definitions")) or _numbered(found, "llm.request.functions.", "")
    parsed = [
        {**tool, "parameters": unpacked_json(tool.get("parameters"))}
        for tool in objects(tools)
        if "function" not in tool
    ]
    schema = unpacked_json(found.get("gen_ai.request.structured_output_schema"))
    model = found.get("gen_ai.request.model") or found.get("gen_ai.response.model")
    return request_body(model, messages, parsed or tools, schema, **_settings(found))


def _response(found: Mapping[str, object], message: JsonObject | None) -> JsonObject | None:
    model = found.get("gen_ai.response.model") or found.get("gen_ai.request.model")
    return response_body(model, message, _finish(found), _tokens(found), found.get("gen_ai.response.id"))


def _finish(found: Mapping[str, Any]) -> object:
    reasons = unpacked_json(found.get("gen_ai.response.finish_reasons"))
    return (sequence(reasons) or [None])[0]


def _tokens(found: Mapping[str, object]) -> tuple[object, object]:
    pairs = (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens"))
    counted = [next((found[key] for name in pair if (key := f"gen_ai.usage.{name}") in found), None) for pair in pairs]
    return counted[0], counted[1]


def _fidelity(span: Span) -> Fidelity:
    own = any(key in span.attributes for key in _OWN_MESSAGES)
    return Fidelity.DERIVED if own or _FRAMEWORKS.search(span.scope.lower()) else Fidelity.MESSAGES


# Messages that are events of a span, or separate log records.

# "gen_ai.user.message", "gen_ai.choice", "gen_ai.content.prompt"; not "gen_ai.evaluation.result".
_NAMES = re.compile(r"gen_ai\.(?:(system|user|assistant|tool)\.message|choice|content\.(?:prompt|completion))\Z")


def from_events(
    events: Sequence[Event], model: str, known: Mapping[str, Any]
) -> tuple[JsonObject | None, JsonObject | None]:
    """Return the request and the answer of a call that was logged message by message; None for a part that is missing.

    Arguments:
        events: in the order in which they were logged.
        model: its model, from the span.
        known: settings of the request, the finish and the tokens, from the span.
    """
    asked: list[JsonObject] = []
    answer: JsonObject | None = None
    finish: object = None
    for event in events:
        body = {key: unpacked_json(value) if key in _PACKED else value for key, value in event.body.items()}
        if event.name in ("gen_ai.choice", "gen_ai.content.completion"):
            said = mapping(body.get("message")) or next(iter(objects(body.get("gen_ai.completion"))), {}) or body
            answer = answer or {"role": "assistant", **{k: said[k] for k in ("content", "tool_calls") if said.get(k)}}
            finish = finish or body.get("finish_reason")
        elif event.name == "gen_ai.content.prompt":
            asked += chat_messages(body.get("gen_ai.prompt"))
        elif body.get("content") is not None or body.get("tool_calls"):
            role = words(body.get("role")) or event.name.split(".")[1]
            asked.append({"role": role, **{k: body[k] for k in ("content", "tool_calls") if body.get(k)}})
            if role == "tool":
                asked[-1]["tool_call_id"] = body.get("id") or body.get("tool_call_id")
    answer = answer if answer is not None and len(answer) > 1 else None
    settings = {key: value for key, value in known.items() if key not in ("finish", "tokens")}
    tokens = known.get("tokens") or (None, None)
    tools = _called(asked, answer)
    request = request_body(model, asked, tools, **settings) if asked else None
    return request, response_body(model, answer, finish or known.get("finish"), (tokens[0], tokens[1]))


_PACKED = ("gen_ai.prompt", "gen_ai.completion", "message", "tool_calls")


def _called(asked: Sequence[JsonObject], answer: JsonObject | None) -> list[JsonObject]:
    """Return the tools that are called. These logs contain no tool definitions, so the names come from the calls."""
    calls = [call for message in (*asked, answer or {}) for call in objects(message.get("tool_calls"))]
    names = dict.fromkeys(words(mapping(call.get("function")).get("name")) for call in calls)
    return [{"name": name, "parameters": {}} for name in names if name]
