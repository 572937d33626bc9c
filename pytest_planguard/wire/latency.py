"""How long an answer took when it was recorded, as a header of the recorded response tells.

A header, since every reader and writer of vcrpy's files keeps it; a key of its own beside `request` and `response` is
lost when vcrpy writes the file again, and serializers that take each entry of an interaction for a message fail on it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .exchange import Message

LATENCY_HEADER = "x-planguard-latency-s"
"""Response header of a recording; no server sent it, and no app is served it."""
_SECONDS = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")


def latency_text(seconds: float) -> str:
    """Return seconds as a recording keeps them, to the millisecond: "1.204"."""
    return f"{max(seconds, 0.0):.3f}"


def latency_of(response: Message) -> float | None:
    """Seconds from sending the request until the whole answer was there; None where the recording does not tell."""
    text = response.headers.get(LATENCY_HEADER)
    return float(text) if text is not None and _SECONDS.fullmatch(text) else None


def all_together(latencies: Iterable[float | None]) -> float | None:
    """Seconds added up; None where there are none, or one of them is unknown: a part would pass for the whole."""
    found = list(latencies)
    known = [seconds for seconds in found if seconds is not None]
    return sum(known) if known and len(known) == len(found) else None
