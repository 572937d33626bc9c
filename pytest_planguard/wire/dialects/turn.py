"""One turn of a request that never went over a wire, in whatever API's form: its shape tells which dialect reads it."""

from __future__ import annotations

from ..exchange import Item, Role
from ..shapes import objects, words
from .anthropic_messages import block_items as anthropic_items
from .base import Body, role_of
from .converse import block_items as converse_items
from .gemini_parts import turn_items as gemini_items
from .openai_chat import message_items
from .openai_responses import entry_items

_TOOL_BLOCKS = ("tool_use", "tool_result")


def any_turn_items(turn: Body) -> list[Item]:
    """The items of a chat message, a message of blocks, a content of parts or an item of a response. Never raises."""
    if "parts" in turn:
        return gemini_items(turn, Role.USER)
    if "role" not in turn and "type" in turn:
        return entry_items(turn, Role.USER)
    blocks = objects(turn.get("content"))
    if any("type" not in block for block in blocks):
        return converse_items(role_of(turn.get("role")), blocks)
    if any(words(block.get("type")) in _TOOL_BLOCKS for block in blocks):
        return anthropic_items(role_of(turn.get("role")), blocks)
    return message_items(turn)
