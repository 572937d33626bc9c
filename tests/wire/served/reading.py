"""What an answer says, in words that planguard's reading and an SDK's can be compared in."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pytest_planguard.wire.exchange import Exchange


@dataclass(frozen=True)
class Reading:
    """The text, calls and ending of one answer."""

    text: str = ""
    """Without white space: SDKs join the parts of a text in different ways."""
    calls: tuple[tuple[str, str], ...] = ()
    """Tool name and arguments as canonical JSON."""
    finish: str | None = None
    """A word of planguard's `Finish`; None where the answer does not say."""

    @classmethod
    def of(cls, texts: Iterable[str | None], calls: Iterable[tuple[str | None, Any]], finish: str | None) -> Reading:
        """Make a reading of texts, of calls with arguments parsed or not, and of an ending."""
        text = "".join("".join((part or "").split()) for part in texts)
        return cls(text, tuple((name or "", _canonical(arguments)) for name, arguments in calls), finish)


def planguard_reading(exchange: Exchange) -> Reading:
    """Return what planguard reads."""
    calls = [(call.name, call.text if call.arguments is None else call.arguments) for call in exchange.calls]
    return Reading.of([exchange.answer_text, exchange.refusal], calls, exchange.finish and exchange.finish.value)


def _canonical(arguments: Any) -> str:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return arguments.strip()
    return json.dumps(arguments or {}, sort_keys=True, ensure_ascii=False, default=str)
