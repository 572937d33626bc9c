"""Spans of two conventions: OpenInference, as Phoenix and Arize keep it, and Vercel's AI SDK.

OpenInference has the bodies themselves, or else their messages as attributes. Source:
https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
"""

from __future__ import annotations

from collections.abc import Mapping

from ..dialects.dialect_table import is_answer, is_request
from ..untrusted_json import JsonObject, mapping, name_of, objects, sequence, words
from .chat_bodies import chat_messages, request_body, response_body
from .gen_ai import CUT, DROPPED, call_of, indexed_messages
from .logged import CutError, Fidelity, Logged, unpacked_json, unpacked_or
from .spans import Span

HIDDEN = "the content is hidden: unset OPENINFERENCE_HIDE_INPUTS, _OUTPUTS, _INPUT_MESSAGES and _OUTPUT_MESSAGES"


def read_openinference(span: Span) -> Logged | None:
    """Return the call in a span; None without one."""
    found = span.attributes
    if words(found.get("openinference.span.kind")).upper() != "LLM":
        return None
    logged = call_of(span, name_of(found.get("session.id")) or "")
    logged.model = words(found.get("llm.model_name"))
    logged.why = HIDDEN
    cut = False
    try:
        asked, answered = unpacked_json(found.get("input.value")), unpacked_json(found.get("output.value"))
        asked = _with_model(asked, logged.model)
        if is_request(asked) and is_answer(answered):
            logged.request, logged.response, logged.fidelity, logged.why = asked, answered, Fidelity.WIRE, ""
            return logged
    except CutError:
        cut = True
    messages, answers = (indexed_messages(found, f"llm.{way}_messages.", "message.") for way in ("input", "output"))
    if messages:
        logged.request = _request(found, chat_messages(messages), logged.model)
    if answers:
        tokens = (found.get("llm.token_count.prompt"), found.get("llm.token_count.completion"))
        logged.response = response_body(logged.model, answers[0], found.get("llm.finish_reason"), tokens)
    if logged.request is not None and logged.response is not None:
        logged.fidelity, logged.why = Fidelity.MESSAGES, ""
    elif logged.request is not None or logged.response is not None or cut:
        logged.fidelity, logged.why = Fidelity.PARTIAL, CUT if cut else HIDDEN
    if logged.fidelity is Fidelity.MESSAGES and (cut or span.dropped):  # one limit cuts the messages as well
        logged.fidelity, logged.why = Fidelity.PARTIAL, CUT if cut else DROPPED
    return logged


def _with_model(asked: object, model: str) -> object:
    listed = [
        m for m in sequence(asked) if isinstance(m, dict) and "role" in m and ("content" in m or "tool_calls" in m)
    ]
    if listed and len(listed) == len(sequence(asked)):  # some wrappers keep only the messages
        return {"model": model, "messages": listed}
    return asked


def _request(found: Mapping[str, object], messages: list[JsonObject], model: str) -> JsonObject:
    given = mapping(unpacked_or(found.get("llm.invocation_parameters")))
    schemas = [unpacked_or(v) for k, v in found.items() if k.startswith("llm.tools.") and k.endswith("json_schema")]
    settings = {key: value for key, value in given.items() if key not in ("model", "messages", "tools")}
    schema = settings.pop("response_format", None)
    return request_body(given.get("model") or model, messages, schemas or given.get("tools"), schema, **settings)


# Spans of Vercel's AI SDK, one for each call of a provider.
# Source: https://ai-sdk.dev/docs/ai-sdk-core/telemetry

NOT_RECORDED = "no content was captured: set recordInputs and recordOutputs in experimental_telemetry"


def read_ai_sdk(span: Span) -> Logged | None:
    """Return the call in a span; None without one. The spans around it repeat its content."""
    found = span.attributes
    if not words(found.get("ai.operationId")).endswith((".doGenerate", ".doStream")):
        return None
    logged = call_of(span, name_of(found.get("ai.telemetry.metadata.sessionId")) or "")
    logged.model = words(found.get("ai.response.model") or found.get("ai.model.id"))
    logged.why = NOT_RECORDED
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
