"""The calls of a group: each once, put together from its parts, in the order in which they were sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.runs.logs.judging import judge_logs
from pytest_planguard.wire.logs.calls import LAST_PIECE, MASKED, TRUNCATED, calls_of
from pytest_planguard.wire.logs.logged import Event, Fidelity, Logged

from ...support.one_item import in_one_item
from .forms import BAD, FEEDBACK, GOOD, gen_ai_attributes, request, response
from .test_forms import TICKET

SECOND = 10**9
"""In nanoseconds, as times in logs are."""


def logged(call: str, attempt: int = 1, **fields: Any) -> Logged:
    """Return a whole call of the conversation in `forms`."""
    bodies = {"request": request(attempt), "response": response(attempt)}
    return Logged(call, **{"at": attempt * SECOND, "fidelity": Fidelity.WIRE, **bodies, **fields})


def answers(*parts: Logged) -> list[str]:
    """Return the answers of the calls that some parts form."""
    return [call.exchange.answer_text for call in calls_of(parts)]


def said(text: str, at: int, answer_id: str = "", **fields: Any) -> Logged:
    """Return the first call with another answer."""
    body = response(1) | {"id": answer_id, "choices": [{"message": {"role": "assistant", "content": text}}]}
    return logged(f"{text}{at}{answer_id}{len(fields)}", response=body, at=at, **fields)


PARTS = [
    Logged("a", "t", at=1, fidelity=Fidelity.PARTIAL, request=request(1), why="no answer yet"),
    Logged("a", took=5 * SECOND // 2, fidelity=Fidelity.PARTIAL, response=response(1)),
    logged("b", 2),
    logged("b again", 2, fidelity=Fidelity.MESSAGES),
    said("x", 7 * SECOND, "1"),
    said("x", 7 * SECOND, "2"),
]


@given(st.permutations(PARTS))
def test_the_order_of_the_parts_never_counts(parts: list[Logged]) -> None:
    """Files are read in any order, and a request may be in another file than its answer."""
    found = calls_of(parts)
    assert [(call.exchange.number, call.exchange.answer_text) for call in found] == [
        (1, BAD),
        (2, GOOD),
        (3, "x"),
        (4, "x"),
    ]
    assert [call.logged.fidelity for call in found] == [Fidelity.MESSAGES, *[Fidelity.WIRE] * 3]
    assert (found[0].logged.trace, found[0].logged.at, found[0].exchange.latency_s) == ("t", 1, 2.5)


def test_parts_without_an_id_are_calls_by_themselves() -> None:
    """Nothing ties a request to an answer then."""
    calls = calls_of([Logged("", request=request(1)), Logged("", response=response(1))])
    assert [call.judgeable for call in calls] == [False, False]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"call": "z", "order": "1", "at": 9}, {"call": "a", "order": "2", "at": 1}),
        ({"call": "z", "at": 1, "request": request(2)}, {"call": "a", "at": 2}),
        ({"call": "z"}, {"call": "a", "request": request(2)}),
        ({"call": "a"}, {"call": "b"}),
    ],
)
def test_what_orders_two_calls(first: dict[str, Any], second: dict[str, Any]) -> None:
    """The log's own order, then the time, then the number of messages, then the id."""
    one = logged(**{"at": 1, "response": response(1), **first})
    other = logged(**{"at": 1, "response": response(2), **second})
    assert answers(other, one) == answers(one, other) == [BAD, GOOD]


@pytest.mark.parametrize(
    ("one", "other", "calls"),
    [
        (said("x", SECOND, "1"), said("x", 9 * SECOND, "1", model="m"), 1),
        (said("x", SECOND, "1"), said("x", SECOND, "2"), 2),
        (said("x", SECOND), said("x", SECOND + 5), 1),
        (said("x", SECOND), said("x", 2 * SECOND), 2),
        (said("x", SECOND), said("y", SECOND), 2),
        (said("x", SECOND), said("x", SECOND, request=request(2)), 2),
    ],
)
def test_a_call_that_a_client_and_a_framework_logged_counts_once(one: Logged, other: Logged, calls: int) -> None:
    """By the id of the answer or within one second. A sample with the same words is another call."""
    assert len(calls_of([one, other])) == calls


@pytest.mark.parametrize("nearest_first", [True, False])
def test_the_copy_that_is_closest_to_the_wire_is_kept(nearest_first: bool) -> None:
    """It keeps the number of the call that it replaces."""
    wire, messages = logged("a", model="wire"), logged("b", fidelity=Fidelity.MESSAGES, model="messages")
    early, late = (wire, messages) if nearest_first else (messages, wire)
    early.at, late.at = SECOND, SECOND + 1
    (kept, after) = calls_of([early, late, logged("c", 2)])
    assert (kept.logged.model, kept.exchange.number, after.exchange.number) == ("wire", 1, 2)


def test_a_call_in_parts_is_as_close_to_the_wire_as_its_farthest_part() -> None:
    """A span with messages says less than the request that was also logged."""
    near = Logged("a", fidelity=Fidelity.WIRE, request=request(1))
    far = Logged("a", fidelity=Fidelity.DERIVED, response=response(1))
    (call,) = calls_of([near, far])
    assert (call.judgeable, call.logged.fidelity, call.logged.why) == (True, Fidelity.DERIVED, "")


@pytest.mark.parametrize(
    ("parts", "fidelity", "why"),
    [
        ([{"request": request(1)}, {}], Fidelity.PARTIAL, "only one of request and answer is in the logs"),
        ([{"request": request(1), "why": "cut"}, {"why": "later"}], Fidelity.PARTIAL, "cut"),
        ([{}, {"why": "switch it on"}], Fidelity.NONE, "switch it on"),
        ([{"request": request(1), "status": 500}, {}], Fidelity.MESSAGES, ""),
    ],
)
def test_what_a_call_in_parts_lacks(parts: list[dict[str, Any]], fidelity: Fidelity, why: str) -> None:
    """A failed request is whole without an answer."""
    (call,) = calls_of([Logged("a", at=at, **fields) for at, fields in enumerate(parts, 1)])
    assert (call.logged.fidelity, call.logged.why) == (fidelity, why)


def test_a_body_may_have_a_member_called_settings() -> None:
    """It is the provider's or the app's, and the request is not taken for a span that has only its settings."""
    asked = request(1) | {"settings": {"cache": True}}
    assert answers(Logged("a", request=asked), Logged("a", response=response(1))) == [BAD]


def test_messages_that_were_exported_twice_are_said_once() -> None:
    """Two exporters write the same events, and the span of their call has its settings."""
    events = [
        Event("gen_ai.user.message", {"content": "x"}, 1),
        Event("gen_ai.choice", {"message": {"content": "y"}}, 2),
    ]
    span = Logged("a", settings={"temperature": 0.5}, model="m")
    (call,) = calls_of([Logged("a", events=[*events]), span, Logged("a", events=[*events])])
    assert [item.text for item in call.exchange.request] == ["x"]
    assert (call.exchange.answer_text, call.exchange.model, call.exchange.sampling) == ("y", "m", {"temperature": 0.5})


@pytest.mark.parametrize(("in_body", "in_span", "model"), [("m1", "m2", "m1"), ("", "m2", "m2"), ("", "", None)])
def test_the_model_that_answered_counts_before_the_one_of_the_span(
    in_body: str, in_span: str, model: str | None
) -> None:
    """A span may have the name of a deployment."""
    bodies = [{key: value for key, value in body.items() if key != "model"} for body in (request(1), response(1))]
    (call,) = calls_of([logged("a", request=bodies[0], response=bodies[1] | {"model": in_body}, model=in_span)])
    assert call.exchange.model == model


MASKS = (
    "__REDACTED__",
    "redacted-by-litellm",
    "<REDACTED_EMAIL>",
    "[REDACTED]",
    "[Filtered]",
    "[masked by policy]",
    " [sanitized conversation history] ",
    "***",
    "*" * 1_000,
)
CUTS = (
    "Print… (litellm_truncated 1234 chars)",
    "Print<truncated due to size exceeding limit>",
    "Print...[TRUNCATED]",
    "Print... truncated\n",
    f"Print… (truncated {'x' * 79})",
)
WHOLE = (
    "Hide it as ***.",
    "[REDACTED] is how logs hide it",
    '{"steps": ["Restore the truncated table"]}',
    "... (truncated) is how logs cut it",
    "",
)


@in_one_item
@pytest.mark.parametrize(("text", "why"), [*((m, MASKED) for m in MASKS), *((c, TRUNCATED) for c in CUTS)])
@pytest.mark.parametrize("in_answer", [True, False])
def test_a_mask_or_a_cut_makes_no_bad_answer(text: str, why: str, in_answer: bool) -> None:
    """In the request too, since a retry would seem to feed nothing back."""
    asked = request(1)
    asked["messages"][-1]["content"] = text
    (call,) = calls_of([said(text, 1) if in_answer else logged("a", request=asked)])
    assert (call.judgeable, call.logged.why) == (False, why)


@in_one_item
@pytest.mark.parametrize("text", WHOLE)
def test_words_around_a_mask_are_the_models_own(text: str) -> None:
    """Three stars among words are Markdown, and a sentence about cuts is no cut."""
    (call,) = calls_of([said(text, 1)])
    assert (call.judgeable, call.logged.why) == (True, "")


def test_a_mask_in_a_schema_is_an_example() -> None:
    """No schema is a word of the conversation."""
    tools = [{"type": "function", "function": {"name": "f", "description": "[REDACTED]", "parameters": {}}}]
    (call,) = calls_of([logged("a", request=request(1) | {"tools": tools})])
    assert call.judgeable


@pytest.mark.parametrize("retried", [True, False])
def test_the_last_piece_of_a_stream_is_no_bad_answer_once_a_retry_quotes_the_whole(retried: bool) -> None:
    """One of OpenLLMetry's packages logs `]}` of Gemini's streams; without a retry nothing shows that it is a piece."""
    [record] = gen_ai_attributes(FEEDBACK)
    spans = record["resourceSpans"][0]["scopeSpans"][0]["spans"]
    for each in spans:
        for one in each["attributes"]:
            if one["key"] == "gen_ai.output.messages":
                [said] = json.loads(one["value"]["stringValue"])
                said["parts"][0]["content"] = said["parts"][0]["content"][-3:]
                one["value"]["stringValue"] = json.dumps([said])
    record["resourceSpans"][0]["scopeSpans"][0]["spans"] = spans if retried else spans[-1:]
    found = judge_logs([json.dumps(record)], contracts=[TICKET])
    assert (found.conversations, dict(found.fidelity)) == ((0, {"partial": 2}) if retried else (1, {"messages": 1}))
    assert retried == (LAST_PIECE in found.unjudgeable)


def test_a_call_with_the_bytes_of_the_wire_is_never_a_last_piece() -> None:
    """Only an instrumentation that words messages itself may have kept the end alone."""
    end = said(BAD[-3:], SECOND, fidelity=Fidelity.MESSAGES)
    retry = logged("b", 2, fidelity=Fidelity.MESSAGES)
    calls = calls_of([end, retry, said("x", 3 * SECOND)])
    assert [call.logged.why for call in calls] == [LAST_PIECE, LAST_PIECE, ""]


@pytest.mark.parametrize("inside", [True, False])
def test_an_empty_span_of_the_same_call_hides_no_end(inside: bool) -> None:
    """An SDK with spans of its own, under an instrumentation, has one without content inside or around each call."""
    [record] = gen_ai_attributes("try again")
    spans = record["resourceSpans"][0]["scopeSpans"][0]["spans"]
    for number, span in enumerate([*spans]):
        named = [one for one in span["attributes"] if not one["key"].endswith("messages")]
        shell = {**span, "spanId": f"{number:016x}", "attributes": named}
        child, parent = (shell, span) if inside else (span, shell)
        child["parentSpanId"] = parent["spanId"]
        spans.append(shell)
    found = judge_logs([json.dumps(record)], contracts=[TICKET])
    assert (found.fidelity, found.checks_failed) == ({"messages": 2}, {"feedback": 1}), found
