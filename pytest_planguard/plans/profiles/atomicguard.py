"""AtomicGuard: steps with preconditions, effects, guards and retry budgets, and its three levels as rule sets.

Minimal requires a sound graph. Medium also checks tokens and budgets. Expansive also walks every order of execution.
Unlike AtomicGuard, this code does not crash on a plan without a root, and list order does not matter. Only the tokens
of ancestors can satisfy a precondition. A truncated walk is "unverified", never passed.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding, Severity
from ...errors import UsageError
from ..index import PlanIndex
from ..plan import NOWHERE, Defect, Place, Plan, Ref, Task, Traits
from ..reading.outline import Source
from ..reading.parsed_data import Parts, Record, name_of, object_of, records_of
from ..reading.profile import Profile
from ..rules.judge_plan import BY_CODE, by_place, check_plan


def read_atomicguard(source: Source) -> Plan:
    """Read a plan. A root that is not an object is one finding, never an error."""
    parts = Parts(source)
    data = source.data
    if not isinstance(data, dict):
        parts.wrong(data, NOWHERE, "an object with plan_id and steps")
        data = {}
    elif name_of(data.get("plan_id")) is None:
        parts.defects.append(_missing("plan_id", NOWHERE))
    steps = parts.records(data.get("steps"), NOWHERE.sub("steps"))
    plan = Plan(
        "atomicguard",
        name_of(data.get("plan_id")) or "",
        tasks=tuple([_step(parts, record, place) for record, place in steps]),
        start=_tokens(parts, data, "initial_state"),
        goals=_tokens(parts, data, "goal_state"),
        budget=parts.number(data, "total_retry_budget", NOWHERE),
        traits=Traits(noun="step", tokens=True),
    )
    return parts.finished(plan)


def _tokens(parts: Parts, data: Record, key: str) -> tuple[Ref, ...] | None:
    return parts.refs(data[key], NOWHERE.sub(key)) if data.get(key) is not None else None


def _step(parts: Parts, record: Record, place: Place) -> Task:
    step_id = name_of(record.get("step_id"))
    for field in ("step_id", "name"):
        if name_of(record.get(field)) is None:
            parts.defects.append(_missing(field, place))
    budget = parts.number(record, "retry_budget", place)
    if budget is not None and budget <= 0:
        message = f"{step_id or place.stand_in} has the retry budget {budget}"
        parts.defects.append(Defect("root-shape", message, place.sub("retry_budget"), "more than 0", str(budget)))
    guard = name_of(record.get("guard"))
    return Task(
        step_id or place.stand_in,
        step_id,
        parts.text(record, "name", place),
        place,
        edges=parts.edges(record, "dependencies", place),
        resource=Ref(guard, place.sub("guard")) if guard else None,
        needs=parts.names(record, "preconditions", place),
        gives=parts.names(record, "effects", place),
        budget=budget,
    )


def _missing(field: str, place: Place) -> Defect:
    return Defect("root-shape", f"{field} is missing", place, field)


_ABOUT = "Steps with preconditions, effects, guards and retry budgets."


def _score(source: Source) -> int:
    data = object_of(source.data)
    steps = records_of(data.get("steps"))
    fields = sum(key in data for key in ("plan_id", "initial_state", "goal_state", "total_retry_budget"))
    inner = sum(any(key in step for step in steps) for key in ("step_id", "preconditions", "effects", "retry_budget"))
    return 15 * (fields + inner) if "steps" in data and fields + inner > 1 else 0


PROFILES = (Profile("atomicguard", "atomicguard", _ABOUT, _score, read_atomicguard, "data"),)

Level = Literal["minimal", "medium", "expansive"]
_MINIMAL = ("root-shape", "has-tasks", "id-unique", "dep-exists", "dep-self", "dep-cycle", "resource-exists")
_MEDIUM = (*_MINIMAL, "pre-satisfied", "race", "goal-reachable", "budget-sum")
LEVELS: dict[str, tuple[str, ...]] = {"minimal": _MINIMAL, "medium": _MEDIUM, "expansive": _MEDIUM}
"""Rule codes of each level."""
LEVELLED = "atomicguard"
"""The format with verification levels."""
R_MAX = 100
"""The maximum total retry budget that AtomicGuard accepts."""
MAX_EXPLORATIONS = 100_000
"""Maximum number of states that the Expansive level explores, the same number as in AtomicGuard."""
CAP = "exploration-cap"
"""The code of the finding that the walk was truncated."""


@dataclass(frozen=True, slots=True)
class LevelSettings:
    """How far to verify a step plan. Raises UsageError for an unknown level, or a number below 1."""

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


def with_level(
    findings: Iterable[Finding], plan: Plan, settings: LevelSettings, weighed: Collection[str]
) -> tuple[Finding, ...]:
    """Return the findings of the rules and the level. A finding that both report is kept once, as the level reports it.

    The level decides which plans are rejected. A finding that only our rules report is a warning, unless the user set
    the rule's severity (`weighed`).
    """
    by_identity = {}
    for finding in findings:
        ours = finding.severity.bad and finding.kind is FailureKind.RULE and finding.code not in weighed
        by_identity[finding.identity] = replace(finding, severity=Severity.WARN) if ours else finding
    by_identity |= {finding.identity: finding for finding in rejections(plan, settings)}
    return by_place(by_identity.values())


def rejections(plan: Plan, settings: LevelSettings) -> list[Finding]:
    """Return why a level rejects a plan; [] if it passes."""
    codes = LEVELS[settings.level]
    severity = dict.fromkeys(codes, Severity.RETRY)
    found = [*check_plan(plan, map(BY_CODE.__getitem__, codes), severity=severity, catalogue=settings.catalogue)]
    if settings.level != "minimal" and plan.budget is not None and plan.budget > settings.r_max:
        message, most = f"the plan may take {plan.budget} attempts, more than {settings.r_max}", settings.r_max
        path = ("total_retry_budget",)
        found.append(Finding("budget-sum", path, message, FailureKind.RULE, expected=f"at most {most}"))
    if settings.level == "expansive" and not found:
        found += _walked(plan, settings.max_explorations)
    return found


def _walked(plan: Plan, limit: int) -> Iterator[Finding]:
    """Try every order of execution that the dependencies allow. A state is the set of steps that have run, as bits.

    In a long plan, `race` gives up once its budget is used. Then only this walk finds a step that starts too early.
    """
    index = PlanIndex(plan)
    waits = [sum(1 << one for one in before) for before in index.graph]
    tasks = [index.by_key[key] for key in index.keys]
    needs = [frozenset(token.name for token in task.needs) for task in tasks]
    gives = [frozenset(token.name for token in task.gives) for task in tasks]
    seen, stack = {0}, [(0, frozenset(token.name for token in plan.start or ()))]
    while stack:
        done, tokens = stack.pop()
        for step in [one for one, before in enumerate(waits) if not done >> one & 1 and not before & ~done]:
            if not needs[step] <= tokens:
                message = f"{index.keys[step]} may start before its preconditions hold"
                yield Finding("race", ("steps",), message, FailureKind.RULE)
                return
            if (after := done | 1 << step) in seen:
                continue
            if len(seen) >= limit:
                message = f"unverified: exploration stopped after {limit:,} execution states"
                yield Finding(CAP, (), message, FailureKind.RULE)
                return
            seen.add(after)
            stack.append((after, tokens | gives[step]))
