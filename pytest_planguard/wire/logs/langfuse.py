"""Langfuse: spans of its SDK, exported traces, rows of its API and of its blob storage, and batches of older SDKs.

Source: https://langfuse.com/docs/api-and-data-platform
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..dialects.dialect_table import is_answer, is_request
from ..untrusted_json import JsonObject, as_json, mapping, name_of, objects, sequence, words
from .chat_bodies import CHAT_URL, chat_messages, request_body, response_body, spoken, tool_call
from .gen_ai import call_of
from .logged import CutError, Fidelity, Logged, unpacked_json, unpacked_or
from .spans import Span, nanoseconds

SWITCH = "input or output is not in the export: select its field group `io`, or take the trace by the API"
CUT = "input or output is cut: take the trace by the API instead"


def read_langfuse_span(span: Span) -> Logged | None:
    """Return the call in a span of Langfuse's SDK; None without one."""
    found = span.attributes
    if words(found.get("langfuse.observation.type")).lower() != "generation":
        return None
    logged = call_of(span, name_of(found.get("session.id") or found.get("langfuse.session.id")) or "")
    prefix = "langfuse.observation."
    metadata = {key[len(prefix) + 9 :]: value for key, value in found.items() if key.startswith(f"{prefix}metadata.")}
    row = {key: found.get(f"{prefix}{key}") for key in ("input", "output")} | {
        "model": found.get(f"{prefix}model.name"),
        "modelParameters": found.get(f"{prefix}model.parameters"),
        "usageDetails": found.get(f"{prefix}usage_details"),
        "metadata": metadata,
    }
    return _filled(logged, row)


def is_langfuse(record: object) -> bool:
    """Return True if a record is an exported trace, an observation, or a batch for Langfuse."""
    found = mapping(record)
    if any("observations" in holder for holder in (found, mapping(found.get("trace")))):
        listed = objects(found.get("observations") or mapping(found.get("trace")).get("observations"))
        return not listed or all("type" in each for each in listed[:3])
    if isinstance(found.get("batch"), list):
        return any(words(each.get("type")).endswith(("-create", "-update")) for each in objects(found["batch"])[:3])
    return _is_row(found)


def _is_row(found: Mapping[str, object]) -> bool:
    camel = {"traceId", "type", "startTime"} <= found.keys() and "parentObservationId" in found
    return camel or {"trace_id", "type", "start_time", "parent_observation_id"} <= found.keys()


def read_langfuse(record: Mapping[str, object]) -> Iterator[Logged]:
    """Yield the generations of one record."""
    trace = mapping(record.get("trace")) or record
    rows = objects(record.get("observations") or trace.get("observations"))
    if isinstance(record.get("batch"), list):
        bodies = [(words(each.get("type")), mapping(each.get("body"))) for each in objects(record["batch"])]
        traces = {words(body.get("id")): words(body["traceId"]) for _, body in bodies if body.get("traceId")}
        known = ((body, traces.get(words(body.get("id")), "")) for kind, body in bodies if kind[:11] == "generation-")
        rows = [{"traceId": of, **body, "type": "GENERATION"} for body, of in known]  # an update has only new fields
    elif not rows and _is_row(record):
        rows = [dict(record)]
    session = words(trace.get("sessionId") or trace.get("session_id"))
    for row in rows:
        if words(row.get("type")).upper() != "GENERATION":
            continue
        snake = "parent_observation_id" in row
        ids = ("trace_id", "parent_observation_id") if snake else ("traceId", "parentObservationId")
        times = ("start_time", "end_time") if snake else ("startTime", "endTime")
        start, end = (nanoseconds(row.get(time)) for time in times)
        logged = Logged(
            words(row.get("id")),
            words(row.get(ids[0])) or words(trace.get("id")),
            words(row.get("sessionId") or row.get("session_id")) or session,
            words(row.get(ids[1])),
            start,
            max(0, end - start) if end else 0,
            url=CHAT_URL,
            fields={**row, "trace_id": words(row.get(ids[0])), "metadata": unpacked_or(row.get("metadata"), {})},
        )
        yield _filled(logged, row)


_KEYS = ("model", "provided_model_name", "providedModelName")


def _filled(logged: Logged, row: Mapping[str, object]) -> Logged:
    """Return the call with the request and answer in a row."""
    logged.model = next((words(row[key]) for key in _KEYS if row.get(key)), "")
    try:
        asked, answered = unpacked_json(row.get("input")), unpacked_json(row.get("output"))
    except CutError:
        logged.fidelity, logged.why = Fidelity.PARTIAL, CUT
        return logged
    usage = mapping(unpacked_or(row.get("usageDetails") or row.get("usage_details") or row.get("usage")))
    tokens = (
        next((usage[key] for key in ("prompt_tokens", "input", "input_tokens") if key in usage), None),
        next((usage[key] for key in ("completion_tokens", "output", "output_tokens") if key in usage), None),
    )
    logged.request = _of_response(asked, answered) or _body(asked, row, logged.model)
    logged.response, whole = _answer(answered, row.get("output"), logged.model, tokens)
    known = whole and logged.request is not None and "messages" not in logged.request
    logged.fidelity = Fidelity.WIRE if known else Fidelity.MESSAGES
    if _is_framework(row):
        logged.fidelity = Fidelity.DERIVED
    if logged.request is None or logged.response is None:
        empty = asked in (None, "", [], {}) or answered in (None, "", [], {})
        logged.fidelity = logged.fidelity if empty else Fidelity.PARTIAL  # an update may have the other half
        logged.why = SWITCH if empty else "input or output has no messages that a dialect reads"
    return logged


def _of_response(asked: object, answered: object) -> JsonObject | None:
    """Return the request of the Responses API, whose answer repeats its settings; None for any other."""
    said = mapping(answered)
    if said.get("object") != "response" or not (isinstance(asked, str) or sequence(asked)):
        return None
    same = {key: said[key] for key in ("model", "instructions", "tools", "tool_choice", "text") if said.get(key)}
    return {**same, "input": asked}


def _body(asked: object, row: Mapping[str, object], model: str) -> JsonObject | None:
    settings = {
        k: v
        for k, v in mapping(unpacked_or(row.get("modelParameters") or row.get("model_parameters"))).items()
        if isinstance(v, (int, float))
    }
    metadata = mapping(unpacked_or(row.get("metadata")))
    schema = unpacked_or(metadata.get("response_format"))
    tools = unpacked_or(row.get("toolDefinitions") or row.get("tool_definitions"))
    if isinstance(asked, dict) and isinstance(asked.get("contents"), str):  # Gemini's SDK takes a text
        asked = {**asked, "contents": [{"role": "user", "parts": [{"text": asked["contents"]}]}]}
    if isinstance(asked, dict) and asked.keys() == {"args"} and sequence(asked["args"]):
        asked = asked["args"][0]
    elif isinstance(asked, dict) and asked.keys() == {"prompt"} and isinstance(asked["prompt"], (str, list)):
        asked = asked["prompt"]
    if isinstance(asked, str) and asked.strip():
        return request_body(model, [{"role": "user", "content": asked}], tools, schema, **settings)
    if isinstance(asked, dict) and is_request(asked) and "messages" not in asked:
        return asked
    messages = sequence(mapping(asked).get("messages", [asked]) if isinstance(asked, dict) else asked)
    if messages and isinstance(messages[0], list):  # LangChain keeps a list of lists
        messages = messages[0]
    listed = chat_messages(messages)
    complete = [m for m in listed if m.get("role") and ("content" in m or "tool_calls" in m)]
    if not complete or len(complete) < len(messages):
        return None
    given = mapping(asked)
    tools = given.get("tools") or tools
    schema = given.get("response_format") or schema
    return request_body(given.get("model") or model, complete, tools, schema, **settings)


def _answer(
    answered: object, output: object, model: str, tokens: tuple[object, object]
) -> tuple[JsonObject | None, bool]:
    if is_answer(answered):
        return answered, True
    if isinstance(answered, str):
        answered = {"role": "assistant", "content": answered} if answered.strip() else None
    if calls := [
        tool_call(c.get("toolCallId"), c["toolName"], c.get("input")) for c in objects(answered) if "toolName" in c
    ]:
        answered = spoken("assistant", None, calls)
    answered = (sequence(answered) or [answered])[0]
    if isinstance(answered, dict) and isinstance(answered.get("message"), dict):
        answered = {**answered["message"], "finish_reason": answered.get("finish_reason")}
    said = isinstance(answered, dict) and {"content", "parts", "tool_calls", "lc", "kwargs"} & answered.keys()
    if isinstance(answered, dict) and not said and answered:
        # A structured answer that was parsed; a streamed one is a text.
        answered = {"role": "assistant", "content": as_json(output if isinstance(output, str) else answered)}
    return response_body(model, answered, None, tokens), False


_MARKS = ("model_request_parameters", "pydantic_ai", "agno", "autogen", "crewai", "smolagents")


def _is_framework(row: Mapping[str, object]) -> bool:
    """Return True if a framework wrote the row, because frameworks reword their messages for the wire."""
    metadata = mapping(unpacked_or(row.get("metadata")))
    attributes = mapping(unpacked_or(metadata.get("attributes")))
    scope = words(mapping(unpacked_or(metadata.get("scope"))).get("name")).lower().replace("-", "_")
    return any(mark in attributes or mark in scope for mark in _MARKS)
