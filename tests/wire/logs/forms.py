"""One conversation of two attempts as each format logs it: the same words in every form."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

TRACE, ROOT, FIRST, SECOND = "0af7651916cd43dd8448eb211c80319c", "a" * 16, "b" * 16, "c" * 16
BAD = '{"title": "Printer on fire", "priority": "urgent", "steps": ["Cut the power"]}'
GOOD = '{"title": "Printer on fire", "priority": "high", "steps": ["Cut the power", "Call for help"]}'
FEEDBACK = "priority: expected one of low, medium, high; got 'urgent'\nsteps: at least 2 items"
AT = 1_795_345_869_208_366_913
"""Beyond 2**53: a float would lose its last digits."""
Records = list[dict[str, Any]]


def messages(attempt: int, feedback: str = FEEDBACK) -> Records:
    """Return the chat messages of a request."""
    first = [{"role": "system", "content": "Write a ticket."}, {"role": "user", "content": "the printer is on fire"}]
    again = [{"role": "assistant", "content": BAD}, {"role": "user", "content": feedback}]
    return first if attempt == 1 else [*first, *again]


def answer(attempt: int) -> str:
    """Return the text of an answer: bad first, then good."""
    return BAD if attempt == 1 else GOOD


def request(attempt: int, feedback: str = FEEDBACK) -> dict[str, Any]:
    """Return the body of a chat request, as it is on the wire."""
    return {"model": "gpt-5-mini", "messages": messages(attempt, feedback)}


def response(attempt: int) -> dict[str, Any]:
    """Return the body of a chat answer, as it is on the wire."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer(attempt)}}
    tokens = {"prompt_tokens": 50, "completion_tokens": 20}
    return {"id": f"chatcmpl-{attempt}", "model": "gpt-5-mini", "choices": [choice], "usage": tokens}


def parts(said: Records) -> Records:
    """Return chat messages as the conventions have had them since 1.37: a list of parts each."""
    return [{"role": one["role"], "parts": [{"type": "text", "content": one["content"]}]} for one in said]


def any_value(value: object) -> dict[str, Any]:
    """Return a value as OTLP's JSON has it."""
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": any_value(one)} for key, one in value.items()]}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(one) for one in value]}}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def attributes(flat: dict[str, Any]) -> Records:
    """Return attributes as a list of keys and typed values."""
    return [{"key": key, "value": any_value(value)} for key, value in flat.items()]


def span(attempt: int, flat: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the span of an attempt."""
    own = FIRST if attempt == 1 else SECOND
    start = AT + attempt  # one nanosecond apart
    times = {"startTimeUnixNano": str(start), "endTimeUnixNano": str(start + 10**9)}
    ids = {"traceId": TRACE, "spanId": own, "parentSpanId": ROOT}
    return {**ids, "name": "call", "kind": 3, **times, "attributes": attributes(flat), **more}


def otlp(*spans: dict[str, Any], scope: str = "some.scope") -> dict[str, Any]:
    """Return an export request of spans."""
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": scope}, "spans": list(spans)}]}]}


def logs(*records: dict[str, Any]) -> dict[str, Any]:
    """Return an export request of log records."""
    return {"resourceLogs": [{"scopeLogs": [{"scope": {"name": "some.scope"}, "logRecords": list(records)}]}]}


def _gen_ai(attempt: int) -> dict[str, Any]:
    own = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-5-mini"}
    return {**own, "gen_ai.response.id": f"chatcmpl-{attempt}", "gen_ai.usage.input_tokens": 50}


def _messages(attempt: int, feedback: str) -> dict[str, Any]:
    said = [{"role": "assistant", "content": answer(attempt)}]
    return {"gen_ai.input.messages": parts(messages(attempt, feedback)), "gen_ai.output.messages": parts(said)}


def gen_ai_attributes(feedback: str) -> Records:
    """JSON in attributes of the span, in which the second call comes first."""
    found = [{k: json.dumps(v) for k, v in _messages(n, feedback).items()} for n in (1, 2)]
    return [otlp(*(span(n, _gen_ai(n) | found[n - 1]) for n in (2, 1)))]


def gen_ai_record(feedback: str) -> Records:
    """The event form: structured attributes of one log record, whose span has none."""
    name = "gen_ai.client.inference.operation.details"
    return [
        logs(*(span(n, _gen_ai(n) | _messages(n, feedback), eventName=name, body={}) for n in (1, 2))),
        otlp(*(span(n, _gen_ai(n)) for n in (1, 2))),
    ]


def gen_ai_log_events(feedback: str) -> Records:
    """A record for each message, with the model on the span, in another file."""
    records = []
    for n in (1, 2):
        said = [(f"gen_ai.{one['role']}.message", {"content": one["content"]}) for one in messages(n, feedback)]
        said.append(("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"content": answer(n)}}))
        for name, body in said:
            records.append(
                {
                    "traceId": TRACE,
                    "spanId": FIRST if n == 1 else SECOND,
                    "eventName": name,
                    "observedTimeUnixNano": str(AT + n * 100 + len(records)),
                    "body": any_value(body),
                }
            )
    return [logs(*records), otlp(*(span(n, _gen_ai(n)) for n in (1, 2)))]


def gen_ai_span_events(feedback: str) -> Records:
    """JSON in attributes of two events of the span."""
    spans = []
    for n in (1, 2):
        asked = {"gen_ai.prompt": json.dumps(messages(n, feedback))}
        said = {"gen_ai.completion": json.dumps([{"role": "assistant", "content": answer(n)}])}
        named = (("gen_ai.content.prompt", asked), ("gen_ai.content.completion", said))
        events = [{"name": name, "timeUnixNano": str(AT + n), "attributes": attributes(flat)} for name, flat in named]
        spans.append(span(n, _gen_ai(n), events=events))
    return [otlp(*spans)]


def openllmetry_old(feedback: str) -> Records:
    """Each member of each message is an attribute: `gen_ai.prompt.0.role`."""
    spans = []
    for n in (1, 2):
        flat = {"llm.request.type": "chat", "gen_ai.system": "OpenAI", "gen_ai.request.model": "gpt-5-mini"}
        for at, one in enumerate(messages(n, feedback)):
            flat |= {f"gen_ai.prompt.{at}.{key}": value for key, value in one.items()}
        flat |= {"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": answer(n)}
        spans.append(span(n, flat))
    return [otlp(one) for one in reversed(spans)]


def openinference(feedback: str) -> Records:
    """The bodies of the wire, as JSON in `input.value` and `output.value`."""

    def flat(n: int) -> dict[str, Any]:
        bodies = {"input.value": json.dumps(request(n, feedback)), "output.value": json.dumps(response(n))}
        return {"openinference.span.kind": "LLM", "llm.model_name": "gpt-5-mini", **bodies}

    return [otlp(*(span(n, flat(n)) for n in (1, 2)))]


def openinference_flat(feedback: str) -> Records:
    """Each member of each message is an attribute: `llm.input_messages.0.message.role`."""

    def flat(n: int) -> dict[str, Any]:
        found = {"openinference.span.kind": "LLM", "llm.model_name": "gpt-5-mini"}
        for at, one in enumerate(messages(n, feedback)):
            found |= {f"llm.input_messages.{at}.message.{key}": value for key, value in one.items()}
        said = {"role": "assistant", "content": answer(n)}
        return found | {f"llm.output_messages.0.message.{key}": value for key, value in said.items()}

    return [otlp(*(span(n, flat(n)) for n in (1, 2)))]


def openinference_printed(feedback: str) -> Records:
    """What a console exporter or Phoenix has: flat attributes, dates, ids in the context."""
    found = []
    for n in (1, 2):
        bodies = {"input.value": json.dumps(request(n, feedback)), "output.value": json.dumps(response(n))}
        context = {"trace_id": f"0x{TRACE}", "span_id": f"0x{(FIRST if n == 1 else SECOND)}"}
        time = f"2026-11-22T11:10:44.79863{n}Z"
        flat = {"openinference.span.kind": "LLM", **bodies}
        found.append(
            {"name": "c", "context": context, "parent_id": f"0x{ROOT}", "start_time": time, "attributes": flat}
        )
    return found


def base64_ids(feedback: str) -> Records:
    """What protobuf's own JSON has: ids in base64."""
    [record] = openinference(feedback)
    for one in record["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for key in ("traceId", "spanId", "parentSpanId"):
            one[key] = base64.b64encode(bytes.fromhex(one[key])).decode()
    return [record]


def tempo(feedback: str) -> Records:
    """Grafana's store: OTLP with the names of an older version, and times as numbers."""
    [record] = openinference(feedback)
    scoped = record["resourceSpans"][0]["scopeSpans"][0]
    for one in scoped["spans"]:
        one["startTimeUnixNano"] = int(one["startTimeUnixNano"])
    return [{"batches": [{"instrumentationLibrarySpans": [scoped]}]}]


def jaeger(feedback: str) -> Records:
    """Tags for attributes, a reference to the parent, and microseconds."""
    spans = []
    for n in (1, 2):
        bodies = {"input.value": json.dumps(request(n, feedback)), "output.value": json.dumps(response(n))}
        flat = {"openinference.span.kind": "LLM", **bodies}
        tags = [{"key": key, "type": "string", "value": value} for key, value in flat.items()]
        refs = [{"refType": "CHILD_OF", "traceID": TRACE, "spanID": ROOT}]
        ids = {"traceID": TRACE, "spanID": FIRST if n == 1 else SECOND, "references": refs}
        spans.append({**ids, "operationName": "c", "startTime": AT // 1000 + n, "duration": 10, "tags": tags})
    return [{"data": [{"traceID": TRACE, "spans": spans, "processes": {}}]}]


def langfuse_sdk(feedback: str) -> Records:
    """Spans of the SDK, with messages as JSON in its own attributes."""

    def flat(n: int) -> dict[str, Any]:
        own = {"type": "generation", "model.name": "gpt-5-mini", "input": json.dumps(messages(n, feedback))}
        own |= {"output": json.dumps({"role": "assistant", "content": answer(n)})}
        return {f"langfuse.observation.{key}": value for key, value in own.items()}

    return [otlp(*(span(n, flat(n)) for n in (1, 2)))]


def langfuse_streamed(feedback: str) -> Records:
    """Return a span of a streamed answer: the text alone, which happens to be JSON."""

    def flat(n: int) -> dict[str, Any]:
        own = {"type": "generation", "input": json.dumps(messages(n, feedback)), "output": answer(n)}
        return {f"langfuse.observation.{key}": value for key, value in own.items()}

    return [otlp(*(span(n, flat(n)) for n in (1, 2)))]


def _observation(n: int, feedback: str) -> dict[str, Any]:
    said = {"role": "assistant", "content": answer(n)}
    ids = {"id": f"o{n}", "traceId": "t1", "parentObservationId": None, "type": "GENERATION"}
    return {
        **ids, "startTime": f"2026-11-22T11:10:4{n}.000Z", "model": "gpt-5-mini",
        "input": json.dumps(messages(n, feedback)), "output": json.dumps(said), "metadata": "{}",
    }  # fmt: skip


def langfuse_trace(feedback: str) -> Records:
    """An export of a trace from the page: its observations, the newest first."""
    return [{"trace": {"id": "t1"}, "observations": [_observation(n, feedback) for n in (2, 1)]}]


def langfuse_rows(feedback: str) -> Records:
    """The export to a bucket: a row for each observation, in snake case."""
    names = {"traceId": "trace_id", "parentObservationId": "parent_observation_id", "startTime": "start_time"}
    names["model"] = "provided_model_name"
    return [{names.get(k, k): v for k, v in _observation(n, feedback).items()} for n in (2, 1)]


def langfuse_batch(feedback: str) -> Records:
    """What older SDKs send: an event that creates an observation, and one that adds the answer."""
    events = []
    for n in (1, 2):
        row = _observation(n, feedback)
        later = {"id": row["id"], "output": row.pop("output")}
        events += [{"type": "generation-create", "body": row}, {"type": "generation-update", "body": later}]
    return [{"batch": events}]


def _run(n: int) -> dict[str, Any]:
    order = f"20261122T111453870207Zroot.2026112{n}T111456178731Zrun{n}"
    ids = {"id": f"run{n}", "trace_id": "root", "parent_run_id": "root", "dotted_order": order}
    return {**ids, "run_type": "llm", "start_time": f"2026-11-2{n}T11:14:56.178731+00:00"}


def langsmith(feedback: str) -> Records:
    """An export of runs, the newest first."""
    return [_run(n) | {"inputs": request(n, feedback), "outputs": response(n)} for n in (2, 1)]


def langsmith_posts(feedback: str) -> Records:
    """What the SDK sends: requests in a post, answers in a later patch."""
    posts = [_run(n) | {"inputs": request(n, feedback)} for n in (1, 2)]
    patches = [_run(n) | {"outputs": response(n)} for n in (1, 2)]
    return [{"post": posts, "patch": []}, {"post": [], "patch": patches}]


def langsmith_langchain(feedback: str) -> Records:
    """Runs of LangChain: messages as serialised objects of its classes."""
    classes = {"system": "SystemMessage", "user": "HumanMessage", "assistant": "AIMessage"}

    def held(one: dict[str, Any]) -> dict[str, Any]:
        path = ["langchain", "schema", "messages", classes[one["role"]]]
        return {"lc": 1, "type": "constructor", "id": path, "kwargs": {"content": one["content"]}}

    found = []
    for n in (1, 2):
        said = {"message": held({"role": "assistant", "content": answer(n)}), "text": answer(n)}
        asked = {"messages": [[held(one) for one in messages(n, feedback)]]}
        found.append(_run(n) | {"inputs": asked, "outputs": {"generations": [[said]]}})
    return found


def litellm(feedback: str) -> Records:
    """A row of the standard payload for each call, with times in seconds."""
    return [
        {
            "id": f"chatcmpl-{n}", "trace_id": "task-1", "call_type": "acompletion", "status": "success",
            "startTime": 1795346172.4 + n, "endTime": 1795346173.4 + n, "model": "gpt-5-mini",
            "messages": messages(n, feedback), "response": response(n), "model_parameters": {"temperature": 0},
        }
        for n in (2, 1)
    ]  # fmt: skip


def openai_batch(feedback: str) -> Records:
    """The file that was uploaded and the one that came back, which has another order."""
    url = "/v1/chat/completions"
    asked = [{"custom_id": f"task-{n}", "method": "POST", "url": url, "body": request(n, feedback)} for n in (1, 2)]
    answered = [
        {"id": f"b{n}", "custom_id": f"task-{n}", "response": {"status_code": 200, "body": response(n)}, "error": None}
        for n in (2, 1)
    ]
    return [*answered, *asked]


def anthropic_batch(feedback: str) -> Records:
    """A request and a result for each custom id."""
    records: Records = []
    for n in (1, 2):
        system, *others = messages(n, feedback)
        params = {"model": "claude-x", "max_tokens": 99, "system": system["content"], "messages": others}
        said = {"id": f"m{n}", "type": "message", "role": "assistant", "model": "claude-x", "stop_reason": "end_turn"}
        said |= {"content": [{"type": "text", "text": answer(n)}], "usage": {"input_tokens": 5, "output_tokens": 2}}
        records.append({"custom_id": f"task-{n}", "params": params})
        records.append({"custom_id": f"task-{n}", "result": {"type": "succeeded", "message": said}})
    return records


def bedrock(feedback: str) -> Records:
    """A record of the service's own log for each call. The requests have no system message."""
    records = []
    for n in (1, 2):
        asked = [{"role": one["role"], "content": [{"text": one["content"]}]} for one in messages(n, feedback)[1:]]
        said = {"message": {"role": "assistant", "content": [{"text": answer(n)}]}}
        body = {"output": said, "stopReason": "end_turn", "usage": {"inputTokens": 5, "outputTokens": 2}}
        records.append(
            {
                "schemaType": "ModelInvocationLog", "timestamp": f"2026-06-26T10:00:2{n}Z", "requestId": f"r{n}",
                "operation": "Converse", "modelId": "m", "input": {"inputBodyJson": {"messages": asked}},
                "output": {"outputBodyJson": body},
            }
        )  # fmt: skip
    return records


def inspect(feedback: str) -> Records:
    """Return a log of Inspect that keeps the bodies, with a long text held once beside the events."""
    text = json.dumps([_event(n, call={"request": request(n, feedback), "response": response(n)}) for n in (1, 2)])
    sample = {"id": 1, "epoch": 1, "events": json.loads(text.replace("Write a ticket.", "attachment://a1"))}
    return _inspected(sample | {"attachments": {"a1": "Write a ticket."}})


def inspect_pool(feedback: str) -> Records:
    """Return a log of Inspect without bodies, whose requests are ranges of the sample's messages."""
    events = [_event(n, input_refs=[[0, 2 * n]], output=response(n)) for n in (1, 2)]
    return _inspected({"id": 1, "epoch": 1, "events": events, "message_pool": messages(2, feedback)})


def _event(n: int, **more: Any) -> dict[str, Any]:
    return {"event": "model", "timestamp": f"2026-06-26T10:00:2{n}Z", "model": "m", "input": [], **more}


def _inspected(sample: dict[str, Any]) -> Records:
    return [{"version": 2, "status": "success", "eval": {"run_id": "r"}, "samples": [sample]}]


def ai_sdk(feedback: str) -> Records:
    """Return spans of Vercel's AI SDK."""
    spans = []
    for n in (1, 2):
        said = [{**one, "content": [{"type": "text", "text": one["content"]}]} for one in messages(n, feedback)]
        own = {"ai.operationId": "ai.generateText.doGenerate", "ai.prompt.messages": json.dumps(said)}
        spans.append(span(n, own | {"ai.model.id": "m", "ai.response.text": answer(n), "ai.usage.inputTokens": 5}))
    return [otlp(*spans)]


FORMS: dict[str, tuple[Callable[[str], Records], str]] = {
    "gen_ai 1.37 attributes": (gen_ai_attributes, "messages"),
    "gen_ai 1.37 record": (gen_ai_record, "messages"),
    "gen_ai 1.28 log events": (gen_ai_log_events, "messages"),
    "gen_ai 1.27 span events": (gen_ai_span_events, "messages"),
    "openllmetry 2024": (openllmetry_old, "messages"),
    "openinference 2026": (openinference, "wire"),
    "openinference flat 2026": (openinference_flat, "messages"),
    "openinference printed 2026": (openinference_printed, "wire"),
    "otlp base64 ids": (base64_ids, "wire"),
    "tempo": (tempo, "wire"),
    "jaeger": (jaeger, "wire"),
    "langfuse sdk 2026": (langfuse_sdk, "messages"),
    "langfuse streamed 2026": (langfuse_streamed, "messages"),
    "langfuse trace 2025": (langfuse_trace, "messages"),
    "langfuse blob rows 2026": (langfuse_rows, "messages"),
    "langfuse batch 2024": (langfuse_batch, "messages"),
    "langsmith runs 2026": (langsmith, "wire"),
    "langsmith posts 2026": (langsmith_posts, "wire"),
    "langsmith langchain 2026": (langsmith_langchain, "messages"),
    "litellm payload 2026": (litellm, "wire"),
    "openai batch 2026": (openai_batch, "wire"),
    "anthropic batch 2026": (anthropic_batch, "wire"),
    "bedrock 1.0": (bedrock, "wire"),
    "inspect 2025": (inspect, "wire"),
    "inspect pool 2026": (inspect_pool, "messages"),
    "ai sdk 2025": (ai_sdk, "messages"),
}
"""Each form by its format and date, and how near to the wire it is."""
