"""Figures of two runs over the cases that both have: attempts, tokens, cost, recorded latency."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .run import CaseRow, Judged
    from .run_diff import CaseDiff


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of both runs."""

    name: str
    before: float
    after: float
    cases: int
    """Cases that have the number on both sides; the others are left out."""
    unit: str = ""
    """"tokens", "s", "attempts"; "" for a share from 0 to 1."""
    lower_is_better: bool = True

    @property
    def change(self) -> float | None:
        """Relative change: 0.1 is 10 % more; None where the base is 0."""
        return (self.after - self.before) / self.before if self.before else None


def figures_of(cases: Sequence[CaseDiff]) -> tuple[Figure, ...]:
    """The figures that are known on both sides, over the cases that both runs have.

    The time of a replay is no figure: only recorded latency is.
    """
    pairs = [(case.base, case.candidate) for case in cases if case.comparable]
    return tuple(figure for figure in _figures(pairs) if figure is not None)


_Pairs = list[tuple[tuple["CaseRow", ...], tuple["CaseRow", ...]]]


def _figures(pairs: _Pairs) -> Iterator[Figure | None]:
    yield _mean(pairs, "valid at the first attempt", _first_try, "", lower_is_better=False)
    yield _mean(pairs, "attempts until valid", _attempts_to_valid, "attempts")
    yield _sum(pairs, "attempts", _attempts, "attempts")
    yield _sum(pairs, "input tokens", lambda row: row.input_tokens, "tokens")
    yield _sum(pairs, "output tokens", lambda row: row.output_tokens, "tokens")
    yield _sum(pairs, "cost", lambda row: row.cost, "cost")
    yield _sum(pairs, "recorded latency", lambda row: row.latency_s, "s")


_Measure = Callable[["CaseRow"], float | None]


def _known(pairs: _Pairs, measure: _Measure) -> list[tuple[float, float]]:
    """The mean over its rows for each case that has the number on both sides."""
    found = []
    for base, candidate in pairs:
        old, new = ([v for v in map(measure, rows) if v is not None] for rows in (base, candidate))
        if old and new:
            found.append((sum(old) / len(old), sum(new) / len(new)))
    return found


def _sum(pairs: _Pairs, name: str, measure: _Measure, unit: str) -> Figure | None:
    known = _known(pairs, measure)
    if not known:
        return None
    return Figure(name, sum(old for old, _ in known), sum(new for _, new in known), len(known), unit)


def _mean(pairs: _Pairs, name: str, measure: _Measure, unit: str, *, lower_is_better: bool = True) -> Figure | None:
    known = _known(pairs, measure)
    if not known:
        return None
    old, new = (sum(values) / len(known) for values in zip(*known, strict=True))
    return Figure(name, old, new, len(known), unit, lower_is_better)


def _conversations(row: CaseRow) -> list[Judged]:
    return [judged for judged in row.judged if judged.attempts and judged.outcome]


def _first_try(row: CaseRow) -> float | None:
    found = _conversations(row)
    return sum(judged.attempts[0].ok for judged in found) / len(found) if found else None


def _attempts_to_valid(row: CaseRow) -> float | None:
    valid = [judged.valid_at for judged in _conversations(row) if judged.valid_at is not None]
    return sum(valid) / len(valid) if valid else None


def _attempts(row: CaseRow) -> float | None:
    found = [len(judged.attempts) for judged in row.judged if not judged.single]
    return float(sum(found)) if found else None
