"""Rows with a request and its answer: LiteLLM's payloads, proxies' logs, batches, and any row with a map.

Sources: https://docs.litellm.ai/docs/proxy/logging_spec, https://platform.openai.com/docs/guides/batch,
https://docs.claude.com/en/docs/build-with-claude/batch-processing
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...errors import UsageError
from ..dialects.dialect_table import is_answer, is_request
from ..untrusted_json import mapping, objects, words
from .chat_bodies import CHAT_URL, request_body, response_body
from .logged import Fidelity, Logged, LogReader, unpacked_or
from .spans import nanoseconds

# LiteLLM's standard payload: one row for each call, for every provider.

LITELLM = "the proxy keeps no messages: unset turn_off_message_logging, or set store_prompts_in_spend_logs"


def is_litellm(record: object) -> bool:
    """Return True if a record is a payload of LiteLLM's callbacks, or a row of its spend logs."""
    found = mapping(record)
    return {"call_type", "messages", "response"} <= found.keys() or {"request_id", "call_type", "spend"} <= found.keys()


def read_litellm(record: Mapping[str, object]) -> Iterator[Logged]:
    """Yield the call of one payload."""
    if not words(record.get("call_type")).endswith(("completion", "responses", "messages", "generate_content")):
        return
    call = words(record.get("litellm_call_id") or record.get("id") or record.get("request_id"))
    trace = words(record.get("trace_id") or record.get("session_id"))
    start, end = nanoseconds(record.get("startTime")), nanoseconds(record.get("endTime"))
    own = mapping(record.get("metadata"))
    logged = Logged(
        call,
        "" if trace == call else trace,
        words(record.get("session_id") or own.get("session_id")),
        at=start,
        took=max(0, end - start) if end else 0,
        url=CHAT_URL,
        why=LITELLM,
        model=words(record.get("model")),
        fields={**record, **mapping(own.get("requester_metadata")), "trace_id": trace},
    )
    messages, answered = (unpacked_or(record.get(key)) for key in ("messages", "response"))
    given = mapping(record.get("model_parameters")) or mapping(unpacked_or(record.get("optional_params")))
    if isinstance(messages, str) and messages:
        messages = [{"role": "user", "content": messages}]
    if objects(messages):
        settings = {key: value for key, value in given.items() if key not in ("messages", "model", "extra_body")}
        logged.request = {"model": logged.model, "messages": messages, **settings}
    if isinstance(answered, str) and answered.strip():
        answered = response_body(logged.model, {"role": "assistant", "content": answered})
    logged.response = answered if is_answer(answered) else None
    if words(record.get("status")) == "failure":
        logged.why, logged.response = "the call failed, and has no answer", None
    elif logged.request is not None and logged.response is not None:
        logged.fidelity, logged.why = Fidelity.WIRE, ""
    elif logged.request is not None or logged.response is not None:
        logged.fidelity = Fidelity.PARTIAL
    yield logged


# Batches: the requests in one file, the answers in another, tied by the id that the user gave.


def is_batch(record: object) -> bool:
    """Return True if a record is a request of a batch, or its result."""
    found = mapping(record)
    if "custom_id" not in found:
        return False
    return any(isinstance(found.get(key), dict) for key in ("body", "params", "response", "result", "error"))


BATCH_ALONE = "only one of request and answer is in the logs: name the input file and the output file of the batch"


def read_batch(record: Mapping[str, object]) -> Iterator[Logged]:
    """Yield a request of a batch, or its answer: parts of one call."""
    custom = words(record.get("custom_id"))
    logged = Logged(custom, custom, fidelity=Fidelity.WIRE, why=BATCH_ALONE, fields=record)
    body = record.get("body") or record.get("params")
    answer = mapping(record.get("response") or record.get("result"))
    if isinstance(body, dict):
        logged.request, logged.url = body, f"https://log.invalid{words(record.get('url')) or '/'}"
        logged.model = words(body.get("model"))
    if answer or record.get("error"):
        logged.status = _number(answer.get("status_code"))
        logged.response = answer.get("body") or answer.get("message")
        logged.model = words(mapping(logged.response).get("model"))
        if logged.response is None:
            kind = words(answer.get("type"))
            error = mapping(answer.get("error") or record.get("error"))
            said = words(error.get("message") or mapping(error.get("error")).get("message"))
            logged.fidelity, logged.why = Fidelity.NONE, f"the batch has no answer: {said or kind or 'no result'}"
    yield logged


def _number(value: object) -> int:
    return value if isinstance(value, int) and 100 <= value < 600 else 200


# Any other row, by the places of its request and its answer.


class Map(NamedTuple):
    """The places of a row's values: dotted names whose parts are keys; "" for a missing value."""

    request: str
    response: str
    id: str = ""
    group: str = ""
    time: str = ""
    model: str = ""
    status: str = ""
    url: str = ""


KNOWN: Mapping[str, Map] = {
    "bedrock": Map("input.inputBodyJson", "output.outputBodyJson", "requestId", "", "timestamp", "modelId"),
    "helicone": Map(
        "request_body", "response_body", "request_id", "", "request_created_at", "model", "response_status"
    ),
    "vertex": Map("full_request", "full_response", "", "", "request_time", "model"),
    "gemini-batch": Map("request", "response", "key", "", "processed_time"),
    "bedrock-batch": Map("modelInput", "modelOutput", "recordId"),
    "body-pairs": Map(
        "request.body", "response.body", "id", "trace_id", "timestamp", "model", "response.status", "request.url"
    ),
    "pairs": Map("request", "response", "id", "trace_id", "timestamp", "model", "status"),
}
"""Rows that are recognised by these names and need no map from the user, the most specific first."""
MARKS: Mapping[str, tuple[str, ...]] = {"gemini-batch": ("key", "processed_time")}
"""Fields of which a row must have one, because its request and answer have the names that any row may use."""
OTHERS: Mapping[str, tuple[str, ...]] = {"gemini-batch": ("timestamp",)}
"""Fields that a row must not have: a "key" beside them is the user's own, such as that of a cache."""


def map_of(pairs: tuple[str, ...]) -> Map:
    """Return the map that a user typed: `request=/body/input`, `response=output`, also `id`, `group`, `time`, `model`.

    Raises UsageError.
    """
    given: dict[str, str] = {}
    for pair in pairs:
        name, equals, path = pair.partition("=")
        if name not in Map._fields or not equals:
            raise UsageError(f"--map {pair!r} is not NAME=PATH; the names are {', '.join(Map._fields)}")
        given[name] = path.strip("/").replace("/", ".") if path.startswith("/") else path
    if not {"request", "response"} <= given.keys():
        raise UsageError(
            "--map needs request=PATH and response=PATH: the places of the request and its answer in a row"
        )
    return Map(**given)


def at_path(record: object, path: str) -> Any:
    """Return the value at a dotted name, if any. A key that itself contains dots is tried first."""
    if not path or not isinstance(record, (dict, list)):
        return record if not path else None
    if isinstance(record, dict) and path in record:
        return record[path]
    head, _, rest = path.partition(".")
    if isinstance(record, list):
        return at_path(record[int(head)], rest) if head.isdecimal() and int(head) < len(record) else None
    return (
        at_path(unpacked_or(record[head]) if isinstance(record[head], str) and rest else record[head], rest)
        if head in record
        else None
    )


def mapped_reader(name: str, where: Map) -> LogReader:
    """Return a reader of rows that have their request and answer at these places."""
    marks, others = MARKS.get(name), OTHERS.get(name, ())

    def sniff(record: object) -> bool:
        keys = mapping(record).keys()
        if marks is not None and (keys.isdisjoint(marks) or not keys.isdisjoint(others)):
            return False
        asked = unpacked_or(at_path(record, where.request))
        return is_request(asked) and at_path(record, where.response) is not None

    def read(record: Mapping[str, Any]) -> Iterator[Logged]:
        yield _mapped(record, where)

    return LogReader(name, sniff, read)


UNREAD = "the row has no request and answer there that a dialect reads: look at --map"


def _mapped(record: Mapping[str, object], where: Map) -> Logged:
    asked, answered = (unpacked_or(at_path(record, path)) for path in (where.request, where.response))
    at = {name: words(at_path(record, path)) for name, path in where._asdict().items() if path}
    logged = Logged(
        at.get("id", ""),
        at.get("group", ""),
        at=nanoseconds(at_path(record, where.time)) if where.time else 0,
        status=_number(at_path(record, where.status)) if where.status else 200,
        model=at.get("model", ""),
        url=at.get("url", "") or CHAT_URL,
        fields={**record, **mapping(record.get("requestMetadata"))},
        why=UNREAD,
    )
    plain = False
    if isinstance(asked, str) or (isinstance(asked, list) and asked):
        messages = [{"role": "user", "content": asked}] if isinstance(asked, str) else objects(asked)
        asked, plain = request_body(logged.model, messages), True
    if isinstance(answered, list) and all(isinstance(chunk, dict) for chunk in answered):
        pass  # a stream's pieces, which the dialect joins
    elif isinstance(answered, str) or not is_answer(answered):
        message = answered if "content" in mapping(answered) else {"role": "assistant", "content": answered}
        answered, plain = response_body(logged.model, message) if answered not in (None, "", {}) else None, True
    logged.request = asked if is_request(asked) else None
    logged.response = answered
    if logged.request is not None and (logged.response is not None or logged.status >= 400):
        logged.fidelity, logged.why = Fidelity.MESSAGES if plain else Fidelity.WIRE, ""
    elif logged.request is not None or logged.response is not None:
        logged.fidelity = Fidelity.PARTIAL
    return logged
