"""Rules, and the hits that they yield."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypedDict, Unpack

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Severity
from ..index import PlanIndex
from ..plan import Place, Plan

MOST_RELATED = 100
"""Maximum number of related places of a finding."""


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
    severity: Severity | None = None
    """The severity of this hit, if it differs from the rule's. The user's setting takes precedence."""
    sure: bool = True
    """False if the reader may have misread the plan. The hit is then a remark, unless the user named the format."""
    near: tuple[str, Iterable[str]] | None = None
    """An unknown name, and the known names, of which the hint of a reported finding suggests the nearest."""


Rest = Literal["tasks", "requirements", "references", "list", "form", "document"]
"""The other parts on which a breach depends, besides the element at fault. The reader may not have read all of them.

The values mean: all tasks, all requirements, the numbering of references, the existence of a list, the form of
elements, the document as a whole.
"""

RuleCheck = Callable[["Plan", "PlanIndex"], Iterator[Hit]]


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
    """Parts that must have been read completely for a breach to be certain; () if nothing unread could excuse it."""
    unread: bool = False
    """True if a breach means that a part was not read."""
    about: str | None = None
    """The field of a plan that the rule is about. The rule does not run if the field is empty."""


class _More(TypedDict, total=False):
    kind: FailureKind
    on: bool
    rests_on: tuple[Rest, ...]
    unread: bool
    about: str


class Rules(list[Rule]):
    """The rules of one module, in the order in which they run."""

    def add(
        self, severity: Severity, example: str, mend: str, **more: Unpack[_More]
    ) -> Callable[[RuleCheck], RuleCheck]:
        """Add a check as a rule. Its name is the rule's code, and its docstring says what the rule demands."""

        def remember(check: RuleCheck) -> RuleCheck:
            what = " ".join((check.__doc__ or "").split())
            self.append(Rule(check.__name__.replace("_", "-"), check, severity, what, example, mend, **more))
            return check

        return remember

    def reported(
        self, code: str, severity: Severity, what: str, example: str, mend: str, **more: Unpack[_More]
    ) -> None:
        """Add a rule whose breaches only a format's reader can see."""
        more["about"] = "defects"
        self.append(Rule(code, partial(reported_by_reader, code), severity, what, example, mend, **more))


def reported_by_reader(code: str, plan: Plan, _: PlanIndex | None = None) -> Iterator[Hit]:
    """Yield the plan's defects with this code."""
    for defect in plan.defects:
        if defect.code == code:
            told = (defect.place, defect.message, defect.expected, defect.actual, defect.hint)
            related = tuple(("not read either", place) for place in defect.boxes[1:MOST_RELATED])
            yield Hit(*told, related, sure=not defect.is_habit)
