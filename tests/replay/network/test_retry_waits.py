"""A refusal costs no back-off: the SDKs of the table send again at once."""

import asyncio
import time
from pathlib import Path
from typing import Any

import anthropic
import anyio
import openai
import pytest

from pytest_planguard.replay.session.cassette import CassetteMiss, open_cassette

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
    assert isinstance(raised.value, CassetteMiss) or isinstance(raised.value.__cause__, CassetteMiss)


SDK = """
class SyncAPIClient:
    def _sleep_for_retry(self): return "waited"

class AsyncAPIClient:
    async def _sleep_for_retry(self): return "waited"
"""


def test_an_sdk_that_the_test_loads_does_not_wait_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An SDK of the same generator, imported while the cassette is open, waits only once that is closed."""
    package = tmp_path / "packages" / "loaded_in_a_test"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from ._base_client import AsyncAPIClient, SyncAPIClient\n")
    (package / "_base_client.py").write_text(SDK)
    monkeypatch.syspath_prepend(package.parent)
    recorded = write(tmp_path / "a.yaml", chat([user("one")], "first"))
    for _ in ("imported in the test", "loaded before"):
        with open_cassette(recorded):
            import loaded_in_a_test as sdk  # type: ignore[import-not-found]

            assert sdk.SyncAPIClient()._sleep_for_retry() is None
            assert asyncio.run(sdk.AsyncAPIClient()._sleep_for_retry()) is None
        assert sdk.SyncAPIClient()._sleep_for_retry() == "waited"
        assert asyncio.run(sdk.AsyncAPIClient()._sleep_for_retry()) == "waited"


def test_an_sdk_that_cannot_be_loaded_says_so_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The import that fails raises its own error."""
    package = tmp_path / "packages" / "broken_in_a_test"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from . import _base_client\n")
    (package / "_base_client.py").write_text("import no_such_module_at_all\n")
    monkeypatch.syspath_prepend(package.parent)
    recorded = write(tmp_path / "a.yaml", chat([user("one")], "first"))
    with open_cassette(recorded), pytest.raises(ModuleNotFoundError, match="no_such_module_at_all"):
        import broken_in_a_test  # type: ignore[import-not-found] # noqa: F401
