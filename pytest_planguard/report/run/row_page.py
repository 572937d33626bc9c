"""The rows of a test as values of a page: every text already safe to show, long ones clipped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...document.path import to_dotted
from ...printable import one_line
from ..words.comparison_words import rerecord_text
from ..words.phrases import fed_back_text
from .marked_text import MarkedPiece, answer_marks, evidence_marks, marked

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...runs.model.judged_answers import AttemptRow, FedBackRow, Judged
    from ...runs.model.run import CaseRow

ANSWER_LIMIT = 20_000
"""Characters of an answer that the page shows."""
ALL_ANSWERS = 12_000_000
"""Characters of all answers together: with very many cases each is clipped sooner, so that a browser can hold them."""
LEAST = 400
FINDINGS = 50
MESSAGES = 10
"""New messages of the next request that are shown."""
SAMPLES = 10
"""Rows of a side that are shown."""
KEY = 2_000
"""Characters of a case's name, which a page shows whole: a parameter may be a sentence."""
LINE = 400
"""Characters of a text on one line."""


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding, numbered within its answer."""

    number: int
    """From 1; the same number marks its place in the answer and in the next request."""
    severity: str
    place: str
    message: str
    code: str


@dataclass(frozen=True, slots=True)
class FedBackView:
    """What the next request did with a finding."""

    number: int | None
    """Of the finding; None for one that the answer does not have (an older contract judged it)."""
    grade: str
    words: str
    """Place with the words that feed it back, or why it is missing."""


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message of the next request."""

    role: str
    text: tuple[MarkedPiece, ...]


@dataclass(frozen=True, slots=True)
class AttemptView:
    """A judged answer."""

    number: int
    about: str
    ok: bool
    findings: tuple[FindingView, ...]
    answer: tuple[MarkedPiece, ...]
    """The model's text with the place of each finding."""
    fed_back: tuple[FedBackView, ...] = ()
    """What the next request did with each finding."""
    messages: tuple[MessageView, ...] = ()
    """What the next request adds, with the words that feed back each finding; () where the run does not keep it."""


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


_STEP = re.compile(r"(?<=::)|(?<=/)|(?=\[)")
"""Where a test's id may break, and where what comes last tells cases apart: "tests/test_a.py::test_x[case]"."""


def key_parts(key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the pieces of a case's name between which a line may break: those of its file, and those of the test.

    A key that is no test's id has no file: (), ("case-0001",).
    """
    file, separator, test = key.partition("::")
    if not separator:
        return (), tuple(_STEP.split(key))
    return tuple(_STEP.split(f"{file}::")), tuple(_STEP.split(test))


def _row(row: CaseRow, number: int, total: int, limit: int) -> RowView:
    about = [f"sample {number} of {total}"] if total > 1 else []
    about += [one_line(text, LINE) for text in own_words(row.key, row.test, row.model, row.variant)]
    about += [f"cassette {one_line(row.cassette, LINE)}"] if row.cassette and row.cassette != row.test else []
    about += [f"stale: {one_line(reason, LINE)}" for reason in row.stale]
    about += [rerecord_text(row.rerecord)] if row.rerecord is not None else []
    return RowView(tuple(about), tuple(_talk(judged, row.model, limit) for judged in row.judged))


def own_words(key: str, *others: str | None) -> list[str]:
    """Return those of some texts that the case's key does not say yet, each once: a variant is often its model."""
    return [text for text in dict.fromkeys(others) if text and text != key]


def _talk(judged: Judged, model: str | None, limit: int) -> ConversationView:
    name = "answer" if judged.single else f"conversation {one_line(judged.name, 80)}"
    outcome = one_line(judged.outcome, 80).replace("_", " ") or "not judged"
    by = f" by {one_line(judged.contract, 80)}" if judged.contract else ""
    checks = tuple((one_line(c.status, 40), one_line(f"{c.name}: {c.message}", LINE)) for c in judged.checks)
    attempts = tuple(_attempt(attempt, number, model, limit) for number, attempt in enumerate(judged.attempts, 1))
    return ConversationView(f"{name}{by}: {outcome}", judged.ok, checks, attempts)


def _attempt(attempt: AttemptRow, number: int, model: str | None, limit: int) -> AttemptView:
    findings = attempt.findings[:FINDINGS]
    gradings = _gradings(attempt, findings)
    said = attempt.next_request[:MESSAGES]
    quoted = [(number, graded.evidence) for number, graded in gradings if number is not None and graded.evidence]
    marks = evidence_marks([message.text for message in said], quoted)
    return AttemptView(
        number,
        ", ".join(_about(attempt, model)),
        attempt.ok,
        tuple(_finding(finding, number) for number, finding in enumerate(findings, 1)),
        marked(attempt.answer, answer_marks(attempt.answer, findings), limit),
        tuple(FedBackView(number, *fed_back_text(graded)) for number, graded in gradings),
        tuple(MessageView(one_line(m.role, 40), marked(m.text, at, limit)) for m, at in zip(said, marks, strict=True)),
    )


def _about(attempt: AttemptRow, model: str | None) -> Iterator[str]:
    """Yield what an attempt took; its model only where it is not the case's own."""
    if attempt.model and attempt.model != model:
        yield one_line(attempt.model, 80)
    if attempt.finish and attempt.finish != "stop":
        yield f"finish {one_line(attempt.finish, 40)}"
    tokens = [number for number in (attempt.input_tokens, attempt.output_tokens) if number is not None]
    if tokens:
        yield f"{sum(tokens):,} tokens"
    if attempt.latency_s is not None:
        yield f"{attempt.latency_s:,.1f} s"
    if attempt.kind:
        yield one_line(attempt.kind, 40).replace("_", " ")


def _gradings(attempt: AttemptRow, findings: Sequence[Finding]) -> list[tuple[int | None, FedBackRow]]:
    """Return what became of each finding with its number; of two findings with one code and path each has its own."""
    numbers: dict[object, list[int]] = {}
    for number, finding in enumerate(findings, 1):
        numbers.setdefault(finding.identity, []).append(number)
    gradings: list[tuple[int | None, FedBackRow]] = []
    for graded in attempt.fed_back[:FINDINGS]:
        known = numbers.get((graded.code, graded.path))
        gradings.append((known.pop(0) if known else None, graded))
    return gradings


def _finding(finding: Finding, number: int) -> FindingView:
    place = one_line(to_dotted(finding.path), 160)
    where = f"{place} (line {finding.span.line}, column {finding.span.column})" if finding.span else place
    code = one_line(finding.code, 80)
    return FindingView(number, finding.severity.value, where, one_line(finding.message, LINE), code)
