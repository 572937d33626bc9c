"""What a rule is, and what it yields."""

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
"""Further places at which one finding points."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One breach of a rule. Code, severity and position are added when it becomes a finding."""

    place: Place
    message: str
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    related: tuple[tuple[str, Place], ...] = ()
    """Other places that belong to it, each with a word of why."""
    lines: tuple[Place, ...] = ()
    """Places whose line numbers the message ends with: "… (lines 26, 36)"."""
    more_lines: int = 0
    """How many further lines there are; the message counts them."""
    severity: Severity | None = None
    """Where one case of the rule weighs more or less than the others; a user's own setting still wins."""
    sure: bool = True
    """False where what the hit rests on was read in a way that may not be meant; it is a remark then, unless somebody
    named the format."""
    near: tuple[str, Iterable[str]] | None = None
    """A name that is not known, and those that are: the nearest becomes the hint. Looked for only in findings that are
    reported, for to compare names is by far the dearest step."""


Rest = Literal["tasks", "requirements", "references", "list", "form", "document"]
"""What a breach rests on beside the element that it is about, and what a reader may not know of a document: all of its
tasks, all of its requirements, what its references count, whether it has a list at all, how it writes its elements, or
what it has as a whole."""

RuleCheck = Callable[["Plan", "PlanIndex"], Iterator[Hit]]


_SUBJECTS: dict[RuleCheck, str] = {}


def about(field: str) -> Callable[[RuleCheck], RuleCheck]:
    """Name the field of the plan that a check is about: where that is empty, the check is not even begun."""

    def remember(check: RuleCheck) -> RuleCheck:
        _SUBJECTS[check] = field
        return check

    return remember


def has_subject(check: RuleCheck, plan: Plan) -> bool:
    """Return whether a plan has what a check is about; True for a check that names no field."""
    field = _SUBJECTS.get(check)
    return field is None or bool(getattr(plan, field))


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the catalogue, with the text that explains it."""

    code: str
    check: RuleCheck
    severity: Severity
    what: str
    """What it checks, in one or two sentences."""
    example: str
    """A breach, as it would stand in a plan."""
    mend: str
    """What to do about it."""
    kind: FailureKind = FailureKind.RULE
    on: bool = True
    """False for rules that run only when asked for."""
    rests_on: tuple[Rest, ...] = ()
    """What else must have been read for a breach to be sure (see `judge_plan`). () for what is wrong on any reading,
    such as a circle."""
    unread: bool = False
    """True where a breach means that something was not read, so that the plan was read in part."""


def reported_by_reader(code: str) -> RuleCheck:
    """The check of a rule whose breaches only the reader of a format can see: it passes on the defects of that code."""

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
