"""Totals and means of two runs over their common cases: attempts, tokens, cost, recorded latency, scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .run_diff import Figure

if TYPE_CHECKING:
    from ..model.run import CaseRow
    from .run_diff import CaseDiff

_Pairs = list[tuple[tuple["CaseRow", ...], tuple["CaseRow", ...]]]
_KINDS = (
    ("valid at the first attempt", "", False),
    ("attempts until valid", "attempts", True),
    ("attempts", "attempts", True),
    ("input tokens", "tokens", True),
    ("output tokens", "tokens", True),
    ("cost", "cost", True),
    ("recorded latency", "s", True),
    ("score of expected values", "score", False),
)
"""Tuples of name, unit, and True if a lower number is better."""
_MEANS = frozenset(("valid at the first attempt", "attempts until valid", "score of expected values"))
"""Names of figures that are means over cases. The others are sums."""


def figures_of(cases: Sequence[CaseDiff]) -> tuple[Figure, ...]:
    """Return the figures over comparable cases that are known on both sides.

    Latency is the recorded latency, never the time of a replay.
    """
    pairs = [(case.base, case.candidate) for case in cases]
    return (*_figures(pairs), *_scores(pairs))


def _figures(pairs: _Pairs) -> Iterator[Figure]:
    columns = zip(*_known(pairs), strict=True)
    for (name, unit, lower), known in zip(_KINDS, columns, strict=True):
        both = [values for values in known if values is not None]
        if both:
            old, new = (sum(side) for side in zip(*both, strict=True))
            cases = len(both)
            mean = name in _MEANS
            yield Figure(name, old / cases if mean else old, new / cases if mean else new, cases, unit, lower)


def _scores(pairs: _Pairs) -> Iterator[Figure]:
    """Yield the means of the user's own scores. planguard doesn't know which direction is better."""
    for name in sorted({name for sides in pairs for side in sides for row in side for name in row.scores}):
        known = [(_mean(base, name), _mean(candidate, name)) for base, candidate in pairs]
        both = [(old, new) for old, new in known if old is not None and new is not None]
        if both:
            old, new = (sum(side) / len(both) for side in zip(*both, strict=True))
            yield Figure(f"score {name}", old, new, len(both), "score", lower_is_better=False)


def _mean(rows: Sequence[CaseRow], name: str) -> float | None:
    known = [row.scores[name] for row in rows if name in row.scores]
    return sum(known) / len(known) if known else None


def _known(pairs: _Pairs) -> Iterator[list[tuple[float, float] | None]]:
    """Yield a list for each case: each figure's mean over the rows on both sides, or None if one is unknown."""
    if not pairs:
        yield [None] * len(_KINDS)
    for base, candidate in pairs:
        old = _measured(base)
        new = old if base == candidate else _measured(candidate)
        yield [None if one is None or other is None else (one, other) for one, other in zip(old, new, strict=True)]


def _measured(rows: Sequence[CaseRow]) -> Sequence[float | None]:
    if len(rows) == 1:
        return _measures(rows[0])
    known = [[value for value in column if value is not None] for column in zip(*map(_measures, rows), strict=True)]
    return [sum(values) / len(values) if values else None for values in known]


def _measures(row: CaseRow) -> tuple[float | None, ...]:
    """Return one row's figures in the order of `_KINDS`."""
    judged = [each for each in row.judged if each.attempts and each.outcome]
    first = sum(each.attempts[0].ok for each in judged) / len(judged) if judged else None
    valid = [number for number in (each.valid_at for each in judged) if number is not None]
    until = sum(valid) / len(valid) if valid else None
    attempts = sum(len(each.attempts) for each in row.judged if not each.single)
    return (first, until, attempts or None, row.input_tokens, row.output_tokens, row.cost, row.latency_s, row.score)
