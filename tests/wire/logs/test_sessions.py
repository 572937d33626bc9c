"""Logs of evaluations and agents: their answers are judged, and their requests, which were never sent so, are not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from pytest_planguard.runs.logs.judging import judge_logs
from pytest_planguard.runs.logs.summary import LogSummary
from pytest_planguard.wire.logs.readers import reader_of
from pytest_planguard.wire.logs.sessions import GONE, read_inspect, read_trajectory
from pytest_planguard.wire.logs.span_conventions import read_ai_sdk
from pytest_planguard.wire.logs.spans import spans_of

from ...support.one_item import in_one_item
from .forms import BAD, FEEDBACK, GOOD, Records, ai_sdk, inspect, inspect_pool, messages
from .test_forms import TICKET


def sessions(answer: str) -> dict[str, dict[str, Any]]:
    """Return a session in each format, which ends with this answer."""
    said = [*messages(2, "try again"), {"role": "assistant", "content": answer}]
    template = {"messages": [{"role": "user", "content": [{"type": "template", "name": "user"}]}]}
    calls = [{"input": said[:-1], "output": said[-1]}]
    return {
        "swe-agent": {"history": [one | {"agent": "main"} for one in said]},
        "inspect": {"version": 2, "status": "", "eval": {}, "samples": [{"id": 1, "messages": said}]},
        "deepeval": {"metricsScores": [], "testCases": [{"trace": {"uuid": "t", "llmSpans": calls}}]},
        "tensorzero": {
            "function_name": "f",
            "episode_id": "e",
            "input": json.dumps(template),
            "output": json.dumps([{"type": "text", "text": answer}]),
        },
    }


FORMS = sorted(sessions(GOOD))


def judged(record: dict[str, Any]) -> LogSummary:
    """Return what came of a record."""
    return judge_logs([json.dumps(record)], contracts=[TICKET])


@pytest.mark.parametrize("form", FORMS)
def test_the_answer_of_a_session_is_judged_without_its_request(form: str) -> None:
    """The rejected answer inside is the app's affair, and a bad answer is found."""
    assert (found := reader_of(sessions(GOOD)[form])) is not None
    assert found.name == form
    good = judged(sessions(GOOD)[form])
    assert (dict(good.fidelity), good.ok, dict(good.checks_failed)) == ({"derived": 1}, 1, {})
    bad = judged(sessions(BAD)[form])
    assert (bad.conversations, bad.ok) == (1, 0)


@in_one_item
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("left", ["{...}", "...", ""])
def test_an_answer_that_was_left_out_is_not_a_bad_one(form: str, left: str) -> None:
    """As a fixture or a report shortens it."""
    found = judged(sessions(left)[form])
    assert (found.calls, found.conversations) == (1, 0), found


def test_tool_results_of_a_trajectory_keep_their_calls() -> None:
    """It lists their ids."""
    result = {"role": "tool", "content": "done", "tool_call_ids": ["c1"], "agent": "main"}
    [logged] = read_trajectory({"history": [result, *sessions(GOOD)["swe-agent"]["history"]]})
    assert logged.request["messages"][0]["tool_call_id"] == "c1"


def test_tool_calls_of_the_ai_sdk_are_read_by_their_older_names_too() -> None:
    """`args` and `result` became `input` and `output`."""
    old = {"type": "tool-call", "toolCallId": "c", "toolName": "save", "args": {"a": 1}}
    result = {"type": "tool-result", "toolCallId": "c", "output": {"type": "text", "value": "no"}}
    said = [{"role": "assistant", "content": [old]}, {"role": "tool", "content": [result]}]
    call = {"toolCallId": "d", "toolName": "save", "input": '{"a": 2}'}
    own: dict[str, Any] = {"ai.operationId": "ai.streamText.doStream", "ai.prompt.messages": json.dumps(said)}
    tool = json.dumps({"name": "save", "inputSchema": {}})
    own |= {"ai.response.toolCalls": json.dumps([call]), "ai.prompt.tools": [tool]}
    [span] = spans_of({"scopeName": "app", "spanName": "ai.streamText.doStream", "attributes": own})
    logged = read_ai_sdk(span)
    assert logged is not None
    assert [m.get("tool_call_id") or m["tool_calls"][0]["id"] for m in logged.request["messages"]] == ["c", "c"]
    assert logged.request["tools"][0]["function"]["name"] == "save"
    assert logged.response["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] == '{"a": 2}'


def test_content_that_the_ai_sdk_did_not_record_is_no_answer() -> None:
    """Its switch is named."""
    text = json.dumps(ai_sdk("try again")).replace("ai.prompt.messages", "x").replace("ai.response.text", "y")
    found = judge_logs(map(json.dumps, json.loads(text)), contracts=[TICKET])
    assert (found.conversations, dict(found.fidelity)) == (0, {"none": 2})
    assert "recordInputs" in "".join(found.unjudgeable)


@pytest.mark.parametrize("form", [inspect, inspect_pool])
def test_texts_that_a_log_of_inspect_lacks_or_repeats_too_often_are_no_answers(
    form: Callable[[str], Records], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short reference may stand for a long text, any number of times."""
    [record] = form("try again")
    monkeypatch.setattr("pytest_planguard.wire.logs.sessions.MOST_TEXT", 300)
    assert [one.why for one in read_inspect(record)].count(GONE) == 1
    monkeypatch.undo()
    record["samples"][0].pop("attachments", None)
    lacking = [one.fidelity.value for one in read_inspect(record)]
    assert lacking == (["partial"] * 2 if form is inspect else ["messages"] * 2)


def test_ranges_of_a_pool_that_overlap_without_end_are_no_request() -> None:
    """Fifty thousand times `[0, 20000]` would be a list of a billion messages, of a file of a megabyte."""
    [record] = inspect_pool(FEEDBACK)
    sample = record["samples"][0]
    sample["message_pool"] = [{}] * 20_000
    sample["events"][0]["input_refs"] = [[0, 20_000]] * 50_000
    logged = next(read_inspect(record))
    assert (logged.why, logged.fidelity.value) == (GONE, "partial")
