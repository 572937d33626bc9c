"""`--planguard-drift`: how requests under `@pytest.mark.vcr` differ from the recorded ones whose answers they get.

vcrpy compares no bodies by default, so it serves old answers to new prompts without a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ...replay.files.reader import RawInteraction, request_message
from ...replay.matching.cassette_index import CassetteIndex
from ...replay.matching.drift import drift
from ...replay.matching.semantic import Meanings
from ...wire.exchange import Message
from ..results.sections import DRIFTED


@contextmanager
def watched(cassettes: Iterable[Any]) -> Iterator[list[str]]:
    """Yield a list that gets a line for each request that differs from the recorded one, in a `with` block."""
    found: list[str] = []
    for cassette in cassettes:
        cassette.play_response = _watching(cassette, found)
    try:
        yield found
    finally:
        for cassette in cassettes:
            del cassette.play_response


def _watching(cassette: Any, found: list[str]) -> Any:
    play = cassette.play_response

    def play_response(request: Any) -> Any:
        before = dict(cassette.play_counts)
        answer = play(request)
        place = next(i for i, count in cassette.play_counts.items() if count != before.get(i, 0))
        sent = cassette._before_record_request(request)  # noqa: SLF001 - vcrpy filters here, too
        found.extend(_change(place + 1, cassette.data[place][0], sent))
        return answer

    return play_response


def _change(position: int, recorded: Any, sent: Any) -> Iterator[str]:
    """Yield how the meaning of a request differs, if it does."""
    meaning = Meanings()
    (entry,) = CassetteIndex([RawInteraction(_message(recorded), Message(), {})], meaning).entries
    now = meaning(_message(sent))
    if entry.hash != now.hash:
        yield f"{DRIFTED}{drift(replace(entry, position=position), now)}"


def _message(request: Any) -> Message:
    half = {"method": request.method, "uri": request.uri, "headers": request.headers, "body": request.body}
    return request_message(half)
