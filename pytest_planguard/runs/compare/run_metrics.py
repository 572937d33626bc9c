"""Metrics over all answers of two runs, where keys are not stable and fields cannot be compared one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..model.judged_answers import value_of
from .metrics import Metric, filled, list_metrics, placeholders, texts

if TYPE_CHECKING:
    from ..model.run import CaseRow
    from .run_diff import CaseDiff


def run_metrics(cases: Sequence[CaseDiff]) -> tuple[Metric, ...]:
    """Metrics over comparable cases: success, findings, completeness, texts, placeholders, lists of the root."""
    base = [row for case in cases for row in case.base]
    candidate = [row for case in cases for row in case.candidate]
    return (*_run(base, candidate), *_lists(base, candidate))


def _run(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> Iterator[Metric]:
    if any(row.is_judged for row in (*base, *candidate)):
        yield Metric("good cases", _share(base), _share(candidate), True, True)
        yield Metric("findings per answer", _findings(base), _findings(candidate), higher_is_better=False)
        yield Metric("attempts per case", _attempts(base), _attempts(candidate), higher_is_better=False)
    old, new = ([value_of(answer) for row in rows for answer in row.answers] for rows in (base, candidate))
    yield Metric("filled fields", _filled(old), _filled(new), True, True)
    before, after = _length(old), _length(new)
    yield Metric("characters of text per answer", before, after)
    if before and after is not None:
        yield Metric("length compared with the base", 1.0, after / before)
    yield Metric("placeholders left", placeholders(old), placeholders(new), higher_is_better=False)


def _lists(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> Iterator[Metric]:
    """Metrics of every list of objects at the root of the answers, or one step below, by its name.

    A list that one run has and the other lacks, or has empty, is the plainest change of all: it counts as empty there.
    """
    old, new = _by_place(base), _by_place(candidate)
    for place in sorted(old.keys() | new.keys()):
        yield from list_metrics(place, old.get(place, []), new.get(place, []))


def _by_place(rows: Sequence[CaseRow]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in rows:
        for answer in row.answers:
            for place, items in _lists_of(value_of(answer)):
                found.setdefault(place, []).extend(items)
    return found


def _lists_of(value: Any) -> Iterator[tuple[str, list[Any]]]:
    named = value.items() if isinstance(value, dict) else [("the answer", value)]
    for name, items in named:
        if isinstance(items, list) and items and all(isinstance(item, dict) for item in items):
            yield name, items


def _share(rows: Sequence[CaseRow]) -> float | None:
    return sum(row.ok for row in rows) / len(rows) if rows else None


def _findings(rows: Sequence[CaseRow]) -> float | None:
    last = [judged.last for row in rows for judged in row.judged if judged.last is not None]
    return sum(f.severity.bad for attempt in last for f in attempt.findings) / len(last) if last else None


def _attempts(rows: Sequence[CaseRow]) -> float | None:
    return sum(len(judged.attempts) for row in rows for judged in row.judged) / len(rows) if rows else None


def _filled(values: Sequence[Any]) -> float | None:
    counted = [filled(value) for value in values]
    total = sum(n for _, n in counted)
    return sum(n for n, _ in counted) / total if total else None


def _length(values: Sequence[Any]) -> float | None:
    return sum(len(text) for value in values for text in texts(value)) / len(values) if values else None
