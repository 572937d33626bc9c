"""What a refused request costs with each SDK that is installed: python benchmarks/bench_refused.py.

The cassette has another request, so each call ends in a miss. The first call of an SDK, which loads what it needs, is
not counted; the median of five is.
"""

from __future__ import annotations

import asyncio
import importlib
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from smoke import size

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.session.cassette import open_cassette

CALLS = size(5, 1)
KEY = {"api_key": "none"}
CHAT: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Write a ticket."}]}
BEDROCK = {"aws_access_key_id": "none", "aws_secret_access_key": "none", "region_name": "us-east-1"}
TEXT = {"model": "m", "contents": "Write a ticket."}
TURN: dict[str, Any] = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "Write a ticket."}]}]}

Step = Callable[[Any], Any]
SDKS: list[tuple[str, str, Step, Step]] = [
    ("openai", "openai", lambda m: m.OpenAI(**KEY), lambda c: c.chat.completions.create(**CHAT)),
    ("openai, async", "openai", lambda m: m.AsyncOpenAI(**KEY), lambda c: c.chat.completions.create(**CHAT)),
    ("anthropic", "anthropic", lambda m: m.Anthropic(**KEY), lambda c: c.messages.create(max_tokens=9, **CHAT)),
    (
        "anthropic, async",
        "anthropic",
        lambda m: m.AsyncAnthropic(**KEY),
        lambda c: c.messages.create(max_tokens=9, **CHAT),
    ),
    ("groq", "groq", lambda m: m.Groq(**KEY), lambda c: c.chat.completions.create(**CHAT)),
    ("groq, async", "groq", lambda m: m.AsyncGroq(**KEY), lambda c: c.chat.completions.create(**CHAT)),
    ("together", "together", lambda m: m.Together(**KEY), lambda c: c.chat.completions.create(**CHAT)),
    ("mistralai", "mistralai.client", lambda m: m.Mistral(**KEY), lambda c: c.chat.complete(**CHAT)),
    ("mistralai, async", "mistralai.client", lambda m: m.Mistral(**KEY), lambda c: c.chat.complete_async(**CHAT)),
    ("google-genai", "google.genai", lambda m: m.Client(**KEY), lambda c: c.models.generate_content(**TEXT)),
    ("google-genai, async", "google.genai", lambda m: m.Client(**KEY), lambda c: c.aio.models.generate_content(**TEXT)),
    ("cohere", "cohere", lambda m: m.ClientV2(**KEY), lambda c: c.chat(**CHAT)),
    ("boto3", "boto3", lambda m: m.client("bedrock-runtime", **BEDROCK), lambda c: c.converse(**TURN)),
    ("ollama", "ollama", lambda m: m.Client(host="http://models.example.com"), lambda c: c.chat(**CHAT)),
]


def cost(ask: Step, client: Any) -> float:
    """Return the seconds of one refused call."""

    async def awaited(answer: Any) -> None:
        await answer

    began = time.perf_counter()
    try:
        answer = ask(client)
        if asyncio.iscoroutine(answer):
            asyncio.run(awaited(answer))
    except Exception:  # each SDK has its own
        return time.perf_counter() - began
    raise SystemExit("the call was answered: got no error; record another request")


def main() -> None:
    """Print a row for each SDK."""
    other = Interaction("POST", "https://models.example.com/v1/chat/completions", (), b"{}", 200, "OK", (), b"{}")
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "other.yaml"
        path.write_text(render([other]), encoding="utf-8")
        with open_cassette(path):
            for title, module, client_of, ask in SDKS:
                try:
                    client = client_of(importlib.import_module(module))
                except ImportError:
                    print(f"{title}: not installed")
                    continue
                cost(ask, client)
                print(f"{title}: {statistics.median(cost(ask, client) for _ in range(CALLS)):.3f} s")


if __name__ == "__main__":
    main()
