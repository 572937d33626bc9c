"""Differences between a case's final answers in two runs, with the rules that each change breaks or fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..model.judged_answers import value_of
from ..value_diff import MISSING, ChangeKind, FieldChange, diff_values
from .metrics import value_metrics
from .run_diff import ValueDiff

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...document.path import Path
    from ..model.judged_answers import AttemptRow, Judged
    from ..model.run import CaseRow
    from ..value_diff import FieldDiff
    from ..value_diff_options import DiffOptions


def diff_answers(base: CaseRow, candidate: CaseRow, options: DiffOptions) -> tuple[ValueDiff, ...]:
    """Return a diff for each conversation or judged answer whose final value differs; () if all are equal.

    A conversation that was cut short by a request without an answer has no final value, so it is skipped.
    """
    old, new = _named(base.judged), _named(candidate.judged)
    several = max(len(old), len(new)) > 1
    found = []
    for name in dict.fromkeys((*old, *new)):
        if _unended(base, old.get(name)) or _unended(candidate, new.get(name)):
            continue
        before, after = _last(old.get(name)), _last(new.get(name))
        if before is None or after is None or before.answer != after.answer:
            value = _diff(_label(*name) if several else "", before, after, options)
            if value is not None:
                found.append(value)
    return tuple(found)


def _named(judged: Sequence[Judged]) -> dict[tuple[str, int], Judged]:
    """Return the judged answers by contract and conversation name, and by their number among those of that name.

    The number is a part of the key, not of the name: a test may name a conversation "x #2" itself.
    """
    found: dict[tuple[str, int], Judged] = {}
    times: Counter[str] = Counter()
    for each in judged:
        name = f"{each.contract} {each.name}".strip()
        times[name] += 1
        found[name, times[name]] = each
    return found


def _label(name: str, number: int) -> str:
    return name if number == 1 else f"{name} #{number}"


def _unended(row: CaseRow, judged: Judged | None) -> bool:
    """Return True if a request without an answer prevented the conversation, or cut it short."""
    return bool(row.misses) if judged is None else row.cut_short(judged)


def _last(judged: Judged | None) -> AttemptRow | None:
    return judged.last if judged is not None else None


def _diff(name: str, before: AttemptRow | None, after: AttemptRow | None, options: DiffOptions) -> ValueDiff | None:
    old = MISSING if before is None else value_of(before.answer)
    new = MISSING if after is None else value_of(after.answer)
    found = diff_values(old, new, options)
    if not found.changes:
        return None
    changes = with_rules(found.changes, _bad(before), _bad(after))
    metrics = value_metrics(old, new, found.unstable)
    return ValueDiff(name, tuple(_without_unstable(found, changes)), found.unstable, metrics)


def _bad(attempt: AttemptRow | None) -> tuple[Finding, ...]:
    return tuple(f for f in attempt.findings if f.severity.bad) if attempt is not None else ()


def with_rules(
    changes: Iterable[FieldChange], before: Sequence[Finding], after: Sequence[Finding]
) -> tuple[FieldChange, ...]:
    """Return the changes, each with the codes of the bad findings that appeared or disappeared at its place.

    A finding belongs to a change if it is about the changed value or something inside it. For an added or removed item,
    a finding about the list also belongs to it.
    """
    changes = tuple(changes)
    if not before and not after:
        return changes
    old = _placed(before, {len(change.path) for change in changes})
    new = _placed(after, {len(change.path_after) for change in changes})
    return tuple(
        replace(
            change,
            breaks=_codes(new, old, change.path_after, change.path, change.kind),
            fixes=_codes(old, new, change.path, change.path_after, change.kind),
        )
        for change in changes
    )


class _Placed(NamedTuple):
    """The codes and paths of one side's findings, by place: a diff may have thousands of changes and of findings."""

    at: dict[Path, set[str]]
    """The codes of the findings at exactly this path."""
    below: dict[Path, set[Path]]
    """The paths of findings at or below this path, for paths as long as that of some change."""


def _placed(findings: Iterable[Finding], lengths: set[int]) -> _Placed:
    placed = _Placed({}, {})
    for finding in findings:
        code, path = finding.identity
        placed.at.setdefault(path, set()).add(code)
        for length in lengths:
            if length <= len(path):
                placed.below.setdefault(path[:length], set()).add(path)
    return placed


def _codes(side: _Placed, other: _Placed, here: Path, there: Path, kind: ChangeKind) -> tuple[str, ...]:
    """Return the codes of findings at a change that are not at the corresponding place on the other side."""
    codes: set[str] = set()
    for path in side.below.get(here, ()):
        codes |= side.at[path] - other.at.get(there + path[len(here) :], set())
    if (
        kind in (ChangeKind.ADDED, ChangeKind.REMOVED) and len(here) > 1
    ):  # a finding at the root is about the whole answer
        codes |= side.at.get(here[:-1], set()) - other.at.get(there[:-1], set())
    return tuple(sorted(codes))


def _without_unstable(found: FieldDiff, changes: Iterable[FieldChange]) -> Iterable[FieldChange]:
    """Yield the changes outside lists with unstable keys. Metrics compare those lists."""
    lists = [unstable.path for unstable in found.unstable]
    for change in changes:
        if not any(change.path[: len(path)] == path and len(change.path) > len(path) for path in lists):
            yield change
