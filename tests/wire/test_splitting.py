"""Where a stream is cut into pieces makes no difference to the answer, in any dialect."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.wire.exchange import Exchange

from ..support.event_stream_frames import chunk, event
from .talk import CHAT, MESSAGES, RESPONSES, sse, talk

ASK: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
Pieces = Sequence[str]


class Wire(NamedTuple):
    """How one dialect streams a text and the arguments of a call."""

    url: str
    ask: dict[str, Any]
    stream: Callable[[Pieces, Pieces], bytes]
    """From pieces of text and pieces of arguments, which a dialect without streamed calls leaves out."""
    calls: bool = False


def lines(*values: Any) -> bytes:
    """One JSON object a line."""
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def _chat(text: Pieces, arguments: Pieces) -> bytes:
    head = {"index": 0, "id": "c1", "function": {"name": "f", "arguments": ""}}
    deltas: list[dict[str, Any]] = [{"content": piece} for piece in text]
    deltas += [{"tool_calls": [head]}]
    deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in arguments]
    return sse(*[{"choices": [{"index": 0, "delta": delta}]} for delta in deltas], "[DONE]")


def _responses(text: Pieces, arguments: Pieces) -> bytes:
    call = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": ""}
    events: list[Any] = [{"type": "response.output_text.delta", "output_index": 0, "delta": p} for p in text]
    events += [{"type": "response.output_item.added", "output_index": 1, "item": call}]
    events += [{"type": "response.function_call_arguments.delta", "output_index": 1, "delta": p} for p in arguments]
    return sse(*events, named=True)


def _messages(text: Pieces, arguments: Pieces) -> bytes:
    return sse(*_message_events(text, arguments), named=True)


def _message_events(text: Pieces, arguments: Pieces) -> list[Any]:
    def block(index: int, start: Any, deltas: list[Any]) -> list[Any]:
        begun = {"type": "content_block_start", "index": index, "content_block": start}
        return [begun, *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas)]

    said = block(0, {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in text])
    given = [{"type": "input_json_delta", "partial_json": piece} for piece in arguments]
    called = block(1, {"type": "tool_use", "id": "c1", "name": "f", "input": {}}, given)
    return [{"type": "message_start", "message": {"id": "m1"}}, *said, *called]


def _converse(text: Pieces, arguments: Pieces) -> bytes:
    def delta(index: int, value: Any) -> bytes:
        return event("contentBlockDelta", {"contentBlockIndex": index, "delta": value})

    start = event("contentBlockStart", {"contentBlockIndex": 1, "start": {"toolUse": {"toolUseId": "c1", "name": "f"}}})
    said = [delta(0, {"text": piece}) for piece in text]
    return b"".join([*said, start, *(delta(1, {"toolUse": {"input": piece}}) for piece in arguments)])


def _cohere(text: Pieces, arguments: Pieces) -> bytes:
    def call(kind: str, function: Any) -> Any:
        return {"type": kind, "index": 0, "delta": {"message": {"tool_calls": {"function": function}}}}

    said = [{"type": "content-delta", "delta": {"message": {"content": {"text": piece}}}} for piece in text]
    given = [call("tool-call-delta", {"arguments": piece}) for piece in arguments]
    return sse(*said, call("tool-call-start", {"name": "f", "arguments": ""}), *given, named=True)


def _gemini(text: Pieces, _: Pieces) -> bytes:
    return sse(*({"candidates": [{"content": {"parts": [{"text": piece}]}}]} for piece in text))


def _interactions(text: Pieces, arguments: Pieces) -> bytes:
    def delta(index: int, value: Any) -> Any:
        return {"event_type": "step.delta", "index": index, "delta": value}

    said = [delta(0, {"type": "text", "text": piece}) for piece in text]
    start = {"event_type": "step.start", "index": 1, "step": {"type": "function_call", "id": "c1", "name": "f"}}
    return sse(*said, start, *(delta(1, {"type": "arguments_delta", "arguments": piece}) for piece in arguments))


WIRES = {
    "gemini.interactions": Wire("http://h/v1beta/interactions", {"input": "x"}, _interactions, calls=True),
    "openai.chat": Wire(CHAT, ASK, _chat, calls=True),
    "openai.responses": Wire(RESPONSES, {"model": "m", "input": "x"}, _responses, calls=True),
    "anthropic.messages": Wire(MESSAGES, ASK, _messages, calls=True),
    "bedrock.converse": Wire("http://h/model/m/converse-stream", ASK, _converse, calls=True),
    "cohere.chat": Wire("http://h/v2/chat", ASK, _cohere, calls=True),
    "gemini": Wire("http://h/models/m:streamGenerateContent", {"contents": [{"parts": [{"text": "x"}]}]}, _gemini),
    "ollama.chat": Wire(
        "http://h/api/chat",
        ASK,
        lambda text, _: lines(*({"model": "m", "message": {"content": p}, "done": False} for p in text)),
    ),
    "ollama.generate": Wire(
        "http://h/api/generate",
        {"prompt": "x"},
        lambda text, _: lines(*({"model": "m", "response": p, "done": False} for p in text)),
    ),
    "cohere.message": Wire(
        "http://h/v1/chat",
        {"message": "x"},
        lambda text, _: lines(
            {"event_type": "stream-start", "generation_id": "g"},
            *({"event_type": "text-generation", "text": p} for p in text),
        ),
    ),
    "text.completion": Wire(
        "http://h/invoke", {"prompt": "x"}, lambda text, _: b"".join(chunk({"outputText": p}) for p in text)
    ),
    "openai.assistants": Wire(
        "http://h/v1/threads/t/runs",
        {"assistant_id": "a"},
        lambda text, _: sse(
            *(
                {"object": "thread.message.delta", "id": "m", "delta": {"content": [{"text": {"value": p}}]}}
                for p in text
            )
        ),
    ),
}


@st.composite
def cut(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> tuple[str, list[str]]:
    """A text and the pieces of it between random cuts."""
    text = draw(texts)
    at = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    return text, [text[a:b] for a, b in zip([0, *at], [*at, len(text)], strict=True)]


SAID = st.text(min_size=1, max_size=40).filter(lambda text: bool(text.strip()) and text.isprintable())
GIVEN = st.dictionaries(st.sampled_from(["a", "ü", "{"]), st.text(max_size=5) | st.integers(0, 9), min_size=1).map(
    lambda value: json.dumps(value, ensure_ascii=False)
)


@pytest.mark.slow
@pytest.mark.parametrize("name", WIRES)
@given(said=cut(SAID), given=cut(GIVEN))
def test_cuts_make_no_difference(name: str, said: tuple[str, list[str]], given: tuple[str, list[str]]) -> None:
    """Law: the pieces of a text and of a call's arguments are the text and the arguments."""
    wire = WIRES[name]
    exchange: Exchange = talk(wire.url, wire.ask, wire.stream(said[1], given[1]))
    assert (exchange.dialect, exchange.answer_text) == (name, said[0])
    assert [call.text for call in exchange.calls] == ([given[0]] if wire.calls else [])


def test_every_dialect_is_cut() -> None:
    """A new dialect must say here how it streams."""
    from pytest_planguard.wire.dialects.dialect_table import DIALECTS

    recorded_whole = {"command", "call"}
    assert set(WIRES) == {dialect.name for dialect in DIALECTS} - recorded_whole
