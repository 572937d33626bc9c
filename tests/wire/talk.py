"""Short ways to write a recorded request and its answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Exchange, Finish, Item, ItemKind, Message, Role, Usage

CHAT = "https://api.openai.com/v1/chat/completions"
RESPONSES = "https://api.openai.com/v1/responses"
MESSAGES = "https://api.anthropic.com/v1/messages"


def talk(
    url: str, request: Any, answer: Any, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Exchange:
    """Decode one exchange; bodies are JSON values, or bytes as they are."""
    asked = Message(body=as_bytes(request), url=url, headers={"content-type": "application/json"})
    return decode(1, asked, Message(body=as_bytes(answer), status=status, headers=headers or {}))


def plain(read: Exchange, dialect: str, url: str, **fields: Any) -> Exchange:
    """What a plain exchange must be read as: "Plan it", answered by `{}` at 7 and 2 tokens, but for these fields.

    The raw texts are taken from what was read.
    """
    usual = {
        "request": (said(Role.USER, "Plan it"),),
        "answer": (said(Role.ASSISTANT, "{}"),),
        "finish": Finish.STOP,
        "usage": Usage(7, 2),
        "raw_request": read.raw_request,
        "raw_response": read.raw_response,
    }
    return Exchange(number=1, dialect=dialect, url=url, **{**usual, **fields})


def as_bytes(body: Any) -> bytes:
    """Bytes as they are, anything else as JSON."""
    return body if isinstance(body, bytes) else json.dumps(body).encode()


def sse(*objects: Any, named: bool = False) -> bytes:
    """A stream of server-sent events, one an object; with `named`, each event has its object's type as name."""
    lines = []
    for value in objects:
        if named:
            lines.append(f"event: {value['type']}\n")
        lines.append(f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n")
    return "".join(lines).encode()


def said(role: Role, text: str) -> Item:
    """A text item."""
    return Item(ItemKind.TEXT, role, text)


def called(name: str, text: str, call_id: str | None = None, arguments: Any = None) -> Item:
    """A call item."""
    return Item(ItemKind.CALL, Role.ASSISTANT, text, call_id, name, arguments)
