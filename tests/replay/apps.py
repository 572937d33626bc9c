"""Correct apps that own their retry loop, one for each SDK call that a cassette must feed back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

GOOD = {"title": "Replace the printer’s “Zoë” cable 🔥", "steps": ["unplug", "swap"]}
BAD = {"title": 7, "steps": ["unplug"]}
PROMPT = "Make a ticket: the printer is on fire"
ATTEMPTS = 3


def problems(text: str) -> list[str]:
    """What is wrong with an answer, as `path: message` lines."""
    data = json.loads(text)
    found = [] if isinstance(data["title"], str) else [f"title: expected a string; got {data['title']}"]
    return found if len(data["steps"]) > 1 else [*found, "steps: expected at least 2 items; got 1"]


def feedback(text: str) -> str:
    """The correction that the app sends."""
    return "Your answer is not valid:\n" + "\n".join(f"- {line}" for line in problems(text)) + "\nSend it again."


def dialogue(ask: Callable[[list[dict[str, Any]]], str]) -> str:
    """Ask until the answer is good, the bad answer and what is wrong with it going back each time."""
    messages = [{"role": "user", "content": PROMPT}]
    text = ask(messages)
    for _ in range(ATTEMPTS - 1):
        if not problems(text):
            break
        messages = [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": feedback(text)}]
        text = ask(messages)
    return text


async def adialogue(ask: Callable[[list[dict[str, Any]]], Any]) -> str:
    """`dialogue` for coroutines."""
    messages = [{"role": "user", "content": PROMPT}]
    text = str(await ask(messages))
    for _ in range(ATTEMPTS - 1):
        if not problems(text):
            break
        messages = [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": feedback(text)}]
        text = str(await ask(messages))
    return text


def openai_chat(origin: str) -> str:
    """Chat completions, whole."""
    import openai

    with openai.OpenAI(base_url=f"{origin}/v1", api_key="test") as client:
        return dialogue(
            lambda m: client.chat.completions.create(model="m", messages=m).choices[0].message.content  # type: ignore
        )


def openai_chat_stream(origin: str) -> str:
    """Chat completions, streamed."""
    import openai

    with openai.OpenAI(base_url=f"{origin}/v1", api_key="test") as client:

        def ask(messages: Any) -> str:
            chunks = client.chat.completions.create(model="m", messages=messages, stream=True)
            return "".join(c.choices[0].delta.content or "" for c in chunks)

        return dialogue(ask)


def openai_chat_async(origin: str) -> str:
    """Chat completions, asynchronous."""
    import openai

    async def run() -> str:
        async with openai.AsyncOpenAI(base_url=f"{origin}/v1", api_key="test") as client:

            async def ask(messages: Any) -> str:
                answer = await client.chat.completions.create(model="m", messages=messages)
                return answer.choices[0].message.content or ""

            return await adialogue(ask)

    return asyncio.run(run())


def openai_chat_async_stream(origin: str) -> str:
    """Chat completions, asynchronous and streamed."""
    import openai

    async def run() -> str:
        async with openai.AsyncOpenAI(base_url=f"{origin}/v1", api_key="test") as client:

            async def ask(messages: Any) -> str:
                chunks = await client.chat.completions.create(model="m", messages=messages, stream=True)
                return "".join([c.choices[0].delta.content or "" async for c in chunks])

            return await adialogue(ask)

    return asyncio.run(run())


def openai_responses(origin: str) -> str:
    """Responses, whole."""
    import openai

    with openai.OpenAI(base_url=f"{origin}/v1", api_key="test") as client:
        return dialogue(lambda m: client.responses.create(model="m", input=m).output_text)  # type: ignore


def openai_responses_stream(origin: str) -> str:
    """Responses, streamed."""
    import openai

    with openai.OpenAI(base_url=f"{origin}/v1", api_key="test") as client:

        def ask(messages: Any) -> str:
            events = client.responses.create(model="m", input=messages, stream=True)
            return "".join(e.delta for e in events if e.type == "response.output_text.delta")

        return dialogue(ask)


def openai_responses_async(origin: str) -> str:
    """Responses, asynchronous."""
    import openai

    async def run() -> str:
        async with openai.AsyncOpenAI(base_url=f"{origin}/v1", api_key="test") as client:

            async def ask(messages: Any) -> str:
                return (await client.responses.create(model="m", input=messages)).output_text

            return await adialogue(ask)

    return asyncio.run(run())


def anthropic_messages(origin: str) -> str:
    """Messages, whole."""
    import anthropic

    with anthropic.Anthropic(base_url=origin, api_key="test") as client:
        return dialogue(
            lambda m: client.messages.create(model="m", max_tokens=99, messages=m).content[0].text  # type: ignore
        )


def anthropic_messages_stream(origin: str) -> str:
    """Messages, streamed."""
    import anthropic

    with anthropic.Anthropic(base_url=origin, api_key="test") as client:

        def ask(messages: Any) -> str:
            with client.messages.stream(model="m", max_tokens=99, messages=messages) as stream:
                return "".join(stream.text_stream)

        return dialogue(ask)


def anthropic_messages_async(origin: str) -> str:
    """Messages, asynchronous."""
    import anthropic

    async def run() -> str:
        async with anthropic.AsyncAnthropic(base_url=origin, api_key="test") as client:

            async def ask(messages: Any) -> str:
                answer = await client.messages.create(model="m", max_tokens=99, messages=messages)
                return answer.content[0].text  # type: ignore[union-attr]

            return await adialogue(ask)

    return asyncio.run(run())


def anthropic_messages_async_stream(origin: str) -> str:
    """Messages, asynchronous and streamed."""
    import anthropic

    async def run() -> str:
        async with anthropic.AsyncAnthropic(base_url=origin, api_key="test") as client:

            async def ask(messages: Any) -> str:
                async with client.messages.stream(model="m", max_tokens=99, messages=messages) as stream:
                    return "".join([text async for text in stream.text_stream])

            return await adialogue(ask)

    return asyncio.run(run())


APPS: dict[str, Callable[[str], str]] = {
    f.__name__: f
    for f in (
        openai_chat,
        openai_chat_stream,
        openai_chat_async,
        openai_chat_async_stream,
        openai_responses,
        openai_responses_stream,
        openai_responses_async,
        anthropic_messages,
        anthropic_messages_stream,
        anthropic_messages_async,
        anthropic_messages_async_stream,
    )
}
