"""OpenAI responses: every shape of request and answer, whole and streamed."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.wire.exchange import Exchange, Finish, Item, ItemKind, Role, Usage

from ..talk import RESPONSES, called, plain, said, sse, talk

ASK: dict[str, Any] = {"model": "m", "input": "Plan it"}
TEXT = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "{}"}]}
CALL = {"type": "function_call", "id": "fc", "call_id": "c1", "name": "plan", "arguments": '{"n": 1}'}


def answer(*output: Any, status: str = "completed", **rest: Any) -> dict[str, Any]:
    """A whole response."""
    return {"id": "r2", "object": "response", "status": status, "output": list(output), **rest}


def request(**body: Any) -> Exchange:
    """The exchange of a request with these keys and a plain answer."""
    return talk(RESPONSES, {**ASK, **body}, answer(TEXT))


def test_plain_answer() -> None:
    """A whole exchange is read into every field it fills."""
    usage = {"input_tokens": 7, "output_tokens": 2}
    body = {**ASK, "instructions": "Be brief", "previous_response_id": "r1", "max_output_tokens": 9, "store": True}
    exchange = talk(RESPONSES, body, answer({"type": "reasoning", "summary": []}, TEXT, usage=usage, error=None))

    assert exchange == plain(
        exchange,
        "openai.responses",
        RESPONSES,
        model="m",
        request=(said(Role.SYSTEM, "Be brief"), said(Role.USER, "Plan it")),
        sampling={"max_tokens": 9},
        previous_id="r1",
        response_id="r2",
    )


def test_input_entries() -> None:
    """Messages, calls and results are items; reasoning, references and the provider's own tools are not."""
    entries = [
        {"role": "developer", "content": "Be brief"},
        {"role": "user", "content": [{"type": "input_text", "text": "See"}, {"type": "input_image", "image_url": "u"}]},
        {"type": "reasoning", "encrypted_content": "…"},
        {"type": "item_reference", "id": "i"},
        {"type": "web_search_call", "id": "w"},
        CALL,
        {"type": "function_call_output", "call_id": "c1", "output": "done"},
        {"type": "custom_tool_call", "call_id": "c2", "name": "sh", "input": "ls"},
        {"type": "custom_tool_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "a"}]},
        {"type": "computer_call", "call_id": "c3", "action": {"type": "click"}},
        TEXT,
        "junk",
    ]
    assert request(input=entries).request == (
        said(Role.SYSTEM, "Be brief"),
        said(Role.USER, "See"),
        said(Role.USER, "<input_image>"),
        called("plan", '{"n": 1}', "c1", {"n": 1}),
        Item(ItemKind.RESULT, Role.TOOL, "done", "c1"),
        called("sh", "ls", "c2"),
        Item(ItemKind.RESULT, Role.TOOL, "a", "c2"),
        called("computer", '{"type": "click"}', "c3", {"type": "click"}),
        said(Role.ASSISTANT, "{}"),
    )


def test_instructions_as_entries() -> None:
    """Instructions may be a list of entries."""
    assert request(instructions=[{"role": "system", "content": "S"}]).request[0] == said(Role.SYSTEM, "S")


def test_tools_schema_and_extra() -> None:
    """Flat tools, the demanded schema and what is left over are told apart."""
    schema = {"type": "object"}
    exchange = request(
        tools=[{"type": "function", "name": "a", "parameters": schema, "strict": True}, {"type": "web_search"}],
        tool_choice={"type": "function", "name": "a"},
        text={"format": {"type": "json_schema", "name": "x", "schema": schema}, "verbosity": "low"},
        reasoning={"effort": "low"},
    )
    assert (exchange.tools, exchange.tool_choice, exchange.output_schema) == ({"a": schema}, "a", schema)


@pytest.mark.parametrize("held", ["conv", {"id": "conv"}])
def test_conversation_is_server_held_state(held: Any) -> None:
    """A conversation that the server holds is a thread, not an earlier response."""
    exchange = request(conversation=held)
    assert (exchange.thread, exchange.previous_id) == ("conv", None)


@pytest.mark.parametrize(
    ("response", "finish"),
    [
        (answer(CALL), Finish.TOOL_CALLS),
        (answer(TEXT, status="incomplete", incomplete_details={"reason": "max_output_tokens"}), Finish.LENGTH),
        (answer(status="incomplete", incomplete_details={"reason": "content_filter"}), Finish.CONTENT_FILTER),
        (answer(status="incomplete"), Finish.ERROR),
        (answer(status="failed", error={"code": "server_error", "message": "sorry"}), Finish.ERROR),
        (answer(status="cancelled"), Finish.ERROR),
        (answer(status="queued"), None),
    ],
)
def test_finish(response: dict[str, Any], finish: Finish | None) -> None:
    """Status and details say why the answer ended; one still at work has not ended."""
    assert talk(RESPONSES, ASK, response).finish == finish


def test_refusal() -> None:
    """A refusal part is the refusal field and no answer text."""
    content = [{"type": "refusal", "refusal": "I can't"}]
    exchange = talk(RESPONSES, ASK, answer({"type": "message", "content": content}))
    assert (exchange.refusal, exchange.finish, exchange.answer) == ("I can't", Finish.REFUSAL, ())


def test_errors() -> None:
    """Errors are read from a failed response, an error body and an error event."""
    failed = talk(RESPONSES, ASK, answer(status="failed", error={"message": "sorry"}))
    refused = talk(RESPONSES, ASK, {"error": {"message": "no such model"}}, status=404)
    event = talk(RESPONSES, ASK, sse({"type": "error", "message": "overloaded"}, named=True))
    assert [e.error for e in (failed, refused, event)] == ["sorry", "no such model", "overloaded"]
    assert [e.finish for e in (failed, refused, event)] == [Finish.ERROR] * 3


def test_stream_with_final_response() -> None:
    """The final event has the whole response."""
    body = sse(
        {"type": "response.created", "response": {"id": "r2", "status": "in_progress", "output": []}},
        {"type": "response.output_text.delta", "output_index": 0, "delta": "{"},
        {"type": "response.completed", "response": answer(TEXT, usage={"input_tokens": 1, "output_tokens": 2})},
        named=True,
    )
    exchange = talk(RESPONSES, ASK, body)
    assert (exchange.answer_text, exchange.finish, exchange.usage) == ("{}", Finish.STOP, Usage(1, 2))
    assert (exchange.streamed, exchange.response_id) == (True, "r2")


def test_stream_whose_final_response_is_bare() -> None:
    """Some hosts end with a response without output; the entries that were done serve."""
    body = sse(
        {"type": "response.output_item.added", "output_index": 0, "item": {"type": "message"}},
        {"type": "response.output_item.done", "output_index": 1, "item": CALL},
        {"type": "response.output_item.done", "output_index": 0, "item": TEXT},
        {"type": "response.completed", "response": answer()},
    )
    exchange = talk(RESPONSES, ASK, body)
    assert exchange.answer == (said(Role.ASSISTANT, "{}"), called("plan", '{"n": 1}', "c1", {"n": 1}))
    assert exchange.finish == Finish.TOOL_CALLS


def test_broken_off_stream() -> None:
    """A stream that broke off keeps the pieces of text, refusal and calls; it has no finish."""
    call = {"type": "function_call", "call_id": "c1", "name": "plan", "arguments": ""}
    body = sse(
        {"type": "response.created", "response": {"id": "r2", "status": "in_progress"}},
        {"type": "response.output_text.delta", "output_index": 0, "content_index": 1, "delta": "b"},
        {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "a"},
        {"type": "response.output_item.added", "output_index": 1, "item": call},
        {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": '{"n"'},
        {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": ": 1"},
        {"type": "response.refusal.delta", "output_index": 2, "delta": "I can't"},
        {"type": "codex.rate_limits"},
    )
    exchange = talk(RESPONSES, ASK, body)
    assert exchange.answer == (said(Role.ASSISTANT, "ab"), called("plan", '{"n": 1', "c1"))
    assert (exchange.finish, exchange.refusal, exchange.response_id) == (None, "I can't", "r2")
    assert not exchange.pending  # no later request brings the rest


def test_embeddings_are_not_responses() -> None:
    """An embeddings request has an input too and stays raw."""
    exchange = talk("https://h/v1/embeddings", {"model": "m", "input": ["a"]}, {"data": []})
    assert (exchange.dialect, exchange.note) == ("raw", "no dialect reads embeddings (POST h/v1/embeddings)")


def test_any_host() -> None:
    """The body's shape decides where the path says nothing."""
    body = {"model": "m", "input": [{"role": "user", "content": "x"}]}
    assert talk("http://gateway.local/proxy", body, answer(TEXT)).dialect == "openai.responses"


def test_foreign_stream_is_raw() -> None:
    """A stream without one event of this API is no answer of it."""
    assert talk(RESPONSES, ASK, sse({"type": "ping"})).dialect == "raw"
