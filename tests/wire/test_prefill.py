"""The assistant's text at the end of a request is the beginning of the answer, if the model continues it."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.wire.exchange import Role

from .talk import CHAT, MESSAGES, said, talk

USER = {"role": "user", "content": "Plan it"}
GEMINI = "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"
OLLAMA = "http://127.0.0.1:11434/api/chat"


def _chat(text: str) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}


def _claude(text: str) -> dict[str, Any]:
    return {"type": "message", "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}


BEGUN = {"role": "assistant", "content": "{"}
CONTINUED = {
    "anthropic": (MESSAGES, {"model": "c", "max_tokens": 9, "messages": [USER, BEGUN]}, _claude('"a": 1}')),
    "gemini": (
        GEMINI,
        {"contents": [{"role": "user", "parts": [{"text": "Plan it"}]}, {"role": "model", "parts": [{"text": "{"}]}]},
        {"candidates": [{"content": {"parts": [{"text": '"a": 1}'}]}, "finishReason": "STOP"}]},
    ),
    "ollama": (
        OLLAMA,
        {"model": "m", "messages": [USER, BEGUN], "stream": False},
        {"model": "m", "message": {"role": "assistant", "content": '"a": 1}'}, "done": True, "done_reason": "stop"},
    ),
    "deepseek": (CHAT, {"model": "m", "messages": [USER, {**BEGUN, "prefix": True}]}, _chat('"a": 1}')),
    "mistral": (CHAT, {"model": "m", "messages": [USER, {**BEGUN, "prefix": True}]}, _chat('{"a": 1}')),
    "vllm": (CHAT, {"model": "m", "continue_final_message": True, "messages": [USER, BEGUN]}, _chat('"a": 1}')),
}


@pytest.mark.parametrize("host", CONTINUED)
def test_prefill_begins_the_answer(host: str) -> None:
    """The request ends with the user's words, and the answer is whole; Mistral's has the prefill already."""
    exchange = talk(*CONTINUED[host])
    assert (exchange.request, exchange.prefill) == ((said(Role.USER, "Plan it"),), "{")
    assert exchange.answer_text == '{"a": 1}'


SEARCH = {"role": "assistant", "content": [{"type": "text", "text": "I look."}, {"type": "server_tool_use", "id": "s"}]}
ERROR = {"role": "assistant", "content": "Validation Error found: a is required"}
WHOLE = {
    "an error as the model's words": (
        MESSAGES,
        {"model": "c", "max_tokens": 9, "messages": [USER, ERROR]},
        _claude("{}"),
    ),
    "OpenAI answers anew": (CHAT, {"model": "m", "messages": [USER, BEGUN]}, _chat('{"a": 1}')),
    "a search that goes on": (MESSAGES, {"model": "c", "max_tokens": 9, "messages": [USER, SEARCH]}, _claude("{}")),
}


@pytest.mark.parametrize("case", WHOLE)
def test_other_endings_are_no_prefill(case: str) -> None:
    """An assistant's turn that the model does not continue stays in the request."""
    exchange = talk(*WHOLE[case])
    assert (exchange.prefill, exchange.request[-1].role) == ("", Role.ASSISTANT)
    assert exchange.answer_text in ("{}", '{"a": 1}')


def test_empty_answer_stays_empty() -> None:
    """A prefill alone is no answer."""
    exchange = talk(MESSAGES, {"model": "c", "max_tokens": 9, "messages": [USER, BEGUN]}, _claude(""))
    assert exchange.answer_text == ""
