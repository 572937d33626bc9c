"""A rule about the content of an answer, beyond what its schema says."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..document.path_pattern import PathPattern, parse_path
from ..errors import UsageError
from .absent import absences
from .content.params import complete
from .content.scene import Scene, Violation
from .content.table import ConstraintType, constraint_type
from .context import CheckContext
from .finding import Finding
from .kinds import FailureKind
from .lint import warn_of_english
from .severity import Severity
from .wording import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclasses.dataclass(frozen=True)
class ContentConstraint:
    """One content rule: `ContentConstraint("summary", "min_length", {"chars": 100}, "retry")`.

    Types and their parameters (those with a default are optional):
    non_empty; one_of `values`, `match` "exact", "casefold", "prefix" or "contains"; min_length and max_length `chars`
    (code points; outer whitespace does not count for the minimum); regex `pattern`, `match` "search" or "fullmatch";
    distinct; not_copied `min_words` (4), `sources`, `texts`; count `min`, `max` (items); range `min`, `max` (numbers);
    contains and excludes `values`, `ignore_case`; same_length `fields` (of the object that `field` names);
    custom `check` (value -> None, a text or several texts), `name` (its code in findings).

    A field that is absent breaks non_empty, one_of, min_length, regex, contains, count and range; the others hold for
    it. `constraint_type` and `severity` are those of the source design (ContentConstraint of the pipeline proposal);
    "info" is added.

    Raises:
        UsageError: an unknown type, parameter or severity, a wrong parameter, parameters that make no rule (no bound at
            all, a minimum above its maximum, no values), or a field that is no path.
    """

    field: str
    """Path of the judged value, with wildcards: "summary", "levers[*].options"; "" for the whole document."""
    constraint_type: str
    params: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    severity: Severity | str = Severity.RETRY
    kind: ConstraintType = dataclasses.field(init=False, repr=False, compare=False)
    """The type, from the table."""
    pattern: PathPattern = dataclasses.field(init=False, repr=False, compare=False)
    """The field, parsed."""

    def __post_init__(self) -> None:
        kind = constraint_type(self.constraint_type)
        filled = MappingProxyType(complete(kind.name, kind.params, self.params))
        for name, value in (
            ("kind", kind),
            ("params", filled),
            ("pattern", parse_path(self.field)),
            ("severity", _severity(self.severity)),
        ):
            object.__setattr__(self, name, value)
        flaw = kind.flaw(filled) if kind.flaw is not None else None
        if flaw is not None:
            raise UsageError(f"{kind.name} on {self.field!r}: {flaw}")
        if kind.literals and filled.get("language") is None:
            warn_of_english(kind.name, self.field, _literals(kind, filled))

    def findings(self, data: Any, context: CheckContext | None = None) -> Iterator[Finding]:
        """What the plain document breaks, item by item: one bad item of a list leaves the others untouched."""
        context = context or CheckContext()
        if self.kind.needs_value:
            yield from (self._finding(code, violation) for code, violation in absences(self.pattern, data))
        sites = list(self.pattern.select(data))
        if sites:
            for violation in self.kind.check(Scene(sites, self.params, context)):
                yield self._finding(self.code, violation)

    @property
    def code(self) -> str:
        """The code of its findings: the type's name; for a custom check its own name, else the callable's."""
        if self.constraint_type != "custom":
            return self.constraint_type
        name = self.params["name"] or getattr(self.params["check"], "__name__", "")
        return name if name.isidentifier() else "custom"

    def _finding(self, code: str, found: Violation) -> Finding:
        return Finding(
            code=code,
            path=found.path,
            message=found.message,
            kind=FailureKind.CONTENT,
            severity=Severity(self.severity),
            expected=found.expected,
            actual=found.actual,
            hint=found.hint,
            related=found.related,
            allowed=found.allowed,
        )


def _literals(kind: ConstraintType, params: Mapping[str, Any]) -> Iterator[Any]:
    for name in kind.literals:
        value = params[name]
        yield from [value] if isinstance(value, str) else value


def _severity(value: Severity | str) -> Severity:
    try:
        return Severity(value)
    except ValueError:
        from ..document.text.nearest import offer

        known = [severity.value for severity in Severity]
        rest = offer(nearest(value, known), known, listed="Valid severities")
        raise UsageError(f"unknown severity {value!r}{rest}") from None


def check_constraints(constraints: Iterable[Any]) -> tuple[ContentConstraint, ...]:
    """The constraints as a tuple. Raises UsageError for anything else among them."""
    found = tuple(constraints)
    for item in found:
        if not isinstance(item, ContentConstraint):
            raise UsageError(f"a contract's constraints must be ContentConstraint values, got {item!r}")
    return found
