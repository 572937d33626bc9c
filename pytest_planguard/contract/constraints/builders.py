"""Functions that create content constraints: `min_length("summary", 100)`.

Each returns a `ContentConstraint`, which describes the types, and raises UsageError as it does: for a wrong path, and
for arguments that every answer passes or none. `field` is a path such as "tasks[*].id"; "" is the whole answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from ...errors import UsageError
from ..finding import SeverityLike
from .constraint import ContentConstraint
from .text_constraints import MIN_WORDS, SOURCES, PatternMode, SourceName


def non_empty(field: str, *, severity: SeverityLike = "retry") -> ContentConstraint:
    """Require a non-empty value: text that is not only white space, a list with items, and never null."""
    return ContentConstraint(field, "non_empty", {}, severity)


def one_of(
    field: str,
    *values: object,
    match: Literal["exact", "casefold", "prefix", "contains"] = "exact",
    severity: SeverityLike = "retry",
) -> ContentConstraint:
    """Require one of the values. Except with "exact", case and outer white space do not count.

    With "prefix", an explanation may follow: "Go. The budget holds.". With "contains", other words may surround it.
    """
    _one_by_one("one_of", values, f'one_of("{field}", *values). To pass the list as one value, use ContentConstraint')
    return ContentConstraint(field, "one_of", {"values": values, "match": match}, severity)


def min_length(field: str, chars: int, *, severity: SeverityLike = "retry") -> ContentConstraint:
    """Require at least `chars` code points, not counting outer white space. For lists use `count`."""
    return ContentConstraint(field, "min_length", {"chars": chars}, severity)


def max_length(field: str, chars: int, *, severity: SeverityLike = "retry") -> ContentConstraint:
    """Allow at most `chars` code points. For lists use `count`."""
    return ContentConstraint(field, "max_length", {"chars": chars}, severity)


def regex(
    field: str,
    pattern: str,
    *,
    match: PatternMode = "search",
    language: str | None = None,
    severity: SeverityLike = "retry",
) -> ContentConstraint:
    """Require text that matches a pattern.

    Matching takes linear time, so lookaround and back-references are not supported. If the pattern tests words, name
    the `language` of the answer, such as "en". Without it, a PlanguardWarning says that other languages fail.
    """
    return ContentConstraint(field, "regex", {"pattern": pattern, "match": match, "language": language}, severity)


def distinct(field: str, *, severity: SeverityLike = "retry") -> ContentConstraint:
    """Forbid equal items, ignoring case and white space in text. `distinct("tasks[*].id")` compares across objects."""
    return ContentConstraint(field, "distinct", {}, severity)


def not_copied(
    field: str,
    *,
    min_words: int = MIN_WORDS,
    sources: Sequence[SourceName] = SOURCES,
    texts: Sequence[str] = (),
    severity: SeverityLike = "retry",
) -> ContentConstraint:
    """Forbid sentences or items copied from the `sources` or the example `texts`.

    A copy has at least `min_words` words in the same order. Case and punctuation do not count.
    """
    params = {"min_words": min_words, "sources": sources, "texts": texts}
    return ContentConstraint(field, "not_copied", params, severity)


def count(
    field: str,
    min: int | None = None,  # noqa: A002 - the parameter's own name
    max: int | None = None,  # noqa: A002
    *,
    severity: SeverityLike = "retry",
) -> ContentConstraint:
    """Limit the number of a list's items; both bounds are inclusive."""
    return ContentConstraint(field, "count", {"min": min, "max": max}, severity)


def in_range(
    field: str,
    min: float | None = None,  # noqa: A002 - the parameter's own name
    max: float | None = None,  # noqa: A002
    *,
    severity: SeverityLike = "retry",
) -> ContentConstraint:
    """Limit a number; both bounds are inclusive."""
    return ContentConstraint(field, "range", {"min": min, "max": max}, severity)


def contains(
    field: str,
    *values: str,
    ignore_case: bool = False,
    language: str | None = None,
    severity: SeverityLike = "retry",
) -> ContentConstraint:
    """Require all of the values, as substrings of a text or as items of a list. For `language` see `regex`."""
    _one_by_one("contains", values, f'contains("{field}", *values)')
    params = {"values": values, "ignore_case": ignore_case, "language": language}
    return ContentConstraint(field, "contains", params, severity)


def excludes(
    field: str,
    *values: str,
    ignore_case: bool = False,
    language: str | None = None,
    severity: SeverityLike = "retry",
) -> ContentConstraint:
    """Forbid the values, as substrings of a text or as items of a list. For `language` see `regex`."""
    _one_by_one("excludes", values, f'excludes("{field}", *values)')
    params = {"values": values, "ignore_case": ignore_case, "language": language}
    return ContentConstraint(field, "excludes", params, severity)


def same_length(*fields: str, within: str = "", severity: SeverityLike = "retry") -> ContentConstraint:
    """Require lists in the same object to have the same length. `within` is the object's path, with wildcards."""
    _one_by_one("same_length", fields, "same_length(*fields)")
    return ContentConstraint(within, "same_length", {"fields": fields}, severity)


def custom(
    field: str, check: Callable[[Any], object], *, name: str | None = None, severity: SeverityLike = "retry"
) -> ContentConstraint:
    """Run your own check on the validated value as plain data: defaults are filled in, "2" is a number.

    It returns None or True if the value is fine, and otherwise False, a message or several. `name` is the code of its
    findings; by default the function's name.
    """
    return ContentConstraint(field, "custom", {"check": check, "name": name}, severity)


def _one_by_one(name: str, values: tuple[object, ...], call: str) -> None:
    """Refuse a list passed as the only value: `one_of` would require the answer to equal the list."""
    if len(values) == 1 and isinstance(values[0], (list, tuple, set, frozenset)):
        raise UsageError(f"{name} takes its values as separate arguments, got only {values[0]!r}: write {call}")
