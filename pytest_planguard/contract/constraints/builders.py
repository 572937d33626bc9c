"""Functions that create content constraints: `min_length("summary", 100)`.

Each returns a `ContentConstraint`, which describes the types and parameters. `severity` is "info", "warn", "retry" (the
default) or "fail".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from ...errors import UsageError
from .constraint import ContentConstraint
from .text_constraints import MIN_WORDS, SOURCES


def non_empty(field: str, *, severity: str = "retry") -> ContentConstraint:
    """Require a non-empty value: text that is not only white space, a list with items, and never null."""
    return ContentConstraint(field, "non_empty", {}, severity)


def one_of(
    field: str,
    *values: object,
    match: Literal["exact", "casefold", "prefix", "contains"] = "exact",
    severity: str = "retry",
) -> ContentConstraint:
    """Require one of the values. With "prefix", an explanation may follow: "Go. The budget holds."."""
    _one_by_one("one_of", values, f'one_of("{field}", *values)')
    return ContentConstraint(field, "one_of", {"values": values, "match": match}, severity)


def min_length(field: str, chars: int, *, severity: str = "retry") -> ContentConstraint:
    """Require at least `chars` code points, not counting outer white space. For lists use `count`."""
    return ContentConstraint(field, "min_length", {"chars": chars}, severity)


def max_length(field: str, chars: int, *, severity: str = "retry") -> ContentConstraint:
    """Allow at most `chars` code points. For lists use `count`."""
    return ContentConstraint(field, "max_length", {"chars": chars}, severity)


def regex(
    field: str,
    pattern: str,
    *,
    match: Literal["search", "fullmatch"] = "search",
    language: str | None = None,
    severity: str = "retry",
) -> ContentConstraint:
    """Require text that matches a pattern.

    Matching takes linear time, so lookaround and back-references are not supported.
    """
    return ContentConstraint(field, "regex", {"pattern": pattern, "match": match, "language": language}, severity)


def distinct(field: str, *, severity: str = "retry") -> ContentConstraint:
    """Forbid equal items, ignoring case and white space in text. `distinct("tasks[*].id")` compares across objects."""
    return ContentConstraint(field, "distinct", {}, severity)


def not_copied(
    field: str,
    *,
    min_words: int = MIN_WORDS,
    sources: Sequence[Literal["prompt", "examples", "feedback"]] = SOURCES,  # type: ignore[assignment]
    texts: Sequence[str] = (),
    severity: str = "retry",
) -> ContentConstraint:
    """Forbid sentences or items copied from the prompt, the examples, the feedback, or the example `texts`."""
    params = {"min_words": min_words, "sources": sources, "texts": texts}
    return ContentConstraint(field, "not_copied", params, severity)


def count(
    field: str,
    min: int | None = None,  # noqa: A002 - the parameter's own name
    max: int | None = None,  # noqa: A002
    *,
    severity: str = "retry",
) -> ContentConstraint:
    """Limit the number of a list's items; both bounds are inclusive."""
    return ContentConstraint(field, "count", {"min": min, "max": max}, severity)


def in_range(
    field: str,
    min: float | None = None,  # noqa: A002 - the parameter's own name
    max: float | None = None,  # noqa: A002
    *,
    severity: str = "retry",
) -> ContentConstraint:
    """Limit a number; both bounds are inclusive."""
    return ContentConstraint(field, "range", {"min": min, "max": max}, severity)


def contains(
    field: str, *values: str, ignore_case: bool = False, language: str | None = None, severity: str = "retry"
) -> ContentConstraint:
    """Require all of the values, as substrings of a text or as items of a list."""
    _one_by_one("contains", values, f'contains("{field}", *values)')
    params = {"values": values, "ignore_case": ignore_case, "language": language}
    return ContentConstraint(field, "contains", params, severity)


def excludes(
    field: str, *values: str, ignore_case: bool = False, language: str | None = None, severity: str = "retry"
) -> ContentConstraint:
    """Forbid the values, as substrings of a text or as items of a list."""
    _one_by_one("excludes", values, f'excludes("{field}", *values)')
    params = {"values": values, "ignore_case": ignore_case, "language": language}
    return ContentConstraint(field, "excludes", params, severity)


def same_length(*fields: str, within: str = "", severity: str = "retry") -> ContentConstraint:
    """Require lists in the same object to have the same length. `within` is the object's path, with wildcards."""
    _one_by_one("same_length", fields, "same_length(*fields)")
    return ContentConstraint(within, "same_length", {"fields": fields}, severity)


def custom(
    field: str, check: Callable[[Any], object], *, name: str | None = None, severity: str = "retry"
) -> ContentConstraint:
    """Run your own check. It gets the plain value, and returns None or one or more messages about what is wrong."""
    return ContentConstraint(field, "custom", {"check": check, "name": name}, severity)


def _one_by_one(name: str, values: tuple[object, ...], call: str) -> None:
    """Refuse a list passed as the only value: `one_of` would require the answer to equal the list."""
    if len(values) == 1 and isinstance(values[0], (list, tuple, set, frozenset)):
        raise UsageError(
            f"{name} takes its values as separate arguments, got only {values[0]!r}: write {call}. To pass the list "
            "as one value, use ContentConstraint"
        )
