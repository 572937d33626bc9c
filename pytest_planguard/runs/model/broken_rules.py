"""The rules that a case's last answers break. planguard compares, counts and lists failures by rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...document.path import WildcardPath, to_dotted, wildcard
from .run import UNANSWERED

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...retry.results import Check
    from .judged_answers import CheckRow, Judged
    from .run import CaseRow

CHECK = "check"
"""Prefix of a named check of a conversation: "check:feedback"."""
OUTCOME = "outcome"
"""Prefix of an outcome that nothing else explains: "outcome:false_convergence"."""
TEST = "test"
"""Prefix of a test that fails for an unknown reason: "test:failed", "test:error"."""
GAVE_UP = "gave_up"
"""Prefix of the class of an exception that the app raised after a rejected answer: "gave_up:myapp.NoTicket"."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that a case breaks at a place. List indices don't matter."""

    rule: str
    """The finding's code, or "check:…", "outcome:…", "gave_up:…", "test:…"."""
    path: WildcardPath = ()
    """The place, with None for every list index; () if the rule is about the whole answer."""

    @property
    def place(self) -> str:
        """The path as text: "steps[*].status"; "" if the rule is about the whole answer."""
        return to_dotted(self.path) if self.path else ""

    def __str__(self) -> str:
        return f"{self.rule} at {self.place}" if self.place else self.rule


FEEDBACK = Broken(f"{CHECK}:feedback")
"""A retry dropped the findings of the attempt before it."""


def broken_rules(rows: Iterable[CaseRow]) -> tuple[Broken, ...]:
    """Return the sorted, distinct rules that the last answers in a case's rows break."""
    return tuple(sorted_rules(broken for row in rows for broken in _broken(row)))


def sorted_rules(rules: Iterable[Broken]) -> list[Broken]:
    """Return the distinct rules, sorted by name and place.

    Places are sorted as text, because None can't be ordered.
    """
    return sorted(set(rules), key=lambda broken: (broken.rule, broken.place))


def open_rules(rows: Iterable[CaseRow], others: Sequence[CaseRow]) -> set[Broken]:
    """Return the rules that one run breaks in conversations that did not end in the other run.

    In the other run, a request got no recorded answer, so no final answer exists that could break or fix a rule.
    """
    cut = [other for other in others if other.misses]
    return {
        broken
        for row in rows
        if cut and not row.ok
        for judged in _ended_badly(row)
        if any(not (any(own.name == judged.name and not other.cut_short(own) for own in other.judged)) for other in cut)
        for broken in _judged(judged)
    }


def _broken(row: CaseRow) -> Iterator[Broken]:
    if row.ok:
        return
    found = [*_missed(row), *(broken for judged in _ended_badly(row) for broken in _judged(judged))]
    yield from found
    if found and row.gave_up is not None:
        yield Broken(f"{GAVE_UP}:{row.gave_up}")
    if not found:
        wrong = [Broken(one.code, wildcard(one.path)) for score in row.expected for one in score.findings]
        yield from wrong or [Broken(f"{TEST}:{row.result or 'failed'}")]


def _ended_badly(row: CaseRow) -> list[Judged]:
    return [judged for judged in row.judged if not judged.ok and not row.cut_short(judged)]


def _missed(row: CaseRow) -> Iterator[Broken]:
    """Yield the rules broken by requests that have no recorded answer.

    The app's request is at fault, not the model's answer.
    """
    if row.feedback_is_missing:
        yield FEEDBACK
    elif row.misses:
        yield Broken(f"{OUTCOME}:{row.outcome if row.outcome in UNANSWERED else UNANSWERED[0]}")


def _judged(judged: Judged) -> Iterator[Broken]:
    last = judged.last
    yield from broken_by(last.findings if last is not None else (), judged.checks, judged.outcome)


def broken_by(findings: Iterable[Finding], checks: Iterable[Check | CheckRow], outcome: str) -> Iterator[Broken]:
    """Yield the rules that a bad conversation breaks: last findings and failed checks, or else the outcome."""
    found = [Broken(finding.code, wildcard(finding.path)) for finding in findings if finding.severity.bad]
    # The check "valid" repeats the findings of the last answer.
    found += [Broken(f"{CHECK}:{check.name}") for check in checks if check.status == "fail" and check.name != "valid"]
    yield from found or [Broken(f"{OUTCOME}:{outcome or 'not ok'}")]
