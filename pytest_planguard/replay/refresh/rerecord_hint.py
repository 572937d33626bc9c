"""What it takes to record a case again: the command to type, and what its cassette took the last time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...wire.exchange import Exchange


@dataclass(frozen=True, slots=True)
class RerecordHint:
    """The way out of a stale cassette, with its price. The numbers are those of the cassette: an estimate."""

    command: str
    calls: int
    input_tokens: int | None = None
    """None where no recorded answer says."""
    output_tokens: int | None = None

    @property
    def estimate(self) -> str:
        """'about 2 calls, 1,230 tokens'; without tokens where no recorded answer counts them."""
        used = [n for n in (self.input_tokens, self.output_tokens) if n is not None]
        tokens = f", {sum(used):,} {'token' if sum(used) == 1 else 'tokens'}" if used else ""
        return f"about {self.calls:,} {'call' if self.calls == 1 else 'calls'}{tokens}"

    def __str__(self) -> str:
        """The command with the estimate as a comment, so that the whole line can be typed."""
        return f"{self.command} # {self.estimate}" if self.calls else self.command


def rerecord_hint(command: str, exchanges: Iterable[Exchange]) -> RerecordHint:
    """Return the command that records these exchanges again, with what they took."""
    from ...wire.exchange import Usage

    recorded = tuple(exchanges)
    used = Usage.together(exchange.usage for exchange in recorded)
    return RerecordHint(command, len(recorded), used.input_tokens, used.output_tokens)
