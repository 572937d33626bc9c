"""A scripted model is asked by functions, SDKs and child processes; what it answers depends on the request."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import anthropic
import openai
import pytest
from hypothesis import given

from pytest_planguard import Outcome, UsageError
from pytest_planguard.testing import AnswerFault, ScriptedConversation, ScriptedModel, conversations
from tools.clients.environment import PROGRAMS

from ...support.nightly import SLOW
from ...support.one_item import in_one_item
from .apps import TICKET, Ticket, blind, correct

GOOD = {"title": "Printer", "priority": "high", "steps": ["look", "restart"]}
FAULTS = (AnswerFault("unlisted_value", ("priority",), "hi"), AnswerFault("too_short", ("title",), "x"))
FIXES = ScriptedConversation("fixes", GOOD, FAULTS)
TOOL = {
    "name": "file",
    "description": "Files a ticket.",
    "parameters": TICKET.json_schema,
}
Messages = Sequence[dict[str, Any]]


OPENED: dict[tuple[Callable[..., Any], str], Any] = {}
"""Clients of the running test. One that is collected with its connection open warns in whatever test runs then."""


def client_of(kind: Callable[..., Any], url: str) -> Any:
    """Return the client for an address, which is closed with the test: making one takes as long as a conversation."""
    if (kind, url) not in OPENED:
        OPENED[kind, url] = kind(base_url=url, api_key="unused")
    return OPENED[kind, url]


@pytest.fixture(autouse=True)
def _closed_clients() -> Iterator[None]:
    yield
    while OPENED:
        OPENED.popitem()[1].close()


def chat(model: ScriptedModel, messages: Messages, stream: bool) -> str:
    """The openai SDK's chat completions."""
    client = client_of(openai.OpenAI, model.base_url)
    asked: Any = {"model": "m", "messages": messages}
    if not stream:
        return client.chat.completions.create(**asked).choices[0].message.content or ""
    return "".join(c.choices[0].delta.content or "" for c in client.chat.completions.create(**asked, stream=True))


def chat_call(model: ScriptedModel, messages: Messages, stream: bool) -> str:
    """The same, with the answer as arguments of a call."""
    client = client_of(openai.OpenAI, model.base_url)
    asked: Any = {"model": "m", "messages": messages, "tools": [{"type": "function", "function": TOOL}]}
    if not stream:
        message = client.chat.completions.create(**asked).choices[0].message
        return message.tool_calls[0].function.arguments  # type: ignore[index,union-attr]
    with client.chat.completions.stream(**asked) as events:
        message = events.get_final_completion().choices[0].message
    return message.tool_calls[0].function.arguments  # type: ignore[index]


def responses(model: ScriptedModel, messages: Messages, stream: bool) -> str:
    """The openai SDK's responses."""
    client = client_of(openai.OpenAI, model.base_url)
    asked: Any = {"model": "m", "input": messages}
    if not stream:
        return client.responses.create(**asked).output_text
    with client.responses.stream(**asked) as events:
        return events.get_final_response().output_text


def responses_call(model: ScriptedModel, messages: Messages, stream: bool) -> str:
    """The same, with the answer as arguments of a call."""
    client = client_of(openai.OpenAI, model.base_url)
    asked: Any = {"model": "m", "input": messages, "tools": [{"type": "function", **TOOL, "strict": False}]}
    if not stream:
        return client.responses.create(**asked).output[0].arguments  # type: ignore[union-attr]
    with client.responses.stream(**asked) as events:
        return events.get_final_response().output[0].arguments  # type: ignore[union-attr]


def claude(model: ScriptedModel, messages: Messages, stream: bool) -> str:
    """The anthropic SDK's messages."""
    client = client_of(anthropic.Anthropic, model.anthropic_url)
    asked: Any = {"model": "m", "max_tokens": 500, "messages": messages}
    if not stream:
        return client.messages.create(**asked).content[0].text  # type: ignore[union-attr]
    with client.messages.stream(**asked) as events:
        return events.get_final_text()


def claude_call(model: ScriptedModel, messages: Messages, stream: bool) -> str:
    """The same, with the answer as input of a call."""
    client = client_of(anthropic.Anthropic, model.anthropic_url)
    tool = {"name": "file", "input_schema": TICKET.json_schema}
    asked: Any = {"model": "m", "max_tokens": 500, "messages": messages, "tools": [tool]}
    if not stream:
        return json.dumps(client.messages.create(**asked).content[0].input)  # type: ignore[union-attr]
    with client.messages.stream(**asked) as events:
        return json.dumps(events.get_final_message().content[0].input)  # type: ignore[union-attr]


WAYS = [chat, chat_call, responses, responses_call, claude, claude_call]


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_a_correct_loop_converges_through_an_sdk(way: Callable[..., str], stream: bool) -> None:
    """In each API, whole and streamed, as words and as a call; each retry feeds back what was wrong."""
    with ScriptedModel(TICKET, FIXES) as model:
        ticket = correct(lambda messages: way(model, messages, stream), "Task 1")
        assert ticket == Ticket(**GOOD)
        assert model.judge().ok, model.judge().checks
        assert [len(turn.verdict.errors) for turn in model.turns()] == [2, 1, 0]
        assert all(turn.exchange.streamed == stream for turn in model.turns())


@pytest.mark.parametrize("way", [chat, responses, claude])
def test_a_blind_loop_does_not(way: Callable[..., str]) -> None:
    """The model has the same wrong again, and the judgement says what was missing."""
    with ScriptedModel(TICKET, FIXES) as model:
        with pytest.raises(ValueError, match=r"^no ticket$"):
            blind(lambda messages: way(model, messages, False), "Task 1")
        assert model.judge().outcome is Outcome.STUCK
        assert model.judge().check("feedback").message.startswith("attempt 2's request lacks 2 of 2 findings")


@pytest.mark.slow
@pytest.mark.parametrize("api", ["openai", "anthropic"])
@pytest.mark.parametrize("how", ["json", "stream"])
def test_a_child_process_is_led_to_the_model(api: str, how: str) -> None:
    """By its variables, as programs in other languages are; the blind one fails."""
    command = [sys.executable, str(PROGRAMS / "agent.py"), *(["anthropic"] if api == "anthropic" else []), how]
    script = ScriptedConversation("fixes", GOOD, (FAULTS[0],))
    for blindly, outcome in (([], Outcome.CONVERGED), (["blind"], Outcome.STUCK)):
        with ScriptedModel(TICKET, script) as model:
            subprocess.run([*command, *blindly], env=model.environment(), check=False, capture_output=True)
            assert model.judge().outcome is outcome


@pytest.mark.slow
@SLOW
@given(conversations(TICKET))
def test_a_request_in_each_api_gets_the_same_answers(script: ScriptedConversation) -> None:
    """Asked by a function or through a server, the conversation is the same."""
    said = []
    for way in (None, chat, responses, claude):
        with ScriptedModel(TICKET, script) as model:
            with suppress(ValueError):
                correct(model if way is None else lambda m, way=way, model=model: way(model, m, False), "Task 1")
            said.append([turn.answer.text for turn in model.turns()])
    assert said[1:] == said[:-1]


@pytest.mark.slow
def test_several_tasks_are_told_apart_by_their_words() -> None:
    """Also where they are asked at once, and where one's words begin another's."""
    tasks = {f"Task {n}": ScriptedConversation("fixes", {**GOOD, "title": f"Number {n}"}, FAULTS) for n in range(1, 13)}
    with ScriptedModel(TICKET, tasks) as model, ThreadPoolExecutor(4) as pool:
        tickets = list(pool.map(lambda task: correct(lambda m: chat(model, m, False), task), tasks))
    assert [ticket.title for ticket in tickets] == [f"Number {n}" for n in range(1, 13)]
    assert all(len(model.turns(task)) == 3 for task in tasks)
    with pytest.raises(UsageError, match=r"^there is no task 'Task 13'; there are 'Task 1', 'Task 2'"):
        model.turns("Task 13")


def posted(model: ScriptedModel, path: str, body: bytes) -> str:
    """What a client is told that does not get an answer."""
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(f"{model.base_url}{path}", body))
    with refused.value as response:
        assert response.code == 424
        message: str = json.loads(response.read())["error"]["message"]
        return message


def test_what_is_no_request_of_these_apis_is_refused() -> None:
    """With a status that no SDK tries again, in words that say what to do."""
    with ScriptedModel(TICKET, {"Task 1": FIXES, "Task 2": FIXES}) as model:
        assert posted(model, "/chat/completions", b'{"messages": [{"role": "user", "content": "hi"}]}') == (
            "the request has the words of no task: 'Task 1', 'Task 2'; put those of one into its prompt"
        )
    with ScriptedModel(TICKET, FIXES) as model:
        assert posted(model, "/embeddings", b'{"input": "x"}') == (
            "a scripted model speaks openai.chat, openai.responses, anthropic.messages: got POST /v1/embeddings, which "
            "is none of them; ask it through an SDK of OpenAI or Anthropic, or call it with messages"
        )
        with pytest.raises(UsageError, match=r"^no request came to the scripted model; is the app given its"):
            model.judge()


def test_a_port_of_the_users_own_has_an_address_that_stays() -> None:
    """Cassettes have it in them."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with ScriptedModel(TICKET, FIXES, port=port) as model:
        assert model.base_url == f"http://127.0.0.1:{port}/scripted/0"
        assert correct(lambda messages: chat(model, messages, False), "Task 1") == Ticket(**GOOD)
        with pytest.raises(UsageError, match=f"^port {port}: .*; leave it out to take a free one"):
            ScriptedModel(TICKET, FIXES, port=port).start()


def test_a_stopped_model_answers_nobody() -> None:
    """Its address leads nowhere."""
    with ScriptedModel(TICKET, FIXES) as model:
        address = model.base_url
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(f"{address}/chat/completions", b"{}"))
    refused.value.close()
