"""The figures of a whole `planguard check`: what was read, how it ended, and the feedback of the retries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from ...contract.finding import Severity
from ...retry.outcomes import LABELS, CheckStatus, Firmness, Known

if TYPE_CHECKING:
    from pathlib import Path

    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from ...retry.results import Attempt, Convergence
    from ...runs.logs.summary import LogSummary
    from ..inputs.answer_stream import JudgedLines
    from .file_report import FileReport

NAMED = 3
"""Maximum number of skipped files whose names are kept."""
FIGURES = 4
"""Minimum number of attempts in the figures "valid by attempt"."""
BY_RUNNING = (Firmness.PROVEN, Firmness.REACTS)
"""Grades that only a run of the app gives."""


@dataclass(slots=True)
class Tally:
    """Counts over all files, under the names that programs read. The answers themselves are not kept."""

    cassettes: int = 0
    exchanges: int = 0
    unreadable: int = 0
    skipped: int = 0
    """Files in a folder that are neither cassettes, answers nor plans."""
    conversations: int = 0
    ok: int = 0
    """Conversations without problems."""
    outcomes: Counter[str] = field(default_factory=Counter)
    on_purpose: int = 0
    """Conversations that fail as expected. They are not bad."""
    surprises: int = 0
    """Cassettes that do not fail as expected."""
    retries: int = 0
    repeats_of_the_answer_before: int = 0
    """Retries whose answer equals the previous one."""
    repeats_of_any_earlier_answer: int = 0
    findings_fed_back: Counter[str] = field(default_factory=Counter)
    """Findings that a retry should feed back, by grade. The grades come from reading the requests."""
    retries_by_weakest_grade: Counter[str] = field(default_factory=Counter)
    """Retries by the weakest grade among the findings that they should feed back."""
    checks_failed: Counter[str] = field(default_factory=Counter)
    checks_warned: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    """Answers judged outside a cassette: lines and documents."""
    answers_ok: int = 0
    fields_read: Counter[str | None] = field(default_factory=Counter)
    """Answers in files with one per line, by the field that was read; None if the line is the answer."""
    plans: int = 0
    plans_ok: int = 0
    plans_read_in_part: int = 0
    """Good plans of which only a part was read."""
    plan_remarks: Counter[str] = field(default_factory=Counter)
    """Findings that are only remarks because the format was guessed, by code."""
    plan_findings: Counter[str] = field(default_factory=Counter)
    """Findings in plans by code, without remarks."""
    kinds: Counter[str] = field(default_factory=Counter)
    raw: Counter[str] = field(default_factory=Counter)
    """Exchanges kept as raw text, by reason."""
    not_judged: Counter[str] = field(default_factory=Counter)
    """Parsed exchanges that no contract judges, by reason."""
    retries_found: int = 0
    recordings_with_retries: int = 0
    retries_judged: int = 0
    """Retries that are judged in a conversation."""
    known_by: Counter[str] = field(default_factory=lambda: Counter({known.value: 0 for known in Known}))
    """Retries by the way in which the rejected answer was recognised."""
    steps: Counter[str] = field(default_factory=Counter)
    calls_checked: int = 0
    """Calls of ordinary tools whose arguments were checked against the declared schema."""
    calls_with_bad_arguments: int = 0
    logs: LogSummary | None = None
    new_rules: tuple[str, ...] | None = None
    """Newly broken rules in logs; None if all failures count."""
    some_skipped: list[str] = field(default_factory=list)
    """The first files that were skipped."""
    strongest_remarks: list[tuple[int, str]] = field(default_factory=list)
    """The most severe remarks with their severity in a named format, their place and message."""
    plans_unsure: int = 0
    """Plans of a guessed format with remarks for that reason."""
    valid_at: Counter[int] = field(default_factory=Counter)
    """Conversations by the number of their first valid attempt, from 1."""
    longest: int = 0
    first_warned: dict[str, str] = field(default_factory=dict)
    """For each check, the first cassette in which it warned, with the evidence."""

    def add(self, report: FileReport) -> None:
        """Count one file."""
        self.unreadable += len(report.errors)
        if report.skipped is not None:
            self.skipped += 1
            self.some_skipped += [str(report.path)] if len(self.some_skipped) < NAMED else []
        self.cassettes += report.cassette
        self.exchanges += report.exchanges
        self.raw.update(report.raw)
        self.not_judged.update(report.unjudged)
        self._listed(report)
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
        if report.logs is not None:
            self.logs, self.new_rules = report.logs, report.new_rules
            self.unreadable += report.logs.unread.total()
        if report.plan is not None:
            self.plans += 1
            self.plans_ok += report.plan.ok
            self.plans_read_in_part += report.plan.in_part
            self._remarks(report.path, report.plan.unsure)
            self.plan_findings.update(f.code for f in report.plan.findings if f.severity is not Severity.INFO)

    @property
    def judged(self) -> int:
        """Number of judged conversations, answers and plans."""
        logged = self.logs.conversations if self.logs is not None else 0
        return self.conversations + self.answers + self.plans + logged

    @property
    def bad(self) -> int:
        """Number of bad conversations, answers and plans, and of cassettes that don't fail as expected."""
        conversations = self.conversations - self.ok - self.on_purpose + self.surprises
        logged = self.logs.bad if self.logs is not None else 0
        logged = logged if self.new_rules is None else len(self.new_rules)
        return conversations + self.answers - self.answers_ok + self.plans - self.plans_ok + logged

    @property
    def valid_by_attempt(self) -> list[int]:
        """Conversations with a valid answer by attempt 1, 2, 3, …: cumulative, at least `FIGURES` entries."""
        attempts = range(1, max(FIGURES, self.longest) + 1)
        return [sum(self.valid_at[at] for at in range(1, attempt + 1)) for attempt in attempts]

    def values(self) -> dict[str, Any]:
        """Return the figures for `--format json`."""
        names = [name for name in (each.name for each in fields(self)) if name not in _FOR_TEXT]
        found = {name: getattr(self, name) for name in names}
        found = {name: dict(value) if isinstance(value, Counter) else value for name, value in found.items()}
        found["new_rules"] = None if self.new_rules is None else list(self.new_rules)
        found["logs"] = None if self.logs is None else self.logs.values()
        found["fields_read"] = {name: number for name, number in self.fields_read.items() if name is not None}
        found["findings_fed_back"] = {at: self.findings_fed_back[at] for at in LABELS if at not in BY_RUNNING}
        return {**found, "valid_by_attempt": self.valid_by_attempt}

    def _listed(self, report: FileReport) -> None:
        self.retries_found += len(report.retries)
        self.recordings_with_retries += bool(report.retries)
        self.retries_judged += sum(retry.judged for retry in report.retries)
        self.known_by.update(retry.known.value for retry in report.retries)
        self.steps.update(report.steps)
        self.calls_checked += report.calls
        self.calls_with_bad_arguments += len(report.bad_calls)

    def _lines(self, lines: JudgedLines) -> None:
        self.answers += lines.answers
        self.answers_ok += lines.good
        self.unreadable += lines.problem_count
        self.kinds.update({kind.value: number for kind, number in lines.kinds.items()})
        self.fields_read[lines.answer_field] += lines.answers

    def _conversation(self, convergence: Convergence, path: Path) -> None:
        self.conversations += 1
        self.ok += convergence.ok
        self.outcomes[convergence.outcome.value] += 1
        self.longest = max(self.longest, len(convergence.attempts))
        first_valid = next((a.number for a in convergence.attempts if a.verdict.ok), None)
        if first_valid is not None:
            self.valid_at[first_valid] += 1
        for check in convergence.checks:
            if check.status is CheckStatus.FAIL:
                self.checks_failed[check.name] += 1
            elif check.status is CheckStatus.WARN:
                self.checks_warned[check.name] += 1
                self.first_warned.setdefault(check.name, ": ".join((str(path), check.message, *check.evidence[:1])))
        for attempt in convergence.attempts:
            self._kind(attempt.verdict)
        self._retries(convergence.attempts)

    def _retries(self, attempts: tuple[Attempt, ...]) -> None:
        texts = [attempt.verdict.text for attempt in attempts]
        for at, text in enumerate(texts[1:], 1):
            self.retries += 1
            self.repeats_of_the_answer_before += text == texts[at - 1]
            self.repeats_of_any_earlier_answer += text in texts[:at]
        for attempt in attempts[:-1]:
            grades = [fed_back.label for fed_back in attempt.fed_back]
            self.findings_fed_back.update(grades)
            if grades:
                self.retries_by_weakest_grade[weakest(grades)] += 1

    def _remarks(self, path: Path, remarks: tuple[Finding, ...]) -> None:
        from ...plans.rules.catalogue import BY_CODE

        for one in remarks:
            self.plan_remarks[one.code] += 1
            line = f":{one.span.line}" if one.span is not None else ""
            self.strongest_remarks.append(
                (BY_CODE[one.code].severity.rank, f"{path}{line}: {one.message} [{one.code}]")
            )
        self.plans_unsure += bool(remarks)
        self.strongest_remarks = sorted(self.strongest_remarks, key=lambda told: -told[0])[:NAMED]

    def _kind(self, verdict: Verdict) -> None:
        if verdict.kind is not None:
            self.kinds[verdict.kind.value] += 1


_FOR_TEXT = frozenset(("some_skipped", "strongest_remarks", "plans_unsure", "valid_at", "longest", "first_warned"))
"""Figures that only the text shows."""


def weakest(grades: list[str]) -> str:
    """Return the weakest of the grades from reading, or NOT_JUDGED if the list has no others."""
    firmest_last = ("missing", "wrong", "unclear", "partial", "weak", "located", "verbatim")
    return next((grade for grade in firmest_last if grade in grades), "not judged")
