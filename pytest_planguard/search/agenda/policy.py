"""What makes one search differ from another: the order, the feedback, and wrappers around the agenda."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...errors import UsageError
from .agenda import CBJ, Order


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
        for name in ("width", "restart_after"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"{name} of policy {self.name!r} must be at least 1: got {value}; raise it")


def luby(number: int) -> int:
    """Return a term of Luby's sequence (1, 1, 2, 1, 1, 2, 4, 1 and so on), numbered from 1.

    Term 2^k - 1 is 2^(k-1); the terms between two of those repeat the sequence from its beginning.
    """
    while True:
        bits = number.bit_length()
        if number == (1 << bits) - 1:
            return 1 << (bits - 1)
        number -= (1 << (bits - 1)) - 1
