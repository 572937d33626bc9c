"""The last lines of `planguard check`: the figures of a tally, one per line."""

from __future__ import annotations

from collections import Counter
from itertools import chain, repeat
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind
from ...printable import one_line
from ...report.finding_text import count
from ...report.page import Facts
from ...retry.outcomes import LABELS, Firmness, Grade, Known
from ..inputs.kept_proofs import BY_READING
from .logs.log_words import log_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .tally import Tally

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
        yield "tool arguments", f"{tally.calls_with_bad_arguments:,} of {calls} break the schema declared for them"


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
            yield "", f"      and {len(reasons) - REASONS} more reasons"


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{times:,} {name.replace('_', ' ')}" for name, times in counted.most_common())
