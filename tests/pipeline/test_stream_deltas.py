"""The pieces of text in the objects of a stream, provider by provider."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


KEYS = (
    "choices", "delta", "message", "content", "tool_calls", "function", "function_call", "candidates", "parts", "type",
    "text", "content_block", "usage", "usageMetadata", "contentBlockDelta", "start", "toolUse", "object", "thinking",
)  # fmt: skip
VALUES = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=3), st.sampled_from(["text", "text_delta", "tool_use"])),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4))
def test_any_object_has_pieces_or_none(item: dict[str, object]) -> None:
    """A proxy may send an error where a list of choices was, and no value of another type ends the stream."""
    assert all(isinstance(delta.text, str) for delta in deltas_of(item))


@pytest.mark.parametrize("key", ["choices", "candidates"])
def test_a_number_or_an_object_in_place_of_a_list_has_no_piece(key: str) -> None:
    """Each raised once."""
    assert all(not "".join(delta.text for delta in deltas_of({key: value})) for value in (5, {"a": 1}, "x", [5]))
