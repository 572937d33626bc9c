"""How old a cassette is, by what the servers said when it was made: file times do not survive a checkout."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...wire.exchange import Message

_UNITS = {"h": 3_600, "d": 86_400, "w": 604_800}
_AGE = re.compile(r"\s*(\d{1,6})\s*([hdw])\s*")


def age_s(text: str) -> float:
    """Seconds of an age as people write it: "12h", "90d", "8w". Raises UsageError for anything else, and for 0."""
    found = _AGE.fullmatch(text)
    if found is None or not int(found[1]):
        raise UsageError(f"an age must be hours, days or weeks: got {text!r}; write 12h, 90d or 8w, for example")
    return float(int(found[1]) * _UNITS[found[2]])


def age_text(seconds: float) -> str:
    """Return an age in words: '120 days', '5 hours' below two days."""
    hours = int(seconds // 3_600)
    number, noun = (hours, "hour") if hours < 48 else (hours // 24, "day")
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def newest_answer(responses: Iterable[Message]) -> float | None:
    """Return when the newest answer was given, in seconds since the epoch; None where no answer says."""
    times = [t for r in responses if (t := _time(r.headers.get("date", ""))) is not None]
    return max(times, default=None)


def _time(date: str) -> float | None:
    from email.utils import parsedate_to_datetime  # costly, and only a limit on age asks for it

    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
