"""Short spellings of content constraints: `min_length("summary", 100)`.

Each returns a `ContentConstraint`, where types and parameters are described; `severity` is "info", "warn", "retry"
(the default) or "fail".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from ...errors import UsageError
from .constraint import ContentConstraint
from .text_constraints import MIN_WORDS, SOURCES


def non_empty(field: str, *, severity: str = "retry") -> ContentConstraint:
    """Some text (whitespace alone is empty), at least one item, and not null."""
    return ContentConstraint(field, "non_empty", {}, severity)


def one_of(
    field: str,
    *values: Any,
    match: Literal["exact", "casefold", "prefix", "contains"] = "exact",
    severity: str = "retry",
) -> ContentConstraint:
    """Return one of some values. "prefix" lets an explanation follow: "Go. The budget holds."."""
    _one_by_one("one_of", values, f'one_of("{field}", *values)')
    return ContentConstraint(field, "one_of", {"values": values, "match": match}, severity)


def min_length(field: str, chars: int, *, severity: str = "retry") -> ContentConstraint:
    """At least so many characters (code points), outer whitespace not counted. For lists use `count`."""
    return ContentConstraint(field, "min_length", {"chars": chars}, severity)


def max_length(field: str, chars: int, *, severity: str = "retry") -> ContentConstraint:
    """At most so many characters (code points). For lists use `count`."""
    return ContentConstraint(field, "max_length", {"chars": chars}, severity)


def regex(
    field: str,
    pattern: str,
    *,
    match: Literal["search", "fullmatch"] = "search",
    language: str | None = None,
    severity: str = "retry",
) -> ContentConstraint:
    """Return text that fits a pattern: linear time, so no lookaround and no back-references."""
    return ContentConstraint(field, "regex", {"pattern": pattern, "match": match, "language": language}, severity)


def distinct(field: str, *, severity: str = "retry") -> ContentConstraint:
    """No two equal items (texts: but for case and space); `distinct("tasks[*].id")` compares across objects."""
    return ContentConstraint(field, "distinct", {}, severity)


def not_copied(
    field: str,
    *,
    min_words: int = MIN_WORDS,
    sources: Sequence[Literal["prompt", "examples", "feedback"]] = SOURCES,  # type: ignore[assignment]
    texts: Sequence[str] = (),
    severity: str = "retry",
) -> ContentConstraint:
    """No sentence or item word for word from the prompt, the examples, the feedback, or the given example `texts`."""
    params = {"min_words": min_words, "sources": sources, "texts": texts}
    return ContentConstraint(field, "not_copied", params, severity)


def count(
    field: str,
    min: int | None = None,  # noqa: A002 - the parameter's own name
    max: int | None = None,  # noqa: A002
    *,
    severity: str = "retry",
) -> ContentConstraint:
    """Return how many items a list may have, both bounds included."""
    return ContentConstraint(field, "count", {"min": min, "max": max}, severity)


def in_range(
    field: str,
    min: float | None = None,  # noqa: A002 - the parameter's own name
    max: float | None = None,  # noqa: A002
    *,
    severity: str = "retry",
) -> ContentConstraint:
    """Return how large a number may be, both bounds included."""
    return ContentConstraint(field, "range", {"min": min, "max": max}, severity)


def contains(
    field: str, *values: str, ignore_case: bool = False, language: str | None = None, severity: str = "retry"
) -> ContentConstraint:
    """Return every one of the texts occurs in the text, or is an item of the list."""
    _one_by_one("contains", values, f'contains("{field}", *values)')
    params = {"values": values, "ignore_case": ignore_case, "language": language}
    return ContentConstraint(field, "contains", params, severity)


def excludes(
    field: str, *values: str, ignore_case: bool = False, language: str | None = None, severity: str = "retry"
) -> ContentConstraint:
    """None of the texts occurs in the text, or is an item of the list."""
    _one_by_one("excludes", values, f'excludes("{field}", *values)')
    params = {"values": values, "ignore_case": ignore_case, "language": language}
    return ContentConstraint(field, "excludes", params, severity)


def same_length(*fields: str, within: str = "", severity: str = "retry") -> ContentConstraint:
    """Parallel lists of one object have equally many items; `within` is the path of the object, with wildcards."""
    _one_by_one("same_length", fields, "same_length(*fields)")
    return ContentConstraint(within, "same_length", {"fields": fields}, severity)


def custom(
    field: str, check: Callable[[Any], Any], *, name: str | None = None, severity: str = "retry"
) -> ContentConstraint:
    """Return an own check: gets the plain value, returns None or what is wrong as one text or several."""
    return ContentConstraint(field, "custom", {"check": check, "name": name}, severity)


def _one_by_one(name: str, values: tuple[Any, ...], call: str) -> None:
    """Refuse one list in the place of several values: `one_of` would take it for the only value, which no text is."""
    if len(values) == 1 and isinstance(values[0], (list, tuple, set, frozenset)):
        raise UsageError(
            f"{name} takes its values one by one, got {values[0]!r} as the only one: write {call}. To pass the list "
            "as one value, use ContentConstraint"
        )
