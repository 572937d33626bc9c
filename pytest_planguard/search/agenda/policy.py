"""What makes one search differ from another: the order, the feedback, what it gives up and when it begins again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..step import refuse_below
from .frame import CBJ, Frame, Order


@dataclass(frozen=True, slots=True)
class Policy:
    """How a search decides.

    Raises:
        UsageError: a width or a number of calls below 1.
    """

    name: str = "cbj"
    order: Order = CBJ
    blame: bool = True
    """Whether failures are blamed on earlier steps."""
    own: bool = True
    """Whether a step is told its own failures."""
    downstream: bool = True
    """Whether a step is told the failures that it is blamed for."""
    width: int | None = None
    """Prefixes that are kept at each level, the best ones; None for all. Takes the order "bfs"."""
    grow: Literal["children", "reopenings"] | None = None
    """What begins at its least and grows by one whenever nothing is left to try: the answers to each prefix, or the
    reopenings of each step, up to their budgets."""
    restart_after: int | None = None
    """Calls, times Luby's sequence 1, 1, 2, 1, 1, 2, 4, …, after which the search begins again at the first step."""

    def __post_init__(self) -> None:
        refuse_below(self, f"{{}} of policy {self.name!r}", width=1, restart_after=1)


class Beam:
    """Keeps the best prefixes of a level. A beam goes level by level: all of one are there when its first is next."""

    def __init__(self, width: int) -> None:
        self._width = width
        self.level = -1
        """The last level that was cut."""

    def cut(self, level: int, frames: Iterable[Frame]) -> list[Frame]:
        """Return the prefixes of a level that are dropped."""
        self.level = level
        there = [frame for frame in frames if frame.level == level]
        return sorted(there, key=lambda frame: -frame.score)[self._width :]  # stable: of equal ones the earliest stay


class Restarts:
    """Counts the calls since the search last began, in Luby's numbers."""

    def __init__(self, after: int) -> None:
        self._after = after
        self._number = 1
        self._began_at = 0

    def due(self, calls: int) -> bool:
        """Return whether so many calls are made that the search begins again; the next time counts from here."""
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
