"""Decide which step to blame for a finding, by its code and path. The user's rules come before the built-in ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ..contract.finding import Severity
from ..contract.verdict import Verdict
from ..document.path_pattern import parse_path
from ..errors import UsageError

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from ..document.path import Path


GIVE_UP = -1
"""Number of levels to go back that ends the search."""
DUPLICATE = "duplicate-artifact"
"""Code of the finding for an answer that repeats an earlier answer to the same prefix."""


@dataclass(frozen=True, slots=True)
class BlameRule:
    """A rule: how many steps the search goes back after a finding.

    Raises:
        UsageError: fewer than -1 levels, or a path that does not parse.
    """

    code: str
    """The finding's code; may contain shell wildcards: "dep-*", "*"."""
    levels: int
    """0 retries the same step, 1 goes back to the step before it, -1 gives up."""
    path: str | None = None
    """The finding's path as a pattern, such as "steps[*].retry_budget"; None matches any."""
    step: str | None = None
    """Name of the step that failed; None matches any."""
    reason: str = ""
    """The reason, for reports."""

    def __post_init__(self) -> None:
        if self.levels < GIVE_UP:
            raise UsageError(f"the levels of a blame rule for {self.code!r} must be at least -1: got {self.levels}")
        if self.path is not None:
            parse_path(self.path)

    def fits(self, step: str, finding: Finding) -> bool:
        """Return True if the rule applies to this finding of this step."""
        return (
            self.step in (None, step)
            and fnmatchcase(finding.code, self.code)
            and (self.path is None or parse_path(self.path).fits(finding.path))
        )


_LEAST_FAILURES = 2
"""One failure is equal to itself, so a threshold of 1 would go back at once."""


@dataclass(frozen=True, slots=True)
class Stagnation:
    """The rule for repeated failures with the same problems."""

    threshold: int = 2
    """Consecutive failures with equal sets of codes and paths that trigger it; at least 2."""
    levels: int = 3
    """The maximum number of levels to go back. Each answer to the prefix adds one, up to this number."""

    def __post_init__(self) -> None:
        if self.threshold < _LEAST_FAILURES:
            raise UsageError(f"the threshold of Stagnation must be at least {_LEAST_FAILURES}: got {self.threshold}")


DEFAULT_RULES = (
    BlameRule("invalid_json", 0, reason="formatting error"),
    BlameRule("root-shape", 0, "steps[*].retry_budget", reason="invalid step structure"),
    BlameRule("pre-satisfied", 1, reason="missing context or wrong order of steps"),
    BlameRule("goal-reachable", 1, reason="the plan does not solve the problem"),
    BlameRule("budget-sum", 1, "total_retry_budget", reason="the strategy overcommits"),
    BlameRule("race", 2, reason="no path reaches the goal in every order: a structural problem"),
    BlameRule("exploration-cap", 1, reason="the plan is too complex to verify"),
    BlameRule("useless-step", 1, reason="the strategy asks for a step that nothing needs"),
)
"""Seven rows of the failure table of the plan-search design, and one row for steps that nothing needs. The table's
eighth row, about repeated failures, is `Stagnation`. If no rule matches a finding, the same step is retried."""


@dataclass(frozen=True, slots=True)
class BlameTable:
    """The rules of a search. The first rule that matches a finding applies."""

    rules: tuple[BlameRule, ...] = ()
    """The user's rules; they come before the built-in ones."""
    defaults: tuple[BlameRule, ...] = DEFAULT_RULES
    stagnation: Stagnation | None = Stagnation()
    """The rule for repeated failures; None ignores them."""

    def levels(self, step: str, findings: Iterable[Finding]) -> int:
        """Return how many levels to go back because of the findings of one answer; -1 to give up.

        Only findings of the earliest phase count, since a broken document is not evidence about the plan in it. The
        finding that goes back furthest decides. A finding of severity fail that no rule matches gives up, because such
        a finding forbids asking again.
        """
        bad = [finding for finding in findings if finding.severity.bad]
        first = min((finding.kind.phase.rank for finding in bad), default=0)
        named = [
            self._of(step, finding)
            for finding in bad
            if finding.kind.phase.rank == first or finding.severity is Severity.FAIL
        ]
        return GIVE_UP if GIVE_UP in named else max(named, default=0)

    def _of(self, step: str, finding: Finding) -> int:
        fitting = (rule.levels for rule in (*self.rules, *self.defaults) if rule.fits(step, finding))
        return next(fitting, GIVE_UP if finding.severity is Severity.FAIL else 0)

    def stagnates(self, history: Sequence[Iterable[Finding]]) -> bool:
        """Return True if the last failures of a history, oldest first, are equal."""
        rule = self.stagnation
        if rule is None or len(history) < rule.threshold:
            return False
        last = set(map(problem_set, history[-rule.threshold :]))
        return len(last) == 1 and frozenset() not in last


def problem_set(findings: Iterable[Finding]) -> frozenset[tuple[str, Path]]:
    """Return the problems as pairs of code and path. Two findings with different paths are two problems."""
    return frozenset(finding.identity for finding in findings if finding.severity.bad)


# How far to go back after one failure: repeated failures first, then the table of codes.

_DEFAULT = BlameTable()


def backtrack_heuristic(
    step_id: str,
    guard_result: Verdict | Iterable[Finding],
    retry_count: int,
    history: Sequence[Iterable[Finding]] = (),
    *,
    table: BlameTable = _DEFAULT,
) -> int:
    """Return how many levels to go back after a failure: 0 to ask the same step again, -1 to give up.

    Repeated failures can raise the number, so a formatting error that persists escalates as well.

    Args:
        step_id: name of the step that failed.
        guard_result: the verdict on its answer, or the findings alone.
        retry_count: answers to this prefix so far, including this one.
        history: findings of the earlier failures with this prefix, oldest first, without this one.
        table: the rules.
    """
    findings = guard_result.findings if isinstance(guard_result, Verdict) else tuple(guard_result)
    levels = table.levels(step_id, findings)
    if levels == GIVE_UP or table.stagnation is None or not table.stagnates([*history, findings]):
        return levels
    return max(levels, min(retry_count, table.stagnation.levels))


def blamed_level(level: int, levels: int) -> int:
    """Return the blamed level, clamped to 0…`level`. `levels` may be any number, since a model may have chosen it."""
    return max(0, level - max(0, levels))
