"""Streamed Converse answers put together: events become the body that the same answer would have had whole."""

from __future__ import annotations

from typing import Any

from ..shapes import mapping, name_of, whole, words
from .base import Body

_EVENTS = (
    "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata",
)  # fmt: skip


class ConverseStream:
    """One streamed message. Blocks belong together by index."""

    def __init__(self) -> None:
        self._known = False
        self._error: Any = None
        self._stop: str | None = None
        self._usage: dict[str, Any] = {}
        self._tools: dict[int, dict[str, Any]] = {}
        self._pieces: dict[int, list[str]] = {}

    def add(self, event: Body) -> None:
        """Take the next event; its name is its `type`, or, from Nova under InvokeModel, the key that wraps it."""
        self._error = event.get("error") or self._error
        kind = next((name for name in _EVENTS if name == event.get("type") or name in event), None)
        if kind is None:
            return
        self._known = True
        data = mapping(event.get(kind)) or event
        index = whole(data.get("contentBlockIndex")) or 0
        if kind == "contentBlockStart":
            self._start(index, mapping(data.get("start")))
        elif kind == "contentBlockDelta":
            self._add_piece(index, mapping(data.get("delta")))
        self._stop = name_of(data.get("stopReason")) or self._stop
        self._usage.update(mapping(data.get("usage")))

    def answer(self) -> dict[str, Any] | None:
        """The body of the whole answer; None where no event belonged to one."""
        if not self._known and not self._error:
            return None
        content = [self._block(index) for index in sorted({*self._tools, *self._pieces})]
        return {
            "output": {"message": {"content": content}},
            "stopReason": self._stop,
            "usage": self._usage,
            "error": self._error,
        }

    def _start(self, index: int, start: Body) -> None:
        if tool := mapping(start.get("toolUse")):
            self._tools[index] = tool
        elif "toolResult" in start:  # a tool that the provider ran itself
            self._tools[index] = {"type": "server_tool_use"}

    def _add_piece(self, index: int, delta: Body) -> None:
        piece = words(delta.get("text")) or words(mapping(delta.get("toolUse")).get("input"))
        if piece:
            self._pieces.setdefault(index, []).append(piece)

    def _block(self, index: int) -> dict[str, Any]:
        """A block with its pieces; a call's input is the JSON text as the model wrote it, an empty one is `{}`."""
        written = "".join(self._pieces.get(index, []))
        tool = self._tools.get(index)
        return {"text": written} if tool is None else {"toolUse": {**tool, "input": written or {}}}
