"""Differences between a case's final answers in two runs, with the rules that each change breaks or fixes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

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
            value = _diff(name if several else "", before, after, options)
            if value is not None:
                found.append(value)
    return tuple(found)


def _named(judged: Sequence[Judged]) -> dict[str, Judged]:
    """Return the judged answers by contract and conversation name. If several have the same name, add a number."""
    found: dict[str, Judged] = {}
    for each in judged:
        name = f"{each.contract} {each.name}".strip()
        number = sum(known == name or known.startswith(f"{name} #") for known in found)
        found[f"{name} #{number + 1}" if number else name] = each
    return found


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
    if not before and not after:
        return tuple(changes)
    old, new = {f.identity for f in before}, {f.identity for f in after}
    return tuple(
        replace(
            change,
            breaks=_codes(after, change.path_after, change.path, old, change),
            fixes=_codes(before, change.path, change.path_after, new, change),
        )
        for change in changes
    )


def _codes(
    findings: Sequence[Finding], here: Path, there: Path, others: set[tuple[str, Path]], change: FieldChange
) -> tuple[str, ...]:
    """Return the codes of findings at a change that are not at the corresponding place on the other side."""
    codes = set()
    for finding in findings:
        below = finding.path[: len(here)] == here
        listed = change.kind in (ChangeKind.ADDED, ChangeKind.REMOVED) and here and finding.path == here[:-1]
        counterpart = there + finding.path[len(here) :] if below else there[:-1]
        if (below or (listed and finding.path)) and (finding.code, counterpart) not in others:
            codes.add(finding.code)
    return tuple(sorted(codes))


def _without_unstable(found: FieldDiff, changes: Iterable[FieldChange]) -> Iterable[FieldChange]:
    """Yield the changes outside lists with unstable keys. Metrics compare those lists."""
    lists = [unstable.path for unstable in found.unstable]
    for change in changes:
        if not any(change.path[: len(path)] == path and len(change.path) > len(path) for path in lists):
            yield change
