"""In what two runs differ as a whole: what a report opens with, since it may explain everything below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from .prompt_change import prompt_axes
from .run_diff import Axis

if TYPE_CHECKING:
    from ..model.run import CaseRow, Run
    from .pairing import CasePair

SHOWN = 12
"""Characters of a commit or digest that tell it apart."""
NAMED = 3
"""Digests that are named; a run with more has a digest for nearly every case, and they are counted."""


def axes_of(base: Run, candidate: Run, pairs: Iterable[CasePair] = ()) -> tuple[Axis, ...]:
    """Return the axes on which the runs differ and something is known; those that explain most come first.

    `pairs` are their common cases, whose first requests tell how the prompt has changed.
    """
    axes = _axes(base, candidate, pairs)
    return tuple(axis for axis in axes if axis.before != axis.after and (axis.before or axis.after))


def _axes(base: Run, candidate: Run, pairs: Iterable[CasePair]) -> Iterator[Axis]:
    model = _axis("model", (row.model for row in base.rows), (row.model for row in candidate.rows))
    variant = _axis("variant", (row.variant for row in base.rows), (row.variant for row in candidate.rows))
    yield model
    if (variant.before, variant.after) != (model.before, model.after):  # `models=[...]` calls a variant as its model
        yield variant
    yield from prompt_axes(pairs)
    yield _digests("contract", _contracts(base.rows), _contracts(candidate.rows))
    yield _axis("match", [base.header.match], [candidate.header.match])
    yield _axis("commit", [_commit(base)], [_commit(candidate)])
    old, new = base.header.packages, candidate.header.packages
    for name in sorted(old.keys() & new.keys()):
        yield _axis(name, [old[name]], [new[name]])


def _axis(name: str, before: Iterable[str | None], after: Iterable[str | None]) -> Axis:
    old, new = ({value for value in values if value} for values in (before, after))
    return Axis(name, tuple(sorted(old)), tuple(sorted(new)))


def _digests(name: str, before: Iterable[str | None], after: Iterable[str | None]) -> Axis:
    """Digests, counted where there are many."""
    found = _axis(name, before, after)
    if max(len(found.before), len(found.after)) <= NAMED or found.before == found.after:
        return found
    same = len(set(found.before) & set(found.after))
    before, after = (f"{len(values):,} different ones, {same:,} of them" for values in (found.before, found.after))
    return Axis(name, (f"{before} also now",), (f"{after} also before",))


def _contracts(rows: Iterable[CaseRow]) -> Iterator[str]:
    for row in rows:
        yield from (f"{name} {digest}".strip() for name, digest in row.contracts)


def _commit(run: Run) -> str | None:
    if run.header.commit is None:
        return None
    return run.header.commit[:SHOWN] + (" with uncommitted changes" if run.header.dirty else "")
