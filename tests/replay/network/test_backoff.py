"""A refusal costs no back-off: the SDKs of the table send again at once."""

import asyncio
import time
from pathlib import Path
from typing import Any

import anthropic
import anyio
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


# From version 3 on openai sends no request again that failed by anything but the connection: nothing is to be skipped.
_WAITS = pytest.mark.skipif(openai.__version__ >= "3", reason="this version of openai waits for no refused request")


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(_openai, marks=_WAITS),
        pytest.param(_openai_async, marks=_WAITS),
        _anthropic,
        _anthropic_async,
    ],
)
def test_no_sdk_waits(tmp_path: Path, ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No SDK sleeps before it sends a refused request again; the miss is the error or its cause."""
    waits: list[float] = []

    async def pause(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(time, "sleep", waits.append)
    monkeypatch.setattr(anyio, "sleep", pause)
    recorded = write(tmp_path / "a.yaml", chat([user("one")], "first"))
    with open_cassette(recorded), pytest.raises(Exception) as raised:  # noqa: PT011  # each SDK has its own
        ask()
    assert waits == []
    assert isinstance(raised.value, RecordingMiss) or isinstance(raised.value.__cause__, RecordingMiss)
