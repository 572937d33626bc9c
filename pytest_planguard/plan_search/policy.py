"""The policy of a search: its order, its feedback, what it gives up and when it restarts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from .frame import CBJ, Frame, Order
from .step import refuse_below


@dataclass(frozen=True, slots=True)
class Policy:
    """How a search decides.

    Raises:
        UsageError: a width or a number of calls below 1.
    """

    name: str = "cbj"
    order: Order = CBJ
    blame: bool = True
    """True if failures are blamed on earlier steps."""
    own: bool = True
    """True if a step gets its own failures as feedback."""
    downstream: bool = True
    """True if a step gets the failures that it is blamed for as feedback."""
    width: int | None = None
    """Number of best prefixes to keep at each level; None keeps all. Requires the order "bfs"."""
    grow: Literal["children", "reopenings"] | None = None
    """The limit that starts low and grows by one when nothing else can be tried, up to the budget: the answers to each
    prefix, or the reopenings of each step."""
    restart_after: int | None = None
    """Calls after which the search restarts at the first step, times Luby's sequence 1, 1, 2, 1, 1, 2, 4, …"""

    def __post_init__(self) -> None:
        refuse_below(self, f"{{}} of policy {self.name!r}", width=1, restart_after=1)


class Beam:
    """Keeps the best prefixes of a level.

    A beam goes level by level, so when the first prefix of a level is next, all are known.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self.level = -1
        """The last level whose prefixes were pruned."""

    def cut(self, level: int, frames: Iterable[Frame]) -> list[Frame]:
        """Return the prefixes of a level to drop."""
        self.level = level
        there = [frame for frame in frames if frame.level == level]
        return sorted(there, key=lambda frame: -frame.score)[self._width :]  # stable: of equal ones the earliest stay


class Restarts:
    """Counts the calls since the search last restarted, in Luby's sequence."""

    def __init__(self, after: int) -> None:
        self._after = after
        self._number = 1
        self._began_at = 0

    def due(self, calls: int) -> bool:
        """Return True if it is time to restart after this many calls; the next interval counts from here."""
        if calls - self._began_at < self._after * luby(self._number):
            return False
        self._number += 1
        self._began_at = calls
        return True


def luby(number: int) -> int:
    """Return a term of Luby's sequence (1, 1, 2, 1, 1, 2, 4, 1 and so on), numbered from 1.

    Term 2^k - 1 is 2^(k-1); the terms between two of those repeat the sequence from its beginning.
    """
    while True:
        bits = number.bit_length()
        if number == (1 << bits) - 1:
            return 1 << (bits - 1)
        number -= (1 << (bits - 1)) - 1
