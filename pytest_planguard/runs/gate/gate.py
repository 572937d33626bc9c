"""Decide whether a comparison passes. The user chooses what fails it, and every reason is reported."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ...document.path import to_dotted
from ...document.path_pattern import walk
from ...statistics import Evidence
from ..compare.metrics import is_blank
from ..compare.run_diff import Bucket
from ..model.judged_answers import value_of
from .known_failures import Baseline, BaselineReport, check_baseline
from .weakening import Weakening, Weight, still_open

if TYPE_CHECKING:
    from datetime import date

    from ..compare.run_diff import CaseDiff, Figure, RuleDelta, RunDiff


SHOWN = 3
"""Maximum number of lost fields in a reason. The rest are counted."""


class FailOn(StrEnum):
    """Conditions that make a comparison fail."""

    NEW = "new"
    """A failure that the base does not have and the baseline does not list. With a baseline, this includes rules that
    a failing case breaks in addition."""
    WORSE = "worse"
    """NEW, and also a rule that the paired test shows to be worse, or a new broken rule in a failing case."""
    CHANGED = "changed"
    """WORSE, and also any changed value, even if it is valid."""
    WEAKENED = "weakened"
    """A contract, test or setting that accepts more than in the base, unless the baseline accepts the weakening."""
    STALE = "stale"
    """A cassette that no longer matches."""
    VERDICT = "verdict"
    """A changed value in a field that the user marked as a verdict."""
    FIELDS = "fields"
    """A field that is filled in the base's answer but not in the candidate's."""
    ANY = "any"
    """Any difference, including a weakening that is accepted or unclear."""
    NONE = "none"
    """Nothing: the comparison is only a report."""


ALL_WORSE = {FailOn.WORSE, FailOn.CHANGED, FailOn.ANY}
"""Conditions that include every rule that a failing case breaks in addition."""


class Conclusion(StrEnum):
    """The conclusion of a gated comparison, shared by every report and the exit code."""

    PASS = "pass"
    FAIL = "fail"
    UNPROVEN = "unproven"
    """Nothing fails, but some or all cases could not be compared. This is not a pass."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """How much more the candidate may use, as a share: 0.1 is 10 % more. None sets no limit."""

    cost: float | None = None
    tokens: float | None = None
    latency: float | None = None
    length: float | None = None
    """How much longer or shorter the texts of its answers may be in total."""


NO_BUDGETS = Budgets()
FIGURES = {"cost": ("cost",), "tokens": ("input tokens", "output tokens"), "latency": ("recorded latency",)}
"""The figures that each budget limits."""
_ROUNDING = 1e-9
"""Tolerance for floats: from 1.00 to 1.10 dollars is 10 % more, and a little more than that as floats."""


@dataclass(frozen=True, slots=True)
class GateResult:
    """The decision of the gate."""

    reasons: tuple[str, ...] = ()
    """Why the comparison fails, one line each; () if it passes."""
    known: tuple[CaseDiff, ...] = ()
    """New failures that the baseline lists. They are shown but do not fail."""
    baseline: BaselineReport | None = None
    """The candidate compared with the baseline. None if there is no baseline."""
    weakened: tuple[Weakening, ...] = ()
    """How the candidate accepts more than its base, including weakenings that the baseline accepts."""
    unproven: str = ""
    """Why the absence of failures proves little; "" if it proves enough."""

    @property
    def ok(self) -> bool:
        """True if the comparison passes."""
        return not self.reasons

    @property
    def conclusion(self) -> Conclusion:
        """The conclusion that every report and the exit code give."""
        return Conclusion.FAIL if self.reasons else Conclusion.UNPROVEN if self.unproven else Conclusion.PASS

    @property
    def why(self) -> tuple[str, ...]:
        """The reasons for the conclusion: why it fails, or why its passing proves little."""
        return self.reasons or ((self.unproven,) if self.unproven else ())


def gate(
    diff: RunDiff,
    fail_on: Collection[FailOn],
    today: date,
    *,
    baseline: Baseline | None = None,
    budgets: Budgets = NO_BUDGETS,
    weakened: Sequence[Weakening] = (),
) -> GateResult:
    """Apply the user's gate to a comparison. The paired test never excuses a new failure."""
    listed = baseline or Baseline()
    new = [case for case in diff.cases if case.is_new_failure]
    # With several models, the case's key includes the model here but not in the baseline.
    covered = [listed.covers(case.candidate, case.broken, today) for case in new]
    known = tuple(case for case, is_known in zip(new, covered, strict=True) if is_known)
    unknown = [case for case, is_known in zip(new, covered, strict=True) if not is_known]
    found = set(fail_on)
    candidate = (row for case in diff.cases for row in case.candidate)
    report = check_baseline(listed, candidate, today, (row for case in diff.cases for row in case.base))
    reasons = [*_of_cases(diff, unknown, found), *_of_answers(diff, found), *_of_budgets(diff, budgets)]
    # The stricter words report these cases already, listed or not.
    if baseline is not None and FailOn.NEW in found and not found & ALL_WORSE:
        reasons += _further(diff, listed, today)
    reasons += _of_weakenings(weakened, found)
    # "none" asks for a report alone. With any other word an outdated list fails, since it hides new failures.
    if found != {FailOn.NONE}:
        reasons += _of_baseline(report)
    held = report if baseline is not None else None
    unproven = diff.unproven or (_unknown(weakened) if FailOn.WEAKENED in found else "")
    return GateResult(tuple(reasons), known, held, tuple(weakened), unproven)


def _further(diff: RunDiff, listed: Baseline, today: date) -> Iterator[str]:
    """Yield the failing cases that break a further rule, as a test session with this baseline reports them.

    Without a baseline they pass: a case whose wording of one fault changes often moves between rules.
    """
    more = [
        case
        for case in diff.of(Bucket.STILL_FAILING)
        if case.broken and not listed.covers(case.candidate, case.broken, today)
    ]
    if more:
        which = _counted(len(more), "failing case breaks", "failing cases break")
        yield f"{which} another rule that the baseline does not list: {more[0].broken[0]} ({more[0].key})"


def _of_weakenings(weakened: Sequence[Weakening], fail_on: set[FailOn]) -> Iterator[str]:
    """Yield the weakenings that the baseline does not accept. If any difference counts, yield all."""
    everything = FailOn.ANY in fail_on
    failing = weakened if everything else still_open(weakened, Weight.WEAKENED)
    if failing and (everything or FailOn.WEAKENED in fail_on):
        number = _counted(len(failing), "weakening", "weakenings")
        yield f"{number}: {failing[0]}{' and others' if len(failing) > 1 else ''}"


def _unknown(weakened: Sequence[Weakening]) -> str:
    unknown = still_open(weakened, Weight.UNKNOWN)
    return f"whether the gate is weakened is unknown: {unknown[0]}" if unknown else ""


def _of_baseline(report: BaselineReport) -> Iterator[str]:
    """Yield the outdated entries of the baseline: expired ones, and those that no longer fail."""
    if report.expired:
        yield _counted(len(report.expired), "known failure has expired", "known failures have expired")
    if report.fixed:
        entries = _counted(len(report.fixed), "baseline entry no longer fails", "baseline entries no longer fail")
        yield f"{entries}: remove with --baseline-prune"


def _new(cases: Sequence[CaseDiff]) -> str:
    """Return text such as '3 new failures (1 of them in an added case)'."""
    added = sum(case.bucket is Bucket.ADDED for case in cases)
    where = f" ({added:,} of them in {'an added case' if added == 1 else 'added cases'})" if added else ""
    return _counted(len(cases), "new failure", "new failures") + where


def _of_cases(diff: RunDiff, unknown: Sequence[CaseDiff], fail_on: set[FailOn]) -> Iterator[str]:
    everything = FailOn.ANY in fail_on
    changed = everything or FailOn.CHANGED in fail_on
    worse = changed or FailOn.WORSE in fail_on
    if unknown and (worse or FailOn.NEW in fail_on):
        yield _new(unknown)
    if worse:
        yield from _worse(diff)
    if changed and (moved := diff.of(Bucket.CHANGED_VALID, Bucket.FIXED)):
        yield _counted(len(moved), "changed value", "changed values")
    if (everything or FailOn.STALE in fail_on) and (stale := diff.of(Bucket.STALE)):
        yield _counted(len(stale), "stale cassette", "stale cassettes")
    if everything:
        others = diff.of(Bucket.ADDED, Bucket.REMOVED, Bucket.UNSTABLE, Bucket.NOT_COMPARABLE)
        others += tuple(case for case in diff.of(Bucket.STILL_FAILING) if case.values)
        if others:
            yield _counted(len(others), "other difference", "other differences")


def _of_answers(diff: RunDiff, fail_on: set[FailOn]) -> Iterator[str]:
    if FailOn.VERDICT in fail_on:
        for table in diff.verdicts:
            if table.turned:
                yield f"{table.field}: {_counted(table.turned, 'changed conclusion', 'changed conclusions')}"
            elif not (table.total or table.only_candidate or diff.unproven):  # a misspelled field would always pass
                yield f"{table.field}: none of the compared answers has this field"
    if FailOn.FIELDS in fail_on and (lost := lost_fields(diff.cases)):
        yield f"{_counted(len(lost), 'lost field', 'lost fields')}: {_some(lost)}"


def _some(names: Sequence[str]) -> str:
    """Return text such as 'a: title, b: title, b: summary and 4 more'."""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _worse(diff: RunDiff) -> Iterator[str]:
    more = [case for case in diff.of(Bucket.STILL_FAILING) if case.broken]
    if more:
        yield _counted(len(more), "failing case breaks another rule", "failing cases break another rule")
    for rule in (diff.overall, *diff.rules):
        if rule.evidence is Evidence.WORSE:
            yield _rule(rule)


def _rule(rule: RuleDelta) -> str:
    paired = rule.paired
    name = rule.rule or "good cases"
    return (
        f"{name}: worse in {paired.worse:,} of {paired.pairs:,} cases, better in {paired.better:,} (p = {paired.p:.2g})"
    )


def _of_budgets(diff: RunDiff, budgets: Budgets) -> Iterator[str]:
    figures = {figure.name: figure for figure in diff.figures}
    for kind, names in FIGURES.items():
        limit = getattr(budgets, kind)
        if limit is None:
            continue
        known = [figures[name] for name in names if name in figures]
        if not known:
            yield f"{kind}: a budget was set, and no case has it in both runs"
        elif (grown := _growth(known)) > limit + _ROUNDING:
            yield f"{kind}: {grown:+.1%}, and at most {limit:+.1%} is allowed"
    if budgets.length is not None:
        yield from _of_length(diff, budgets.length)


def _of_length(diff: RunDiff, limit: float) -> Iterator[str]:
    grown = length_change(diff.cases)
    if grown is None:
        yield "length: a limit was set, and no answer of the base has a text"
    elif abs(grown) > limit + _ROUNDING:
        yield f"length of answers: {grown:+.1%}, and at most ±{limit:.1%} is allowed"


def _growth(figures: list[Figure]) -> float:
    before, after = sum(figure.before or 0.0 for figure in figures), sum(figure.after or 0.0 for figure in figures)
    # From nothing to something is above any limit; from nothing to nothing is no growth.
    return (after - before) / before if before else (float("inf") if after else 0.0)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def length_change(cases: Sequence[CaseDiff]) -> float | None:
    """Return how much longer the candidate's answers are, as a share: -0.4 is 40 % shorter.

    The length is the number of characters in all texts of comparable cases. Return None if the base's texts are empty.
    """
    compared = [case for case in cases if case.comparable]
    before = sum(_characters(answer) for case in compared for row in case.base for answer in row.answers)
    after = sum(_characters(answer) for case in compared for row in case.candidate for answer in row.answers)
    return (after - before) / before if before else None


def lost_fields(cases: Sequence[CaseDiff]) -> tuple[str, ...]:
    """Return the filled fields of the base's answer that the candidate's lacks, such as 'case-1: summary', sorted.

    Places have no list index, since items come and go. A field is lost only if no item has it.
    """
    return tuple(sorted(f"{case.key}: {name}" for case in cases for name in _lost(case)))


def _lost(case: CaseDiff) -> Iterator[str]:
    if not case.comparable:
        return
    before, after = ({keys for row in rows for keys in _filled(row.answers)} for rows in (case.base, case.candidate))
    yield from map(to_dotted, before - after)


def _filled(answers: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the path of keys to each field of an object that is not null, blank or empty.

    The path is a tuple because {"a.b": 1} and {"a": {"b": 1}} have different fields.
    """
    for answer in answers:
        for path, value in walk(value_of(answer)):
            if path and isinstance(path[-1], str) and not is_blank(value):
                yield tuple([step for step in path if isinstance(step, str)])


def _characters(answer: str) -> int:
    return sum(len(value) for _, value in walk(value_of(answer)) if isinstance(value, str))
