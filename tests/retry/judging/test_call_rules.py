"""Rules about tool calls, held against conversations: what goes wrong on the way to a good answer is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from pydantic import BaseModel

from pytest_planguard import Contract, Conversation, called, in_order, not_called, only_calls
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.loop import converge
from pytest_planguard.wire.exchange import Item, ItemKind, Role

from ...support.one_item import in_one_item

Turn = Sequence[tuple[str, dict[str, object]]]
"""The calls that one answer of the model makes, each with its arguments."""


class Answer(BaseModel):
    """What every task ends with."""

    done: str


class Arguments(BaseModel):
    """What the second tool of each task needs."""

    id: str
    amount: int


TASKS = {
    "travel": ("search", "book", "refund"),
    "tickets": ("find_ticket", "close_ticket", "delete_ticket"),
    "files": ("read_file", "write_file", "remove_file"),
    "shop": ("list_items", "order", "cancel"),
    "mail": ("open_thread", "reply", "forward"),
}
"""By task: the tool that looks, the one that acts, and one that must not be called."""


def contract(look: str, act: str, forbidden: str) -> Contract[Answer]:
    """Look once or twice, then act once with sound arguments; nothing else."""
    return Contract(
        Answer,
        judged="text",
        calls=[
            called(look, at_most=2),
            called(act, times=1, args=Contract(Arguments)),
            in_order(look, act),
            not_called(forbidden),
            only_calls(look, act, forbidden),
        ],
    )


def said(text: str) -> tuple[Item, ...]:
    """An answer in words."""
    return (Item(ItemKind.TEXT, Role.ASSISTANT, text),)


def conversation(turns: Sequence[Turn], answer: str = '{"done": "yes"}') -> Conversation:
    """A task, turns of calls with their results, and an answer."""
    messages: list[dict[str, object]] = [{"role": "user", "content": "Do it, and answer as JSON."}]
    for number, turn in enumerate(turns):
        named = [(f"c{number}-{place}", name, arguments) for place, (name, arguments) in enumerate(turn)]
        calls = [
            {"id": key, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for key, name, arguments in named
        ]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages += [{"role": "tool", "tool_call_id": key, "content": "ok"} for key, _, _ in named]
    messages.append({"role": "assistant", "content": answer})
    return Conversation.from_messages(messages)


def codes(turns: Sequence[Turn], task: str) -> list[str]:
    """The codes of what the last answer breaks."""
    return [finding.code for finding in conversation(turns).judge(contract(*TASKS[task])).attempts[-1].verdict.errors]


GOOD_ARGUMENTS: dict[str, object] = {"id": "A-1", "amount": 2}
WRONG: dict[str, tuple[Callable[[str, str, str], list[Turn]], list[str]]] = {
    "order": (lambda look, act, _: [[(act, GOOD_ARGUMENTS)], [(look, {})]], ["call_order"]),
    "arguments": (lambda look, act, _: [[(look, {})], [(act, {"id": "A-1", "amount": "two"})]], ["call_arguments"]),
    "extra call": (lambda look, act, _: [[(look, {})], [("shell", {})], [(act, GOOD_ARGUMENTS)]], ["call_unexpected"]),
    "missing call": (lambda look, _act, _: [[(look, {})]], ["call_not_made", "call_order"]),
    "parallel": (lambda look, act, _: [[(act, GOOD_ARGUMENTS), (look, {})]], ["call_order"]),
    "wrong turn": (lambda look, act, bad: [[(look, {})], [(bad, {})], [(act, GOOD_ARGUMENTS)]], ["call_forbidden"]),
    "repeated": (lambda look, act, _: [[(look, {})], [(act, GOOD_ARGUMENTS)], [(act, GOOD_ARGUMENTS)]], ["call_count"]),
}


@pytest.mark.parametrize("task", TASKS)
def test_a_right_way_is_silent(task: str) -> None:
    """One look or two, one after the other or at once, before acting."""
    look, act, _ = TASKS[task]
    assert codes([[(look, {})], [(act, GOOD_ARGUMENTS)]], task) == []
    assert codes([[(look, {}), (look, {})], [(act, GOOD_ARGUMENTS)]], task) == []
    assert codes([[(look, {}), (act, GOOD_ARGUMENTS)]], task) == []


@in_one_item
@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("task", TASKS)
def test_a_wrong_way_is_found(task: str, wrong: str) -> None:
    """By its own rule, and by no other."""
    make, expected = WRONG[wrong]
    assert codes(make(*TASKS[task]), task) == expected


CALLS = [[("search", {})], [("book", GOOD_ARGUMENTS)]]


def test_a_retry_from_a_fresh_prompt_counts_what_was_called_before() -> None:
    """Its request has no history, but the conversation has; a call that is made again is a second one."""
    first = conversation(CALLS, answer="no JSON").exchanges
    fresh = Item(ItemKind.TEXT, Role.USER, "Do it, and answer as JSON. Last time it was no JSON: expected an object.")
    retry = replace(first[-1], number=4, request=(fresh,), answer=said('{"done": "yes"}'))
    again = replace(first[1], number=4, request=(fresh,))
    both = [[*first, retry], [*first, again, replace(retry, number=5)]]
    for exchanges, broken in zip(both, ([], ["call_count"]), strict=True):
        (found,) = judge(exchanges, [contract(*TASKS["travel"])], conversation_ids=["t"] * len(exchanges)).conversations
        assert len(found.attempts) == 2
        assert [finding.code for finding in found.attempts[-1].verdict.errors] == broken


def test_the_agents_of_a_named_conversation_count() -> None:
    """A test that names the conversation says that the agent's requests serve it, though their prompts are others."""
    asks, books, answers = conversation(CALLS).exchanges
    prompt = (Item(ItemKind.TEXT, Role.SYSTEM, "You book."), Item(ItemKind.TEXT, Role.USER, "Book A-1."))
    agent = replace(books, number=2, request=prompt)
    brief = replace(answers, number=3, request=answers.request[:3])
    (named,) = judge([asks, agent, brief], [contract(*TASKS["travel"])], conversation_ids=["t"] * 3).conversations
    assert named.attempts[-1].verdict.ok
    loose = judge([asks, agent, brief], [contract(*TASKS["travel"])]).conversations[0]
    assert [finding.code for finding in loose.attempts[-1].verdict.errors] == ["call_not_made", "call_order"]


def test_the_step_of_a_call_is_the_turn_that_made_it() -> None:
    """Calls of one turn share it, as they do in the path that reports draw."""
    turns: list[Turn] = [[("search", {}), ("search", {})], [("book", GOOD_ARGUMENTS)], [("refund", {})]]
    judged = conversation(turns).judge(contract(*TASKS["travel"]))
    assert judged.attempts[-1].path == (("search", "search"), ("book",), ("refund",))
    (finding,) = judged.attempts[-1].verdict.errors
    assert finding.message == "expected no call of refund; got 1, the first in step 3"


def test_calls_before_the_task_do_not_count() -> None:
    """The task is the last user text of the first request; a result that has the user's role is no text."""
    user, system = (Item(ItemKind.TEXT, role, "Do it.") for role in (Role.USER, Role.SYSTEM))
    call = Item(ItemKind.CALL, Role.ASSISTANT, "{}", "c1", "refund")
    result = Item(ItemKind.RESULT, Role.USER, "ok", "c1")
    rule = Contract(Answer, judged="text", calls=[not_called("refund")])
    answer = conversation([]).exchanges[0]
    requests = {
        (user, call, user): True,
        (user, call, result, user): True,
        (call, user): True,
        (user, call): False,
        (user, call, result): False,
        (user, call, system): False,
        (call, system): False,
        (user, call, user, call): False,
    }
    for request, ok in requests.items():
        (found,) = judge([replace(answer, request=request)], [rule]).conversations
        assert found.attempts[-1].verdict.ok is ok, request


def test_a_driven_loop_counts_the_calls_beside_a_judged_text() -> None:
    """Those of every answer so far, though only the text is judged."""
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    message = {"role": "assistant", "content": '{"done": "yes"}', "tool_calls": [call]}
    answer = {"choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]}
    rules = Contract(Answer, judged="text", calls=[called("look", times=2)])
    found = converge(lambda _messages: answer, "Do it.", rules, stop_when_stuck=False)
    assert [attempt.verdict.ok for attempt in found.attempts] == [False, True]
