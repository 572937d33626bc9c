"""A refusal costs no back-off: the SDKs of the table send again at once."""

import asyncio
import time
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

from pytest_planguard.replay.session.cassette import RecordingMiss, open_cassette

from ...support.exchanges import chat, user, write

AT = {"api_key": "k", "base_url": "https://api.example.com/v1"}
ASK: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "another thing altogether"}]}


def _openai() -> None:
    openai.OpenAI(**AT).chat.completions.create(**ASK)


def _openai_async() -> None:
    asyncio.run(openai.AsyncOpenAI(**AT).chat.completions.create(**ASK))


def _anthropic() -> None:
    anthropic.Anthropic(**AT).messages.create(max_tokens=9, **ASK)


def _anthropic_async() -> None:
    asyncio.run(anthropic.AsyncAnthropic(**AT).messages.create(max_tokens=9, **ASK))


@pytest.mark.parametrize("ask", [_openai, _openai_async, _anthropic, _anthropic_async])
def test_no_sdk_waits(tmp_path: Path, ask: Any) -> None:
    """The two waits of a request that is sent three times take 1.1 s at least; the miss is the error or its cause."""
    recorded = write(tmp_path / "a.yaml", chat([user("one")], "first"))
    began = time.monotonic()
    with open_cassette(recorded), pytest.raises(Exception) as raised:  # noqa: PT011  # each SDK has its own
        ask()
    assert time.monotonic() - began < 1
    assert isinstance(raised.value, RecordingMiss) or isinstance(raised.value.__cause__, RecordingMiss)
