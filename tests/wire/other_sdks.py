"""More independent readings: the SDKs of Google, AWS, Cohere and Ollama, and the older APIs of OpenAI and Anthropic.

Their packages are no dependencies of this project; where one is not installed, its dialect is skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from .sdk_reading import Reading, normal

USER = [{"role": "user", "content": "x"}]
FAKE = {"aws_access_key_id": "-", "aws_secret_access_key": "-"}


def other_reading(dialect: str, url: str, body: bytes, *, streamed: bool) -> Reading:
    """Read an answer with the provider's SDK client, as an app would. Raises whatever the SDK raises."""
    return READERS[dialect](url, body, streamed)


def _recorded(httpx: Any, body: bytes, streamed: bool) -> Any:
    """An HTTP client whose one answer is the recorded body."""
    kind = "text/event-stream" if streamed else "application/json"
    answer = {"status_code": 200, "headers": {"content-type": kind}, "content": body}
    return httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(**answer)))


def _gemini(url: str, body: bytes, streamed: bool) -> Reading:
    genai = pytest.importorskip("google.genai")
    httpx = pytest.importorskip("httpx2")
    streamed = "stream" in url.lower()
    if streamed and not body.startswith(b"data:"):  # the SDK always asks for events
        raise ValueError("an array")
    options = genai.types.HttpOptions(httpx_client=_recorded(httpx, body, streamed))
    client = genai.Client(api_key="-", http_options=options)
    ask = {"model": "m", "contents": "x"}
    if streamed:
        chunks = list(client.models.generate_content_stream(**ask))
    else:
        chunks = [client.models.generate_content(**ask)]
    return _of_gemini(chunks)


def _of_gemini(chunks: list[Any]) -> Reading:
    text, calls, usage = "", [], None
    for chunk in chunks:
        usage = chunk.usage_metadata or usage
        for part in chunk.parts or []:
            if part.function_call:
                calls.append((part.function_call.name, normal(part.function_call.args or {})))
            elif part.text and not part.thought:
                text += part.text
    if usage is None:
        return text, tuple(calls), (None, None)
    counts = [n for n in (usage.candidates_token_count, usage.thoughts_token_count) if n is not None]
    return text, tuple(calls), (usage.prompt_token_count, sum(counts) if counts else None)


def _bedrock(operation: str, body: bytes, **request: Any) -> Any:
    """The parsed answer of a Bedrock operation, with the recorded body in place of the network."""
    boto3 = pytest.importorskip("boto3")
    from botocore.awsrequest import AWSResponse
    from urllib3.response import HTTPResponse

    client = boto3.client("bedrock-runtime", region_name="us-east-1", **FAKE)
    raw = partial(_raw_response, HTTPResponse, body)
    kind = {"content-type": "application/json"}
    client.meta.events.register("before-send", lambda **_: AWSResponse("http://127.0.0.1", 200, kind, raw()))
    return getattr(client, operation)(modelId="m", **request)


def _raw_response(response: Callable[..., Any], body: bytes) -> Any:
    import io

    return response(io.BytesIO(body), status=200, preload_content=False)


def _converse(url: str, body: bytes, streamed: bool) -> Reading:
    if "/invoke" in url:
        raise ValueError("Nova's body, which the SDK hands over as it is")
    messages = [{"role": "user", "content": [{"text": "x"}]}]
    if streamed:
        return _of_converse_stream(_bedrock("converse_stream", body, messages=messages)["stream"])
    answer = _bedrock("converse", body, messages=messages)
    blocks = answer["output"]["message"]["content"]
    text = "".join(block["text"] for block in blocks if "text" in block)
    uses = [block["toolUse"] for block in blocks if "toolUse" in block]
    return text, _own_calls((use, use["input"]) for use in uses), _bedrock_tokens(answer)


def _of_converse_stream(events: Any) -> Reading:
    text, inputs, uses, tokens = "", {}, {}, (None, None)
    for event in events:
        if "contentBlockStart" in event and "toolUse" in event["contentBlockStart"]["start"]:
            start = event["contentBlockStart"]
            uses[start["contentBlockIndex"]] = start["start"]["toolUse"]
        elif "contentBlockDelta" in event:
            delta = event["contentBlockDelta"]
            text += delta["delta"].get("text", "")
            at = delta["contentBlockIndex"]
            inputs[at] = inputs.get(at, "") + delta["delta"].get("toolUse", {}).get("input", "")
        elif "metadata" in event:
            tokens = _bedrock_tokens(event["metadata"])
    return text, _own_calls((use, inputs.get(at) or "{}") for at, use in uses.items()), tokens


def _own_calls(uses: Iterator[tuple[Any, Any]]) -> tuple[tuple[str, str], ...]:
    """Calls of the client's tools, without those that the provider ran itself."""
    return tuple((use["name"], normal(given)) for use, given in uses if use.get("type") != "server_tool_use")


def _bedrock_tokens(answer: Any) -> tuple[int | None, int | None]:
    return answer["usage"].get("inputTokens"), answer["usage"].get("outputTokens")


def _cohere_chat(url: str, body: bytes, streamed: bool) -> Reading:
    cohere = pytest.importorskip("cohere")
    client = cohere.ClientV2(api_key="-", httpx_client=_recorded(pytest.importorskip("httpx"), body, streamed))
    if streamed:
        raise ValueError("the SDK hands over events and puts nothing together")
    answer = client.chat(model="m", messages=USER)
    text = "".join(part.text for part in answer.message.content or [] if part.type == "text")
    calls = tuple((call.function.name, normal(call.function.arguments)) for call in answer.message.tool_calls or [])
    return text, calls, (answer.usage.tokens.input_tokens, answer.usage.tokens.output_tokens)


def _cohere_message(url: str, body: bytes, streamed: bool) -> Reading:
    cohere = pytest.importorskip("cohere")
    client = cohere.Client(api_key="-", httpx_client=_recorded(pytest.importorskip("httpx"), body, streamed))
    if streamed:
        ends = [event.response for event in client.chat_stream(message="x") if event.event_type == "stream-end"]
        (answer,) = ends
    else:
        answer = client.chat(message="x")
    calls = tuple((call.name, normal(call.parameters)) for call in answer.tool_calls or [])
    tokens = answer.meta and (answer.meta.tokens or answer.meta.billed_units)
    return answer.text, calls, (tokens.input_tokens, tokens.output_tokens) if tokens else (None, None)


def _ollama(url: str, body: bytes, streamed: bool) -> Reading:
    ollama, httpx = pytest.importorskip("ollama"), pytest.importorskip("httpx")
    client = ollama.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200, content=body)))
    text, calls, last = "", [], None
    if url.endswith("/generate"):
        answer = client.generate(model="m", prompt="x", stream=streamed)
    else:
        answer = client.chat(model="m", messages=USER, stream=streamed)
    for last in answer if streamed else [answer]:
        said = last if url.endswith("/generate") else last.message
        text += (said.response if url.endswith("/generate") else said.content) or ""
        calls += [
            (c.function.name, normal(dict(c.function.arguments))) for c in getattr(said, "tool_calls", None) or []
        ]
    return text, tuple(calls), (last.prompt_eval_count, last.eval_count)


def _completion(url: str, body: bytes, streamed: bool) -> Reading:
    http = _recorded(pytest.importorskip("httpx2"), body, streamed)
    if url.endswith("/complete") and "anthropic" in url:
        from anthropic import Anthropic

        client: Any = Anthropic(api_key="-", base_url="http://127.0.0.1", http_client=http)
        answer = client.completions.create(model="m", prompt="x", max_tokens_to_sample=1, stream=streamed)
        return "".join(piece.completion for piece in (answer if streamed else [answer])), (), (None, None)
    if not url.endswith("/v1/completions") or "writer" in url:
        raise ValueError("no SDK here reads it")
    from openai import OpenAI

    client = OpenAI(api_key="-", base_url="http://127.0.0.1/v1", http_client=http)
    pieces = client.completions.create(model="m", prompt="x", stream=streamed)
    pieces = list(pieces) if streamed else [pieces]
    text = "".join(choice.text for piece in pieces for choice in piece.choices if choice.index == 0)
    usage = next((piece.usage for piece in pieces if piece.usage), None)
    return text, (), (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)


READERS: dict[str, Callable[[str, bytes, bool], Reading]] = {
    "gemini": _gemini,
    "bedrock.converse": _converse,
    "cohere.chat": _cohere_chat,
    "cohere.message": _cohere_message,
    "ollama.chat": _ollama,
    "ollama.generate": _ollama,
    "text.completion": _completion,
}
