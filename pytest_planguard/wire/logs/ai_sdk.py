"""Spans of Vercel's AI SDK, one for each call of a provider.

Source: https://ai-sdk.dev/docs/ai-sdk-core/telemetry
"""

from __future__ import annotations

from collections.abc import Mapping

from ..untrusted_json import JsonObject, mapping, name_of, objects, sequence, words
from .chat_bodies import chat_messages, request_body, response_body
from .gen_ai import CUT, DROPPED, call_of
from .logged import CutError, Fidelity, Logged, unpacked_json
from .spans import Span

SWITCH = "no content was captured: set recordInputs and recordOutputs in experimental_telemetry"


def read_ai_sdk(span: Span) -> Logged | None:
    """Return the call in a span; None without one. The spans around it repeat its content."""
    found = span.attributes
    if not words(found.get("ai.operationId")).endswith((".doGenerate", ".doStream")):
        return None
    logged = call_of(span, name_of(found.get("ai.telemetry.metadata.sessionId")) or "")
    logged.model = words(found.get("ai.response.model") or found.get("ai.model.id"))
    logged.why = SWITCH
    try:
        messages = [_message(one) for one in objects(unpacked_json(found.get("ai.prompt.messages")))]
        tools = [unpacked_json(one) for one in sequence(unpacked_json(found.get("ai.prompt.tools")))]
        calls = [
            _part({**one, "type": "tool-call"}) for one in objects(unpacked_json(found.get("ai.response.toolCalls")))
        ]
    except CutError:
        logged.fidelity, logged.why = Fidelity.PARTIAL, CUT
        return logged
    text = found.get("ai.response.text") or found.get("ai.response.object")
    said = [*([{"type": "text", "text": text}] if text else []), *calls]
    if messages:
        logged.request = request_body(logged.model, chat_messages(messages), tools)
    if said:
        finish = words(found.get("ai.response.finishReason")).replace("tool-calls", "tool_calls")
        message = {"role": "assistant", "parts": said}
        logged.response = response_body(logged.model, message, finish, _tokens(found), found.get("ai.response.id"))
    if messages and said:
        logged.fidelity, logged.why = (Fidelity.PARTIAL, DROPPED) if span.dropped else (Fidelity.MESSAGES, "")
    elif messages or said:
        logged.fidelity = Fidelity.PARTIAL
    return logged


def _tokens(found: Mapping[str, object]) -> tuple[object, object]:
    pairs = (("inputTokens", "promptTokens"), ("outputTokens", "completionTokens"))
    counted = [next((found[key] for name in pair if (key := f"ai.usage.{name}") in found), None) for pair in pairs]
    return counted[0], counted[1]


def _message(message: JsonObject) -> JsonObject:
    content = message.get("content")
    return (
        {"role": message.get("role"), "parts": [_part(one) for one in content]}
        if isinstance(content, list)
        else message
    )


def _part(part: object) -> object:
    """Return a part with the names of the conventions: `tool-call` with `toolName` and `input`, once `args`."""
    found = mapping(part)
    kind = words(found.get("type"))
    own = {"id": found.get("toolCallId"), "name": found.get("toolName")}
    if kind == "tool-call":
        return {**own, "type": "tool_call", "arguments": found.get("input", found.get("args"))}
    if kind == "tool-result":
        result = found.get("output", found.get("result"))
        return {**own, "type": "tool_call_response", "response": mapping(result).get("value", result)}
    return part
