"""The figures of judged logs as lines of text."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ...printable import one_line
from ...report.plain_text import count
from ...runs.logs.summary import AXES, NANO
from ...runs.store.kept_proofs import BY_READING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...report.plain_text import Style
    from ...runs.logs.summary import Figures, LogSummary


MOST_LINES = 8
"""Maximum number of lines of one table. The rest are counted."""
READING_ERRS = "on texts kept aside, reading misses 1 of 100 reported errors and accepts 3 of 100 wrong reports"
"""On 4,458 texts that were not used for tuning, 0.8 % of errors were missed, and 3.2 % of reports of other rules were
accepted."""
Line = tuple[str, str]


def log_lines(found: LogSummary) -> Iterator[Line]:
    """Yield the name and text of each figure, the most important first."""
    yield "logs", f"{count(found.records, 'record')} ({_counts(found.formats)}) with {count(found.calls, 'call')}"
    yield from _by_time(found)
    if found.calls:
        judged = f"{found.judgeable:,} of {found.calls:,} can be judged"
        yield "content", f"{judged}: {_counts(found.fidelity)}"
    for name, reasons in (
        ("unjudgeable", found.unjudgeable),
        ("unread", found.unread),
        ("not judged", found.not_judged),
    ):
        yield from _table(name, reasons)
    if not found.conversations:
        return
    yield "conversations", f"{found.conversations:,}: {_counts(found.outcomes)}"
    yield "good", f"{found.ok / found.conversations:.1%} of them"
    whole = found.conversations - found.begin_late
    at = [sum(found.valid_at[one] for one in range(1, number + 1)) for number in (1, 2, 3)]
    late = f"; {found.begin_late:,} begin later than the logs" if found.begin_late else ""
    yield "valid by attempt", f"{'/'.join(f'{one:,}' for one in at)} of {whole:,} (by attempt 1/2/3){late}"
    if found.kinds:
        yield "bad answers", _counts(found.kinds)
    if found.checks_failed:
        yield "checks failed", ", ".join(f"{name} in {n:,}" for name, n in found.checks_failed.most_common())
    if found.grades:
        yield "feedback", _counts(found.grades)
        yield "judged", BY_READING
        yield "", READING_ERRS
    for axis in AXES:
        yield from _axis(axis, found.by)


def _by_time(found: LogSummary) -> Iterator[Line]:
    if found.older:
        yield "older", f"{count(found.older, 'call')} before --since, left out"
    if found.undated:
        yield "undated", f"{count(found.undated, 'call')} without a time that --since can compare, left in"


def logged_lines(found: LogSummary, style: Style, *, everything: bool) -> Iterator[str]:
    """Yield a line for each listed conversation that is bad, or for all."""
    from ...runs.model.codec import read_row
    from ...runs.model.run import CaseRow

    shown = 0
    for listed in found.listed:
        if listed.order[0] and not everything:
            continue
        row, shown = read_row(CaseRow, listed.row), shown + (listed.order[0] == 0)
        judged = row.judged[0]
        failed = next((check for check in judged.checks if check.status == "fail"), None)
        errors = judged.attempts[-1].findings
        why = failed.message if failed else errors[0].message if errors else "it is good"
        outcome = style.bad(judged.outcome.replace("_", " ")) if listed.order[0] == 0 else judged.outcome
        where, name = style.strong(one_line(row.test, 200)), one_line(judged.name, 60)
        attempts = count(len(judged.attempts), "attempt")
        yield f"{where} [{name}] {outcome}, {attempts}, {row.fidelity}: {one_line(why, 240)}"
    if found.bad > shown:
        yield f"{found.bad - shown:,} more bad conversations are not listed"


def _axis(axis: str, by: Mapping[str, Figures]) -> Iterator[Line]:
    rows = [(key.partition(":")[2], figures) for key, figures in by.items() if key.startswith(f"{axis}:")]
    rows.sort(key=lambda row: (-row[1].conversations, row[0]))
    for number, (name, figures) in enumerate(rows[:MOST_LINES]):
        tokens = f"{figures.input_tokens:,} + {figures.output_tokens:,} tokens"
        priced = figures.unpriced < figures.attempts
        part = f" of {figures.attempts - figures.unpriced:,} answers" if figures.unpriced else ""
        cost = f", {figures.cost_nano / NANO:.4f} USD{part}" if priced else ""
        good = f"{figures.ok:,} of {count(figures.conversations, 'conversation')} good, {figures.first_ok:,} at once"
        yield f"by {axis}" if number == 0 else "", f"{one_line(name, 60) or '(none)'}: {good}, {tokens}{cost}"
    if len(rows) > MOST_LINES:
        yield "", f"and {len(rows) - MOST_LINES:,} more"


def _table(name: str, reasons: Counter[str]) -> Iterator[Line]:
    listed = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
    for number, (reason, times) in enumerate(listed[:MOST_LINES]):
        yield name if number == 0 else "", f"{times:,} × {one_line(reason, 300)}"
    if len(listed) > MOST_LINES:
        yield "", f"and {count(len(listed) - MOST_LINES, 'more reason')}"


def _counts(counted: Counter[str]) -> str:
    listed = sorted(counted.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{times:,} {name.replace('_', ' ')}" for name, times in listed) or "none"
