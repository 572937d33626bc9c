"""Where an error is, and how far the walk to it has come: the values of the locator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..document.path import Path

Loc = tuple[str | int, ...]
Node = Mapping[str, Any]
"""A node of a pydantic core schema."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an error is: its path in the document and what the walk to it passed."""

    path: Path = ()
    branches: tuple[tuple[Loc, str], ...] = ()
    """The untagged unions on the way, from outside: (location of the union, member that the error speaks of)."""
    owner: str | None = None
    """Name of the model that holds the path's last key."""
    siblings: tuple[str, ...] = ()
    """The keys which that model knows."""


@dataclass(frozen=True, slots=True)
class State:
    """One reading of a location, half-way."""

    node: Node | None
    """None: the schema says nothing about what follows."""
    at: int
    """How many segments of the location are used up."""
    place: Place


def used(
    state: State, node: Node | None, loc: Loc, count: int = 1, owner: str | None = None, siblings: tuple[str, ...] = ()
) -> State:
    """The state after `count` segments that stand in the document."""
    path = state.place.path + loc[state.at : state.at + count]
    return State(node, state.at + count, replace(state.place, path=path, owner=owner, siblings=siblings))
