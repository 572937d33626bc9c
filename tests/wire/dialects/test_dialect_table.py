"""The table of dialects."""

from __future__ import annotations

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.wire.dialects.dialect_table import DIALECTS
from pytest_planguard.wire.dialects.openai_chat import OpenAIChat


def test_order() -> None:
    """The built-in dialects are asked from the most telling shape to the plainest."""
    assert [d.name for d in DIALECTS] == [
        "call",
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
        "command",
    ]


def test_names_are_unique() -> None:
    """A name in use is refused with the way out, and so is the name of what no dialect reads."""
    with pytest.raises(UsageError, match=r"^a dialect 'openai.chat' exists already; choose another name$"):
        DIALECTS.register("openai.chat", OpenAIChat())


def test_the_name_of_what_no_dialect_reads_is_taken() -> None:
    """`Exchange.dialect` says "raw" there."""
    nameless = OpenAIChat()
    with pytest.raises(UsageError, match=r"^a dialect 'raw' exists already; choose another name$"):
        DIALECTS.register("raw", nameless)
