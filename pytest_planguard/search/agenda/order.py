"""The orders of the agenda: which open prefix is tried next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .frame import Cost, Frame

USE_COST = 0.15
"""What each answer to a prefix takes off its score in the order "best". A score of 0.9 is worth two answers more than
one of 0.6: 0.9 - 2 · 0.15 = 0.6."""


@dataclass(frozen=True, slots=True)
class Order:
    """How open prefixes are compared: the one of the least cost is next."""

    name: str
    cost: Callable[[Frame], Cost]
    penalised: bool = True
    """Whether blame moves subtrees back."""


def _deepest(frame: Frame) -> Cost:
    return (0.0, -frame.level, -frame.last)


def _best(frame: Frame) -> Cost:
    return (USE_COST * frame.used - frame.score, -frame.level, -frame.last)


def _shallowest(frame: Frame) -> Cost:
    return (0.0, frame.level, frame.last)


DFS = Order("dfs", _deepest, penalised=False)
"""The deepest prefix, among those the one used last."""
CBJ = Order("cbj", _deepest)
"""Depth first, blamed subtrees last: conflict-directed backjumping that prunes nothing."""
BEST = Order("best", _best)
"""The best score, less the penalties and a little for each answer already given."""
BFS = Order("bfs", _shallowest, penalised=False)
"""The shallowest prefix, the oldest first."""
