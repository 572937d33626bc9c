"""LangSmith's runs, from its API and exports, and the posts and patches of its SDK.

Source: https://docs.langchain.com/langsmith/run-data-format
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..dialects.dialect_table import is_answer, is_request
from ..untrusted_json import JsonObject, mapping, objects, sequence, words
from .chat_bodies import CHAT_URL, chat_messages, request_body, response_body
from .logged import Fidelity, Logged, quick_json, unpacked_or
from .spans import nanoseconds

SWITCH = "inputs or outputs are not in the export: unset LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS"
ELSEWHERE = "inputs or outputs are kept under inputs_s3_urls and outputs_s3_urls: fetch them into the export"


def is_langsmith(record: object) -> bool:
    """Return True if a record is a run, or holds posted runs."""
    found = mapping(record)
    if any(isinstance(found.get(way), list) for way in ("post", "patch")):
        return any(_is_run(run) for way in ("post", "patch") for run in objects(found.get(way)))
    return _is_run(found)


_PART = re.compile(rb'name="(post|patch)\.([\w-]{1,80})(?:\.(\w{1,40}))?"')
"""`name="post.<id>"` is a part with a run, `name="post.<id>.inputs"` one with its inputs."""


def is_upload(begins: bytes) -> bool:
    """Return True if a file begins like the body of the SDK's upload, a multipart form of runs."""
    return begins.startswith(b"--") and _PART.search(begins) is not None


def uploaded(body: bytes) -> JsonObject:
    """Return the runs of an upload, as posts and patches. A part that is not JSON is left out."""
    runs: dict[bytes, dict[bytes, JsonObject]] = {b"post": {}, b"patch": {}}
    # The first line of a multipart form is its boundary, which separates the parts.
    for part in body.split(body.partition(b"\r\n")[0])[1:]:
        head, _, content = part.partition(b"\r\n\r\n")
        if named := _PART.search(head):
            try:
                value = quick_json(content)
            except ValueError:
                continue
            run = runs[named[1]].setdefault(named[2], {})
            run.update({named[3].decode(): value} if named[3] else mapping(value))
    return {way.decode(): list(listed.values()) for way, listed in runs.items()}


def _is_run(found: Mapping[str, object]) -> bool:
    return "run_type" in found or ("dotted_order" in found and "trace_id" in found)


def read_langsmith(record: Mapping[str, object]) -> Iterator[Logged]:
    """Yield the calls of one record. A patch has the answer of a run whose request was posted."""
    runs = [record] if _is_run(record) else [run for way in ("post", "patch") for run in objects(record.get(way))]
    for run in runs:
        if words(run.get("run_type")) not in ("llm", ""):
            continue
        extra = mapping(unpacked_or(run.get("extra")))
        metadata = mapping(extra.get("metadata"))
        start, end = nanoseconds(run.get("start_time")), nanoseconds(run.get("end_time"))
        session = next(
            (words(metadata[key]) for key in ("thread_id", "session_id", "conversation_id") if metadata.get(key)), ""
        )
        own = words(run.get("id"))
        logged = Logged(
            own,
            words(run.get("trace_id")),
            session,
            words(run.get("parent_run_id")),
            start,
            max(0, end - start) if end else 0,
            words(run.get("dotted_order")),
            url=CHAT_URL,
            model=words(metadata.get("ls_model_name")),
            fields={**run, "session": session, "metadata": metadata},
            alone=own == run.get("trace_id"),
        )
        yield _filled(logged, run, extra)


def _filled(logged: Logged, run: Mapping[str, object], extra: JsonObject) -> Logged:
    asked, answered = mapping(unpacked_or(run.get("inputs"))), mapping(unpacked_or(run.get("outputs")))
    given = mapping(extra.get("invocation_params"))
    of_langchain = bool(answered.get("generations")) or _nested(asked)
    if of_langchain:
        logged.request = _langchain_request(asked, given, logged.model)
        logged.response = _langchain_answer(answered, logged.model)
        logged.fidelity = Fidelity.MESSAGES
    else:
        logged.request = asked if is_request(asked) else None
        whole = answered if is_answer(answered) else mapping(answered.get("output"))
        logged.response = _answer(whole or answered, logged.model)
        logged.fidelity = Fidelity.WIRE if not answered or is_answer(whole) else Fidelity.MESSAGES
    if run.get("error") and logged.response is None:
        logged.fidelity, logged.why = Fidelity.NONE, "the call failed, and has no answer"
    elif logged.request is None or logged.response is None:
        stored = any(run.get(key) for key in ("inputs_s3_urls", "outputs_s3_urls"))
        nothing = not asked or not answered
        logged.fidelity = logged.fidelity if nothing else Fidelity.PARTIAL  # a patch may have the other half
        logged.why = (
            ELSEWHERE if stored else SWITCH if nothing else "inputs or outputs have no shape that a dialect reads"
        )
    return logged


def _nested(asked: Mapping[str, object]) -> bool:
    messages = sequence(asked.get("messages"))
    return bool(messages) and (
        isinstance(messages[0], list) or "lc" in mapping(messages[0]) or "role" not in mapping(messages[0])
    )


def _langchain_request(asked: JsonObject, given: JsonObject, model: str) -> JsonObject | None:
    messages = sequence(asked.get("messages"))
    messages = messages[0] if messages and isinstance(messages[0], list) else messages
    if not messages and (prompts := sequence(asked.get("prompts"))):
        messages = [{"role": "user", "content": prompts[0]}]
    listed = chat_messages(messages)
    named = given.get("model") or given.get("model_name") or model
    return request_body(named, listed, given.get("tools"), given.get("response_format")) if listed else None


def _langchain_answer(answered: JsonObject, model: str) -> JsonObject | None:
    first = sequence(answered.get("generations"))
    one = mapping(first[0][0] if first and sequence(first[0]) else first[0] if first else None)
    message = one.get("message") or ({"role": "assistant", "content": one["text"]} if one.get("text") else None)
    finish = mapping(one.get("generation_info")).get("finish_reason")
    usage = mapping(mapping(answered.get("llm_output")).get("token_usage"))
    return response_body(model, message, finish, (usage.get("prompt_tokens"), usage.get("completion_tokens")))


def _answer(answered: JsonObject, model: str) -> JsonObject | None:
    """Return the body of an answer. A wrapper without `usage` stores its counts under LangSmith's name."""
    if not is_answer(answered):
        messages = answered.get("messages") or [answered.get("message") or answered]
        last = (sequence(messages) or [None])[-1]
        return response_body(model, last) if "content" in mapping(last) or "tool_calls" in mapping(last) else None
    counted = mapping(answered.get("usage_metadata"))
    if counted and "usage" not in answered:
        names = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
        values = (counted.get("input_tokens"), counted.get("output_tokens")) * 2
        return {**answered, "usage": dict(zip(names, values, strict=True))}
    return answered
