"""OpenInference, as Phoenix and Arize keep it: the bodies themselves, else their messages as attributes.

Source: https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
"""

from __future__ import annotations

from collections.abc import Mapping

from ..dialects.dialect_table import is_answer, matching
from ..untrusted_json import JsonObject, mapping, name_of, objects, sequence, words
from .chat_bodies import chat_messages, request_body, response_body
from .gen_ai import CUT, DROPPED, call_of, indexed_messages
from .logged import CutError, Fidelity, Logged, unpacked_json
from .spans import Span

SWITCH = "the content is hidden: unset OPENINFERENCE_HIDE_INPUTS, _OUTPUTS, _INPUT_MESSAGES and _OUTPUT_MESSAGES"


def read_openinference(span: Span) -> Logged | None:
    """Return the call in a span; None without one."""
    found = span.attributes
    if words(found.get("openinference.span.kind")).upper() != "LLM":
        return None
    logged = call_of(span, name_of(found.get("session.id")) or "")
    logged.model = words(found.get("llm.model_name"))
    logged.why = SWITCH
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
        logged.fidelity, logged.why = Fidelity.PARTIAL, CUT if cut else SWITCH
    if logged.fidelity is Fidelity.MESSAGES and (cut or span.dropped):  # one limit cuts the messages as well
        logged.fidelity, logged.why = Fidelity.PARTIAL, CUT if cut else DROPPED
    return logged


def is_request(body: object) -> bool:
    """Return True if a dialect reads the value as a body; a familiar key alone is not enough."""
    if not isinstance(body, dict) or not _speaks(body):
        return False
    return bool(objects(body.get("messages"))) or any(True for _ in matching("", body))


def _speaks(body: Mapping[str, object]) -> bool:
    return not any(isinstance(body.get(key), str) for key in ("messages", "contents"))


def _with_model(asked: object, model: str) -> object:
    listed = [
        m for m in sequence(asked) if isinstance(m, dict) and "role" in m and ("content" in m or "tool_calls" in m)
    ]
    if listed and len(listed) == len(sequence(asked)):  # some wrappers keep only the messages
        return {"model": model, "messages": listed}
    return asked


def _request(found: Mapping[str, object], messages: list[JsonObject], model: str) -> JsonObject:
    given = mapping(_or_none(found.get("llm.invocation_parameters")))
    schemas = [_or_none(v) for k, v in found.items() if k.startswith("llm.tools.") and k.endswith("json_schema")]
    settings = {key: value for key, value in given.items() if key not in ("model", "messages", "tools")}
    schema = settings.pop("response_format", None)
    return request_body(given.get("model") or model, messages, schemas or given.get("tools"), schema, **settings)


def _or_none(value: object) -> object:
    try:
        return unpacked_json(value)
    except CutError:
        return None
