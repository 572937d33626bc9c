"""Recorded chats written by hand, and a client that sends chats through the open recording."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2

from pytest_planguard.replay.files.cassette_journal import journals_of
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction

URL = "https://api.example.com/v1/chat/completions"
Messages = list[dict[str, Any]]


def user(text: str) -> dict[str, Any]:
    """A user turn."""
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    """An assistant turn."""
    return {"role": "assistant", "content": text}


def chat(messages: Messages, answer: str, *, status: int = 200, **extra: Any) -> Interaction:
    """Return a recorded exchange of chat completions; `extra` goes into the request's body."""
    choice = {"index": 0, "message": assistant(answer), "finish_reason": "stop"}
    said = {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice]}
    body = said if status < 400 else {"error": {"message": answer}}
    headers = (("content-type", ("application/json",)),)
    request = json.dumps({"model": "m", "messages": messages, **extra}).encode()
    return Interaction("POST", URL, headers, request, status, "OK", headers, json.dumps(body).encode())


def write(path: Path, *interactions: Interaction) -> Path:
    """Write a cassette of these exchanges."""
    path.write_text(render(interactions), encoding="utf-8")
    return path


def unfinished(*interactions: Interaction) -> str:
    """Return the text of a journal with these exchanges: a cassette without its last line."""
    return "".join(render(interactions).splitlines(keepends=True)[:-1])


def part_of(path: Path) -> Path:
    """Return the one journal beside a cassette; if there is none, the name that a session would have used."""
    parts = [part for part in journals_of(path) if part.suffix == ".part"]
    return parts[0] if parts else path.with_name(f"{path.name}.0badcafe.part")


def send(messages: Messages, url: str = URL, **extra: Any) -> str:
    """Send a chat and return the answer."""
    return _text(httpx2.post(url, verify=False, json={"model": "m", "messages": messages, **extra}))


async def asend(messages: Messages, **extra: Any) -> str:
    """`send` for coroutines."""
    async with httpx2.AsyncClient(verify=False) as client:  # no certificates to load: nothing is connected to
        return _text(await client.post(URL, json={"model": "m", "messages": messages, **extra}))


def _text(response: httpx2.Response) -> str:
    response.raise_for_status()
    return str(response.json()["choices"][0]["message"]["content"])
