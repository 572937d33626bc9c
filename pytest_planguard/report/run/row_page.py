"""The rows of a test as values of a page: every text already safe to show, long ones clipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...document.path import to_dotted
from ..media.html_page import block
from ..media.sanitise import one_line
from ..words.comparison_words import anew_text
from ..words.phrases import carried_text

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...runs.model.judged_answers import AttemptRow, Judged
    from ...runs.model.run import CaseRow

ANSWER_LIMIT = 20_000
"""Characters of an answer that the page shows."""
ALL_ANSWERS = 12_000_000
"""Characters of all answers together: with very many cases each is clipped sooner, so that a browser can hold them."""
LEAST = 400
FINDINGS = 50
SAMPLES = 10
"""Rows of a side that are shown."""
LINE = 400
"""Characters of a text on one line."""


@dataclass(frozen=True, slots=True)
class AttemptView:
    """A judged answer."""

    number: int
    about: str
    ok: bool
    findings: tuple[tuple[str, str, str], ...]
    """Severity, place, message."""
    answer: str
    carried: tuple[tuple[str, str], ...] = ()
    """What the next request did with each finding: grade, and place with the words that carry it, or why it is lost."""


@dataclass(frozen=True, slots=True)
class ConversationView:
    """A conversation, or an answer that a test had judged."""

    headline: str
    ok: bool
    checks: tuple[tuple[str, str], ...]
    """Status, and name with message."""
    attempts: tuple[AttemptView, ...]


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of a case: one of its samples."""

    about: tuple[str, ...]
    """Where it comes from, line by line."""
    talks: tuple[ConversationView, ...]


def row_views(rows: Sequence[CaseRow], limit: int) -> tuple[RowView, ...]:
    """Return the rows of one side of a case, each answer clipped to `limit` characters."""
    return tuple(_row(row, number, len(rows), limit) for number, row in enumerate(rows[:SAMPLES], 1))


def shared_limit(answers: int) -> int:
    """Return characters of each of so many answers that a page shows."""
    return min(ANSWER_LIMIT, max(LEAST, ALL_ANSWERS // max(answers, 1)))


def _row(row: CaseRow, number: int, total: int, limit: int) -> RowView:
    about = [f"sample {number} of {total}"] if total > 1 else []
    about += [one_line(text, LINE) for text in (row.test, row.model, row.variant) if text]
    about += [f"recording {one_line(row.recording, LINE)}"] if row.recording and row.recording != row.test else []
    about += [f"stale: {one_line(reason, LINE)}" for reason in row.stale]
    about += [anew_text(row.anew)] if row.anew is not None else []
    return RowView(tuple(about), tuple(_talk(judged, limit) for judged in row.judged))


def _talk(judged: Judged, limit: int) -> ConversationView:
    name = "answer" if judged.single else f"conversation {one_line(judged.name, 80)}"
    outcome = one_line(judged.outcome, 80).replace("_", " ") or "not judged"
    by = f" by {one_line(judged.contract, 80)}" if judged.contract else ""
    checks = tuple((one_line(c.status, 40), one_line(f"{c.name}: {c.message}", LINE)) for c in judged.checks)
    attempts = tuple(_attempt(attempt, number, limit) for number, attempt in enumerate(judged.attempts, 1))
    return ConversationView(f"{name}{by}: {outcome}", judged.ok, checks, attempts)


def _attempt(attempt: AttemptRow, number: int, limit: int) -> AttemptView:
    about = [one_line(attempt.model, 80)] if attempt.model else []
    about += [f"finish {one_line(attempt.finish, 40)}"] if attempt.finish else []
    tokens = [number for number in (attempt.input_tokens, attempt.output_tokens) if number is not None]
    about += [f"{sum(tokens):,} tokens"] if tokens else []
    about += [f"{attempt.latency_s:,.1f} s"] if attempt.latency_s is not None else []
    about += [one_line(attempt.kind, 40)] if attempt.kind else []
    findings = tuple(_finding(finding) for finding in attempt.findings[:FINDINGS])
    carried = tuple(carried_text(found) for found in attempt.carried[:FINDINGS])
    return AttemptView(number, ", ".join(about), attempt.ok, findings, block(attempt.answer, limit), carried)


def _finding(finding: Finding) -> tuple[str, str, str]:
    place = one_line(to_dotted(finding.path), 160)
    where = f"{place} (line {finding.span.line}, column {finding.span.column})" if finding.span else place
    return finding.severity.value, where, one_line(f"{finding.message} [{finding.code}]", LINE)
