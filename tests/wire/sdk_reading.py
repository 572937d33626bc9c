"""An independent reading of recorded answers: the providers' own SDK models and stream accumulators.

Used by the agreement test; it shares no code with `pytest_planguard.wire`.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import httpx2
from anthropic import Anthropic
from openai import OpenAI
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletion

Reading = tuple[str, tuple[tuple[str, str], ...], tuple[int | None, int | None]]
"""Text, calls as (name, arguments as sorted JSON), tokens in and out."""


def sdk_reading(dialect: str, body: bytes, *, streamed: bool) -> Reading:
    """Read an answer with the provider's SDK client, as an app would. Raises whatever the SDK raises."""
    kind = "text/event-stream" if streamed else "application/json"
    http = httpx2.Client(transport=httpx2.MockTransport(partial(_recorded, kind, body)), verify=False)
    if dialect == "anthropic.messages":
        return _message(Anthropic(api_key="-", base_url="http://127.0.0.1", http_client=http), streamed)
    client = OpenAI(api_key="-", base_url="http://127.0.0.1/v1", http_client=http)
    return (_chat if dialect == "openai.chat" else _response)(client, streamed)


def normal(arguments: Any) -> str:
    """Arguments as sorted JSON; text that is no JSON stays itself."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except ValueError:
            return str(arguments)
    return json.dumps(arguments, sort_keys=True)


def _recorded(kind: str, body: bytes, _: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(200, headers={"content-type": kind}, content=body)


def _chat(client: OpenAI, streamed: bool) -> Reading:
    ask = partial(client.chat.completions.create, model="m", messages=[{"role": "user", "content": "x"}])
    if not streamed:
        return _of_chat(ask())
    state = ChatCompletionStreamState()
    for chunk in ask(stream=True):
        state.handle_chunk(chunk)
    return _of_chat(state.current_completion_snapshot)


def _of_chat(completion: ChatCompletion) -> Reading:
    message = completion.choices[0].message
    calls = [(call.function.name, normal(call.function.arguments)) for call in message.tool_calls or []]
    if message.function_call:
        calls.append((message.function_call.name, normal(message.function_call.arguments)))
    usage = completion.usage
    tokens = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
    return message.content or "", tuple(calls), tokens


def _response(client: OpenAI, streamed: bool) -> Reading:
    ask = partial(client.responses.create, model="m", input="x")
    response = ask() if not streamed else next(e for e in ask(stream=True) if e.type == "response.completed").response
    calls = tuple((entry.name, normal(entry.arguments)) for entry in response.output if entry.type == "function_call")
    usage = response.usage
    return response.output_text, calls, (usage.input_tokens, usage.output_tokens) if usage else (None, None)


def _message(client: Anthropic, streamed: bool) -> Reading:
    request: Any = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "x"}]}
    if streamed:
        with client.messages.stream(**request) as stream:
            message = stream.get_final_message()
    else:
        message = client.messages.create(**request)
    text = "".join(block.text for block in message.content if block.type == "text")
    calls = tuple((block.name, normal(block.input)) for block in message.content if block.type == "tool_use")
    return text, calls, (message.usage.input_tokens, message.usage.output_tokens)
