"""Decoded answers against an independent reading of the same bytes: the providers' own SDKs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from pytest_planguard.replay.reader import find_recordings, read_recording
from pytest_planguard.wire.exchange import Exchange, ItemKind

from .sdk_reading import Reading, normal, sdk_reading


def our_reading(exchange: Exchange) -> Reading:
    """Our reading of an answer in the terms of the SDK's."""
    text = "".join(item.text for item in exchange.answer if item.kind is ItemKind.TEXT)
    calls = tuple((str(call.name), normal(call.text)) for call in exchange.calls)
    return text.strip(), calls, (exchange.usage.input_tokens, exchange.usage.output_tokens)


def compare(exchange: Exchange, body: bytes) -> str:
    """The word "agree" or "differ", or "unread" where the SDK itself cannot read the answer."""
    try:
        text, calls, tokens = sdk_reading(exchange.dialect, body, streamed=exchange.streamed)
    except Exception:  # whatever the SDK raises is its own affair
        return "unread"
    return "agree" if our_reading(exchange) == (text.strip(), calls, tokens) else "differ"


def test_decoded_answers_agree_with_the_sdks(shared_data: Path) -> None:
    """Of all real answers in the three dialects, at least 98 % are read as the providers' SDKs read them."""
    counts: Counter[str] = Counter()
    for file in find_recordings([shared_data / "recordings", shared_data / "local_model" / "cassettes"]):
        recording = read_recording(file)
        for exchange, raw in zip(recording.exchanges, recording.interactions, strict=True):
            if exchange.is_generation and exchange.error is None:
                counts[compare(exchange, raw.response.body)] += 1

    assert counts.total() > 800
    assert counts["agree"] >= 0.98 * counts.total()
