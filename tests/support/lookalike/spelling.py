"""The parts of every API's spelling: reading requests into turns, and writing answers whole or as a stream."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .model import Answer, Turn

Body = dict[str, Any]


@dataclass(frozen=True)
class Spelling:
    """One API: how to read its requests, and how to write an answer whole or as a stream."""

    turns: Callable[[Body], list[Turn]]
    limit: Callable[[Body], int | None]
    whole: Callable[[Answer, Body], Body]
    stream: Callable[[Answer, Body], list[str] | list[bytes]]
    stream_type: str = "text/event-stream; charset=utf-8"


def flat(content: Any) -> str:
    """Return the text of a content value: a string, a list of parts, or None."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = [p for p in content if isinstance(p, dict)]
    return "\n".join(_part(p) for p in parts)


def _part(part: Body) -> str:
    if part.get("type") == "tool_use":
        return json.dumps(part["input"], ensure_ascii=False)
    return str(part.get("text") or flat(part.get("content")))


def pieces(text: str) -> list[str]:
    """Return the pieces that a stream makes of the text."""
    return [text[i : i + 7] for i in range(0, len(text), 7)] or [""]


def event(data: Body) -> str:
    """One server-sent event, named by its type."""
    return f"event: {data['type']}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def arguments(text: str) -> Any:
    """Return the arguments of a call for an API that sends them as an object; {} for a truncated text."""
    try:
        return json.loads(text)
    except ValueError:
        return {}
