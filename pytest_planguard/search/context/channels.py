"""The two channels of feedback, which are never mixed.

An own failure belongs to one prefix and is forgotten with it. A downstream failure belongs to the step that is blamed
for it and stays there, so that the next answer of that step can avoid it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    from ...contract.finding import Finding

PREVIEW_LIMIT = 200
"""Characters of an answer that a downstream failure quotes; a longer one ends in "..."."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OwnFailure:
    """An answer of this step, to this very prefix, that its guard rejected."""

    attempt: int
    """From 1, among the answers to the prefix."""
    answer: str
    findings: tuple[Finding, ...]
    """What is wrong, without what only warns."""
    node: int = 0
    """Number of the search node."""


@dataclass(frozen=True, slots=True)
class DownstreamFailure:
    """A later step that failed, and that this step is blamed for."""

    failed_step: str
    findings: tuple[Finding, ...]
    path: tuple[tuple[str, str], ...]
    """Step and preview of each answer up to the one that failed."""
    node: int = 0
    """Number of the search node that failed."""


def preview(answer: str) -> str:
    """Return the answer as a downstream failure quotes it."""
    return answer if len(answer) <= PREVIEW_LIMIT else answer[:PREVIEW_LIMIT] + "..."


class Window(Sequence[T]):
    """The last items of a list as they are now. What is appended to the list later does not show.

    Copying the whole history for each call would make a search of n calls cost n². Most steps read none of it, so that
    an item is made of what the list holds only when it is read.
    """

    __slots__ = ("_items", "_made_of", "_start", "_stop")

    def __init__(self, items: list[Any], made_of: Callable[[Any], T], size: int | None = None) -> None:
        self._items = items
        self._made_of = made_of
        self._stop = len(items)
        self._start = 0 if size is None else max(0, self._stop - size)

    def __len__(self) -> int:
        return self._stop - self._start

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        return self._made_of(self._items[self._start + place])

    def __iter__(self) -> Iterator[T]:
        return (self._made_of(self._items[place]) for place in range(self._start, self._stop))

    def __repr__(self) -> str:
        return f"Window({list(self)!r})"
