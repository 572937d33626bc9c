"""Other HTTP clients, where they are installed: recorded against the look-alike, replayed with it stopped."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.replay.cassette import RecordingMiss, open_cassette

from ..lookalike import Lookalike
from .chat import user

BODIES = [{"model": "m", "messages": [user(f"task {n} 😀 Zoë")]} for n in range(2)]


def requests_(url: str, bodies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One session of requests: the second request goes over the same connection."""
    requests = pytest.importorskip("requests")
    with requests.Session() as session:
        return [session.post(url, json=body, timeout=5).json() for body in bodies]


def httpx_(url: str, bodies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first httpx."""
    httpx = pytest.importorskip("httpx")
    with httpx.Client(verify=False) as client:
        return [client.post(url, json=body).json() for body in bodies]


def aiohttp_(url: str, bodies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One session of aiohttp; it hands its JSON over as Python values."""
    aiohttp = pytest.importorskip("aiohttp")

    async def run() -> list[dict[str, Any]]:
        async with aiohttp.ClientSession() as session:
            answers = []
            for body in bodies:
                async with session.post(url, json=body) as response:
                    answers.append(await response.json())
            return answers

    return asyncio.run(run())


@pytest.mark.parametrize("client", [requests_, httpx_, aiohttp_], ids=["requests", "httpx", "aiohttp"])
def test_a_client_replays(client: Callable[..., Any], lookalike: Lookalike, tmp_path: Path) -> None:
    """Bodies, answers and misses are the same through every client that vcrpy patches."""
    lookalike.script({"a": 1}, {"a": 1}, gzip=True)
    path, url = tmp_path / "a.yaml", f"{lookalike.base_url}/chat/completions"
    with open_cassette(path, mode="all"):
        recorded = client(url, BODIES)
    lookalike.stop()
    with open_cassette(path, match="strict") as session:
        assert client(url, BODIES) == recorded
        with pytest.raises(RecordingMiss):
            client(url, [{"model": "m", "messages": [user("never recorded")]}])
    assert [json.loads(p.request.body) for p in session.played] == BODIES
    assert (session.unplayed, session.bypasses, len(session.misses)) == ((), (), 1)
