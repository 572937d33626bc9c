"""What `ask` may return."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from functools import partial, wraps
from inspect import CORO_CLOSED, getcoroutinestate
from typing import Any

import pytest
from anthropic.types import Message as AnthropicMessage
from openai.types.chat import ChatCompletion
from openai.types.responses import Response
from pydantic import BaseModel

from pytest_planguard.errors import UsageError
from pytest_planguard.retry.asker import Asker, judged_finish, named, read_reply
from pytest_planguard.wire.exchange import Finish, Item, ItemKind, Role, Usage

CHAT = {
    "id": "x",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": "hi"}}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
}
MESSAGE = {
    "id": "x",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "text", "text": "hi"}],
    "stop_reason": "max_tokens",
    "usage": {"input_tokens": 10, "output_tokens": 5},
}
RESPONSE = {
    "id": "x",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "status": "incomplete",
    "incomplete_details": {"reason": "max_output_tokens"},
    "output": [
        {
            "id": "y",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "hi", "annotations": []}],
        }
    ],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "usage": {
        "input_tokens": 10,
        "output_tokens": 5,
        "total_tokens": 15,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    },
}


@pytest.mark.parametrize(
    "response",
    [
        ChatCompletion.model_validate(CHAT),
        AnthropicMessage.model_validate(MESSAGE),
        Response.model_construct(**RESPONSE),
        CHAT,
        MESSAGE,
        RESPONSE,
    ],
    ids=["openai chat", "anthropic", "openai responses", "chat dict", "message dict", "responses dict"],
)
def test_sdk_responses(response: Any) -> None:
    """A response object or its dict gives text, finish reason and tokens, without importing its SDK."""
    reply = read_reply(response)
    assert (reply.text, reply.finish, reply.usage, reply.calls) == ("hi", Finish.LENGTH, Usage(10, 5), ())


class Ticket(BaseModel):
    title: str


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("hi", "hi"),
        (b"h\xff", "h\ufffd"),
        ({"title": "t"}, '{"title":"t"}'),
        (Ticket(title="t"), '{"title":"t"}'),
        ([1, 2], "[1,2]"),
    ],
)
def test_texts_and_values(response: Any, text: str) -> None:
    """A text is taken as it is; a parsed value as its JSON text."""
    assert read_reply(response).text == text


async def _awaited() -> str:
    return "hi"


async def _parts() -> AsyncIterator[str]:
    yield "hi"


FORGOTTEN = "is a `return` missing? If an SDK's message has no text, return the whole response; "


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (object(), "ask returned object, which is not an answer: "),
        (None, f"ask returned None, which is not an answer: {FORGOTTEN}"),
        (_awaited(), "ask returned coroutine, which is not an answer: await it, with `aconverge`; "),
        ((part for part in "hi"), "ask returned generator, which is not an answer: take its parts together; "),
        (_parts(), "ask returned async_generator, which is not an answer: take its parts together; "),
    ],
)
def test_what_is_no_answer(response: Any, said: str) -> None:
    """Anything else is a wrong use, named with the way out; a forgotten `return` is no empty answer."""
    with pytest.raises(UsageError) as caught:
        read_reply(response)
    way_out = "return the answer's text (str or bytes), its parsed value, or the response of an SDK"
    assert str(caught.value) == f"{said}{way_out}"


def test_a_coroutine_that_is_no_answer_is_closed() -> None:
    """The message names it; Python's own warning that it was never awaited would only repeat that."""
    forgotten = _awaited()
    with pytest.raises(UsageError):
        read_reply(forgotten)
    assert getcoroutinestate(forgotten) == CORO_CLOSED


def _ask(_messages: object) -> None:
    """The one that forgot to return."""


class _Client:
    def __call__(self, _messages: object) -> None:
        """The same as a method."""


@wraps(_ask)
def _wrapped(_messages: object) -> None:
    """Another place in the file."""


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (_ask, "ask (_ask, test_asker.py:LINE)"),
        (partial(_ask), "ask (_ask, test_asker.py:LINE)"),
        (partial(partial(_wrapped)), "ask (_ask, test_asker.py:LINE)"),
        (lambda _: None, "ask (<lambda>, test_asker.py:LINE)"),
        (_Client(), "ask (_Client)"),
        (print, "ask (print)"),
    ],
)
def test_the_callable_is_named(ask: Any, name: str) -> None:
    """With the place where it is defined, as far as it has one."""
    assert re.sub(r":\d+", ":LINE", named(ask)) == name


def test_a_wrapper_is_at_the_place_of_its_function() -> None:
    """The wrapper's own code says nothing about what `ask` does."""
    assert named(_wrapped) == named(_ask)


@pytest.mark.parametrize("finish", [None, *Finish])
def test_a_call_is_a_normal_end(finish: Finish | None) -> None:
    """Every other end is judged as it is."""
    reply = read_reply("hi")._replace(finish=finish)
    assert judged_finish(reply) is (Finish.STOP if finish is Finish.TOOL_CALLS else finish)


def test_objects_with_to_dict() -> None:
    """A response of an SDK without pydantic is read through its to_dict."""

    class Plain:
        def to_dict(self) -> dict[str, Any]:
            """The response as a dict."""
            return CHAT

    assert read_reply(Plain()).text == "hi"


def test_words_and_calls_are_told_apart() -> None:
    """The text has the words alone, a line for each part; the calls are listed by themselves and among the items."""
    words = [{"type": "text", "text": text} for text in ("Here:", "done.")]
    call = {"type": "tool_use", "id": "c1", "name": "ticket", "input": {"title": "t"}}
    body = {**MESSAGE, "content": [words[0], call, words[1]]}
    reply = read_reply(body)
    assert (reply.text, [item.name for item in reply.calls]) == ("Here:\ndone.", ["ticket"])
    assert [item.text for item in reply.items] == ["Here:", '{"title": "t"}', "done."]
    assert (reply.model, reply.dialect, reply.refusal, reply.body) == ("m", "anthropic.messages", None, body)


def test_a_text_is_its_only_item() -> None:
    """Nothing else is known about it: no model, no end, no tokens."""
    reply = read_reply("hi")
    assert reply == (
        *("hi", (Item(ItemKind.TEXT, Role.ASSISTANT, "hi"),), (), None, None, None),
        *(Usage(), None, None),
    )


def _failing(asker: Asker, error: BaseException) -> None:
    with asker.sending():
        raise error


def _answered(asker: Asker, answer: str) -> None:
    with asker.sending():
        asker.response = answer
    reply = asker.receive()
    assert reply is not None
    assert reply.text == answer


def test_the_wait_grows_with_each_failed_send_until_a_reply_arrives() -> None:
    """A second, then two; none before the first failure and none after a reply."""
    asker = Asker(_ask, 3)
    waits = [asker.wait_s]
    for _ in range(2):
        _failing(asker, ConnectionError())
        assert asker.receive() is None
        waits.append(asker.wait_s)
    _answered(asker, "a")
    waits.append(asker.wait_s)
    _failing(asker, ConnectionError())
    waits.append(asker.wait_s)
    assert waits == [0.0, 1.0, 2.0, 0.0, 1.0]


def test_failed_sends_are_counted_for_the_task_and_for_each_reply() -> None:
    """All of them, and those right before the last reply."""
    asker = Asker(_ask, 9)
    counts = [(asker.failures, asker.replies, asker.resent)]
    for failed in (2, 0, 1):
        for _ in range(failed):
            _failing(asker, TimeoutError())
            assert asker.receive() is None
        _answered(asker, "a")
        counts.append((asker.failures, asker.replies, asker.resent))
    assert counts == [(0, 0, 0), (2, 1, 2), (2, 2, 0), (3, 3, 1)]


def test_a_failure_without_retries_left_says_how_often_it_was_sent() -> None:
    """A note, for the attempt that got no answer; a first failure needs none."""
    asker = Asker(_ask, 2)
    _answered(asker, "a")
    for _ in range(2):
        _failing(asker, ConnectionError())
        assert asker.receive() is None
    last, first, other = ConnectionError("last"), ConnectionError("first"), ValueError("no")
    with pytest.raises(ConnectionError) as caught:
        _failing(asker, last)
    assert caught.value.__notes__ == ["planguard: sent 3 times for attempt 2"]
    for error, retries in ((first, 0), (other, 2)):
        with pytest.raises(type(error)) as caught_too:
            _failing(Asker(_ask, retries), error)
        assert not hasattr(caught_too.value, "__notes__")


def test_an_interrupt_is_never_kept() -> None:
    """Only errors are sent again."""
    with pytest.raises(KeyboardInterrupt):
        _failing(Asker(_ask, 9), KeyboardInterrupt())


def test_another_task_has_its_own_counts() -> None:
    """A failure of the earlier task is neither waited for nor received."""
    asker = Asker(_ask, 9)
    _failing(asker, ConnectionError())
    asker.resume(4, 2)
    assert (asker.replies, asker.failures, asker.wait_s) == (4, 2, 0.0)
    _answered(asker, "a")
    assert (asker.replies, asker.failures, asker.resent) == (5, 2, 0)


def test_a_repeated_answer_has_the_number_of_the_latest_one_like_it() -> None:
    """None if it is new."""
    asker, found = Asker(_ask, 0), []
    for text in ("a", "b", "a", "a"):
        _answered(asker, text)
        found.append(asker.repeated(read_reply(text).items))
    assert found == [None, None, 1, 3]
