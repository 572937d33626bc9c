"""What a driven loop's `ask` may return: a text, a parsed value, or an SDK's response, read by its shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..contract.plain import to_json_text
from ..errors import UsageError
from ..wire.dialects.registry import dialects
from ..wire.exchange import Finish, Item, ItemKind, Role, Usage


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer, provider-neutral."""

    items: tuple[Item, ...]
    model: str | None = None
    finish: Finish | None = None
    refusal: str | None = None
    usage: Usage = field(default_factory=Usage)

    @property
    def text(self) -> str:
        """The words, without tool calls."""
        return "\n".join(item.text for item in self.items if item.kind is ItemKind.TEXT)

    @property
    def calls(self) -> tuple[Item, ...]:
        """The tool calls."""
        return tuple(item for item in self.items if item.kind is ItemKind.CALL)

    def message(self) -> str | dict[str, Any]:
        """The answer as the assistant turn of the next request."""
        if not self.calls:
            return self.text
        calls = [
            {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.text}}
            for call in self.calls
        ]
        return {"role": "assistant", "content": self.text or None, "tool_calls": calls}


def read_reply(response: Any) -> Reply:
    """Read what `ask` returned. No SDK is imported: a response is known by the shape of what its `model_dump` gives.

    Raises:
        UsageError: a value that is neither a text, nor a response, nor plain data.
    """
    if isinstance(response, bytes):
        response = response.decode("utf-8", "replace")
    if response is None or isinstance(response, str):
        return _of_text(response or "")
    body = _body(response)
    if isinstance(body, Mapping):
        for dialect in dialects():
            view = dialect.read_answer(body)
            if view is not None:
                return Reply(view.items, view.model, view.finish, view.refusal, view.usage)
    if not isinstance(body, (Mapping, list, int, float)):
        raise UsageError(
            f"ask returned {type(response).__name__}; return the answer's text, its parsed value, or the response of "
            "the OpenAI or Anthropic SDK"
        )
    return _of_text(to_json_text(response) or "")


def _body(response: Any) -> Any:
    """The response as plain data: `model_dump` of pydantic-based SDKs, `to_dict` of others, else as it is."""
    for name in ("model_dump", "to_dict"):
        dump = getattr(response, name, None)
        if callable(dump):
            return dump()
    return response


def _of_text(text: str) -> Reply:
    return Reply((Item(ItemKind.TEXT, Role.ASSISTANT, text),))
