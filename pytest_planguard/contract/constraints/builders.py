"""Short spellings of content constraints: `min_length("summary", 100)`.

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
    """Require some text (white space alone is empty), at least one item, and not null."""
    return ContentConstraint(field, "non_empty", {}, severity)


def one_of(
    field: str,
    *values: Any,
    match: Literal["exact", "casefold", "prefix", "contains"] = "exact",
    severity: str = "retry",
) -> ContentConstraint:
    """Require one of some values. "prefix" lets an explanation follow: "Go. The budget holds."."""
    _one_by_one("one_of", values, f'one_of("{field}", *values)')
    return ContentConstraint(field, "one_of", {"values": values, "match": match}, severity)


def min_length(field: str, chars: int, *, severity: str = "retry") -> ContentConstraint:
    """Require at least so many characters (code points), without outer white space. For lists use `count`."""
    return ContentConstraint(field, "min_length", {"chars": chars}, severity)


def max_length(field: str, chars: int, *, severity: str = "retry") -> ContentConstraint:
    """Allow at most so many characters (code points). For lists use `count`."""
    return ContentConstraint(field, "max_length", {"chars": chars}, severity)


def regex(
    field: str,
    pattern: str,
    *,
    match: Literal["search", "fullmatch"] = "search",
    language: str | None = None,
    severity: str = "retry",
) -> ContentConstraint:
    """Require text that matches a pattern. Matching takes linear time, so no lookaround and no back-references."""
    return ContentConstraint(field, "regex", {"pattern": pattern, "match": match, "language": language}, severity)


def distinct(field: str, *, severity: str = "retry") -> ContentConstraint:
    """Forbid two equal items (texts ignore case and space); `distinct("tasks[*].id")` compares across objects."""
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
    """Require every one of the texts, as part of a text or as an item of a list."""
    _one_by_one("contains", values, f'contains("{field}", *values)')
    params = {"values": values, "ignore_case": ignore_case, "language": language}
    return ContentConstraint(field, "contains", params, severity)


def excludes(
    field: str, *values: str, ignore_case: bool = False, language: str | None = None, severity: str = "retry"
) -> ContentConstraint:
    """Forbid the texts, as part of a text or as an item of a list."""
    _one_by_one("excludes", values, f'excludes("{field}", *values)')
    params = {"values": values, "ignore_case": ignore_case, "language": language}
    return ContentConstraint(field, "excludes", params, severity)


def same_length(*fields: str, within: str = "", severity: str = "retry") -> ContentConstraint:
    """Require parallel lists in one object to have equally many items; `within` is its path, with wildcards."""
    _one_by_one("same_length", fields, "same_length(*fields)")
    return ContentConstraint(within, "same_length", {"fields": fields}, severity)


def custom(
    field: str, check: Callable[[Any], Any], *, name: str | None = None, severity: str = "retry"
) -> ContentConstraint:
    """Run your own check: it gets the plain value, and returns None or one or several texts about what is wrong."""
    return ContentConstraint(field, "custom", {"check": check, "name": name}, severity)


def _one_by_one(name: str, values: tuple[Any, ...], call: str) -> None:
    """Refuse one list instead of several values: `one_of` would take it for the only value, which no text equals."""
    if len(values) == 1 and isinstance(values[0], (list, tuple, set, frozenset)):
        raise UsageError(
            f"{name} takes its values one by one, got {values[0]!r} as the only one: write {call}. To pass the list "
            "as one value, use ContentConstraint"
        )
