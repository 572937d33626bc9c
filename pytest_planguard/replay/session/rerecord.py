"""When and how to record a case again: the age of its cassette, the command, and the cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import UsageError
from ...statistics import sum_of_known

if TYPE_CHECKING:
    from ...wire.exchange import Exchange, Message


_UNITS = {"h": 3_600, "d": 86_400, "w": 604_800}
# An age as people write it: "12h", "90d", " 8 w ".
_AGE = re.compile(r"\s*(\d{1,6})\s*([hdw])\s*")


SKEW_S = 86_400
"""Number of seconds by which a provider's clock may be ahead of this one: a day, so that a wrong time zone does no
harm."""


def age_s(text: str) -> float:
    """Return the seconds of an age: "12h", "90d", "8w". Raises UsageError for anything else, and for 0."""
    found = _AGE.fullmatch(text)
    if found is None or not int(found[1]):
        raise UsageError(f"an age is a number of hours, days or weeks: got {text!r}; write 12h, 90d or 8w, for example")
    return float(int(found[1]) * _UNITS[found[2]])


def age_text(seconds: float) -> str:
    """Return an age in words: '120 days', '5 hours' below two days."""
    hours = int(seconds // 3_600)
    number, noun = (hours, "hour") if hours < 48 else (hours // 24, "day")
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def newest_answer(responses: Iterable[Message]) -> float | None:
    """Return the time of the newest answer, in seconds since the epoch; None if no answer has a date."""
    times = [t for r in responses if (t := _time(r.headers.get("date", ""))) is not None]
    return max(times, default=None)


def _time(date: str) -> float | None:
    from email.utils import parsedate_to_datetime  # costly, and only needed for a limit on age

    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


@dataclass(frozen=True, slots=True)
class RerecordHint:
    """How to record a stale cassette again, and what that costs, estimated from the numbers in the cassette."""

    command: str
    calls: int
    input_tokens: int | None = None
    """Input tokens; None if no recorded answer has a count."""
    output_tokens: int | None = None

    @classmethod
    def together(cls, hints: Sequence[RerecordHint], command: str) -> RerecordHint:
        """Return one command for the cassettes of all hints, with the total cost."""
        given, answered = ((hint.input_tokens for hint in hints), (hint.output_tokens for hint in hints))
        return cls(command, sum(hint.calls for hint in hints), sum_of_known(given), sum_of_known(answered))

    @property
    def estimate(self) -> str:
        """'about 2 calls, 1,230 tokens'; without tokens if no recorded answer counts them."""
        used = [n for n in (self.input_tokens, self.output_tokens) if n is not None]
        tokens = f", {sum(used):,} {'token' if sum(used) == 1 else 'tokens'}" if used else ""
        return f"about {self.calls:,} {'call' if self.calls == 1 else 'calls'}{tokens}"

    def __str__(self) -> str:
        """Return the command with the estimate as a comment, so that the whole line can be typed."""
        return f"{self.command} # {self.estimate}" if self.calls else self.command


def rerecord_hint(command: str, exchanges: Iterable[Exchange]) -> RerecordHint:
    """Return the command that records these exchanges again, with their cost."""
    from ...wire.exchange import Usage

    recorded = tuple(exchanges)
    used = Usage.together(exchange.usage for exchange in recorded)
    return RerecordHint(command, len(recorded), used.input_tokens, used.output_tokens)
