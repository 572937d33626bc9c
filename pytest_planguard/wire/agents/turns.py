"""The turns of an agent as they are put together from its events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..exchange import Finish, Item, ItemKind, Role, Usage
from ..provider_shapes.content import call_item, result_item


@dataclass
class Turns:
    """What was read so far."""

    items: list[Item] = field(default_factory=list)
    model: str | None = None
    session: str | None = None
    result: str | None = None
    """What the agent itself calls its result."""
    finish: Finish | None = None
    error: str | None = None
    usage: Usage = field(default_factory=Usage)

    @property
    def final_text(self) -> str:
        """The result, else the last message."""
        if self.result is not None:
            return self.result
        said = (item.text for item in reversed(self.items) if item.kind is ItemKind.TEXT)
        return next(said, "")

    def say(self, text: str) -> None:
        """Add a message of the agent; blank ones are none."""
        if text.strip():
            self.items.append(Item(ItemKind.TEXT, Role.ASSISTANT, text))

    def call(self, name: Any, arguments: Any, call_id: Any) -> None:
        """Add a tool call. One without an id gets its place as its id, so that it is told from a written file."""
        self.items.append(call_item(name, arguments, call_id or f"call-{len(self.items) + 1}"))

    def answer_call(self, content: Any, call_id: Any, *, is_error: bool) -> None:
        """Add the result of a tool call."""
        self.items.append(result_item(content, call_id or f"call-{len(self.items)}", is_error=is_error))
