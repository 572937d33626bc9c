"""Streamed chat completions put together: the first choice's deltas become the message that was streamed."""

from __future__ import annotations

from typing import Any

from ..shapes import as_json, mapping, name_of, objects, sequence, whole, words
from .base import Body
from .content import part_text


class ToolCalls:
    """Streamed tool calls. Pieces belong together by index; a new id at a known index starts a new call."""

    def __init__(self) -> None:
        self._calls: list[dict[str, Any]] = []
        self._arguments: list[list[str]] = []
        self._open: dict[int, int] = {}

    def add(self, piece: Body) -> None:
        """Take one piece of one call."""
        index = whole(piece.get("index")) or 0
        at = self._open.get(index)
        call_id = name_of(piece.get("id"))
        if at is None or (call_id and self._calls[at]["id"] not in (None, call_id)):
            at = self._open[index] = len(self._calls)
            self._calls.append({"id": None, "function": {"name": None}})
            self._arguments.append([])
        call = self._calls[at]
        function = mapping(piece.get("function")) or mapping(piece.get("custom"))
        call["id"] = call["id"] or call_id
        call["function"]["name"] = call["function"]["name"] or name_of(function.get("name"))
        arguments = function.get("arguments", function.get("input"))
        if arguments is not None:
            self._arguments[at].append(as_json(arguments))

    def calls(self) -> list[dict[str, Any]]:
        """The calls as a whole message has them, in order of their first piece."""
        return [
            {"id": call["id"], "function": {**call["function"], "arguments": "".join(arguments)}}
            for call, arguments in zip(self._calls, self._arguments, strict=True)
        ]


class ChoiceStream:
    """The first choice of a streamed chat completion."""

    def __init__(self) -> None:
        self._body: dict[str, Any] = {}
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._finish: str | None = None
        self._tools = ToolCalls()
        self._legacy = ToolCalls()
        self._choices: set[int] = set()

    def add(self, chunk: Body) -> None:
        """Take the next chunk."""
        usage = chunk.get("usage") or mapping(chunk.get("x_groq")).get("usage")
        known = {"id": chunk.get("id"), "model": chunk.get("model"), "usage": usage, "error": _error(chunk)}
        self._body.update({key: value for key, value in known.items() if value})
        for choice in objects(chunk.get("choices")):
            index = whole(choice.get("index")) or 0
            self._choices.add(index)
            if index == 0:
                self._finish = name_of(choice.get("finish_reason")) or self._finish
                self._add_delta(mapping(choice.get("delta")) or mapping(choice.get("message")))

    def _add_delta(self, delta: Body) -> None:
        content = delta.get("content")
        self._content += (
            [content]
            if isinstance(content, str)
            else [part_text(part, media=False) or "" for part in sequence(content)]
        )
        self._refusal.append(words(delta.get("refusal")))
        for piece in objects(delta.get("tool_calls")):
            self._tools.add(piece)
        if legacy := mapping(delta.get("function_call")):
            self._legacy.add({"function": legacy})

    def answer(self) -> dict[str, Any] | None:
        """The body that the same answer would have had without streaming; None where nothing was an answer."""
        if not self._choices:
            return self._body if "error" in self._body else None
        message = {
            "content": "".join(self._content),
            "refusal": "".join(self._refusal),
            "tool_calls": self._tools.calls(),
            "function_call": next((call["function"] for call in self._legacy.calls()), None),
        }
        others = [{"index": index} for index in sorted(self._choices - {0})]
        first = {"index": 0, "message": message, "finish_reason": self._finish}
        return {**self._body, "choices": [first, *others]}


def _error(chunk: Body) -> Any:
    return chunk.get("error") or mapping(chunk.get("x_groq")).get("error")
