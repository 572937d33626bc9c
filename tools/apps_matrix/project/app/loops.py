"""The apps: who sends what, and where the feedback goes. A part of the generated project.

Each takes `said(text)`, the feedback on an answer or None, and asks until there is none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

from .feedback import Feedback

ORIGIN = os.environ["MATRIX_ORIGIN"]
Messages = list[dict[str, Any]]
Ask = Callable[[Messages], str]
TOOL = {"type": "function", "function": {"name": "submit", "parameters": {"type": "object", "properties": {}}}}


def user(text: str) -> dict[str, Any]:
    """A user turn."""
    return {"role": "user", "content": text}


def http(messages: Messages, **more: Any) -> dict[str, Any]:
    """One chat completion without any SDK: the answer's message."""
    import httpx2

    body = {"model": "m", "messages": messages, **more}
    answered = httpx2.post(f"{ORIGIN}/v1/chat/completions", json=body, verify=False)
    answered.raise_for_status()
    message: dict[str, Any] = answered.json()["choices"][0]["message"]
    return message


def plain(messages: Messages) -> str:
    """The text of a chat completion."""
    return str(http(messages)["content"])


Again = Callable[[Messages, str, str], Messages]
"""The next request: from the last one, its answer, and the feedback on it."""


def appended(messages: Messages, text: str, told: str) -> Messages:
    """The dialogue goes on."""
    return [*messages, {"role": "assistant", "content": text}, user(told)]


def dialogue(ask: Ask, said: Feedback, again: Again = appended) -> str | None:
    """The loop of most apps."""
    messages = [user(said.task)]
    for _ in range(3):
        text = ask(messages)
        told = said(text)
        if told is None:
            return text
        messages = again(messages, text, told)
    raise RuntimeError("no ticket")


async def adialogue(ask: Callable[[Messages], Awaitable[str]], said: Feedback) -> str | None:
    """The same, awaited."""
    messages = [user(said.task)]
    for _ in range(3):
        text = await ask(messages)
        told = said(text)
        if told is None:
            return text
        messages = appended(messages, text, told)
    raise RuntimeError("no ticket")


def raw(said: Feedback) -> object:
    """HTTP by hand."""
    return dialogue(plain, said)


def _openai() -> Any:
    from openai import OpenAI

    return OpenAI(base_url=f"{ORIGIN}/v1", api_key="none", max_retries=0)


def openai_sdk(said: Feedback) -> object:
    """The SDK, with a client of its own each time."""
    client = _openai()

    def ask(messages: Any) -> str:
        return str(client.chat.completions.create(model="m", messages=messages).choices[0].message.content)

    return dialogue(ask, said)


def openai_stream(said: Feedback) -> object:
    """The SDK, streaming."""
    client = _openai()

    def ask(messages: Any) -> str:
        parts = client.chat.completions.create(model="m", messages=messages, stream=True)
        return "".join(part.choices[0].delta.content or "" for part in parts if part.choices)

    return dialogue(ask, said)


def openai_responses(said: Feedback) -> object:
    """The SDK's newer API."""
    client = _openai()

    def ask(messages: Any) -> str:
        return str(client.responses.create(model="m", input=messages).output_text)

    return dialogue(ask, said)


def anthropic_sdk(said: Feedback) -> object:
    """Another provider's SDK."""
    from anthropic import Anthropic

    client = Anthropic(base_url=ORIGIN, api_key="none", max_retries=0)

    def ask(messages: Any) -> str:
        block: Any = client.messages.create(model="m", max_tokens=500, messages=messages).content[0]
        return str(block.text)

    return dialogue(ask, said)


def tool_agent(said: Feedback) -> object:
    """An agent that answers by a tool: the feedback is the tool's result."""
    messages = [user(said.task)]
    for _ in range(3):
        message = http(messages, tools=[TOOL])
        call = message["tool_calls"][0]
        told = said(call["function"]["arguments"])
        if told is None:
            return call
        messages = [*messages, message, {"role": "tool", "tool_call_id": call["id"], "content": told}]
    raise RuntimeError("no ticket")


def in_the_prompt(said: Feedback) -> object:
    """The errors go into the task, and the answer is not sent back."""
    rejected = f"{said.task} Your previous attempt was rejected: "
    return dialogue(plain, said, lambda _, __, told: [user(rejected + told)])


def system_note(said: Feedback) -> object:
    """The errors go into a system turn, and only the last answer is kept."""

    def again(_: Messages, text: str, told: str) -> Messages:
        note = {"role": "system", "content": f"review: {told}"}
        return [note, *appended([user(said.task)], text, "Again, please.")]

    return dialogue(plain, said, again)


def quoting(said: Feedback) -> object:
    """The answer is printed again within the feedback, in another layout."""

    def again(messages: Messages, text: str, told: str) -> Messages:
        shown = json.dumps(json.loads(text), indent=2, sort_keys=True)
        return appended(messages, text, f"You wrote\n{shown}\n{told}")

    return dialogue(plain, said, again)


class Agent:
    """An app with a memory."""

    def __init__(self, task: str) -> None:
        self.memory: Messages = [user(task)]

    def run(self, said: Feedback) -> object:
        """Ask until it is right."""
        for _ in range(3):
            text = plain(self.memory)
            told = said(text)
            if told is None:
                return text
            self.memory = appended(self.memory, text, told)
        raise RuntimeError("no ticket")


def remembering(said: Feedback) -> object:
    """An object that keeps its conversation, made again in each run."""
    return Agent(said.task).run(said)


def gives_up(said: Feedback) -> object:
    """An app that asks twice and raises when it gives up, which its test expects."""
    try:
        return dialogue(plain, said)
    except RuntimeError:
        return None


async def asynchronous(said: Feedback) -> object:
    """Awaited HTTP."""
    import httpx2

    async def ask(messages: Messages) -> str:
        async with httpx2.AsyncClient(verify=False) as client:
            url = f"{ORIGIN}/v1/chat/completions"
            answered = await client.post(url, json={"model": "m", "messages": messages})
        return str(answered.json()["choices"][0]["message"]["content"])

    return await adialogue(ask, said)


async def openai_async(said: Feedback) -> object:
    """The SDK, awaited."""
    from openai import AsyncOpenAI

    async def ask(messages: Messages) -> str:
        # Closed within its loop: a client that is collected later closes itself in the loop of another test.
        async with AsyncOpenAI(base_url=f"{ORIGIN}/v1", api_key="none", max_retries=0) as client:
            done = await client.chat.completions.create(model="m", messages=messages)  # type: ignore[arg-type]
        return str(done.choices[0].message.content)

    return await adialogue(ask, said)
