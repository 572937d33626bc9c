"""Which rows of two runs are the same case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..model.run import CaseRow

Coordinates = tuple[str | None, str | None]
"""Variant and model: they tell rows of one case apart within a run that has several."""


@dataclass(frozen=True, slots=True)
class CasePair:
    """The rows of one case on both sides; one of both has rows."""

    key: str
    base: tuple[CaseRow, ...] = ()
    candidate: tuple[CaseRow, ...] = ()


def pair_cases(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> Iterator[CasePair]:
    """Yield rows with the same case key, sorted by key.

    Where a run has a case under several models or variants, and the other run has some of the same, rows are paired
    model by model; otherwise several rows of a case are samples of it.
    """
    old, new = _by_key(base), _by_key(candidate)
    for key in sorted(old.keys() | new.keys()):
        yield from _pairs(key, old.get(key, []), new.get(key, []))


def _by_key(rows: Sequence[CaseRow]) -> dict[str, list[CaseRow]]:
    found: dict[str, list[CaseRow]] = {}
    for row in rows:
        found.setdefault(row.key, []).append(row)
    return found


def _pairs(key: str, base: list[CaseRow], candidate: list[CaseRow]) -> Iterator[CasePair]:
    if len(base) <= 1 and len(candidate) <= 1:
        yield CasePair(key, tuple(base), tuple(candidate))
        return
    old, new = _by_coordinates(base), _by_coordinates(candidate)
    if max(len(old), len(new)) == 1 or not old.keys() & new.keys():
        yield CasePair(key, tuple(base), tuple(candidate))
        return
    for where in sorted(old.keys() | new.keys(), key=lambda found: tuple(part or "" for part in found)):
        name = ", ".join(dict.fromkeys(part for part in where if part))  # a variant may be called as its model
        yield CasePair(f"{key} ({name})" if name else key, tuple(old.get(where, ())), tuple(new.get(where, ())))


def _by_coordinates(rows: list[CaseRow]) -> dict[Coordinates, list[CaseRow]]:
    found: dict[Coordinates, list[CaseRow]] = {}
    for row in rows:
        found.setdefault((row.variant, row.model), []).append(row)
    return found
