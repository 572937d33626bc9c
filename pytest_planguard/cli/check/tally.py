"""The figures of a whole `planguard check`: what was read, how it ended, what the retries fed back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...contract.finding import Severity
from ...retry.outcomes import CheckStatus
from .known import KnownTally

if TYPE_CHECKING:
    from pathlib import Path

    from ...contract.verdict import Verdict
    from ...retry.results import Attempt, Convergence
    from ..inputs.answer_stream import JudgedLines
    from .judge_file import FileReport


NAMED = 3
"""Files that were left out whose names are kept."""


@dataclass(slots=True)
class Tally:
    """Counts over all files. Nothing of the answers themselves is kept."""

    cassettes: int = 0
    exchanges: int = 0
    answers: int = 0
    """Answers judged outside a cassette: lines and documents."""
    answers_ok: int = 0
    fields_read: Counter[str | None] = field(default_factory=Counter)
    """Answers one a line, by the field that was read; None where a line is the answer."""
    plans: int = 0
    plans_ok: int = 0
    plans_in_part: int = 0
    """Of those that are well, the ones of which a part was not read."""
    plans_unsure: int = 0
    """Plans whose format was guessed and of which some findings are remarks for that reason."""
    remarks: int = 0
    """Those remarks."""
    plan_findings: Counter[str] = field(default_factory=Counter)
    """Findings in plans by code, remarks left out."""
    unreadable: int = 0
    skipped: int = 0
    """Files in a folder that are no cassette, no answers and no plan."""
    some_skipped: list[str] = field(default_factory=list)
    """The first of them."""
    conversations: int = 0
    converged: int = 0
    """Conversations with nothing to complain about."""
    outcomes: Counter[str] = field(default_factory=Counter)
    valid_at: Counter[int] = field(default_factory=Counter)
    """Conversations by the number of their first valid attempt, from 1."""
    on_purpose: int = 0
    """Conversations that fail as it is expected of them; they are not bad."""
    surprises: int = 0
    """Cassettes that do not fail as it is expected of them."""
    longest: int = 0
    """Attempts of the longest conversation."""
    retries: int = 0
    repeats: int = 0
    """Retries whose answer equals the one before."""
    repeats_of_any: int = 0
    """Retries whose answer equals any earlier one of the conversation."""
    grades: Counter[str] = field(default_factory=Counter)
    """Findings that a retry should feed back, by how firmly they were found."""
    retries_fed_back: Counter[str] = field(default_factory=Counter)
    """Retries by the weakest grade among the findings that they should feed back."""
    checks: dict[CheckStatus, Counter[str]] = field(default_factory=dict)
    """Failed and warned checks by name."""
    first_warned: dict[str, str] = field(default_factory=dict)
    """By name of a check: the first cassette in which it warned, and what was seen there."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Failure kinds of bad answers."""
    raw: Counter[str] = field(default_factory=Counter)
    """Exchanges kept as raw text, by reason."""
    unjudged: Counter[str] = field(default_factory=Counter)
    """Understood exchanges that no contract judges, by reason."""
    known: KnownTally = field(default_factory=KnownTally)

    def add(self, report: FileReport) -> None:
        """Count one file."""
        self.unreadable += len(report.errors)
        if report.skipped is not None:
            self.skipped += 1
            self.some_skipped += [str(report.path)] if len(self.some_skipped) < NAMED else []
        self.cassettes += report.cassette
        self.exchanges += report.exchanges
        self.raw.update(report.raw)
        self.unjudged.update(report.unjudged)
        self.known.add(report.known)
        self.kinds.update(report.unanswered)
        self.on_purpose += sum(not c.ok for c in report.conversations) if report.on_purpose else 0
        self.surprises += report.surprise is not None
        for convergence in report.conversations:
            self._conversation(convergence, report.path)
        for answer in report.answers:
            self.answers += 1
            self.answers_ok += answer.verdict.ok
            self._kind(answer.verdict)
        if report.lines is not None:
            self._lines(report.lines)
        if report.plan is not None:
            self.plans += 1
            self.plans_ok += report.plan.ok
            self.plans_in_part += report.plan.in_part
            self.plans_unsure += bool(report.plan.unsure)
            self.remarks += len(report.plan.unsure)
            self.plan_findings.update(f.code for f in report.plan.findings if f.severity is not Severity.INFO)

    @property
    def judged(self) -> int:
        """Conversations, answers and plans that were judged."""
        return self.conversations + self.answers + self.plans

    @property
    def bad(self) -> int:
        """Conversations, answers and plans that do not hold, and cassettes that fail otherwise than expected."""
        conversations = self.conversations - self.converged - self.on_purpose + self.surprises
        return conversations + self.answers - self.answers_ok + self.plans - self.plans_ok

    def _lines(self, lines: JudgedLines) -> None:
        self.answers += lines.answers
        self.answers_ok += lines.good
        self.unreadable += lines.problem_count
        self.kinds.update({kind.value: number for kind, number in lines.kinds.items()})
        self.fields_read[lines.answer_field] += lines.answers

    def _conversation(self, convergence: Convergence, path: Path) -> None:
        self.conversations += 1
        self.converged += convergence.ok
        self.outcomes[convergence.outcome.value] += 1
        self.longest = max(self.longest, len(convergence.attempts))
        first_valid = next((a.number for a in convergence.attempts if a.verdict.ok), None)
        if first_valid is not None:
            self.valid_at[first_valid] += 1
        for check in convergence.checks:
            if check.status in (CheckStatus.FAIL, CheckStatus.WARN):
                self.checks.setdefault(check.status, Counter())[check.name] += 1
            if check.status is CheckStatus.WARN:
                self.first_warned.setdefault(check.name, ": ".join((str(path), check.message, *check.evidence[:1])))
        for attempt in convergence.attempts:
            self._kind(attempt.verdict)
        self._retries(convergence.attempts)

    def _retries(self, attempts: tuple[Attempt, ...]) -> None:
        earlier: list[str] = []
        for attempt in attempts:
            text = attempt.verdict.text
            if earlier:
                self.retries += 1
                self.repeats += text == earlier[-1]
                self.repeats_of_any += text in earlier
            earlier.append(text)
        for attempt in attempts[:-1]:
            grades = [fed_back.label for fed_back in attempt.fed_back]
            self.grades.update(grades)
            if grades:
                self.retries_fed_back[weakest(grades)] += 1

    def _kind(self, verdict: Verdict) -> None:
        if verdict.kind is not None:
            self.kinds[verdict.kind.value] += 1


def weakest(grades: list[str]) -> str:
    """Return the weakest of the grades that reading gives; NOT_JUDGED only where none says anything."""
    firmest_last = ("missing", "wrong", "unclear", "partial", "weak", "located", "verbatim")
    return next((grade for grade in firmest_last if grade in grades), "not judged")
