"""Rules, and the hits that they yield."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Severity
from ..model.place import NOWHERE, Place

if TYPE_CHECKING:
    from ..model.index import PlanIndex
    from ..model.plan import Plan

MOST_RELATED = 100
"""Maximum related places of a finding."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A breach of a rule. When it becomes a finding, it gets its code, severity and position."""

    place: Place
    message: str
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    related: tuple[tuple[str, Place], ...] = ()
    """Related places, each with a short explanation."""
    lines: tuple[Place, ...] = ()
    """Places whose line numbers the message lists at its end: "… (lines 26, 36)"."""
    more_lines: int = 0
    """Number of further lines, which the message only counts."""
    severity: Severity | None = None
    """The severity of this hit, if it differs from the rule's. The user's setting takes precedence."""
    sure: bool = True
    """False if the reader may have misread the plan. The hit is then a remark, unless the user named the format."""
    near: tuple[str, Iterable[str]] | None = None
    """An unknown name, and the known names. The hint suggests the nearest known name.

    Only reported findings get a hint, because comparing names is by far the most expensive step.
    """


Rest = Literal["tasks", "requirements", "references", "list", "form", "document"]
"""What else a breach depends on, besides the element at fault. The reader may not have read all of it.

The values mean: all tasks, all requirements, the numbering of references, the existence of a list, the form of
elements, the document as a whole.
"""

RuleCheck = Callable[["Plan", "PlanIndex"], Iterator[Hit]]


_SUBJECTS: dict[RuleCheck, str] = {}


def about(field: str) -> Callable[[RuleCheck], RuleCheck]:
    """Name the plan field that a check is about. If it is empty, the check does not run."""

    def remember(check: RuleCheck) -> RuleCheck:
        _SUBJECTS[check] = field
        return check

    return remember


def has_subject(check: RuleCheck, plan: Plan) -> bool:
    """Return True if the plan field that a check is about is not empty, or if the check names no field."""
    field = _SUBJECTS.get(check)
    return field is None or bool(getattr(plan, field))


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the catalogue, with the text that explains it."""

    code: str
    check: RuleCheck
    severity: Severity
    what: str
    """The description of the check, in one or two sentences."""
    example: str
    """An example of a breach in a plan."""
    mend: str
    """The fix."""
    kind: FailureKind = FailureKind.RULE
    on: bool = True
    """False for rules that run only on request."""
    rests_on: tuple[Rest, ...] = ()
    """Parts of the plan that must have been read completely for a breach to be certain (see `judge_plan`).

    () if nothing unread could excuse the breach, such as a cycle.
    """
    unread: bool = False
    """True if a breach means that a part was not read."""


def reported_by_reader(code: str) -> RuleCheck:
    """Return a check for breaches that only a format's reader can see. It yields the plan's defects with this code."""

    def check(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
        for defect in plan.defects:
            if defect.code == code:
                told = (defect.place, defect.message, defect.expected, defect.actual, defect.hint)
                related = tuple(("not read either", place) for place in defect.boxes[1:MOST_RELATED])
                yield Hit(*told, related, sure=not defect.is_habit)

    return about("defects")(check)


def whole(message: str, expected: str | None = None, actual: str | None = None) -> Hit:
    """Return a hit on the document as a whole."""
    return Hit(NOWHERE, message, expected, actual)
