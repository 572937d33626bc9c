"""The pieces of text in the objects of a stream, provider by provider."""

from __future__ import annotations

import pytest

from pytest_planguard.pipeline.stream_deltas import Channel, Delta, deltas_of

from ..support.one_item import in_one_item

TEXT = Delta("Hi")
CASES = {
    "a piece of text": ("Hi", [TEXT]),
    "openai.chat": ({"choices": [{"index": 0, "delta": {"content": "Hi"}}]}, [TEXT]),
    "openai.chat, a call": (
        {"choices": [{"delta": {"tool_calls": [{"index": 1, "function": {"name": "plan", "arguments": '{"a'}}]}}]},
        [Delta('{"a', Channel.ARGUMENTS, 1, "plan")],
    ),
    "openai.chat, a refusal": ({"choices": [{"delta": {"refusal": "No"}}]}, [Delta("No", Channel.REFUSAL)]),
    "openai.chat, thinking": ({"choices": [{"delta": {"reasoning_content": "Hm"}}]}, [Delta("Hm", Channel.THINKING)]),
    "openai.chat, usage": (
        {"choices": [], "usage": {"completion_tokens": 7}},
        [Delta("", output_tokens=7)],
    ),
    "another choice": ({"choices": [{"index": 1, "delta": {"content": "Hi"}}]}, []),
    "text.completion": ({"choices": [{"text": "Hi"}]}, [TEXT]),
    "openai.responses": ({"type": "response.output_text.delta", "delta": "Hi"}, [TEXT]),
    "openai.responses, a call": (
        {"type": "response.function_call_arguments.delta", "output_index": 2, "delta": "{"},
        [Delta("{", Channel.ARGUMENTS, 2)],
    ),
    "anthropic.messages": ({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "Hi"}}, [TEXT]),
    "anthropic.messages, a call": (
        {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "name": "plan", "input": {}}},
        [Delta("", Channel.ARGUMENTS, 1, "plan")],
    ),
    "anthropic's helper": ({"type": "text", "text": "Hi", "snapshot": "Hi"}, []),
    "gemini": ({"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]}, [TEXT]),
    "gemini, a call": (
        {"candidates": [{"content": {"parts": [{"functionCall": {"name": "plan", "args": {"a": 1}}}]}}]},
        [Delta('{"a": 1}', Channel.ARGUMENTS, None, "plan")],
    ),
    "bedrock.converse": ({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hi"}}}, [TEXT]),
    "cohere.chat": ({"type": "content-delta", "delta": {"message": {"content": {"text": "Hi"}}}}, [TEXT]),
    "cohere.message": ({"event_type": "text-generation", "text": "Hi"}, [TEXT]),
    "ollama.chat": ({"message": {"role": "assistant", "content": "Hi"}}, [Delta("", Channel.THINKING), TEXT]),
    "ollama.generate": ({"response": "Hi", "done": False}, [TEXT]),
    "a ping": ({"type": "ping"}, []),
}


@in_one_item
@pytest.mark.parametrize("name", CASES)
def test_the_pieces_of_an_object(name: str) -> None:
    """The pieces of an object."""
    item, expected = CASES[name]
    assert list(deltas_of(item)) == expected
