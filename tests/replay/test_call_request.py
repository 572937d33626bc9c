"""A call as a cassette stores it: the same call has the same address and body."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.replay.call_request import request_of


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
