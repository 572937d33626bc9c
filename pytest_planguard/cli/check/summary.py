"""The last lines of `planguard check`: the figures of a tally, as text or as plain values for JSON."""

from __future__ import annotations

from collections import Counter
from itertools import chain, repeat
from typing import Any

from ...contract.failure_kinds import FailureKind
from ...printable import one_line
from ...report.answer.finding_text import count
from ...retry.outcomes import LABELS, CheckStatus, Firmness, Grade
from ..inputs.kept_proofs import BY_READING
from .tally import Tally

FIGURES = 4
"""Attempts that the line "valid by attempt" always shows."""
MEANING: dict[str, str] = {
    Firmness.PROVEN: "without it the app no longer says the words about it",
    Firmness.REACTS: "without it the app no longer says some words that nobody can read",
    Firmness.VERBATIM: "the next request has its message, word for word",
    Firmness.LOCATED: "the next request has its place, with its rule or message",
    Firmness.WEAK: "the next request has keywords of it alone",
    Grade.PARTIAL: "the next request has its place, in words that were not understood",
    Grade.UNCLEAR: "the next request has new words that may be about it",
    Grade.WRONG: "the next request says something else of it",
    Grade.MISSING: "the next request does not say it",
    Grade.NOT_JUDGED: "cannot be determined",
}
"""What it says of a finding to have a grade."""
BY_RUNNING = (Firmness.PROVEN, Firmness.REACTS)
"""Grades that only a run of the app gives."""
REASONS = 10
"""Reasons listed one by one; the rest is counted."""


def render_summary(tally: Tally) -> str:
    """Return the figures, one a line: what was read, outcomes, valid by attempt, repeats, checks, raw text."""
    lines = [("read", _read(tally)), *([("left out", _left_out(tally))] if tally.skipped else [])]
    if tally.conversations:
        lines += [
            ("conversations", f"{tally.conversations:,}: {_counts(tally.outcomes)}"),
            *([("on purpose", _on_purpose(tally))] if tally.on_purpose or tally.surprises else []),
            ("valid by attempt", _valid_by(tally)),
            *_retry_lines(tally),
            *_check_lines(tally),
        ]
    lines += tally.known.lines()
    if tally.answers:
        lines.append(("answers", f"{tally.answers_ok:,} of {tally.answers:,} keep the contract"))
    if any(tally.fields_read):
        lines.append(("field read", f"{_fields(tally)} (--field names another)"))
    if tally.plans:
        in_part = f", {tally.plans_in_part:,} of them read in part" if tally.plans_in_part else ""
        lines.append(("plans", f"{tally.plans_ok:,} of {tally.plans:,} keep the rules{in_part}"))
    if tally.remarks:
        where = f"{count(tally.remarks, 'remark')} in {count(tally.plans_unsure, 'plan')} whose format was guessed"
        lines.append(("not sure", f"{where}: --verbose lists them, --rules FORMAT judges them"))
    if tally.plan_findings:
        lines.append(("found in plans", ", ".join(f"{n:,} {code}" for code, n in tally.plan_findings.most_common())))
    if tally.kinds:
        lines.append(("bad or no answers" if _unanswered(tally) else "bad answers", _counts(tally.kinds)))
    lines += _reason_lines("kept as raw text", tally.raw) + _reason_lines("not judged", tally.unjudged)
    wide = max(len(name) for name, _ in lines)
    return "\n".join(f"{name:<{wide}}  {text}".rstrip() for name, text in lines)


def summary_values(tally: Tally) -> dict[str, Any]:
    """Return the figures for `--format json`."""
    return {
        "cassettes": tally.cassettes,
        "exchanges": tally.exchanges,
        "unreadable": tally.unreadable,
        "skipped": tally.skipped,
        "conversations": tally.conversations,
        "ok": tally.converged,
        "outcomes": dict(tally.outcomes),
        "on_purpose": tally.on_purpose,
        "surprises": tally.surprises,
        "valid_by_attempt": valid_by_attempt(tally),
        "retries": tally.retries,
        "retries_judged": "by reading",
        "repeats_of_the_answer_before": tally.repeats,
        "repeats_of_any_earlier_answer": tally.repeats_of_any,
        "findings_fed_back": {label: tally.grades[label] for label in LABELS if label not in BY_RUNNING},
        "retries_by_weakest_grade": dict(tally.retries_fed_back),
        "checks_failed": dict(tally.checks.get(CheckStatus.FAIL, {})),
        "checks_warned": dict(tally.checks.get(CheckStatus.WARN, {})),
        "answers": tally.answers,
        "answers_ok": tally.answers_ok,
        "fields_read": {name: number for name, number in tally.fields_read.items() if name is not None},
        "plans": tally.plans,
        "plans_ok": tally.plans_ok,
        "plans_read_in_part": tally.plans_in_part,
        "plan_remarks": tally.remarks,
        "plan_findings": dict(tally.plan_findings),
        "kinds": dict(tally.kinds),
        "raw": dict(tally.raw),
        "not_judged": dict(tally.unjudged),
        **tally.known.values(),
    }


def valid_by_attempt(tally: Tally) -> list[int]:
    """Conversations with a valid answer by attempt 1, 2, 3, …: cumulative, at least `FIGURES` entries."""
    total, sums = 0, []
    for attempt in range(1, max(FIGURES, tally.longest) + 1):
        total += tally.valid_at[attempt]
        sums.append(total)
    return sums


def _read(tally: Tally) -> str:
    cassettes = f"{count(tally.cassettes, 'cassette')} with {count(tally.exchanges, 'exchange')}"
    parts = [cassettes] if tally.cassettes else []
    parts += [count(tally.answers, "answer")] if tally.answers else []
    parts += [count(tally.plans, "plan")] if tally.plans else []
    parts += [f"{tally.unreadable:,} could not be read or judged"] if tally.unreadable else []
    return ", ".join(parts) or "nothing"


def _fields(tally: Tally) -> str:
    """Return 'output', or 'output in 1,000, the line itself in 20' where files differ."""
    names = [("the line itself" if name is None else name, number) for name, number in tally.fields_read.items()]
    if len(names) == 1:
        return one_line(names[0][0], 60)
    return ", ".join(f"{one_line(name, 60)} in {number:,}" for name, number in names)


def _left_out(tally: Tally) -> str:
    """Return '2 other files: a/settings.yaml, README.md (-v says why)'."""
    more = tally.skipped - len(tally.some_skipped)
    names = ", ".join(one_line(name, 160) for name in tally.some_skipped) + (f" and {more:,} more" if more else "")
    return f"{count(tally.skipped, 'other file')}: {names} (-v says why)"


def _on_purpose(tally: Tally) -> str:
    """Return '38 fail as expected.yaml says', and how many cassettes do not."""
    verb = "does" if tally.surprises == 1 else "do"
    other = f"; {count(tally.surprises, 'cassette')} {verb} not" if tally.surprises else ""
    return f"{tally.on_purpose:,} fail as expected.yaml says{other}"


def _valid_by(tally: Tally) -> str:
    """Return '0/1/1/1 of 2 (by attempt 1/2/3/4)'; the tail of a very long conversation is one figure."""
    sums = valid_by_attempt(tally)
    shown, numbers = ("/".join(map(str, of)) for of in (sums[:8], range(1, min(len(sums), 8) + 1)))
    last, number = (f" … {sums[-1]}", f" … {len(sums)}") if len(sums) > 8 else ("", "")
    return f"{shown}{last} of {tally.conversations:,} (by attempt {numbers}{number})"


def _retry_lines(tally: Tally) -> list[tuple[str, str]]:
    if not tally.retries:
        return [("retries", "none")]
    repeats = f"{tally.repeats}/{tally.retries} repeat the answer before, {tally.repeats_of_any} any earlier answer"
    grades = (
        ", ".join(f"{tally.grades[label]} {label}" for label in LABELS if tally.grades[label])
        or "no finding to feed back"
    )
    weakest = _counts(tally.retries_fed_back)
    by_worst = [("by retry", f"{weakest} (each by the worst of its findings)")] if weakest else []
    legend = [("", f"  {label}: {MEANING[label]}") for label in LABELS if tally.grades[label]]
    return [("retries", repeats), ("feedback", grades), *legend, *by_worst, ("judged", BY_READING)]


def _check_lines(tally: Tally) -> list[tuple[str, str]]:
    """Failed checks on one line, for each failed conversation has one of its own; a warning says what it is about."""
    failed, warned = (tally.checks.get(status, Counter()) for status in (CheckStatus.FAIL, CheckStatus.WARN))
    counts = [f"{name} in {times:,}" for name, times in failed.most_common()]
    lines = [("checks failed", ", ".join(counts))] if counts else []
    warnings = [
        f"{name} in {count(times, 'conversation')}{', first' if times > 1 else ''}: "
        + one_line(tally.first_warned[name], 300)
        for name, times in warned.most_common()
    ]
    return lines + list(zip(chain(["checks warned"], repeat("")), warnings, strict=False))


def _reason_lines(name: str, reasons: Counter[str]) -> list[tuple[str, str]]:
    if not reasons:
        return []
    lines = [(name, count(reasons.total(), "exchange"))]
    lines += [("", f"{times:>5,} × {one_line(reason, 160)}") for reason, times in reasons.most_common(REASONS)]
    rest = len(reasons) - REASONS
    return [*lines, ("", f"      and {rest} more reasons")] if rest > 0 else lines


def _unanswered(tally: Tally) -> bool:
    return bool(tally.kinds[FailureKind.AUTH.value] or tally.kinds[FailureKind.TRANSPORT.value])


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{times:,} {name.replace('_', ' ')}" for name, times in counted.most_common())
