"""Decoding: never an exception, and a note for everything that stays raw."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_planguard.wire.body import MAX_BODY
from pytest_planguard.wire.decode import UNKNOWN_STREAM, decode, read_payload
from pytest_planguard.wire.dialect import AnswerView, Dialect, RequestView
from pytest_planguard.wire.dialects.dialect_table import DIALECTS
from pytest_planguard.wire.exchange import Exchange, Message

from ..support.cost import assert_growth
from ..support.event_stream_frames import chunk
from ..support.nightly import SLOW
from ..support.one_item import in_one_item
from .hostile import hostile_bodies
from .talk import CHAT, MESSAGES, RESPONSES, as_bytes, sse, talk

ASK = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
HELD = (
    "the request is unread: it has no prompt of its own, as with a prompt template that a gateway or the provider "
    "holds (POST h"
)
LONG = "POST h/" + ("/model/" * 100)[:192]
OLLAMA = "the request is ollama.chat, its answer is not: unknown shape (POST h/api/chat)"
PATHS = (
    "http://h/models/m:generateContent", "http://h/model/m/converse", "http://h/v2/chat", "http://h/api/chat",
    "http://h/api/generate", "http://h/v1/interactions", "http://h/v1/threads/t/runs", "http://h/model/m/invoke", "http://h/v1/completions",
)  # fmt: skip

HOSTILE = {dialect.name: hostile_bodies(dialect) for dialect in DIALECTS}
ANY_BODY = st.one_of(*HOSTILE.values())


@pytest.mark.slow
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@SLOW
@given(data=st.data())
def test_dialects_read_hostile_shapes(dialect: Dialect, data: st.DataObject) -> None:
    """Law: a dialect reads any JSON object without an exception, whatever the types inside."""
    bodies = HOSTILE[dialect.name]
    body, stream = data.draw(bodies), data.draw(st.lists(bodies, max_size=2))
    dialect.matches("/v1/x", body)
    assert isinstance(dialect.read_request(body), RequestView)
    assert isinstance(dialect.read_answer(body), AnswerView | None)
    assert isinstance(dialect.read_stream(stream), AnswerView | None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "key", "choice"),
    [
        ("openai.chat", "choices", {"index": 1, "message": {"content": "a"}}),
        ("gemini", "candidates", {"index": 1, "content": {"parts": [{"text": "a"}]}}),
    ],
)
def test_many_choices_beside_many_keys_take_linear_time(name: str, key: str, choice: dict[str, Any]) -> None:
    """Each choice was read in a copy of the whole body."""
    dialect = DIALECTS.lookup(name)

    def look(size: int) -> None:
        dialect.read_answer({key: [choice] * size, **dict.fromkeys(map(str, range(size)), 1)})

    assert_growth(look, 2_000, 16_000, below=24)


_LIMIT = {"parts": [{"text": "x"}]}, {"responseSchema": {"maxItems": "9" * 5_000}}


@in_one_item
@pytest.mark.parametrize(
    ("name", "request_body", "answer"),
    [
        ("ollama.chat", {}, {"model": "m", "done": True, "message": {"content": "x", "tool_calls": 5}}),
        ("openai.assistants", {}, {"object": "thread.run", "status": ["failed"]}),
        ("gemini", {"contents": [_LIMIT[0]], "generationConfig": _LIMIT[1]}, {}),
    ],
)
def test_values_that_once_raised_are_read(name: str, request_body: dict[str, Any], answer: dict[str, Any]) -> None:
    """A number for a list of calls, a list for a status, more digits than Python reads: each counts as absent."""
    dialect = DIALECTS.lookup(name)
    assert isinstance(dialect.read_request(request_body), RequestView)
    assert isinstance(dialect.read_answer(answer), AnswerView | None)


@pytest.mark.slow
@settings(deadline=None)  # machines that run tests may be busy
@given(
    request=st.binary(max_size=200) | ANY_BODY.map(as_bytes),
    response=st.binary(max_size=200)
    | ANY_BODY.map(as_bytes)
    | st.lists(ANY_BODY, max_size=3).map(as_bytes)
    | st.lists(ANY_BODY, max_size=3).map(lambda bodies: sse(*bodies))
    | st.lists(ANY_BODY, max_size=3).map(lambda bodies: b"".join(map(chunk, bodies))),
    url=st.sampled_from([CHAT, RESPONSES, MESSAGES, *PATHS, "http://[", "x"]) | st.text("ab:/[]?#%.é\0", max_size=20),
    status=st.sampled_from([0, 200, 404, 500]),
    coding=st.sampled_from(["", "gzip", "deflate", "br"]),
)
def test_never_raises(request: bytes, response: bytes, url: str, status: int, coding: str) -> None:
    """Law: any bytes under any URL give an exchange; it is understood, or a note says why not."""
    headers = {"content-encoding": coding}
    exchange = decode(3, Message(headers, request, url=url), Message(headers, response, status=status))
    assert exchange.number == 3
    assert exchange.is_generation is (exchange.note is None)


@in_one_item
@pytest.mark.parametrize(
    ("method", "url", "request_body", "response_body", "note"),
    [
        ("GET", "https://h/robots.txt", b"", b"x", "not a request to a model (GET h/robots.txt)"),
        ("GET", "https://h/v1/models", b"", b"{}", "no dialect reads model listing (GET h/v1/models)"),
        ("POST", "https://h/x", b"", b"{}", "the request is unread: the body is empty (POST h/x)"),
        ("POST", "https://h/" + "/model/" * 100_000, b"{}", b"{}", f"no dialect knows this request ({LONG}…)"),
        ("POST", "https://h/x", b"[1]", b"{}", "no dialect knows this request (POST h/x)"),
        ("POST", "https://h/v1/prompts/p/completions", b'{"values": {}}', b"{}", f"{HELD}/v1/prompts/p/completions)"),
        ("POST", "https://h/v1/chat/completions", b'{"prompt_id": "p"}', b"{}", f"{HELD}/v1/chat/completions)"),
        ("POST", "https://h/model/arn:1:prompt/P/converse", b"{}", b"{}", f"{HELD}/model/arn:1:prompt/P/converse)"),
        ("POST", "https://h/x", b"{}", b"{}", "no dialect knows this request (POST h/x)"),
        (
            "POST",
            "https://g.googleapis.com/v1beta/models/gemini:countTokens?key=secret",
            b'{"contents": [{"parts": []}]}',
            b"{}",
            "no dialect reads token counting (POST g.googleapis.com/v1beta/models/gemini:countTokens)",
        ),
        (
            "POST",
            "https://h/v1/threads/t/messages",
            b'{"role": "user", "content": "hi"}',
            b'{"object": "thread.message"}',
            "no dialect reads OpenAI assistants beside their runs (POST h/v1/threads/t/messages)",
        ),
        ("POST", "http://h/api/chat", json.dumps(ASK).encode(), b"{}", OLLAMA),
        (
            "POST",
            "https://h/v1/chat/completions",
            json.dumps(ASK).encode(),
            b"",
            "the request is openai.chat, its answer is not: the body is empty (POST h/v1/chat/completions)",
        ),
        (
            "POST",
            "https://h/v1/chat/completions",
            json.dumps(ASK).encode(),
            b"[]",
            "the request is openai.chat, its answer is not: unknown shape (POST h/v1/chat/completions)",
        ),
    ],
)  # fmt: skip
def test_notes(method: str, url: str, request_body: bytes, response_body: bytes, note: str) -> None:
    """What stays raw says why and where, without the query; its texts are kept."""
    exchange = decode(1, Message(method=method, url=url, body=request_body), Message(body=response_body))
    assert (exchange.dialect, exchange.note) == ("raw", note)
    assert (exchange.raw_request, exchange.raw_response) == (request_body.decode(), response_body.decode())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"[" * 10_000 + b"]" * 10_000, "the body is not JSON: nested deeper than 200 levels"),
        (b'{"choices": ' + b"[" * 10_000, "the body is not JSON: nested deeper than 200 levels"),
        (b"[" * 1_000_000, "the body is not JSON: nested deeper than 200 levels"),
        (
            b'{"choices": [{"message": {"content": "' + b"a" * 50_000_000 + b'"}}]}',
            "the body has 50,000,043 bytes, more than the 33,554,432 that are read",
        ),
        (
            gzip.compress(b" " * 40_000_000, 1),
            "the compressed body unpacks to more than the 33,554,432 bytes that are read",
        ),
    ],
    ids=["deep", "deep and cut", "1 MB of [", "50 MB", "bomb"],
)
def test_hostile_answers(answer: bytes, reason: str) -> None:
    """Deep, huge and exploding answers stay raw with the reason."""
    note = talk(CHAT, ASK, answer).note
    assert note == f"the request is openai.chat, its answer is not: {reason} (POST api.openai.com/v1/chat/completions)"


def test_deep_arguments_stay_text() -> None:
    """Arguments nested beyond the bound are a call whose arguments did not parse."""
    deep = "[" * 5_000 + "]" * 5_000
    call = {"function": {"name": "f", "arguments": deep}}
    (item,) = talk(CHAT, ASK, {"choices": [{"message": {"tool_calls": [call]}}]}).calls
    assert (item.text, item.arguments) == (deep, None)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"error": {"message": "bad key", "type": "auth"}}, "bad key"),
        ({"error": "bad key"}, "bad key"),
        ({"error": {"code": 7}}, '{"code": 7}'),
        ([{"error": {"message": "bad key"}}], "bad key"),
        ({"detail": [{"loc": ["body"], "msg": "missing"}]}, '[{"loc": ["body"], "msg": "missing"}]'),
        ({"message": "bad key"}, "bad key"),
        (b"<html>\n502  Bad\tGateway</html>", "<html> 502 Bad Gateway</html>"),
        (b"", "HTTP 503"),
        (sse({"error": {"message": "bad key"}}), "bad key"),
        ({"error": {"message": "x" * 5_000}}, "x" * 1_999 + "…"),
    ],
)
def test_errors_of_any_shape(body: Any, error: str) -> None:
    """An answer with status >= 400 has an error message whatever its body looks like, bounded."""
    exchange = talk(CHAT, ASK, body, status=503)
    assert (exchange.dialect, exchange.error, exchange.status) == ("openai.chat", error, 503)


def test_compressed_answer() -> None:
    """A gzip body that the recorder left packed is read."""
    packed = gzip.compress(json.dumps({"choices": [{"message": {"content": "ok"}}]}).encode())
    assert talk(CHAT, ASK, packed, headers={"content-encoding": "gzip"}).answer_text == "ok"


class Shout:
    """A dialect of a user: `{"shout": …}` in, `{"echo": …}` out; fails on request."""

    name = "shout"

    def matches(self, path: str, body: Mapping[str, Any]) -> bool:
        """Its own key tells."""
        return "shout" in body

    def read_request(self, body: Mapping[str, Any]) -> RequestView:
        """Nothing but the model."""
        return RequestView(model="horn")

    def read_answer(self, body: Mapping[str, Any]) -> AnswerView | None:
        """Fails where the answer has no echo."""
        return AnswerView(response_id=body["echo"])

    def read_stream(self, objects: Sequence[Mapping[str, Any]]) -> AnswerView | None:
        """Knows no streams."""
        return None


def _shouted(answer: Any) -> Exchange:
    DIALECTS.register("shout", Shout())
    try:
        return talk("http://h/shout", {"shout": 1, **ASK}, answer)
    finally:
        DIALECTS.unregister("shout")


def test_registered_dialect_is_asked_first() -> None:
    """A user's dialect is asked before the built-in ones."""
    exchange = _shouted({"echo": "e1"})
    assert (exchange.dialect, exchange.model, exchange.response_id) == ("shout", "horn", "e1")


def test_failing_dialect_costs_one_exchange() -> None:
    """A dialect that raises leaves its exchange raw, with the reason."""
    assert _shouted({}).note == "reading it failed: KeyError: 'echo'"


def test_next_dialect_reads_what_the_first_cannot() -> None:
    """Where the first match knows nothing of the answer, the next one is asked."""
    stream = sse({"choices": [{"delta": {"content": "ok"}}]})
    assert _shouted(stream).dialect == "openai.chat"


def test_an_endless_path_names_no_model() -> None:
    """A path beyond what endpoints have is not searched; its body is read all the same."""
    exchange = talk("https://h/" + "model/" * 1_000 + "m/invoke", {"messages": ASK["messages"]},
                    {"choices": [{"message": {"content": "ok"}}]})  # fmt: skip
    assert (exchange.dialect, exchange.model, exchange.answer_text) == ("openai.chat", None, "ok")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "is_read"), [(MAX_BODY, True), (MAX_BODY + 1, False)])
def test_the_largest_body_is_read(size: int, is_read: bool) -> None:
    """A body of exactly the bound is read, one byte more is not, and the reason is given."""
    payload = read_payload(Message({}, b'"' + b"x" * (size - 2) + b'"'))
    assert (payload.value is not None, payload.problem is None) == (is_read, is_read)


@pytest.mark.parametrize(
    ("url", "asked", "note"),
    [
        (CHAT, {"messages": [{"role": "user", "content": "x"}]}, "the request is openai.chat, its answer is not: "),
        ("https://x.test/v9/say", {"q": "hello"}, "the request is unread: "),
    ],
)
def test_unknown_streams_say_so(url: str, asked: dict[str, Any], note: str) -> None:
    """A stream that no dialect knows is kept raw, and its note names the stream."""
    exchange = talk(url, asked, sse({"v": 1}, "[DONE]"), headers={"content-type": "text/event-stream"})
    assert (exchange.note or "").startswith(f"{note}{UNKNOWN_STREAM}")
