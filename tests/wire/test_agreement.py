"""Decoded answers against an independent reading of the same bytes: the providers' own SDKs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path

import pytest

from pytest_planguard.replay.files.reader import find_cassettes, read_cassette
from pytest_planguard.wire.exchange import Exchange, ItemKind

from ..support.nightly import at_night, drawn
from .other_sdks import READERS, other_reading
from .sdk_reading import Reading, normal, sdk_reading
from .served.compare import compared

SDK_DIALECTS = ("openai.chat", "openai.responses", "anthropic.messages")


def our_reading(exchange: Exchange) -> Reading:
    """Our reading of an answer in the terms of the SDK's."""
    text = "".join(item.text for item in exchange.answer if item.kind is ItemKind.TEXT)
    calls = tuple((str(call.name), normal(call.text)) for call in exchange.calls)
    return text.strip(), calls, (exchange.usage.input_tokens, exchange.usage.output_tokens)


def compare(exchange: Exchange, body: bytes) -> str:
    """The word "agree" or "differ", or "unread" where the SDK itself cannot read the answer."""
    try:
        if exchange.dialect in READERS:
            reading = other_reading(exchange.dialect, exchange.url.partition("?")[0], body, streamed=exchange.streamed)
        else:
            reading = sdk_reading(exchange.dialect, body, streamed=exchange.streamed)
    except Exception:  # whatever the SDK raises is its own affair
        return "unread"
    text, calls, tokens = reading
    return "agree" if our_reading(exchange) == (text.strip(), calls, tokens) else "differ"


def counted(folders: list[Path], dialects: Collection[str], one_in: int = 1) -> Counter[str]:
    """How the real answers of some dialects compare; by day of every fourth file for `one_in=4`."""
    counts: Counter[str] = Counter()
    for file in drawn([*find_cassettes(folders)], one_in):
        recording = read_cassette(file)
        for exchange, raw in zip(recording.exchanges, recording.interactions, strict=True):
            if exchange.dialect in dialects and exchange.error is None:
                counts[compare(exchange, raw.response.body)] += 1
    return counts


@pytest.mark.slow
def test_decoded_answers_agree_with_the_sdks(shared_data: Path) -> None:
    """Of all real answers in the three dialects, at least 98 % are read as the providers' SDKs read them."""
    folders = [shared_data / "recordings", shared_data / "local_model" / "cassettes"]
    counts = counted(folders, SDK_DIALECTS, 4)
    assert counts.total() > (800 if at_night() else 100)
    assert counts["agree"] >= 0.98 * counts.total()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "dialects", "unread"),
    [
        ("google.genai", ["gemini"], 5),
        ("boto3", ["bedrock.converse"], 3),
        ("cohere", ["cohere.chat", "cohere.message"], 0),
        ("ollama", ["ollama.chat", "ollama.generate"], 0),
        ("openai", ["text.completion"], 15),
    ],
)
def test_further_sdks(shared_data: Path, package: str, dialects: list[str], unread: int) -> None:
    """Where an SDK is installed, it reads every answer as we do, but for those that it cannot read at all."""
    pytest.importorskip(package)
    counts = counted([shared_data / "recordings"], dialects)
    assert counts["differ"] == 0
    assert counts["unread"] <= unread
    assert counts["agree"] > 0


@pytest.mark.slow
def test_text_calls_and_ending_agree(shared_data: Path) -> None:
    """At least 99.5 % of what the installed SDKs read from a server has the same text, calls and ending."""
    result = compared(shared_data / "recordings", 4)
    assert result.total > (400 if at_night() else 100)
    assert result.alike >= 0.995 * result.total, result.differences
