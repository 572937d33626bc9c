"""Loops of the drawn apps alone: no rule was written in view of them. A part of the generated project."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from . import loops
from .feedback import Feedback
from .loops import ORIGIN, TOOL, Messages, plain, user

TAGGED = """<task>
{task}
</task>
<previous_answer>
{draft}
</previous_answer>
<errors>
{told}
</errors>
<instructions>Answer with one JSON object. Mend what stands in the errors, keep the rest.</instructions>"""


def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON that is answered."""
    import httpx2

    answered = httpx2.post(f"{ORIGIN}{path}", json=body, verify=False)
    answered.raise_for_status()
    data: dict[str, Any] = answered.json()
    return data


def converse(said: Feedback) -> object:
    """A cloud's tools by hand: the feedback is text in a result with a status."""
    schema = {"inputSchema": {"json": {"type": "object", "properties": {}}}}
    config = {"tools": [{"toolSpec": {"name": "submit", **schema}}], "toolChoice": {"any": {}}}
    messages: Messages = [{"role": "user", "content": [{"text": said.task}]}]
    for _ in range(3):
        message = post("/model/m/converse", {"messages": messages, "toolConfig": config})["output"]["message"]
        used = next(block["toolUse"] for block in message["content"] if "toolUse" in block)
        told = said(json.dumps(used["input"]))
        if told is None:
            return used
        result = {"toolUseId": used["toolUseId"], "content": [{"text": told}], "status": "error"}
        messages = [*messages, message, {"role": "user", "content": [{"toolResult": result}]}]
    raise RuntimeError("no answer")


def chained(said: Feedback) -> object:
    """The provider keeps the conversation: each request names the response before, and repeats the task."""
    body: dict[str, Any] = {"model": "m", "input": said.task, "store": True}
    for _ in range(3):
        response = post("/v1/responses", body)
        text = "".join(part["text"] for item in response["output"] for part in item["content"])
        told = said(text)
        if told is None:
            return text
        again = f"{told}\n\nAs a reminder, this is what you were asked: {said.task}"
        body = {**body, "input": again, "previous_response_id": response["id"]}
    raise RuntimeError("no answer")


def tagged(said: Feedback) -> object:
    """One prompt of tagged sections, made again for each attempt."""
    prompt = f"<task>\n{said.task}\n</task>"
    for _ in range(3):
        text = plain([user(prompt)])
        told = said(text)
        if told is None:
            return text
        prompt = TAGGED.format(task=said.task, draft=text, told=told)
    raise RuntimeError("no answer")


def envelope(said: Feedback) -> object:
    """The user turn is a JSON document with the state of the work."""
    state: dict[str, Any] = {"task": said.task, "attempt": 1}
    for attempt in range(2, 5):
        turn = user(json.dumps(state, ensure_ascii=False, indent=1))
        rules = {"role": "system", "content": "You get the state of a job as JSON. Answer with the document alone."}
        text = str(loops.http([rules, turn], response_format={"type": "json_object"}, seed=5)["content"])
        told = said(text)
        if told is None:
            return text
        state = {**state, "attempt": attempt, "rejected": json.loads(text), "because": told}
    raise RuntimeError("no answer")


def line_by_line(said: Feedback) -> object:
    """A chat room: each line of the feedback is a turn of somebody with a name."""
    room = [{**user(said.task), "name": "client"}]
    for _ in range(3):
        text = plain(room)
        told = said(text)
        if told is None:
            return text
        lines = [{**user(line), "name": "checker"} for line in told.splitlines() if line.strip()]
        room += [{"role": "assistant", "content": text}, *lines]
    raise RuntimeError("no answer")


def streamed_tool(said: Feedback) -> object:
    """An SDK's agent whose call comes in pieces: a fixed result of the tool, then the feedback as a user turn."""
    from openai import OpenAI

    messages: Any = [user(said.task)]
    tools: Any = [TOOL]
    with OpenAI(base_url=f"{ORIGIN}/v1", api_key="none", max_retries=0) as client:
        for _ in range(3):
            name, pieces = "", []
            for chunk in client.chat.completions.create(model="m", messages=messages, tools=tools, stream=True):
                for call in (chunk.choices[0].delta.tool_calls or []) if chunk.choices else []:
                    name = call.id or name
                    pieces.append((call.function and call.function.arguments) or "")
            told = said("".join(pieces))
            if told is None:
                return pieces
            function = {"name": "submit", "arguments": "".join(pieces)}
            called = {"id": name, "type": "function", "function": function}
            messages += [
                {"role": "assistant", "content": None, "tool_calls": [called]},
                {"role": "tool", "tool_call_id": name, "content": '{"stored": false}'},
                user(f"The store turned that down.\n{told}\nCall the tool once more."),
            ]
    raise RuntimeError("no answer")


def confession(said: Feedback) -> object:
    """The feedback is put into the model's own mouth, as if it had checked its work."""
    messages = [user(said.task)]
    for _ in range(3):
        text = plain(messages)
        told = said(text)
        if told is None:
            return text
        own = f"{text}\n\nWait, let me check this against the rules.\n{told}"
        messages = [user(said.task), {"role": "assistant", "content": own}, user("Right. Now the corrected JSON only.")]
    raise RuntimeError("no answer")


def system_blocks(said: Feedback) -> object:
    """An SDK, awaited: the feedback is the last block of the instructions, and the turns stay as they are."""
    from anthropic import AsyncAnthropic

    async def run() -> str:
        system: Any = [{"type": "text", "text": "You fill in forms. Answer in JSON."}]
        messages: Any = [user(said.task)]
        async with AsyncAnthropic(base_url=ORIGIN, api_key="none", max_retries=0) as client:
            for _ in range(3):
                made = await client.messages.create(model="m", max_tokens=500, system=system, messages=messages)
                text = "".join(block.text for block in made.content if block.type == "text")
                told = said(text)
                if told is None:
                    return text
                system = [*system[:1], {"type": "text", "text": f"Your last form came back:\n{told}"}]
        raise RuntimeError("no answer")

    return asyncio.run(run())
