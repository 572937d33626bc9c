"""What each format loses, as the guide lists it, makes no answer bad, and is named if it stops a verdict."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from pytest_planguard.runs.logs.judging import judge_logs
from pytest_planguard.runs.logs.summary import LogSummary
from pytest_planguard.wire.exchange import Exchange
from pytest_planguard.wire.logs.calls import calls_of
from pytest_planguard.wire.logs.gen_ai import from_events
from pytest_planguard.wire.logs.logged import Event, unpacked_json
from pytest_planguard.wire.logs.readers import read_spans
from pytest_planguard.wire.logs.spans import attributes_of

from .forms import (
    FEEDBACK,
    Records,
    bedrock,
    gen_ai_attributes,
    gen_ai_span_events,
    langfuse_streamed,
    langfuse_trace,
    langsmith,
    litellm,
    openai_batch,
    openinference,
    openllmetry_old,
    otlp,
    parts,
    span,
)
from .test_forms import TICKET


def judged(records: Iterable[dict[str, Any]], by: str = "trace") -> LogSummary:
    """Return what came of records."""
    return judge_logs(map(json.dumps, records), contracts=[TICKET], group_by=by)


def read(records: Records) -> list[Exchange]:
    """Return the calls of spans, as they are judged."""
    return [call.exchange for call in calls_of(logged for record in records for logged in read_spans(record))]


def without(records: Records, *names: str) -> Records:
    """Return the records without some of their members, at any depth."""

    def stripped(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: stripped(inner) for key, inner in value.items() if key not in names}
        return [stripped(inner) for inner in value] if isinstance(value, list) else value

    return [stripped(record) for record in records]


@pytest.mark.parametrize("make", [gen_ai_attributes, gen_ai_span_events, openllmetry_old])
def test_the_demanded_schema_is_not_in_spans(make: Callable[[str], Records]) -> None:
    """So contracts of requests have nothing to go by, and a named contract judges all the same."""
    assert [one.output_schema for one in read(make(FEEDBACK))] == [None, None]
    assert judged(make(FEEDBACK)).ok == 1


def test_messages_one_by_one_have_no_schemas_of_tools() -> None:
    """The events of a span say who called what, and nothing of what was declared."""
    call = {"function": {"name": "save", "arguments": '{"title": "x"}'}}
    events = [
        Event("gen_ai.user.message", {"content": "x"}),
        Event("gen_ai.choice", {"message": {"tool_calls": [call]}}),
    ]
    request, _ = from_events(events, "m", {})
    assert request is not None
    assert [tool["function"] for tool in request["tools"]] == [{"name": "save", "parameters": {}}]


def test_words_that_a_framework_logs_are_no_feedback() -> None:
    """What pydantic-ai keeps of a retry was worded again for the wire: only its answers are judged."""
    text = json.dumps(gen_ai_attributes("try again")).replace('"some.scope"', '"pydantic-ai"')
    found = judged(json.loads(text))
    assert (found.fidelity, found.outcomes, found.checks_failed) == ({"derived": 2}, {"converged": 1}, {})


@pytest.mark.parametrize(
    ("records", "names"),
    [
        (without(langfuse_trace(FEEDBACK), "input", "output"), "field group `io`"),
        ([one | {"inputs_s3_urls": {"ROOT": "s3://x"}} for one in without(langsmith(FEEDBACK), "inputs")], "s3_urls"),
        (without(bedrock(FEEDBACK), "outputBodyJson"), "no known format"),
    ],
)
def test_content_that_is_kept_elsewhere_is_named(records: Records, names: str) -> None:
    """A row without its bodies is never bad."""
    found = judged(records)
    assert found.conversations == 0
    assert names in " ".join([*found.unjudgeable, *found.unread])


def test_a_streamed_answer_of_langfuse_keeps_every_character() -> None:
    """It is a text of its own, and no value that was parsed and printed again."""
    text = '{"title":"Printer",   "priority":"hi\\u0067h", "steps":[ ]}\n'
    [record] = langfuse_streamed(FEEDBACK)
    for each in record["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for one in each["attributes"]:
            if one["key"].endswith(".output"):
                one["value"] = {"stringValue": text}
    assert [one.answer_text for one in read([record])] == [text, text]


def test_parsed_arguments_lose_their_spacing_alone() -> None:
    """OpenLLMetry logs them as values, so their text is that of the values."""
    arguments = {"title": "x", "steps": []}
    call = {"type": "tool_call", "id": "1", "name": "save", "arguments": arguments}
    flat = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json.dumps(parts([{"role": "user", "content": "x"}])),
    }
    flat["gen_ai.output.messages"] = json.dumps([{"role": "assistant", "parts": [call]}])
    [exchange] = read([otlp(span(1, flat))])
    assert [(one.arguments, json.loads(one.text)) for one in exchange.calls] == [(arguments, arguments)]


def test_openinference_has_streams_whole_and_no_headers() -> None:
    """The pieces are joined before they are logged, and nothing says what the headers were."""
    text = json.dumps(openinference(FEEDBACK)).replace('{\\"model\\"', '{\\"stream\\": true, \\"model\\"')
    assert text.count("stream") == 2
    calls = calls_of(logged for record in json.loads(text) for logged in read_spans(record))
    assert [(one.logged.fidelity.value, one.exchange.streamed) for one in calls] == [("wire", False)] * 2
    assert judged(json.loads(text)).ok == 1


def test_calls_without_a_trace_are_tied_by_their_task_or_by_a_key() -> None:
    """LiteLLM's callers may name no trace; the requests of batches and of Bedrock never do."""
    assert judged(without(litellm(FEEDBACK), "trace_id")).outcomes == {"converged": 1}
    apart, tied = (judged(openai_batch(FEEDBACK), by).conversations for by in ("trace", "custom_id:(task)"))
    assert (apart, tied) == (2, 1)
    rows = [row | {"requestMetadata": {"task": "7"}} for row in bedrock(FEEDBACK)]
    assert judged(rows, "requestMetadata.task").outcomes == {"converged": 1}


def test_an_answer_in_brackets_is_whole() -> None:
    """A list of parts may be written as text; a text that begins with a bracket is no cut list."""
    flat = {"gen_ai.operation.name": "chat", "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "[1] says so"}
    flat |= {"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "[note] done"}
    [exchange] = read([otlp(span(1, flat))])
    assert (exchange.request[0].text, exchange.answer_text) == ("[1] says so", "[note] done")


def test_json_may_be_packed_twice() -> None:
    """By an SDK, and by the backend that keeps its attributes; a text in quotes is no JSON of either."""
    packed = json.dumps({"a": 1})
    assert [unpacked_json(one) for one in (packed, json.dumps(packed), '"quoted" words')] == [
        {"a": 1},
        {"a": 1},
        '"quoted" words',
    ]


def test_only_attributes_of_conventions_are_taken_apart() -> None:
    """The value of another one may be an object, such as a framework's parameters, by which it is recognised."""
    nested = {"gen_ai": {"request": {"model": "m"}, "system": "s"}, "model_request_parameters": {"output": "x"}}
    assert attributes_of(nested) == {
        "gen_ai.request": {"model": "m"},
        "gen_ai.system": "s",
        "model_request_parameters": {"output": "x"},
    }
