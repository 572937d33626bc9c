"""How old a recording is, by what the servers said when it was made: file times do not survive a checkout."""

from __future__ import annotations

from collections.abc import Iterable
from email.utils import parsedate_to_datetime

from ..wire.exchange import Message


def newest_answer(responses: Iterable[Message]) -> float | None:
    """When the newest answer was given, in seconds since the epoch; None where no answer says."""
    times = [t for r in responses if (t := _time(r.headers.get("date", ""))) is not None]
    return max(times, default=None)


def _time(date: str) -> float | None:
    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
