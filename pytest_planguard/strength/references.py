"""Which fields name ids that stand elsewhere in the same answer."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .evidence import Evidence, Place


@dataclass(frozen=True, slots=True)
class Reference:
    """Every value at `source` occurs at `target` in the same answer."""

    source: str
    """Place of the references: "tasks[*].depends_on[*]"."""
    target: str
    """Place of the ids: "tasks[*].id"."""


def references(evidence: Evidence) -> list[Reference]:
    """Return the references that hold in every answer, at least three of them seen.

    Ids are texts or whole numbers that are unique in each answer and stand in a list of objects: "tasks[*].id".
    """
    ids = [place for place in evidence.values() if _is_id(place)]
    return [
        Reference(source.name, target.name)
        for source in evidence.values()
        if len(source.sites) >= 3 and not _is_id(source)
        for target in ids
        if source is not target and _all_known(source, target)
    ]


def id_places(evidence: Evidence) -> frozenset[str]:
    """Return the names of the places that have ids, and of those that refer to them."""
    ids = {place.name for place in evidence.values() if _is_id(place)}
    return frozenset(ids | {reference.source for reference in references(evidence)})


def _is_id(place: Place) -> bool:
    """Return whether a place holds ids: its key says so ("id", "task_id"), and its values are unique."""
    key = place.name.rpartition(".")[2].casefold()
    if "[*]." not in place.name or not (key in ("id", "key", "name") or key.endswith(("_id", "id"))):
        return False
    return all(len(set(values)) == len(values) for values in _by_answer(place).values())


def _all_known(source: Place, target: Place) -> bool:
    known = _by_answer(target)
    return all(set(values) <= set(known.get(answer, ())) for answer, values in _by_answer(source).items())


def _by_answer(place: Place) -> dict[int, list[Any]]:
    values: dict[int, list[Any]] = defaultdict(list)
    for site in place.sites:
        if isinstance(site.value, (str, int)) and not isinstance(site.value, bool):
            values[site.answer].append(site.value)
        else:
            values[site.answer].append(object())  # no id: equals nothing
    return values
