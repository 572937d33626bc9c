"""Conversations that went over no wire."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard import Contract, Conversation, UsageError, called, judge, tool_arg
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.wire.dialect import ROLES
from pytest_planguard.wire.exchange import Finish, ItemKind, Role, Usage

from ..support.one_item import in_one_item
from ..wire.agent_streams import AGENTS, claude, lines


class Plan(BaseModel):
    """What is asked for."""

    goal: str


PLAN = Contract(Plan)
PRINTED = "give what `claude -p --output-format stream-json` or `codex exec --json` printed"
TASK = {"role": "user", "content": "Write a plan."}
BAD = {"role": "assistant", "content": "{}"}
ERRORS = {"role": "user", "content": "goal: Field required. Answer again."}
GOOD = {"role": "assistant", "content": '{"goal": "x"}'}
CALL = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "check_plan", "arguments": '{"goal": "x"}'}}
]}  # fmt: skip
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "ok"}


@given(st.lists(st.sampled_from([TASK, GOOD, ERRORS, CALL, RESULT]), min_size=1).filter(lambda ms: GOOD in ms))
def test_each_answer_has_all_before_it_as_its_request(messages: list[dict[str, Any]]) -> None:
    """No message is missing, none is out of order, and requests grow."""
    exchanges = Conversation.from_messages(messages).exchanges
    *_, last = exchanges
    whole = (*last.request, *last.answer)
    spoken = [item for item in whole if item.role is Role.ASSISTANT]
    assert len(spoken) == sum(message in (GOOD, CALL) for message in messages)
    for exchange in exchanges:
        assert whole[: len(exchange.request) + len(exchange.answer)] == (*exchange.request, *exchange.answer)
    assert [exchange.number for exchange in exchanges] == list(range(1, len(exchanges) + 1))


def test_judged_as_a_recording() -> None:
    """A retry that feeds back the error converges; one that does not fails the same check."""
    right = Conversation.from_messages([TASK, BAD, ERRORS, CALL, RESULT, GOOD])
    blind = Conversation.from_messages([TASK, BAD, {"role": "user", "content": "Try again."}, GOOD])
    assert (right.judge(PLAN).outcome.value, right.judge(PLAN).ok, len(right.judge(PLAN).attempts)) == (
        "converged",
        True,
        2,
    )
    assert [check.name for check in blind.judge([PLAN]).checks if check.status == "fail"] == ["feedback"]
    assert judge(right.exchanges, [PLAN]).conversations[0].outcome.value == "converged"


def test_a_call_counts_for_its_whole_task() -> None:
    """A retry in the user's words belongs to the task, so nothing has to be called again; the next task is another."""
    demands = Contract(Plan, calls=called("check_plan", '"goal"', times=1))
    retried = [TASK, CALL, RESULT, BAD, ERRORS, GOOD]
    again = [TASK, BAD, ERRORS, CALL, RESULT, GOOD]
    twice = [TASK, CALL, RESULT, BAD, ERRORS, CALL, RESULT, GOOD]
    chat = [TASK, CALL, RESULT, GOOD, TASK, GOOD]
    judged = [
        judge(Conversation.from_messages(talk).exchanges, [demands]).conversations
        for talk in (retried, again, twice, chat)
    ]
    codes = [[[f.code for f in found.attempts[-1].verdict.findings] for found in each] for each in judged]
    assert codes == [[[]], [[]], [["call_count"]], [[], ["call_not_made"]]]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("bad", ["{}", "", "no plan", '{"goal": 1}', '{"goal": "x'])
def test_the_same_text_has_the_same_outcome_from_each_driver(agent: str, bad: str) -> None:
    """In a run's words, in an argument of a call, and as chat messages."""
    said = Conversation.from_messages([TASK, {"role": "assistant", "content": bad or " "}] if bad else [TASK, CALL])
    printed = AGENTS[agent]("Done.", ("write_file", {"path": "p", "content": bad}))
    by_call = Conversation.from_events(printed, "Write a plan.").judge(
        Contract(Plan, judged=tool_arg("write_file", "content"))
    )
    expected = PLAN.check(bad)
    assert [f.code for f in by_call.attempts[0].verdict.findings] == [f.code for f in expected.findings]
    if bad:
        by_words = Conversation.from_events(AGENTS[agent](bad), "Write a plan.").judge(Contract(Plan, judged="text"))
        blocks = {"role": "assistant", "content": [{"type": "text", "text": bad}]}
        in_blocks = Conversation.from_messages([TASK, blocks])
        outcomes = {one.outcome for one in (by_call, by_words, said.judge(PLAN), in_blocks.judge(PLAN))}
        assert len(outcomes) == 1
        assert by_words.attempts[0].verdict.findings == said.judge(PLAN).attempts[0].verdict.findings


def test_what_was_declared_stands_with_each_answer() -> None:
    """Tools by their names, the model, and how an answer ended as far as it tells."""
    tool = {"type": "function", "function": {"name": "check_plan", "parameters": {"type": "object"}}}
    conversation = Conversation.from_messages([TASK, CALL, RESULT, GOOD], tools=[tool], model="m-1", name="run 3")
    first, last = conversation.exchanges
    assert conversation.name == "run 3"
    assert Conversation.from_messages([GOOD]).name == "messages"
    assert Conversation.from_events(claude("x"), "go").name == "events"
    for one, finish in ((first, Finish.TOOL_CALLS), (last, None)):
        assert (one.dialect, one.model, dict(one.tools), one.finish) == (
            "messages",
            "m-1",
            {"check_plan": {"type": "object"}},
            finish,
        )


def test_its_answers_are_one_conversation() -> None:
    """Whatever the messages between them say; items of an API without roles are read as well."""
    twice = Conversation.from_messages([TASK, GOOD, {"role": "user", "content": "Once more."}, GOOD], name="run 3")
    judged = twice.judge(PLAN)
    assert (judged.conversation, len(judged.attempts)) == ("run 3", 1)
    items = [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": '{"goal": "x"}'}]}]
    assert Conversation.from_messages([TASK, *items]).judge(PLAN).ok
    called = [{"type": "function_call", "call_id": "c", "name": "Plan", "arguments": '{"goal": "x"}'}]
    assert Conversation.from_messages([TASK, *called]).exchanges[0].calls[0].name == "Plan"


@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_known_of_a_run_stands_with_its_last_answer(agent: str) -> None:
    """Tokens, how it ended, and lines that were skipped; the session stands with each of them."""
    printed = AGENTS[agent]("Done.", ("write_file", {"path": "p"}), prints="oops")
    first, last = Conversation.from_events(printed, "Write a plan.").exchanges
    assert [(one.number, one.dialect, one.response_id, one.error) for one in (first, last)] == [
        (1, agent, "s1", None),
        (2, agent, "s1", None),
    ]
    assert (first.usage, first.skipped_lines, first.finish) == (Usage(), 0, Finish.TOOL_CALLS)
    assert (last.usage, last.skipped_lines, last.finish) == (Usage(5, 7), 1, Finish.STOP)


def test_events_are_taken_apart(tmp_path: Path) -> None:
    """Prompt, message with its call, result, final words; from a file as well, bad lines counted."""
    file = tmp_path / "run.jsonl"
    file.write_text(claude('{"goal": "x"}', ("Bash", {"command": "make check"}), prints="oops"), encoding="utf-8")
    conversation = Conversation.from_events(file, "Write a plan.")
    first, last = conversation.exchanges
    assert [item.text for item in first.request] == ["Write a plan."]
    assert [item.name for item in first.answer] == ["Bash"]
    assert [item.kind for item in last.request] == [ItemKind.TEXT, ItemKind.CALL, ItemKind.RESULT]
    assert (last.answer_text, last.skipped_lines, last.model) == ('{"goal": "x"}', 1, "claude-x")
    judged = conversation.judge(Contract(Plan, judged="text", calls="Bash"))
    assert judged.ok


@in_one_item
@pytest.mark.parametrize(
    ("messages", "message"),
    [
        ([], "a conversation needs a list of messages: got list; give [{'role': …}, …]"),
        ("hello", "a conversation needs a list of messages: got 'hello'; give [{'role': …}, …]"),
        ([TASK], "no message is an answer: got no role assistant; give the model's answers as well"),
        (["hello"], "message 1 is not a message: got 'hello'; give {'role': …, 'content': …}"),
        ([TASK, {"content": "x"}], "message 2 is not a message: got content; give {'role': …, 'content': …}"),
        ({"role": "user"}, "a conversation needs a list of messages: got dict; give [{'role': …}, …]"),
        (None, "a conversation needs a list of messages: got NoneType; give [{'role': …}, …]"),
        ("x" * 40, f"a conversation needs a list of messages: got '{'x' * 40}'; give [{{'role': …}}, …]"),
        ("x" * 41, "a conversation needs a list of messages: got str; give [{'role': …}, …]"),
        ([{"role": "user"}], "message 1 is not a message: got role; give {'role': …, 'content': …}"),
        ([{"role": "user", "text": "x"}], "message 1 is not a message: got role, text; give {'role': …, 'content': …}"),
        ([{}], "message 1 is not a message: got no member; give {'role': …, 'content': …}"),
        (
            [{"role": 3, "content": "x"}],
            f"message 1 has an unknown role: got int; use one of {', '.join(ROLES)}",
        ),
        (
            [{"role": "robot", "type": "message"}],
            f"message 1 has an unknown role: got 'robot'; use one of {', '.join(ROLES)}",
        ),
        (
            [{"role": "robot", "content": "x"}],
            f"message 1 has an unknown role: got 'robot'; use one of {', '.join(ROLES)}",
        ),
    ],
)
def test_what_is_no_conversation(messages: Any, message: str) -> None:
    """Said with the place of the message."""
    with pytest.raises(UsageError) as refused:
        Conversation.from_messages(messages)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (
            "hello",
            f"not an agent's event stream: got no known event; {PRINTED}",
        ),
        (
            lines({"type": "turn.failed", "error": {"message": "no credit"}}),
            "the events of codex have no answer: got no credit; run it again",
        ),
    ],
)
def test_what_is_no_event_stream(output: str, message: str) -> None:
    """Said with what to give."""
    with pytest.raises(UsageError) as refused:
        Conversation.from_events(output, "go")
    assert str(refused.value) == message


def test_nothing_to_judge() -> None:
    """A conversation of tool calls has no answer."""
    with pytest.raises(UsageError) as refused:
        Conversation.from_messages([TASK, CALL]).judge(Contract(Plan, judged="text"))
    assert str(refused.value) == (
        "no answer of messages is judged: got every answer calls tools only; name the part with Contract(judged=...)"
    )


def test_it_is_judged_by_options() -> None:
    """Two attempts of one that is allowed are too many."""
    said = Conversation.from_messages([TASK, BAD, ERRORS, GOOD])
    assert said.judge(PLAN).check("stops").status == "pass"
    judged = said.judge(PLAN, options=JudgeOptions(max_attempts=1))
    assert (judged.max_attempts, judged.check("stops").status) == (1, "fail")


@pytest.mark.parametrize(
    "message",
    [
        {"role": "ASSISTANT", "content": '{"goal": "x"}'},
        {"role": "model", "parts": [{"text": '{"goal": "x"}'}]},
        {"role": "assistant", "function_call": {"name": "Plan", "arguments": '{"goal": "x"}'}},
        {"role": "assistant", "refusal": '{"goal": "x"}'},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": '{"goal": "x"}'}]},
    ],
    ids=["upper case", "parts", "a call of a function", "a refusal", "an item"],
)
def test_a_message_has_one_of_many_forms(message: dict[str, Any]) -> None:
    """Each is read as the model's answer."""
    (answered,) = Conversation.from_messages(iter([TASK, message])).exchanges
    assert [(item.role, item.text) for item in answered.answer] == [(Role.ASSISTANT, '{"goal": "x"}')]
    assert len(answered.request) == 1


def test_messages_may_begin_with_answers_and_several_in_a_row_are_one() -> None:
    """Two messages of the model without words between them are one answer."""
    conversation = Conversation.from_messages([GOOD, CALL, RESULT, GOOD, BAD, TASK])
    first, last = conversation.exchanges
    assert (len(first.request), len(first.answer), len(last.request), len(last.answer)) == (0, 2, 3, 2)


def test_bytes_that_are_no_text_are_a_line_that_is_skipped(tmp_path: Path) -> None:
    """A terminal may print anything among the events."""
    file = tmp_path / "run.jsonl"
    file.write_bytes(b"\xff\xfe\n" + claude('{"goal": "x"}').encode())
    (answered,) = Conversation.from_events(file, "go").exchanges
    assert (answered.answer_text, answered.skipped_lines) == ('{"goal": "x"}', 1)


@pytest.mark.parametrize(
    ("said", "result", "texts"),
    [
        ("Done.", '{"goal": "x"}', ["Done.", '{"goal": "x"}']),
        ("Done.", "Done.", ["Done."]),
        ("Done.", "", ["Done."]),
        (None, '{"goal": "x"}', ['{"goal": "x"}']),
    ],
)
def test_a_result_beside_the_words_of_a_run_is_part_of_its_answer(
    said: str | None, result: str, texts: list[str]
) -> None:
    """Such as structured output; the result that repeats the last words is not said twice."""
    message = {"role": "assistant", "content": [{"type": "text", "text": said}]}
    spoken = [] if said is None else [{"type": "assistant", "message": message}]
    printed = lines({"type": "system", "subtype": "init", "session_id": "s1"}, *spoken,
                    {"type": "result", "subtype": "success", "result": result})  # fmt: skip
    (answered,) = Conversation.from_events(printed, "go").exchanges
    assert [(item.role, item.text) for item in answered.answer] == [(Role.ASSISTANT, text) for text in texts]
