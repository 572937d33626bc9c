"""Another answer in a recorded response: every dialect reads it back as if the model had said it."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Exchange, Message
from pytest_planguard.wire.rewrite import with_answer

from ..support.event_stream_frames import frame
from ..support.lookalike.model import Answer
from ..support.lookalike.spellings import SPELLINGS
from ..support.one_item import in_one_item

OLD = '{"title": "Zo\u00eb \\"A\\"", "steps": []}'
NEW = '{"title": "Zo\u00eb \\"A\\"", "steps": ["look\\n", "\u706b"]}'
PATHS = {
    "chat": ("/v1/chat/completions", {"messages": [{"role": "user", "content": "x"}]}),
    "responses": ("/v1/responses", {"input": "x"}),
    "messages": ("/v1/messages", {"max_tokens": 9, "messages": [{"role": "user", "content": "x"}]}),
    "gemini": ("/v1beta/models/m:generateContent", {"contents": [{"role": "user", "parts": [{"text": "x"}]}]}),
    "ollama": ("/api/chat", {"messages": [{"role": "user", "content": "x"}], "options": {}}),
    "cohere": ("/v2/chat", {"messages": [{"role": "user", "content": "x"}]}),
    "converse": ("/model/m/converse", {"messages": [{"role": "user", "content": [{"text": "x"}]}]}),
    "invoke": ("/model/m/invoke", {"anthropic_version": "x", "messages": [{"role": "user", "content": "x"}]}),
}
FRAMED = {"converse": "converse-stream", "invoke": "invoke-with-response-stream"}
WHOLE = STREAMED = [*PATHS]


def exchange(name: str, answer: Answer, *, stream: bool) -> tuple[Message, Message]:
    """Request and response of an API, as a server would write them."""
    path, body = PATHS[name]
    body = {"model": "m", **body, "stream": stream}
    spelling = next(s for end, s in SPELLINGS.items() if path.endswith(end))
    request = Message(body=json.dumps(body).encode(), url=f"https://api.example.com{path}")
    if not stream:
        return request, Message(body=json.dumps(spelling.whole(answer, body)).encode())
    if name in FRAMED:
        request = replace(request, url=request.url.replace(name, FRAMED[name]))
    parts = [p if isinstance(p, bytes) else p.encode() for p in spelling.stream(answer, body)]
    return request, Message({"content-type": spelling.stream_type}, b"".join(parts))


def said(found: Exchange) -> Any:
    """What an exchange answers: its text, or the arguments of its one call."""
    return json.loads(found.calls[0].text if found.calls else found.answer_text)


@in_one_item
@pytest.mark.parametrize("tool", [None, "ticket"], ids=["text", "tool"])
@pytest.mark.parametrize(
    ("name", "stream"),
    [*((n, False) for n in WHOLE), *((n, True) for n in STREAMED)],
    ids=lambda v: v if isinstance(v, str) else "stream" if v else "whole",
)
def test_every_dialect_reads_the_new_answer(name: str, stream: bool, tool: str | None) -> None:
    """Texts, arguments as text and as objects, whole and in pieces; everything else of the exchange stays."""
    request, response = exchange(name, Answer(OLD, tool), stream=stream)
    before = decode(1, request, response)
    assert said(before) == json.loads(OLD)
    old = before.calls[0].text if before.calls else before.answer_text
    changed = with_answer(response, old, NEW)
    assert changed is not None
    after = decode(1, request, changed)
    assert said(after) == json.loads(NEW)
    kept = ("dialect", "model", "finish", "usage", "response_id", "streamed", "skipped_lines")
    assert [getattr(after, name) for name in kept] == [getattr(before, name) for name in kept]


def test_a_compressed_body_comes_back_plain() -> None:
    """Bytes decide how a body is read, so a header that still says gzip does no harm."""
    request, response = exchange("chat", Answer(OLD), stream=False)
    packed = Message({"content-encoding": "gzip"}, gzip.compress(response.body))
    changed = with_answer(packed, OLD, NEW)
    assert changed is not None
    assert said(decode(1, request, changed)) == json.loads(NEW)


def test_an_answer_inside_the_arguments_of_a_call_is_replaced() -> None:
    """A contract may judge one argument that holds the document as text."""
    outer = json.dumps({"reason": "x", "document": OLD})
    request, response = exchange("chat", Answer(outer, "write"), stream=False)
    changed = with_answer(response, OLD, NEW)
    assert changed is not None
    assert decode(1, request, changed).calls[0].arguments == {"reason": "x", "document": NEW}


@in_one_item
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("name", PATHS)
def test_an_answer_that_is_one_argument_of_a_call_is_replaced(name: str, *, stream: bool) -> None:
    """The tool takes {"ticket": {...}}: arguments as text, as an object, and in pieces; the other arguments stay."""
    outer = {"reason": "x", "ticket": json.loads(OLD)}
    request, response = exchange(name, Answer(json.dumps(outer), "save"), stream=stream)
    changed = with_answer(response, OLD, NEW)
    assert changed is not None
    assert decode(1, request, changed).calls[0].arguments == {"reason": "x", "ticket": json.loads(NEW)}


def test_an_answer_that_two_arguments_hold_is_left_alone() -> None:
    """Which of them is meant could not be told."""
    outer = {"before": json.loads(OLD), "after": json.loads(OLD)}
    _, response = exchange("chat", Answer(json.dumps(outer), "save"), stream=False)
    assert with_answer(response, OLD, NEW) is None


@pytest.mark.parametrize(
    "body",
    [
        *(frame(b, {}) for b in (b"{}", b"x", b'{"bytes": "x"}')),
        frame(b"{}", {})[:-3],
        b"",
        b"no json",
        b'{"a": 1}',
        b"data: [DONE]\n\n",
        b"[]",
        b"\x00\x00\x00\x20\xff",
        b"{",
    ],
)
def test_a_body_without_the_answer_is_left_alone(body: bytes) -> None:
    """Nothing is put where nothing stood; no body makes it raise."""
    assert with_answer(Message(body=body), OLD, NEW) is None


def test_a_sentence_that_quotes_the_answer_is_kept() -> None:
    """Only the answer is replaced, also in JSON that is written as a text."""
    call = json.dumps({"plan": "look"})
    body = {"answer": "look", "arguments": call, "summary": "The answer is: look."}
    changed = with_answer(Message(body=json.dumps(body).encode()), "look", "run")
    assert changed is not None
    assert json.loads(changed.body) == {**body, "answer": "run", "arguments": call.replace("look", "run")}
