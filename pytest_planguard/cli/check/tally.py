"""The figures of a whole `planguard check`, and its last lines: what was read, how it ended, how retries feed back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Severity
from ...printable import one_line
from ...report.page import Facts
from ...report.plain_text import count
from ...retry.outcomes import LABELS, CheckStatus, Firmness, Grade, Known
from ...runs.store.kept_proofs import BY_READING
from .log_words import log_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from ...retry.results import Attempt, Convergence
    from ...runs.logs.summary import LogSummary
    from ..inputs.answers import JudgedLines
    from .file_report import FileReport

MEANING: dict[str, str] = {
    Firmness.PROVEN: "without the finding, the app leaves out the words about it",
    Firmness.REACTS: "without the finding, the app leaves out words that planguard does not recognise",
    Firmness.VERBATIM: "the next request quotes its message verbatim",
    Firmness.LOCATED: "the next request names its place, and its rule or message",
    Firmness.WEAK: "the next request has only keywords of it",
    Grade.PARTIAL: "the next request names its place, in words that planguard does not understand",
    Grade.UNCLEAR: "the next request has new words that may be about it",
    Grade.WRONG: "the next request says something else about it",
    Grade.MISSING: "the next request does not mention it",
    Grade.NOT_JUDGED: "cannot be determined",
}
"""The meaning of a finding's grade."""
KNOWN_WORDS = {
    Known.FINDINGS: "a contract or the request's own schema rejects the answer",
    Known.ERRORS: "the feedback names a place and a validator's code",
    Known.WORDS: "the feedback is free text",
}
"""The meaning of each way to recognise a rejected answer."""
REASONS = 10
"""Maximum number of reasons to list. The rest are counted."""
Line = tuple[str, str]
"""Name and text."""
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
        from ...plans.rules.judge_plan import BY_CODE

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


def summary(tally: Tally) -> Facts:
    """Return the figures: what was read, outcomes, valid by attempt, repeats, checks, raw text."""
    new = () if tally.new_rules is None else (("new failures", ", ".join(map(one_line, tally.new_rules)) or "none"),)
    parts = (new, _read(tally), _conversations(tally), _listed(tally), _others(tally), _reasons(tally))
    return Facts(tuple(chain(log_lines(tally.logs) if tally.logs is not None else (), *parts)), aligned=True)


def _read(tally: Tally) -> Iterator[Line]:
    parts = [f"{count(tally.cassettes, 'cassette')} with {count(tally.exchanges, 'exchange')}"] * bool(tally.cassettes)
    parts += [count(tally.answers, "answer")] * bool(tally.answers) + [count(tally.plans, "plan")] * bool(tally.plans)
    parts += [f"{tally.unreadable:,} could not be read or judged"] * bool(tally.unreadable)
    if parts or tally.logs is None:
        yield "read", ", ".join(parts) or "nothing"
    if tally.skipped:
        more = tally.skipped - len(tally.some_skipped)
        names = ", ".join(one_line(name, 160) for name in tally.some_skipped) + (f" and {more:,} more" if more else "")
        yield "left out", f"{count(tally.skipped, 'other file')}: {names} (-v says why)"


def _conversations(tally: Tally) -> Iterator[Line]:
    if not tally.conversations:
        return
    yield "conversations", f"{tally.conversations:,}: {_counts(tally.outcomes)}"
    if tally.on_purpose or tally.surprises:
        verb = "does" if tally.surprises == 1 else "do"
        other = f"; {count(tally.surprises, 'cassette')} {verb} not" if tally.surprises else ""
        yield "on purpose", f"{tally.on_purpose:,} fail as expected.yaml says{other}"
    # '0/1/1/1 of 2 (by attempt 1/2/3/4)'. The tail of a very long conversation is one figure.
    sums = tally.valid_by_attempt
    shown, numbers = ("/".join(map(str, of)) for of in (sums[:8], range(1, min(len(sums), 8) + 1)))
    last, number = (f" … {sums[-1]}", f" … {len(sums)}") if len(sums) > 8 else ("", "")
    yield "valid by attempt", f"{shown}{last} of {tally.conversations:,} (by attempt {numbers}{number})"
    yield from _retries(tally)
    if tally.checks_failed:
        yield "checks failed", ", ".join(f"{name} in {n:,}" for name, n in tally.checks_failed.most_common())
    warned = tally.checks_warned.most_common()
    for name, (check, times) in zip(chain(["checks warned"], repeat("")), warned, strict=False):
        where = f"{check} in {count(times, 'conversation')}{', first' if times > 1 else ''}"
        yield name, f"{where}: {one_line(tally.first_warned[check], 300)}"


def _retries(tally: Tally) -> Iterator[Line]:
    if not tally.retries:
        yield "retries", "none"
        return
    before, earlier = tally.repeats_of_the_answer_before, tally.repeats_of_any_earlier_answer
    yield "retries", f"{before}/{tally.retries} repeat the answer before, {earlier} any earlier answer"
    grades = [(label, tally.findings_fed_back[label]) for label in LABELS if tally.findings_fed_back[label]]
    yield "feedback", ", ".join(f"{n} {label}" for label, n in grades) or "no finding to feed back"
    yield from (("", f"  {label}: {MEANING[label]}") for label, _ in grades)
    if tally.retries_by_weakest_grade:
        yield "by retry", f"{_counts(tally.retries_by_weakest_grade)} (each by the worst of its findings)"
    yield "judged", BY_READING


def _listed(tally: Tally) -> Iterator[Line]:
    """Yield the figures of cassettes apart from their conversations."""
    if tally.retries_found:
        judged = f"{tally.retries_judged:,} judged, {tally.retries_found - tally.retries_judged:,} not"
        yield (
            "retries found",
            f"{tally.retries_found:,} in {count(tally.recordings_with_retries, 'cassette')}: {judged}",
        )
        for known in Known:
            if tally.known_by[known.value]:
                yield "", f"{tally.known_by[known.value]:>5,} {known.value}: {KNOWN_WORDS[known]}"
    if tally.steps:
        yield "steps", ", ".join(f"{times:,} {name}" for name, times in tally.steps.most_common())
    if tally.calls_checked:
        calls = count(tally.calls_checked, "call")
        yield "tool arguments", f"{tally.calls_with_bad_arguments:,} of {calls} with arguments that break their schema"


def _others(tally: Tally) -> Iterator[Line]:
    if tally.answers:
        yield "answers", f"{tally.answers_ok:,} of {tally.answers:,} meet the contract"
    if any(tally.fields_read):
        names = [(one_line(name or "the line itself", 60), number) for name, number in tally.fields_read.items()]
        several = ", ".join(f"{name} in {number:,}" for name, number in names)
        yield "field read", f"{names[0][0] if len(names) == 1 else several} (--field names another)"
    if tally.plans:
        in_part = f", {tally.plans_read_in_part:,} of them read in part" if tally.plans_read_in_part else ""
        yield "plans", f"{tally.plans_ok:,} of {tally.plans:,} keep the rules{in_part}"
    if tally.plan_remarks:
        rules = ", ".join(f"{n:,} {code}" for code, n in tally.plan_remarks.most_common())
        where = f"{rules} in {count(tally.plans_unsure, 'plan')} whose format was guessed"
        yield "not sure", f"{where}: --verbose lists them, --rules FORMAT judges them"
        yield from (("", one_line(told, 200)) for _, told in tally.strongest_remarks)
    if tally.plan_findings:
        yield "found in plans", ", ".join(f"{n:,} {code}" for code, n in tally.plan_findings.most_common())
    if tally.kinds:
        unanswered = tally.kinds[FailureKind.AUTH.value] or tally.kinds[FailureKind.TRANSPORT.value]
        yield ("bad or no answers" if unanswered else "bad answers"), _counts(tally.kinds)


def _reasons(tally: Tally) -> Iterator[Line]:
    for name, reasons in (("kept as raw text", tally.raw), ("not judged", tally.not_judged)):
        if reasons:
            yield name, count(reasons.total(), "exchange")
        for reason, times in reasons.most_common(REASONS):
            yield "", f"{times:>5,} × {one_line(reason, 160)}"
        if len(reasons) > REASONS:
            yield "", f"      and {count(len(reasons) - REASONS, 'more reason')}"


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{times:,} {name.replace('_', ' ')}" for name, times in counted.most_common())
