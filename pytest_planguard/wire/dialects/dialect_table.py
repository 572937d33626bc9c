"""The table of dialects, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from ...registry import Registry
from ..dialect import AnswerView, Body, Dialect, role_of
from ..exchange import Item, Role
from ..untrusted_json import JsonObject, objects, words
from .anthropic_messages import AnthropicMessages
from .anthropic_messages import block_items as anthropic_items
from .bedrock_converse import Converse
from .bedrock_converse import block_items as converse_items
from .cohere import CohereChat, CohereMessage
from .commands_and_calls import CommandLine, RecordedCall
from .gemini import Gemini
from .gemini import turn_items as gemini_items
from .gemini_interactions import GeminiInteractions
from .ollama import OllamaChat, OllamaGenerate
from .openai_chat import AssistantRun, OpenAIChat, message_items
from .openai_responses import OpenAIResponses, entry_items
from .text_completion import TextCompletion

_BUILT_IN: tuple[Dialect, ...] = (
    RecordedCall(lambda turn: any_turn_items(turn), lambda body: any_answer(body)),  # both are defined below
    AssistantRun(),
    Gemini(),
    GeminiInteractions(),
    Converse(),
    CohereChat(),
    OllamaChat(),
    OllamaGenerate(),
    AnthropicMessages(),
    OpenAIResponses(),
    OpenAIChat(),
    CohereMessage(),
    TextCompletion(),
    CommandLine(),
)
"""The most specific shapes come first. Later ones resemble chat messages, and a lone text is the least specific."""
DIALECTS: Registry[Dialect] = Registry(
    "dialect",
    {dialect.name: dialect for dialect in _BUILT_IN},
    newest_first=True,
    reserved=("raw",),  # the name for an exchange that no dialect reads
)
"""In the order in which they are tried."""


def matching(path: str, body: Body) -> Iterator[Dialect]:
    """Return the dialects that a request may be in, the most likely first."""
    return (dialect for dialect in DIALECTS if dialect.matches(path, body))


def is_request(body: object) -> bool:
    """Return True if a dialect reads the value as a body; a familiar key alone is not enough."""
    if not isinstance(body, dict) or any(isinstance(body.get(key), str) for key in ("messages", "contents")):
        return False
    return bool(objects(body.get("messages"))) or any(True for _ in matching("", body))


def any_answer(body: Body) -> AnswerView | None:
    """Return the response of an API, recognised by its shape alone; None if no dialect can read it.

    A response that has no content and no end does not count: an app's `{"steps": ["look"]}` is a list of steps, too.
    """
    return next((view for dialect in DIALECTS if (view := _said(dialect, body)) is not None), None)


def is_answer(body: object) -> TypeGuard[JsonObject]:
    """Return True if a value is the response of any API."""
    if not isinstance(body, dict):
        return False
    if any(body.get(key) == kind and body.get(content) for key, kind, content in _NAMED):
        return True
    return any(_said(dialect, body) is not None for dialect in DIALECTS)


_NAMED = (("object", "chat.completion", "choices"), ("type", "message", "content"), ("object", "response", "output"))
"""How answers name their API, and where they have their content: such a body need not be read to be recognised."""


def _said(dialect: Dialect, body: Body) -> AnswerView | None:
    view = dialect.read_answer(body)
    return view if view is not None and (view.items or view.error or view.finish) else None


# One turn of a request that never went over a wire, in the form of any API: its shape decides which dialect reads it.

_TOOL_BLOCKS = ("tool_use", "tool_result")


def any_turn_items(turn: Body) -> list[Item]:
    """Return the items of a chat message, a message of blocks, a content of parts or an item of a response.

    Never raises.
    """
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
