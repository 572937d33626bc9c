"""Recorded streams: what is put together from their pieces is the answer, and good answers are never flagged."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract
from pytest_planguard.errors import CassetteError
from pytest_planguard.pipeline.stream_detectors import StreamThresholds
from pytest_planguard.pipeline.stream_monitor import StreamMonitor
from pytest_planguard.replay.files.reader import find_cassettes, read_cassette
from pytest_planguard.wire.body import event_chunks, unpack
from pytest_planguard.wire.decode import read_payload
from pytest_planguard.wire.exchange import ItemKind

from .sse_server import anthropic_events, openai_events


def read(value: str) -> Any:
    """JSON, or the text where it is none; no arguments are empty ones."""
    try:
        return json.loads(value or "{}")
    except ValueError:
        return value


@pytest.mark.slow
def test_every_recorded_stream_is_read_whole_and_no_good_answer_is_flagged(shared_data: Path) -> None:
    """Of 158 streams: words and arguments as the dialect reads them, no finding for JSON or a tool call."""
    seen: Counter[str] = Counter()
    for file in find_cassettes([shared_data / "recordings"]):
        try:
            recording = read_cassette(file)
        except CassetteError:
            continue
        for interaction, exchange in zip(recording.interactions, recording.exchanges, strict=True):
            stream = read_payload(interaction.response, streams=True).stream if exchange.streamed else None
            if stream is None:
                continue
            monitor = StreamMonitor(Contract(Any), thresholds=StreamThresholds(partial=True))
            for item in stream.objects:
                monitor.feed(item)
            monitor.finish()
            texts = [item.text for item in exchange.answer if item.kind is ItemKind.TEXT]
            calls = [read(item.text) for item in exchange.answer if item.kind is ItemKind.CALL]
            assert monitor.text == "".join(texts), file
            assert [read(text) for text in monitor.arguments.values()] == calls, file
            good = bool(calls) or (monitor.text != "" and isinstance(read(monitor.text), dict | list))
            assert not (good and monitor.findings), file
            seen["streams"] += 1
            seen["good"] += good
    assert dict(seen) == {"streams": 158, "good": 57}


@pytest.mark.slow
def test_every_recorded_body_is_cut_into_its_events(shared_data: Path) -> None:
    """The chunks put together are the body, and there are as many as events, but for comments and endings."""
    count = 0
    for file in find_cassettes([shared_data / "recordings"]):
        try:
            recording = read_cassette(file)
        except CassetteError:
            continue
        for interaction, exchange in zip(recording.interactions, recording.exchanges, strict=True):
            if exchange.streamed:
                body = unpack(interaction.response.headers, interaction.response.body).body
                assert b"".join(event_chunks(body)) == body
                count += 1
    assert count >= 150


@given(st.text(min_size=1, max_size=100), st.sampled_from([openai_events, anthropic_events]))
def test_a_body_in_one_piece_is_cut_where_it_was_sent_in_pieces(text: str, events: Any) -> None:
    """A body in one piece is cut where it was sent in pieces."""
    sent = list(events(text))
    assert event_chunks(b"".join(sent)) == sent


def test_lines_of_json_are_cut_at_their_ends() -> None:
    """Lines of json are cut at their ends."""
    assert event_chunks(b'{"a": 1}\n{"b": 2}') == [b'{"a": 1}\n', b'{"b": 2}']
