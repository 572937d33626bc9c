"""The table of dialects, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import UsageError
from .anthropic_messages import AnthropicMessages
from .assistant_run import AssistantRun
from .base import Body, Dialect
from .cohere_chat import CohereChat
from .cohere_message import CohereMessage
from .converse import Converse
from .gemini import Gemini
from .gemini_interactions import GeminiInteractions
from .ollama import OllamaChat, OllamaGenerate
from .openai_chat import OpenAIChat
from .openai_responses import OpenAIResponses
from .text_completion import TextCompletion

BUILT_IN: tuple[Dialect, ...] = (
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
)
"""The most telling shapes first: chat messages are the shape that others resemble, a lone text tells least."""

_registered: list[Dialect] = []


def register(dialect: Dialect) -> None:
    """Add a dialect; it is asked before the built-in ones, the latest first. Raises UsageError for a name in use."""
    if any(known.name == dialect.name for known in dialects()) or dialect.name == "raw":
        raise UsageError(f"a dialect named {dialect.name!r} is registered already; give the new one another name")
    _registered.insert(0, dialect)


def unregister(name: str) -> None:
    """Take a registered dialect out again; built-in ones stay. A name that is not registered is no error."""
    _registered[:] = [dialect for dialect in _registered if dialect.name != name]


def dialects() -> tuple[Dialect, ...]:
    """All dialects in the order in which they are asked."""
    return (*_registered, *BUILT_IN)


def matching(path: str, body: Body) -> Iterator[Dialect]:
    """The dialects that a request may be of, the most likely first."""
    return (dialect for dialect in dialects() if dialect.matches(path, body))
