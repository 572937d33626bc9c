"""How each SDK reads an answer: the address of a server that gives it, whether it is a stream; a reading comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from .reading import Reading

SERVER_SIDE = "server_tool_use"
"""A tool that the provider runs itself: no call of the app's."""
ASK = [{"role": "user", "content": "x"}]
CHAT = {"function_call": "tool_calls", "max_tokens": "length", "end_turn": "stop"}
MESSAGES = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "tool_use": "tool_calls",
    "guardrail_intervened": "content_filter",
}
GEMINI = {"STOP": "stop", "MAX_TOKENS": "length", "UNEXPECTED_TOOL_CALL": "error"}
COHERE = {"COMPLETE": "stop", "STOP_SEQUENCE": "stop", "MAX_TOKENS": "length", "TOOL_CALL": "tool_calls"}


# One client for all answers: making one reads the certificates of the machine, which takes longer than an answer.


@cache
def _openai(origin: str) -> Any:
    import openai

    return openai.OpenAI(base_url=f"{origin}/v1", api_key="test", max_retries=0)


@cache
def _anthropic(origin: str) -> Any:
    import anthropic

    return anthropic.Anthropic(base_url=origin, api_key="test", max_retries=0)


@cache
def _genai(origin: str) -> Any:
    from google import genai

    return genai.Client(api_key="test", http_options={"base_url": origin})


@cache
def _bedrock(origin: str) -> Any:
    import boto3

    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x"}
    return boto3.client("bedrock-runtime", endpoint_url=origin, region_name="us-east-1", **keys)


@cache
def _cohere(origin: str) -> Any:
    import cohere

    return cohere.ClientV2("test", base_url=origin)


@cache
def _ollama(origin: str) -> Any:
    import ollama

    return ollama.Client(host=origin)


def openai_chat(origin: str, *, streamed: bool) -> Reading:
    """Chat completions by `openai`; the SDK itself puts a stream together."""
    from openai.lib.streaming.chat import ChatCompletionStreamState

    got: Any = _openai(origin).chat.completions.create(model="m", messages=ASK, stream=streamed)  # type: ignore[call-overload]
    if streamed:
        state: Any = ChatCompletionStreamState()
        for chunk in got:
            state.handle_chunk(chunk)
        got = state.get_final_completion()
    choice = got.choices[0]
    message = choice.message
    tools = [getattr(call, call.type or "function") for call in message.tool_calls or ()]  # Mistral gives no type
    calls = [(tool.name, getattr(tool, "arguments", None) or getattr(tool, "input", None)) for tool in tools]
    calls += [(message.function_call.name, message.function_call.arguments)] if message.function_call else []
    return Reading.of([message.content, message.refusal], calls, CHAT.get(choice.finish_reason, choice.finish_reason))


def openai_completion(origin: str, *, streamed: bool) -> Reading:
    """Text completions by `openai`."""
    got: Any = _openai(origin).completions.create(model="m", prompt="x", stream=streamed)
    choices = [part.choices[0] for part in (got if streamed else [got]) if part.choices]
    if not choices:
        raise ValueError("the SDK sees no choices")
    finish = next((c.finish_reason for c in reversed(choices) if c.finish_reason), None)
    return Reading.of(["".join(c.text or "" for c in choices)], [], CHAT.get(finish, finish))


def openai_responses(origin: str, *, streamed: bool) -> Reading:
    """Responses by `openai`; the last event of a stream holds the whole."""
    got: Any = _openai(origin).responses.create(model="m", input="x", stream=streamed)
    if streamed:
        got = next(e.response for e in reversed(list(got)) if hasattr(e, "response"))
    calls = [(i.name, getattr(i, "arguments", None) or getattr(i, "input", None)) for i in got.output if _called(i)]
    refused = [p.refusal for i in got.output if i.type == "message" for p in i.content if p.type == "refusal"]
    reason = got.incomplete_details.reason if got.incomplete_details else None
    finish = {"max_output_tokens": "length", None: "tool_calls" if calls else "stop"}.get(reason, reason)
    finish = finish if got.status in ("completed", "incomplete") else None
    return Reading.of([got.output_text, *refused], calls, "refusal" if refused else finish)


def _called(item: Any) -> bool:
    return item.type in ("function_call", "custom_tool_call")


def anthropic_messages(origin: str, *, streamed: bool) -> Reading:
    """Messages by `anthropic`; the SDK itself puts a stream together."""
    client = _anthropic(origin)
    asked: Any = {"model": "m", "max_tokens": 9, "messages": ASK}
    if streamed:
        with client.messages.stream(**asked) as stream:
            got = stream.get_final_message()
    else:
        got = client.messages.create(**asked)
    texts = [block.text for block in got.content if block.type == "text"]
    calls = [(block.name, block.input) for block in got.content if block.type == "tool_use"]
    return Reading.of(texts, calls, MESSAGES.get(str(got.stop_reason), got.stop_reason))


def gemini(origin: str, *, streamed: bool) -> Reading:
    """Gemini by `google-genai`."""
    client = _genai(origin)
    if streamed:
        answers = list(client.models.generate_content_stream(model="m", contents="x"))
    else:
        answers = [client.models.generate_content(model="m", contents="x")]
    candidates = [a.candidates[0] for a in answers if a.candidates]
    parts = [p for c in candidates for p in (c.content.parts if c.content and c.content.parts else ())]
    texts = [p.text for p in parts if not p.thought]
    calls = [(p.function_call.name, p.function_call.args) for p in parts if p.function_call]
    finish = next((c.finish_reason.value for c in reversed(candidates) if c.finish_reason), None)
    finish = "tool_calls" if finish == "STOP" and calls else finish
    return Reading.of(texts, calls, GEMINI.get(str(finish), finish))


def bedrock_converse(origin: str, *, streamed: bool) -> Reading:
    """Converse by `boto3`, whose streams are events."""
    client = _bedrock(origin)
    asked: Any = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "x"}]}]}
    if streamed:
        return _converse_stream(client.converse_stream(**asked)["stream"])
    got = client.converse(**asked)
    blocks = got["output"]["message"]["content"]
    calls = [(b["toolUse"]["name"], b["toolUse"]["input"]) for b in blocks if "toolUse" in b]
    return Reading.of([b.get("text") for b in blocks], calls, MESSAGES.get(got["stopReason"], got["stopReason"]))


def _converse_stream(events: Iterable[Any]) -> Reading:
    texts, names, finish = [], [], None
    arguments: dict[int, str] = {}
    for event in events:
        start, delta = event.get("contentBlockStart", {}), event.get("contentBlockDelta", {})
        called = start.get("start", {}).get("toolUse", {})
        if called and called.get("type") != SERVER_SIDE:
            names.append((start["contentBlockIndex"], called["name"]))
        texts.append(delta.get("delta", {}).get("text"))
        at = delta.get("contentBlockIndex", -1)
        arguments[at] = arguments.get(at, "") + delta.get("delta", {}).get("toolUse", {}).get("input", "")
        finish = event.get("messageStop", {}).get("stopReason", finish)
    return Reading.of(texts, [(name, arguments.get(at, "")) for at, name in names], MESSAGES.get(str(finish), finish))


def cohere_v2(origin: str, *, streamed: bool) -> Reading:
    """Cohere's chat, version 2, not streamed."""
    got: Any = _cohere(origin).chat(model="m", messages=ASK)
    calls = [(c.function.name, c.function.arguments) for c in got.message.tool_calls or ()]
    texts = [part.text for part in got.message.content or () if part.type == "text"]
    return Reading.of(texts, calls, COHERE.get(got.finish_reason, got.finish_reason))


def ollama_chat(origin: str, *, streamed: bool) -> Reading:
    """Ollama's chat by `ollama`."""
    got: Any = _ollama(origin).chat(model="m", messages=ASK, stream=streamed)
    parts = list(got) if streamed else [got]
    calls = [(c.function.name, c.function.arguments) for part in parts for c in part.message.tool_calls or ()]
    return Reading.of(["".join(p.message.content or "" for p in parts)], calls, parts[-1].done_reason)


SDKS: dict[str, Callable[..., Reading]] = {
    "openai.chat": openai_chat,
    "openai.responses": openai_responses,
    "text.completion": openai_completion,
    "anthropic.messages": anthropic_messages,
    "gemini": gemini,
    "bedrock.converse": bedrock_converse,
    "cohere.message": cohere_v2,
    "ollama.chat": ollama_chat,
}
"""By the name of the dialect. Dialects without an SDK that reads their answers by itself are not compared."""
