"""Content constraints: rules about an answer that its schema cannot express."""

from __future__ import annotations

import dataclasses
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from itertools import islice
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from ...document.limits import MAX_PROBLEMS
from ...document.path_pattern import Gap, PathPattern, parse_path
from ...errors import PlanguardWarning, UsageError, nearest, offer
from ..failure_kinds import FailureKind
from ..finding import Finding, Severity
from ..own_checks import HOLE, crash_finding, guarded
from ..phrasing import offered
from ..schema.schema_fields import NoField, missing_field
from .constraint_types import CONSTRAINT_TYPES, ConstraintType, complete
from .scene import CheckContext, Scene, Violation, wrong

if TYPE_CHECKING:
    from ...document.path import Path


@dataclasses.dataclass(frozen=True)
class ContentConstraint:
    """One content rule: `ContentConstraint("summary", "min_length", {"chars": 100}, "retry")`.

    The types and their parameters (a parameter with a default is optional): non_empty; one_of `values`, `match`
    "exact", "casefold", "prefix" or "contains"; min_length and max_length `chars` (code points; the minimum ignores
    outer white space); regex `pattern`, `match` "search" or "fullmatch"; distinct; not_copied `min_words` (4),
    `sources`, `texts`; count `min`, `max` (items); range `min`, `max` (numbers); contains and excludes `values`,
    `ignore_case`; same_length `fields` (of the object that `field` names); custom `check` (value -> None, a text or
    several texts), `name` (its code in findings).

    A missing field breaks non_empty, one_of, min_length, regex, contains, count and range; the other types ignore it.

    Raises:
        UsageError: an unknown type, parameter or severity, an invalid parameter, contradictory or empty parameters (no
            bound, a minimum above the maximum, no values), or a field that is not a path.
    """

    field: str
    """Path of the judged value, with wildcards: "summary", "levers[*].options"; "" for the whole document."""
    constraint_type: str
    params: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    severity: Severity | str = Severity.RETRY
    kind: ConstraintType = dataclasses.field(init=False, repr=False, compare=False)
    """The constraint's type."""
    pattern: PathPattern = dataclasses.field(init=False, repr=False, compare=False)
    """The parsed field."""

    def __post_init__(self) -> None:
        kind = CONSTRAINT_TYPES.lookup(self.constraint_type)
        filled = dict(complete(kind.name, kind.params, self.params))
        pattern, severity = parse_path(self.field), _severity(self.severity)
        for name, value in (("kind", kind), ("params", filled), ("pattern", pattern), ("severity", severity)):
            object.__setattr__(self, name, value)
        flaw = kind.flaw(filled) if kind.flaw is not None else None
        if flaw is not None:
            raise UsageError(f"{kind.name} on {self.field!r}: {flaw}")
        if kind.literals and filled.get("language") is None:
            given = (filled[name] for name in kind.literals)
            texts = (text for value in given for text in ([value] if isinstance(value, str) else value))
            warn_of_english(kind.name, self.field, texts)

    def __reduce__(self) -> tuple[type[ContentConstraint], tuple[Any, ...]]:
        """Pickle only the constructor's arguments, which determine the type and the parsed field."""
        return type(self), (self.field, self.constraint_type, dict(self.params), self.severity)

    def also_named(self, names: Mapping[str, tuple[str, ...]]) -> ContentConstraint:
        """Return the constraint on a field that an answer may spell in several ways, see `PathPattern.also_named`."""
        other = copy(self)
        object.__setattr__(other, "pattern", self.pattern.also_named(names))
        return other

    def findings(self, data: object, context: CheckContext | None = None) -> Iterator[Finding]:
        """Yield the findings about plain data. A bad list item does not affect findings about other items."""
        if self.kind.needs_value:
            yield from (self._finding(*_absence(gap)) for gap in self.pattern.gaps(data))
        yield from self._broken_by(list(self.pattern.select(data)), context or CheckContext())

    def sound_findings(self, data: object, context: CheckContext | None = None) -> Iterator[Finding]:
        """Yield the findings of a user's check on partly invalid data, until the check reads an invalid part."""
        sites = [(path, guarded(value)) for path, value in self.pattern.select(data) if value is not HOLE]
        yield from self._broken_by(sites, context or CheckContext())

    def _broken_by(self, sites: list[tuple[Path, Any]], context: CheckContext) -> Iterator[Finding]:
        if sites:
            for violation in islice(self.kind.check(Scene(sites, self.params, context)), MAX_PROBLEMS):
                yield self._finding(self.code, violation)

    @property
    def code(self) -> str:
        """The code of the constraint's findings: its type, or for a custom check its name or the callable's name."""
        if self.constraint_type != "custom":
            return self.constraint_type
        name = self.params["name"] or getattr(self.params["check"], "__name__", "")
        return name if name.isidentifier() else "custom"

    def _finding(self, code: str, found: Violation) -> Finding:
        if found.crash is not None:
            return crash_finding("the check", found.crash, found.path)
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


def _severity(value: Severity | str) -> Severity:
    try:
        return Severity(value)
    except ValueError:
        raise UsageError(
            f"unknown severity {value!r}{offered(value, [one.value for one in Severity], 'Valid severities')}"
        ) from None


# Find fields that a constraint requires and an answer doesn't have.

_ABSENT = "required, missing"


def _absence(gap: Gap) -> tuple[str, Violation]:
    """Return the code and the violation for a place that the answer does not have."""
    if gap.wanted is None:
        return "missing", Violation(gap.path, _ABSENT)
    found = wrong(gap.wanted, gap.value)
    return "type", Violation(gap.path, found.message, found.expected, found.actual)


# When a contract is defined, refuse fields that its schema cannot have, and suggest the nearest name.


def check_fields(
    name: str, schema: Mapping[str, object], constraints: Iterable[ContentConstraint], *, model: bool
) -> None:
    """Check that a contract's JSON Schema has every field that its constraints name.

    Args:
        name: the name of the contract.
        schema: its JSON Schema.
        constraints: its constraints.
        model: True if the schema comes from a pydantic model or type, which ignores unknown fields.

    Raises:
        UsageError: an answer cannot have a field. If it may have one that the schema does not name, and a similar name
            exists, a PlanguardWarning says so.
    """
    for constraint in constraints:
        lacking = missing_field(schema, constraint.pattern.steps, closed=model)
        if lacking is not None:
            _refuse(name, constraint, lacking)


def _refuse(name: str, constraint: ContentConstraint, lacking: NoField) -> None:
    near = nearest(lacking.step, lacking.known)
    rule = f"the constraint {constraint.constraint_type} on {constraint.field!r}"
    what = f"{name} has no field {lacking.step!r}: got {rule}"
    if lacking.closed:
        raise UsageError(f"{what}{offer(near, lacking.known, listed='Its fields')}")
    if near is not None:
        warnings.warn(f"{what}{offer(near)}", PlanguardWarning, stacklevel=users_level())


# A constraint that tests English words fails every good answer in another language.

_PACKAGE = str(FilePath(__file__).parents[2])
# Pattern syntax, not words: "\p{Lu}", "\d", "[a-z]", "(?P<name>", "(?i)".
_ESCAPE = re.compile(r"\\[pP]\{[^}]*\}|\\.|\[[^\]]*\]|\(\?P?<\w+>|\(\?[\w-]*[:)]")
# "Deploy" and "deploy", but not "T001" or "TODO": words in capitals are marks.
_WORD = re.compile(r"[A-Za-z][a-z]{3,}")
# Words have a vowel; most marks and abbreviations, such as "https", do not.
_VOWEL = re.compile("[aeiouy]", re.IGNORECASE)


def english_words(text: str) -> list[str]:
    """Return the words in a literal or pattern that look like English: at least four letters, including a vowel.

    Ignores escapes, character classes, group names, and words in capitals (T001, TODO).
    """
    return [word for word in _WORD.findall(_ESCAPE.sub(" ", text)) if _VOWEL.search(word)]


def warn_of_english(name: str, field: str, literals: Iterator[object]) -> None:
    """Issue one warning, for the line in the user's code that defines the constraint."""
    words = [word for text in literals if isinstance(text, str) for word in english_words(text)]
    if words:
        listed = ", ".join(dict.fromkeys(words[:3]))
        warnings.warn(
            f"the constraint {name} on {field!r} tests English words ({listed}): good answers in another language fail "
            'it. Test structure instead, or state the language with language="en", which ends this warning',
            PlanguardWarning,
            stacklevel=users_level(),
        )


def users_level() -> int:
    """Return the stack level, relative to the caller, of the first frame outside the package."""
    level = 1
    frame = sys._getframe(1)  # noqa: SLF001 - the only way before Python 3.12's skip_file_prefixes
    # A dataclass's generated __init__ has no file.
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_PACKAGE, "<string>")):
        frame = frame.f_back
        level += 1
    return level
