"""Streamed Anthropic messages put together: events become the message that was streamed."""

from __future__ import annotations

from typing import Any

from ..shapes import mapping, whole, words
from .base import Body

_PIECES = {"text_delta": "text", "input_json_delta": "partial_json"}


class MessageStream:
    """One streamed message. Blocks belong together by index."""

    def __init__(self) -> None:
        self.error: Body | None = None
        """The error event, where one came."""
        self._message: dict[str, Any] | None = None
        self._usage: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._pieces: dict[int, list[str]] = {}

    def add(self, event: Body) -> None:
        """Take the next event; an unknown one changes nothing."""
        kind = words(event.get("type"))
        if kind == "message_start":
            self._message = dict(mapping(event.get("message")))
            self._usage.update(mapping(self._message.get("usage")))
        elif kind == "content_block_start":
            self._blocks[self._index(event)] = mapping(event.get("content_block"))
        elif kind == "content_block_delta":
            self._add_piece(self._index(event), mapping(event.get("delta")))
        elif kind == "message_delta":
            self._end(event)
        elif kind == "error":
            self.error = event

    def message(self) -> dict[str, Any] | None:
        """The message as a whole answer has it; None where no event belonged to one."""
        if self._message is None and not self._blocks:
            return None
        content = [self._block(index) for index in sorted(self._blocks)]
        return {**(self._message or {}), "content": content, "usage": self._usage}

    def _add_piece(self, index: int, delta: Body) -> None:
        piece = words(delta.get(_PIECES.get(words(delta.get("type")), "")))
        if piece:
            self._pieces.setdefault(index, []).append(piece)

    def _end(self, event: Body) -> None:
        known = {key: value for key, value in mapping(event.get("delta")).items() if value is not None}
        self._message = {**(self._message or {}), **known}
        self._usage.update({k: v for k, v in mapping(event.get("usage")).items() if v is not None})

    def _block(self, index: int) -> dict[str, Any]:
        """A block with its pieces; a call's input is the JSON text as the model wrote it."""
        block = self._blocks[index]
        written = "".join(self._pieces.get(index, []))
        if not written:
            return block
        if block.get("type") == "tool_use":
            return {**block, "input": written}
        return {**block, "text": words(block.get("text")) + written} if block.get("type") == "text" else block

    @staticmethod
    def _index(event: Body) -> int:
        return whole(event.get("index")) or 0
