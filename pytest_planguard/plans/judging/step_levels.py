"""AtomicGuard's three levels for step plans as rule sets, without the defects of AtomicGuard's implementation.

Minimal requires a sound graph. Medium also checks tokens and budgets. Expansive also requires every order of execution
to work. Unlike AtomicGuard, this code does not crash on a plan without a root, and list order does not matter. Only the
tokens of ancestors can satisfy a precondition. A truncated search returns "unverified", never "passed".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from ...contract.checking.document_findings import parse_findings
from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding, Severity
from ...document.answer import read
from ...errors import UsageError
from ..model.index import PlanIndex
from ..profiles.atomicguard import read_atomicguard as read_steps
from ..reading.outline import Source
from ..rules.catalogue import BY_CODE
from ..rules.judge_plan import by_place, check_plan

if TYPE_CHECKING:
    from ..model.plan import Plan

Level = Literal["minimal", "medium", "expansive"]

MINIMAL = (
    "root-shape",
    "has-tasks",
    "id-unique",
    "dep-exists",
    "dep-self",
    "dep-cycle",
    "resource-exists",
)
MEDIUM = (*MINIMAL, "pre-satisfied", "race", "goal-reachable", "budget-sum")
LEVELS: dict[str, tuple[str, ...]] = {"minimal": MINIMAL, "medium": MEDIUM, "expansive": MEDIUM}
"""Rule codes of each level."""
LEVELLED = "atomicguard"
"""The format with verification levels."""
R_MAX = 100
"""The maximum total retry budget that AtomicGuard accepts."""
MAX_EXPLORATIONS = 100_000
"""Maximum number of states that the Expansive level explores, the same number as in AtomicGuard."""


class Outcome(StrEnum):
    """The result of a level."""

    PASSED = "passed"
    FAILED = "failed"
    UNVERIFIED = "unverified"
    """No problem was found, but the search was truncated: not a pass."""


@dataclass(frozen=True, slots=True)
class LevelSettings:
    """How far to verify a step plan.

    Raises:
        UsageError: an unknown level, or a number below 1.
    """

    level: Level
    catalogue: tuple[str, ...] | None = None
    """Names of the existing guards; None skips this check."""
    r_max: int = R_MAX
    """The maximum total retry budget. Medium and Expansive reject a plan with a larger one."""
    max_explorations: int = MAX_EXPLORATIONS
    """Maximum number of execution states that Expansive explores before it rejects the plan as unverified."""

    def __post_init__(self) -> None:
        """Check the values."""
        if self.level not in LEVELS:
            raise UsageError(f"unknown level {self.level!r}. Known: {', '.join(LEVELS)}")
        for name, value in (("r_max", self.r_max), ("max_explorations", self.max_explorations)):
            if value < 1:
                raise UsageError(f"{name} must be at least 1, got {value}")


@dataclass(frozen=True, slots=True)
class LevelResult:
    """The result of one level for one plan."""

    level: str
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    explored: int = 0
    """Number of execution states explored; 0 for the other levels."""

    @property
    def passed(self) -> bool:
        """True only for a verified plan."""
        return self.outcome is Outcome.PASSED


def check_level(
    text: str | bytes,
    level: Level,
    *,
    catalogue: Collection[str] | None = None,
    r_max: int = R_MAX,
    max_explorations: int = MAX_EXPLORATIONS,
    finish: str | None = None,
) -> LevelResult:
    """Judge a step plan in JSON. No text makes it raise an exception.

    Args:
        text: the plan; a code fence around it is removed.
        level: "minimal", "medium" or "expansive".
        catalogue: names of the existing guards; None skips this check.
        r_max: the maximum total retry budget. Medium and Expansive reject a plan with a larger one.
        max_explorations: the maximum number of execution states that Expansive explores.
        finish: why the answer ended, such as "length" for a truncated answer; None if unknown.
    """
    document = read(text, format="json")
    broken = [finding for finding in parse_findings(document, finish) if finding.severity.bad]
    if broken:
        return LevelResult(level, Outcome.FAILED, tuple(broken))
    known = None if catalogue is None else tuple(catalogue)
    return judge_level(read_steps(Source(document)), LevelSettings(level, known, r_max, max_explorations))


def judge_level(plan: Plan, settings: LevelSettings) -> LevelResult:
    """Judge a step plan that was already read."""
    level, catalogue = settings.level, settings.catalogue
    codes = LEVELS[level]
    rules = [BY_CODE[code] for code in codes]
    severity = dict.fromkeys(codes, Severity.RETRY)
    findings = [*check_plan(plan, rules, severity=severity, catalogue=catalogue)]
    if level != "minimal":
        findings += _over_budget(plan, settings.r_max)
    if findings or level != "expansive":
        return LevelResult(level, Outcome.FAILED if findings else Outcome.PASSED, tuple(findings))
    return _explored(plan, settings.max_explorations)


def with_level(
    findings: Iterable[Finding], plan: Plan, settings: LevelSettings, weighed: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Return the findings of the rules and the level. A finding that both report is kept once, as the level reports it.

    The level decides which plans are rejected, and a truncated search rejects as "unverified". A finding that only our
    rules report is a warning, unless the user set the rule's severity (`weighed`).
    """
    by_identity = {}
    for finding in findings:
        ours = finding.severity.bad and finding.kind is FailureKind.RULE and finding.code not in weighed
        by_identity[finding.identity] = replace(finding, severity=Severity.WARN) if ours else finding
    for finding in judge_level(plan, settings).findings:
        by_identity[finding.identity] = replace(finding, severity=Severity.RETRY)
    return by_place(by_identity.values())


def _over_budget(plan: Plan, r_max: int) -> Iterator[Finding]:
    if plan.budget is not None and plan.budget > r_max:
        message = f"the plan may take {plan.budget} attempts, more than {r_max}"
        yield Finding("budget-sum", ("total_retry_budget",), message, FailureKind.RULE, expected=f"at most {r_max}")


def _explored(plan: Plan, limit: int) -> LevelResult:
    """Try every order of execution that the dependencies allow. A state is the set of steps that have run."""
    steps = _Steps(plan)
    seen = {0}
    stack = [0]
    while stack:
        done = stack.pop()
        for step in steps.startable(done):
            if not steps.can_run(step, done):
                message = f"{steps.keys[step]} may start before its preconditions hold"
                stuck = Finding("race", ("steps",), message, FailureKind.RULE)
                return LevelResult("expansive", Outcome.FAILED, (stuck,), len(seen))
            after = done | 1 << step
            if after not in seen:
                if len(seen) >= limit:
                    return LevelResult("expansive", Outcome.UNVERIFIED, (_cap(limit),), len(seen))
                seen.add(after)
                stack.append(after)
    return LevelResult("expansive", Outcome.PASSED, (), len(seen))


def _cap(limit: int) -> Finding:
    message = f"unverified: exploration stopped after {limit:,} execution states"
    return Finding("exploration-cap", (), message, FailureKind.RULE, Severity.WARN)


class _Steps:
    """The steps of a sound plan as bit masks."""

    def __init__(self, plan: Plan) -> None:
        index = PlanIndex(plan)
        self.keys = index.keys
        self._waits = [sum(1 << child for child in children) for children in index.graph]
        tasks = [index.by_key[key] for key in index.keys]
        self._needs = [frozenset(token.name for token in task.needs) for task in tasks]
        self._gives = [frozenset(token.name for token in task.gives) for task in tasks]
        self._start = frozenset(token.name for token in plan.start or ())

    def startable(self, done: int) -> Iterator[int]:
        """Yield the steps that have not run although all their dependencies have."""
        for step, waits in enumerate(self._waits):
            if not done >> step & 1 and waits & done == waits:
                yield step

    def can_run(self, step: int, done: int) -> bool:
        """Return True if the steps in `done` provide all tokens that this step needs."""
        missing = self._needs[step] - self._start
        return not missing or missing <= frozenset().union(
            *(given for number, given in enumerate(self._gives) if done >> number & 1)
        )
