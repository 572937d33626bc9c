"""The table of constraint types: name, parameters, check. A new type is one generator and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...errors import UsageError
from ..wording import nearest
from .copied import MIN_WORDS, SOURCES, not_copied
from .custom import custom
from .flaws import Flaw, bounds, some_values, two_fields
from .lists import count, distinct, number_range, same_length
from .params import Param, flag, number, one_word_of, pattern, some, some_of, texts, whole_number
from .scene import Check
from .text import contains, excludes, max_length, min_length, non_empty, one_of, regex

_LANGUAGE = Param('a language tag such as "en", or None', lambda v: v is None or isinstance(v, str), None)
_NAME = Param("a name, or None", lambda v: v is None or (isinstance(v, str) and v.isidentifier()), None)


@dataclass(frozen=True, slots=True)
class ConstraintType:
    """A type of content constraint."""

    name: str
    check: Check
    params: Mapping[str, Param] = field(default_factory=dict)
    needs_value: bool = True
    """Whether an absent field breaks the constraint; False where the rule holds for a field that is not there."""
    literals: tuple[str, ...] = ()
    """Parameters whose text is looked for in the answer: where they are English words, so must the answer be."""
    flaw: Flaw | None = None
    """Says of complete parameters what keeps them from being a rule."""


_BOUNDS = {"min": whole_number(None), "max": whole_number(None)}
_WORDS = {"values": texts(), "ignore_case": flag(), "language": _LANGUAGE}
_CHOICE = {
    "values": some("a list of values", lambda _: True),
    "match": one_word_of("exact", "casefold", "prefix", "contains"),
}
_COPY = {"min_words": whole_number(MIN_WORDS), "sources": some_of(*SOURCES), "texts": texts(())}
_PATTERN = {"pattern": pattern(), "match": one_word_of("search", "fullmatch"), "language": _LANGUAGE}
_CALL = {"check": Param("a callable", callable), "name": _NAME}

CONSTRAINT_TYPES: dict[str, ConstraintType] = {
    kind.name: kind
    for kind in (
        ConstraintType("non_empty", non_empty),
        ConstraintType("one_of", one_of, _CHOICE, flaw=some_values),
        ConstraintType("min_length", min_length, {"chars": whole_number()}),
        ConstraintType("max_length", max_length, {"chars": whole_number()}, needs_value=False),
        ConstraintType("regex", regex, _PATTERN, literals=("pattern",)),
        ConstraintType("distinct", distinct, needs_value=False),
        ConstraintType("not_copied", not_copied, _COPY, needs_value=False),
        ConstraintType("count", count, _BOUNDS, flaw=bounds),
        ConstraintType("range", number_range, {"min": number(None), "max": number(None)}, flaw=bounds),
        ConstraintType("contains", contains, _WORDS, literals=("values",), flaw=some_values),
        ConstraintType("excludes", excludes, _WORDS, needs_value=False, literals=("values",), flaw=some_values),
        ConstraintType("same_length", same_length, {"fields": texts()}, needs_value=False, flaw=two_fields),
        ConstraintType("custom", custom, _CALL, needs_value=False),
    )
}


def constraint_type(name: str) -> ConstraintType:
    """The type of that name.

    Raises:
        UsageError: no such type; the message has the nearest name and all of them.
    """
    found = CONSTRAINT_TYPES.get(name)
    if found is None:
        from ...document.text.nearest import offer

        rest = offer(nearest(name, CONSTRAINT_TYPES), CONSTRAINT_TYPES, listed="Valid types")
        raise UsageError(f"unknown constraint type {name!r}{rest}")
    return found


def register_constraint(kind: ConstraintType) -> None:
    """Add a constraint type, for extensions.

    Raises:
        UsageError: a type of that name exists already.
    """
    if CONSTRAINT_TYPES.get(kind.name, kind) is not kind:
        raise UsageError(f"a constraint type {kind.name!r} exists already; choose another name")
    CONSTRAINT_TYPES[kind.name] = kind
