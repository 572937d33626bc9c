"""Every log format gives the verdict that its conversation has, in any order, and refuses what it does not hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from pytest_planguard import Contract
from pytest_planguard.runs.logs.judging import judge_logs
from pytest_planguard.wire.logs.calls import calls_of
from pytest_planguard.wire.logs.readers import reader_of
from pytest_planguard.wire.logs.spans import nanoseconds

from ...support.one_item import in_one_item
from .forms import FEEDBACK, FORMS, gen_ai_attributes, request, response


class Ticket(BaseModel):
    title: str
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)


TICKET = Contract(Ticket)


def judged(records: list[dict[str, Any]]) -> Any:
    """Return what came of the records."""
    by = "custom_id:(task)" if "custom_id" in records[0] else "trace"
    return judge_logs(map(json.dumps, records), contracts=[TICKET], group_by=by)


@in_one_item
@pytest.mark.parametrize("form", FORMS)
def test_form_converges_and_says_how_near_to_the_wire_it_is(form: str) -> None:
    """Each form is read whole."""
    make, fidelity = FORMS[form]
    found = judged(make(FEEDBACK))
    assert (found.outcomes, found.ok) == ({"converged": 1}, 1), found
    assert found.fidelity == {fidelity: 2}
    assert not found.unread


@in_one_item
@pytest.mark.parametrize("form", FORMS)
def test_feedback_removed_from_a_form_is_found(form: str) -> None:
    """Whatever the form, a retry that says nothing fails."""
    found = judged(FORMS[form][0]("try again"))
    assert found.checks_failed == {"feedback": 1}


@given(form=st.sampled_from(sorted(FORMS)), data=st.data())
def test_order_and_doubles_change_nothing(form: str, data: st.DataObject) -> None:
    """Neither the order of records nor a second export counts."""
    records = FORMS[form][0](FEEDBACK)
    mixed = data.draw(st.permutations([*records, *records]))
    one, other = judged(records), judged(mixed)
    assert (one.calls, one.outcomes, one.by) == (other.calls, other.outcomes, other.by)


@pytest.mark.parametrize(
    ("extra", "name", "at"),
    [
        ({"timestamp": "2026-11-27T10:00:00Z"}, "pairs", True),
        ({"timestamp": "2026-11-27T10:00:00Z", "key": "of a cache"}, "pairs", True),
        ({"key": "1"}, "gemini-batch", False),
    ],
)
def test_rows_with_a_request_and_a_response_keep_trace_and_time(extra: dict[str, Any], name: str, at: bool) -> None:
    """Without them --since takes every row for a new one. Batches of Gemini have these names, too, and a key."""
    record = {"request": request(1), "response": response(1), "trace_id": "t", "id": "7", **extra}
    reader = reader_of(record)
    assert reader is not None
    (logged,) = reader.read(record)
    assert (reader.name, logged.trace, logged.call, logged.at > 0) == (name, *(("t", "7") if at else ("", "1")), at)


def test_without_content_nothing_is_bad_and_the_switch_is_named() -> None:
    """What was not captured is unjudgeable."""
    [record] = gen_ai_attributes(FEEDBACK)
    for span in record["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        span["attributes"] = [one for one in span["attributes"] if not one["key"].endswith("messages")]
    found = judged([record])
    assert (found.conversations, found.fidelity) == (0, {"none": 2})
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in "".join(found.unjudgeable)


def test_calls_with_a_trace_each_are_tied_by_how_their_task_begins() -> None:
    """Without a span around them, the retry is in another trace than what it answers."""
    [record] = gen_ai_attributes(FEEDBACK)
    for number, span in enumerate(record["resourceSpans"][0]["scopeSpans"][0]["spans"]):
        del span["parentSpanId"]
        span["traceId"] = f"{number:032x}"
    assert judged([record]).outcomes == {"converged": 1}


@given(limit=st.integers(1, 400))
def test_cut_attributes_are_never_bad_answers(limit: int) -> None:
    """A limit on attributes makes nothing bad."""
    [record] = gen_ai_attributes(FEEDBACK)
    for span in record["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for one in span["attributes"]:
            if len(one["value"].get("stringValue", "")) > limit:
                one["value"]["stringValue"] = one["value"]["stringValue"][:limit]
    found = judged([record])
    assert found.bad == 0, found


NAMES = (
    *(
        "resourceSpans",
        "scopeSpans",
        "spans",
        "attributes",
        "traceId",
        "spanId",
        "name",
        "events",
        "run_type",
        "inputs",
    ),
    *("outputs", "messages", "trace", "observations", "type", "batch", "body", "custom_id", "response", "request"),
    *("call_type", "key", "value", "kvlistValue", "values"),
)


def nested(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Return lists and objects of some values, with names that formats of logs have."""
    return st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)


WRONG: tuple[Any, ...] = (
    *(5, -0.5, -1e308, 10**400, float("nan"), float("-inf"), True, None, "", "x", "9" * 5_000, [], {}, [[]], [5], [{}]),
    *({"type": []}, {"text": 5}, {"a": {}}, -(10**400)),
)
"""Values of a type that no format has at most of its places; a clock that is off writes NaN."""


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every value inside one, as keys and indices."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(inner, (*path, key))


@given(form=st.sampled_from(sorted(FORMS)), data=st.data())
def test_a_wrong_value_anywhere_in_a_record_does_not_raise(form: str, data: st.DataObject) -> None:
    """Law: one odd value must not lose the other calls of its record, such as the other runs of an upload."""
    record = data.draw(st.sampled_from(FORMS[form][0](FEEDBACK)))
    reader = reader_of(record)
    assert reader is not None
    *way, last = data.draw(st.sampled_from([*places(record)]))
    holder: Any = record
    for step in way:
        holder = holder[step]
    for value in WRONG:
        holder[last] = deepcopy(value)
        reader.sniff(record)
        calls_of(reader.read(record))


NO_TIMES = [
    *map(float, ("nan", "inf", "-inf", "-1e308", "1e308")),
    pytest.param(10**400, id="large"),
    pytest.param(-(10**400), id="small"),
    pytest.param("9" * 400, id="digits"),
]


@pytest.mark.parametrize("time", NO_TIMES)
def test_a_time_that_is_no_number_is_unknown(time: float) -> None:
    """`{"start_time": NaN}`, which pydantic's parser reads: its run is kept, and so are the others of its post."""
    runs = [{"id": name, "run_type": "llm", "start_time": at} for name, at in (("a", time), ("b", 1_795_345_869))]
    reader = reader_of({"post": runs})
    assert reader is not None
    assert [(one.call, one.at) for one in reader.read({"post": runs})] == [("a", 0), ("b", 1_795_345_869 * 10**9)]


@pytest.mark.parametrize(
    ("time", "read"), [(5, 5 * 10**9), (5.25, 5_250_000_000), (1.5e9, 15 * 10**17), (1.5e12, 15 * 10**17)]
)
def test_a_fraction_has_the_unit_of_a_whole_number(time: float, read: int) -> None:
    """A clock that starts at 0 counts seconds, too."""
    assert nanoseconds(time) == read


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=9), nested, max_leaves=20))
def test_no_record_raises(record: object) -> None:
    """Records are hostile."""
    assert judge_logs([json.dumps(record)], contracts=[TICKET]).conversations >= 0


@pytest.mark.parametrize("number", NO_TIMES)
@pytest.mark.parametrize("key", ["startTime", "duration"])
def test_a_span_of_jaeger_without_a_time_is_read(key: str, number: float) -> None:
    """`"duration": 1000…` of 400 digits is no float: its call has no time, and is kept."""
    [record] = FORMS["jaeger"][0](FEEDBACK)
    for span in record["data"][0]["spans"]:
        span[key] = number
    found = judged([record])
    assert (found.outcomes, found.fidelity) == ({"converged": 1}, {"wire": 2}), found
    assert not found.unread
