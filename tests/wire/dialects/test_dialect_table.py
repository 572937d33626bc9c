"""The table of dialects."""

from __future__ import annotations

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.wire.dialects.dialect_table import dialects, register, unregister
from pytest_planguard.wire.dialects.openai_chat import OpenAIChat


def test_order() -> None:
    """The built-in dialects are asked from the most telling shape to the plainest."""
    assert [d.name for d in dialects()] == [
        "openai.assistants",
        "gemini",
        "gemini.interactions",
        "bedrock.converse",
        "cohere.chat",
        "ollama.chat",
        "ollama.generate",
        "anthropic.messages",
        "openai.responses",
        "openai.chat",
        "cohere.message",
        "text.completion",
    ]


def test_names_are_unique() -> None:
    """A name in use is refused with the way out, and so is the name of what no dialect reads."""
    with pytest.raises(UsageError, match=r"a dialect named 'openai.chat' is registered already; give the new one"):
        register(OpenAIChat())


def test_unknown_name_is_no_error() -> None:
    """Taking out what was never registered changes nothing."""
    before = dialects()
    unregister("nobody")
    assert dialects() == before
