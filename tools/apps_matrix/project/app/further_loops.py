"""Loops of the drawn apps alone: no rule was written in view of them. A part of the generated project."""

from __future__ import annotations

import asyncio
import http.client
import json
from string import Template
from typing import Any
from urllib.parse import urlsplit

from . import loops
from .feedback import Feedback
from .loops import ORIGIN, Messages, plain, user

PROMPT = Template("""# Problems of the draft
$problems

# Draft
```json
$draft
```

# Task
$task
Write the whole document again, without these problems.""")


def gemini(said: Feedback) -> object:
    """Another provider by hand, with a session: fixed words and the feedback are parts of a turn."""
    import httpx2

    def turn(*parts: str) -> dict[str, Any]:
        return {"role": "user", "parts": [{"text": part} for part in parts]}

    contents = [turn(said.task)]
    with httpx2.Client(base_url=ORIGIN, verify=False) as session:
        for _ in range(3):
            answered = session.post("/v1beta/models/m:generateContent", json={"contents": contents})
            answered.raise_for_status()
            content: dict[str, Any] = answered.json()["candidates"][0]["content"]
            told = said(content["parts"][0]["text"])
            if told is None:
                return content
            contents += [content, turn("The form came back.", told)]
    raise RuntimeError("no answer")


def ollama_lines(said: Feedback) -> object:
    """A local model that streams objects one a line, by the standard library."""
    address = urlsplit(ORIGIN)

    def ask(messages: Messages) -> str:
        connection = http.client.HTTPConnection(str(address.hostname), address.port)
        body = json.dumps({"model": "m", "messages": messages, "stream": True})
        connection.request("POST", "/api/chat", body, {"content-type": "application/json"})
        lines = connection.getresponse().read().splitlines()
        connection.close()
        return "".join(json.loads(line)["message"]["content"] for line in lines)

    return loops.dialogue(ask, said, "Your JSON did not get through the gate.\n\n{told}\n\nSend it again, please.")


def responses_tool(said: Feedback) -> object:
    """An agent by the newer API: the feedback is a field of the call's output, which is JSON."""
    import httpx2

    tool = {"type": "function", "name": "submit", "parameters": {"type": "object", "properties": {}}}
    items: Messages = [user(said.task)]
    for _ in range(3):
        body = {"model": "m", "input": items, "tools": [tool]}
        answered = httpx2.post(f"{ORIGIN}/v1/responses", json=body, verify=False)
        answered.raise_for_status()
        output: Messages = answered.json()["output"]
        call = next(item for item in output if item["type"] == "function_call")
        told = said(call["arguments"])
        if told is None:
            return call
        result = json.dumps({"accepted": False, "reason": told})
        items = [*items, *output, {"type": "function_call_output", "call_id": call["call_id"], "output": result}]
    raise RuntimeError("no answer")


def anthropic_stream(said: Feedback) -> object:
    """An SDK's stream, with instructions of its own: the feedback is a block behind another one."""
    from anthropic import Anthropic

    messages: Any = [user(said.task)]
    with Anthropic(base_url=ORIGIN, api_key="none", max_retries=0) as client:
        for _ in range(3):
            asked = client.messages.stream(model="m", max_tokens=500, system="Answer in JSON.", messages=messages)
            with asked as stream:
                text = stream.get_final_text()
            told = said(text)
            if told is None:
                return text
            blocks = [{"type": "text", "text": part} for part in ("This cannot be filed as it stands.", told)]
            messages += [{"role": "assistant", "content": text}, {"role": "user", "content": blocks}]
    raise RuntimeError("no answer")


def template(said: Feedback) -> object:
    """A prompt for repairs, filled in anew each time: the problems come first, the task comes last."""
    prompt = said.task
    for _ in range(3):
        text = plain([{"role": "system", "content": "You are a careful clerk."}, user(prompt)])
        told = said(text)
        if told is None:
            return text
        prompt = PROMPT.substitute(problems=told, draft=text, task=said.task)
    raise RuntimeError("no answer")


def lessons(said: Feedback) -> object:
    """What was learned from each attempt goes into the instructions; the answers are forgotten."""
    learned: list[str] = []
    for _ in range(3):
        known = "".join(f"\n\nLesson {number}:\n{lesson}" for number, lesson in enumerate(learned, 1))
        instructions = {"role": "system", "content": f"You write JSON.{known}"}
        text = str(loops.http([instructions, user(said.task)], temperature=0)["content"])
        told = said(text)
        if told is None:
            return text
        learned.append(told)
    raise RuntimeError("no answer")


def own_tool_call(said: Feedback) -> object:
    """The app itself calls a checking tool in the model's name, and adds the tool's result."""
    tool = {"type": "function", "function": {"name": "check", "parameters": {"type": "object", "properties": {}}}}
    messages = [user(said.task)]
    for number in range(1, 4):
        message = loops.http(messages, tools=[tool])
        told = said(str(message["content"]))
        if told is None:
            return message
        call = {"id": f"check_{number}", "type": "function", "function": {"name": "check", "arguments": "{}"}}
        messages += [
            {**message, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": call["id"], "content": told},
        ]
    raise RuntimeError("no answer")


def queues(said: Feedback) -> object:
    """A writer and a checker work side by side, and pass drafts and remarks to each other."""
    import httpx2

    drafts: asyncio.Queue[str] = asyncio.Queue()
    remarks: asyncio.Queue[str | None] = asyncio.Queue()

    async def write(client: httpx2.AsyncClient) -> str:
        messages = [user(said.task)]
        while True:
            body = {"model": "m", "messages": messages}
            answered = await client.post(f"{ORIGIN}/v1/chat/completions", json=body)
            text = str(answered.json()["choices"][0]["message"]["content"])
            await drafts.put(text)
            told = await remarks.get()
            if told is None:
                return text
            messages = [user(said.task), {"role": "assistant", "content": text}, user(f"checker> {told}")]

    async def check() -> None:
        for _ in range(3):
            told = said(await drafts.get())
            await remarks.put(told)
            if told is None:
                return
        raise RuntimeError("no answer")

    async def run() -> str:
        async with httpx2.AsyncClient(verify=False) as client, asyncio.TaskGroup() as group:
            written = group.create_task(write(client))
            group.create_task(check())
        return written.result()

    return asyncio.run(run())
