"""A call as a cassette stores it: the same call has the same address and body."""

from __future__ import annotations

import json
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.errors import UsageError
from pytest_planguard.replay.call_request import call_name, request_of

from ..support.one_item import in_one_item


@given(st.text(), st.lists(st.integers() | st.text()) | st.none())
def test_a_call_is_the_same_by_place_and_by_name(prompt: str, more: Any) -> None:
    """The signature says which argument is meant."""

    def ask(prompt: str, more: Any = None) -> str:
        return prompt

    by_place = request_of("ask", ask, (prompt, more), {}, ())
    by_name = request_of("ask", ask, (), {"more": more, "prompt": prompt}, ())
    assert (by_place.url, by_place.body) == (by_name.url, by_name.body)


def test_arguments_that_are_left_out_may_be_of_any_type() -> None:
    """A client is no data, and an argument that was not given is not recorded."""

    def ask(prompt: str, client: object, limit: int = 3) -> str:
        return prompt

    request = request_of("ask", ask, ("hello", object()), {}, ["client"])
    assert (request.url, request.arguments, request.messages) == ("call://python/ask", {"prompt": "hello"}, ())


def test_messages_are_recorded_apart_from_other_arguments() -> None:
    """Declared tools are a list of objects with a type, and no messages."""

    def ask(tools: Any, turns: Any) -> str:
        return "{}"

    tools, turns = [{"type": "function"}], [{"role": "user", "content": "hello"}, {"type": "function_call_output"}]
    request = request_of("ask", ask, (tools, turns), {}, ())
    assert (request.arguments, request.messages) == ({"tools": tools}, tuple(turns))


@in_one_item
@pytest.mark.parametrize(
    ("turns", "are_messages"),
    [
        ([{"role": "user", "content": "a"}], True),
        ([{"parts": [{"text": "a"}]}], True),
        ([{"role": "user"}, {"type": "function_call_output"}], True),
        ([{"type": "function"}], False),
        ([{"role": "user"}, {"name": "a"}], False),
        ([{"role": "user"}, "a"], False),
        ([], False),
        ({"role": "user"}, False),
    ],
)
def test_what_a_list_of_messages_is(turns: Any, are_messages: bool) -> None:
    """Each is a turn of some provider, and at least one has a role or parts."""
    request = request_of("ask", lambda other, turns: "", ([1], turns), {}, ())
    assert request.messages == (tuple(turns) if are_messages else ())
    assert request.arguments == ({"other": [1]} if are_messages else {"other": [1], "turns": turns})


class Step:
    """The context of a step of a search, as a tape sees it."""

    def __init__(self, feedback: str) -> None:
        self.key = SimpleNamespace(step="plan it", prefix="1f/0e", feedback=feedback, index=2)
        self.step = "plan it"
        self.path = [SimpleNamespace(step="read", answer="done")]

    def messages(self, turns: list[dict[str, str]]) -> list[dict[str, str]]:
        """Return the prompt with feedback behind it."""
        return [*turns, {"role": "user", "content": "feedback"}]


def test_a_step_of_a_search_is_recorded_at_its_place() -> None:
    """The address has as many parts with feedback as without; the prompt is that of any step."""
    for feedback, part in (("", "none"), ("a?b", "a%3Fb")):
        request = request_of("ask it", lambda context, n: "", (Step(feedback), 1), {}, ())
        assert request.url == f"call://python/ask%20it/plan%20it/1f%2F0e/{part}/2"
        assert request.arguments == {"n": 1}
        assert request.messages == (
            {"role": "user", "content": "read: done"},
            {"role": "user", "content": "Step plan it."},
            {"role": "user", "content": "feedback"},
        )
    assert json.loads(request.body) == {"call": "ask it", "arguments": {"n": 1}, "messages": [*request.messages]}
    assert (request.message.method, request.message.url, request.message.body) == ("POST", request.url, request.body)


def test_an_argument_that_is_no_data_is_named() -> None:
    """With its place, its type and the way to leave it out."""
    for value, place in ((object(), ""), ([{"a": object()}], "[0].a"), ({1: (object(),)}, ".1[0]")):
        with pytest.raises(UsageError) as told:
            request_of("ask", lambda prompt: "", (value,), {}, ())
        assert str(told.value) == (
            f"the argument prompt of ask{place} cannot be recorded: got object; "
            "only text, messages and plain data can be recorded; to leave an argument out, name it in ignore="
        )


def test_arguments_are_named_as_the_function_names_them() -> None:
    """More of them by their own names; of a call that the function itself will refuse, by their places."""
    request = request_of("ask", lambda a, *b, **c: "", (1, 2, 3), {"d": 4}, ["a"])
    assert request.arguments == {"b": [2, 3], "d": 4}
    assert request_of("ask", lambda a: "", (1, 2), {"c": 3}, ()).arguments == {"0": 1, "1": 2, "c": 3}
    assert request_of("ask", dict, (), {"c": 3}, ()).arguments == {"c": 3}


def test_a_function_is_called_by_its_name() -> None:
    """Whatever binds its arguments; a function without a name asks."""

    class Client:
        def send(self) -> str:
            return ""

        def __call__(self) -> str:
            return ""

    names = [
        call_name(one) for one in (Client.send, Client().send, partial(partial(Client.send), 1), Client(), lambda: 1)
    ]
    assert names == ["send", "send", "send", "Client", "ask"]
