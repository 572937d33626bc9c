"""What `ask` may return."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from anthropic.types import Message as AnthropicMessage
from openai.types.chat import ChatCompletion
from openai.types.responses import Response
from pydantic import BaseModel

from pytest_planguard.errors import UsageError
from pytest_planguard.retry.asker import named, read_reply
from pytest_planguard.wire.exchange import Finish, Usage

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


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (object(), "ask returned object, which is not an answer: "),
        (
            None,
            "ask returned None, which is not an answer: is a `return` missing? If an SDK's message has no text, ",
        ),
        (_awaited(), "ask returned coroutine, which is not an answer: await it, with `aconverge`; "),
        ((part for part in "hi"), "ask returned generator, which is not an answer: take its parts together; "),
    ],
)
def test_what_is_no_answer(response: Any, said: str) -> None:
    """Anything else is a wrong use, named with the way out; a forgotten `return` is no empty answer."""
    with pytest.raises(UsageError) as caught:
        read_reply(response)
    message = str(caught.value)
    assert message.startswith(said)
    assert message.endswith("return the answer's text (str or bytes), its parsed value, or the response of an SDK")


def _ask(_messages: object) -> None:
    """The one that forgot to return."""


class _Client:
    def __call__(self, _messages: object) -> None:
        """The same as a method."""


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (_ask, "ask (_ask, test_asker.py:LINE)"),
        (partial(_ask), "ask (_ask, test_asker.py:LINE)"),
        (lambda _: None, "ask (<lambda>, test_asker.py:LINE)"),
        (_Client(), "ask (_Client)"),
        (print, "ask (print)"),
    ],
)
def test_the_callable_is_named(ask: Any, name: str) -> None:
    """With the place where it is defined, as far as it has one."""
    assert re.sub(r":\d+", ":LINE", named(ask)) == name


def test_objects_with_to_dict() -> None:
    """A response of an SDK without pydantic is read through its to_dict."""

    class Plain:
        def to_dict(self) -> dict[str, Any]:
            """The response as a dict."""
            return CHAT

    assert read_reply(Plain()).text == "hi"
