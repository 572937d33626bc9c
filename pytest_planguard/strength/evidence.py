"""What good answers have in common, place by place: the evidence for mutants and for suggested constraints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..contract.phrasing import plural
from ..document.path import to_dotted, wildcard
from ..document.path_pattern import walk

if TYPE_CHECKING:
    from ..contract.constraints.scene import CheckContext
    from ..document.path import Path


@dataclass(frozen=True, slots=True)
class GoodAnswer:
    """One recorded answer that is known to be good."""

    name: str
    """Where it stands, for reports: "tickets.jsonl line 3"."""
    data: Any
    """The answer as plain JSON data."""
    context: CheckContext | None = None
    """What it may have been copied from; None where that is not known."""


@dataclass(frozen=True, slots=True)
class Site:
    """One value of one answer."""

    answer: int
    """Index of the answer."""
    path: Path
    value: Any


@dataclass(slots=True)
class Place:
    """All values of all answers that stand at one path, list indices aside: "steps[*]"."""

    name: str
    """The path as a constraint takes it; "" is the whole answer."""
    sites: list[Site] = field(default_factory=list)

    @property
    def values(self) -> list[Any]:
        """The values, answer by answer."""
        return [site.value for site in self.sites]

    @property
    def texts(self) -> list[str]:
        """The values that are texts."""
        return [value for value in self.values if isinstance(value, str)]

    def holds(self, kind: type) -> bool:
        """Return whether every value is of a type; a bool is no number here, and an int is a float."""
        kinds = (int, float) if kind is float else kind
        return all(isinstance(value, kinds) and (kind is bool or not isinstance(value, bool)) for value in self.values)


Evidence = Mapping[str, Place]
"""Places by name, in the order of the first answer."""


def evidence_of(answers: Sequence[GoodAnswer]) -> Evidence:
    """Return every place of the answers."""
    places: dict[str, Place] = {}
    for index, answer in enumerate(answers):
        for path, value in walk(answer.data):
            name = place_name(path)
            places.setdefault(name, Place(name)).sites.append(Site(index, path, value))
    return places


def place_name(path: Path) -> str:
    """Return a path with "[*]" for every index: ("tasks", 0, "id") is "tasks[*].id"; the root is ""."""
    return to_dotted(wildcard(path)) if path else ""


def siblings(evidence: Evidence, path: Path) -> Iterator[Place]:
    """Yield the places of the same object, the path's own one included."""
    parent = place_name(path[:-1])
    for name, place in evidence.items():
        if place.sites[0].path and place_name(place.sites[0].path[:-1]) == parent and not name.endswith("[*]"):
            yield place


def span(numbers: Sequence[int], noun: str) -> str:
    """Return "3 to 6 items", or "2 items" where all numbers are one."""
    low, high = min(numbers), max(numbers)
    return plural(low, noun) if low == high else f"{low} to {plural(high, noun)}"


def all_distinct(lists: Iterable[Sequence[Any]]) -> bool:
    """Return whether no list has two equal items; texts are equal but for case and space."""
    return all(len({_folded(item) for item in items}) == len(items) for items in lists)


def _folded(item: Any) -> str:
    return " ".join(item.casefold().split()) if isinstance(item, str) else repr(item)
