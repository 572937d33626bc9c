"""Streamed responses put together: the final event has the whole response, the deltas serve where it is missing."""

from __future__ import annotations

from typing import Any

from ..shapes import mapping, objects, whole, words
from .base import Body

_DELTAS = {
    "response.output_text.delta": ("message", "text"),
    "response.refusal.delta": ("message", "refusal"),
    "response.function_call_arguments.delta": ("function_call", "arguments"),
    "response.custom_tool_call_input.delta": ("custom_tool_call", "input"),
}


class ResponseStream:
    """One streamed response. Entries belong together by output index, their parts by content index."""

    def __init__(self) -> None:
        self._known = False
        self._response: dict[str, Any] = {}
        self._done: dict[int, Body] = {}
        self._begun: dict[int, Body] = {}
        self._pieces: dict[int, dict[tuple[int, str], list[str]]] = {}

    def add(self, event: Body) -> None:
        """Take the next event; an unknown one changes nothing."""
        kind = words(event.get("type"))
        index = whole(event.get("output_index")) or 0
        if kind == "error" or event.get("error"):
            self._known = True
            self._response["error"] = event.get("error") or dict(event)
        elif kind in _DELTAS:
            self._add_piece(index, kind, event)
        elif kind == "response.output_item.added":
            self._begun[index] = mapping(event.get("item"))
        elif kind == "response.output_item.done":
            self._done[index] = mapping(event.get("item"))
        elif kind.startswith("response.") and isinstance(event.get("response"), dict):
            self._response = {**self._response, **event["response"]}
        self._known = self._known or kind.startswith("response.")

    def response(self) -> dict[str, Any] | None:
        """The response as a whole answer has it; None where no event belonged to one."""
        if not self._known:
            return None
        if objects(self._response.get("output")):
            return self._response
        indices = sorted({*self._begun, *self._done, *self._pieces})
        return {**self._response, "output": [self._done.get(index) or self._entry(index) for index in indices]}

    def _add_piece(self, index: int, kind: str, event: Body) -> None:
        entry, field = _DELTAS[kind]
        self._begun.setdefault(index, {"type": entry})
        part = (whole(event.get("content_index")) or 0, field)
        self._pieces.setdefault(index, {}).setdefault(part, []).append(words(event.get("delta")))

    def _entry(self, index: int) -> dict[str, Any]:
        """An entry that broke off, put together from its deltas."""
        entry = dict(self._begun.get(index, {}))
        content: list[dict[str, Any]] = []
        for (_, field), pieces in sorted(self._pieces.get(index, {}).items()):
            written = "".join(pieces)
            if entry.get("type") == "message":
                kind = "refusal" if field == "refusal" else "output_text"
                content.append({"type": kind, field: written})
            else:
                entry[field] = written
        return {**entry, "content": content} if content else entry
