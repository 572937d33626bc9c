"""Ollama's own API: chat and generate, whole and one object a line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.wire.exchange import Exchange, Finish, Item, ItemKind, Role, Usage

from ..talk import called, plain, said, talk

CHAT = "http://127.0.0.1:11434/api/chat"
GENERATE = "http://127.0.0.1:11434/api/generate"
ASK: dict[str, Any] = {"model": "llama3", "messages": [{"role": "user", "content": "Plan it"}]}
PROMPT: dict[str, Any] = {"model": "llama3", "prompt": "Plan it"}
SCHEMA = {"type": "object"}
END = {"done": True, "done_reason": "stop", "prompt_eval_count": 7, "eval_count": 2}
CALL = {"function": {"name": "f", "arguments": {"n": 1}}}


def line(content: str = "", **message: Any) -> dict[str, Any]:
    """One line of a streamed chat."""
    return {"model": "llama3", "message": {"role": "assistant", "content": content, **message}, "done": False}


def lines(*values: Any) -> bytes:
    """One JSON value a line."""
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def request(**body: Any) -> Exchange:
    """The exchange of a request with these keys and a plain answer."""
    return talk(CHAT, {**ASK, **body}, {**line("ok"), **END})


def test_plain_answer() -> None:
    """A whole exchange is read into every field it fills."""
    exchange = talk(CHAT, {**ASK, "stream": False}, {**line("{}", thinking="hm"), **END})
    assert exchange == plain(exchange, "ollama.chat", CHAT, model="llama3")


def test_history_and_settings() -> None:
    """Results know their tool's name; options have our names; the demanded format is the schema."""
    exchange = request(
        messages=[
            {"role": "system", "content": "Be brief"},
            {"role": "assistant", "content": "", "tool_calls": [CALL]},
            {"role": "tool", "content": "5", "tool_name": "f"},
        ],
        tools=[{"type": "function", "function": {"name": "f", "parameters": SCHEMA, "description": "does"}}],
        format=SCHEMA,
        options={"num_predict": 5, "temperature": 0, "num_ctx": 100},
    )
    assert exchange.request == (
        said(Role.SYSTEM, "Be brief"),
        called("f", '{"n": 1}', None, {"n": 1}),
        Item(ItemKind.RESULT, Role.TOOL, "5", None, "f"),
    )
    assert (exchange.tools, exchange.output_schema) == ({"f": SCHEMA}, SCHEMA)
    assert exchange.sampling == {"max_tokens": 5, "temperature": 0}


def test_json_mode_demands_no_schema() -> None:
    """A format that is a word demands no schema."""
    assert request(format="json").output_schema is None


@pytest.mark.parametrize(
    ("end", "finish"),
    [
        (END, Finish.STOP),
        ({"done": True}, Finish.STOP),
        ({"done": True, "done_reason": "length"}, Finish.LENGTH),
        ({"done": True, "done_reason": "load"}, None),
        ({"done": False}, None),
    ],
)
def test_finish(end: dict[str, Any], finish: Finish | None) -> None:
    """The reason of the end; older servers gave none; a stream that broke off has none."""
    assert talk(CHAT, ASK, lines(line("a"), {**line(), **end})).finish is finish


def test_stream() -> None:
    """Lines are one message; thinking is dropped, calls come whole, a broken line is counted."""
    body = lines(line(thinking="hm"), line('{"n"')) + b"{broken\n" + lines(line(": 1}"), line(tool_calls=[CALL, 7]),
                                                                         {**line(), **END})  # fmt: skip
    exchange = talk(CHAT, ASK, body)
    assert exchange.answer == (said(Role.ASSISTANT, '{"n": 1}'), called("f", '{"n": 1}', None, {"n": 1}))
    assert (exchange.finish, exchange.usage) == (Finish.TOOL_CALLS, Usage(7, 2))
    assert (exchange.streamed, exchange.skipped_lines) == (True, 1)


def test_generate() -> None:
    """A prompt and its system text in, the joined pieces out."""
    pieces = [{"model": "m", "response": text, "done": False} for text in ("a", "b")]
    pieces.append({"model": "m", "response": "", **END})
    exchange = talk(
        GENERATE, {**PROMPT, "system": "Be brief", "format": SCHEMA, "options": {"seed": 1}}, lines(*pieces)
    )
    assert (exchange.dialect, exchange.answer_text, exchange.output_schema) == ("ollama.generate", "ab", SCHEMA)
    assert exchange.request == (said(Role.SYSTEM, "Be brief"), said(Role.USER, "Plan it"))
    assert (exchange.sampling, exchange.finish, exchange.usage) == ({"seed": 1}, Finish.STOP, Usage(7, 2))
    whole = talk(GENERATE, PROMPT, {"model": "llama3", "response": "ab", **END})
    assert (whole.answer_text, whole.streamed) == ("ab", False)


@pytest.mark.parametrize(("url", "ask", "name"), [(CHAT, ASK, "ollama.chat"), (GENERATE, PROMPT, "ollama.generate")])
def test_errors(url: str, ask: dict[str, Any], name: str) -> None:
    """An error, with a status, alone or at the end of a stream, is the exchange's."""
    error = {"error": "model not found"}
    for body, status in ((error, 404), (error, 200), (lines({"done": False}, error), 200)):
        exchange = talk(url, ask, body, status=status)
        assert (exchange.dialect, exchange.error, exchange.finish) == (name, "model not found", Finish.ERROR)


def test_own_keys_tell_behind_a_proxy() -> None:
    """Options under another path are this API's; under the path of chat completions they are not."""
    ask = {**ASK, "options": {"seed": 1}}
    assert talk("http://h/proxy", ask, {**line("ok"), **END}).dialect == "ollama.chat"
    answer = {"choices": [{"message": {"content": "ok"}}]}
    assert talk("http://h/v1/chat/completions", ask, answer).dialect == "openai.chat"
    assert talk("http://h/api/chat", ASK, answer).dialect == "openai.chat"
