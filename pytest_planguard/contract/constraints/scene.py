"""What a content check sees and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..phrasing import as_json, expected_got

if TYPE_CHECKING:
    from ...document.path import Path
    from ..finding import Related


@dataclass(frozen=True, slots=True)
class CheckContext:
    """The texts that an answer may have been copied from. All empty: copies cannot be judged."""

    prompt_texts: tuple[str, ...] = ()
    """System and user turns of the request, the task included."""
    example_texts: tuple[str, ...] = ()
    """Worked examples: few-shot assistant turns, or documents that the prompt shows."""
    feedback_texts: tuple[str, ...] = ()
    """Feedback on earlier attempts of the same conversation."""
    answer_texts: tuple[str, ...] = ()
    """For each feedback text, what the model itself had said before it: feedback quotes that, and keeping one's own
    words copies nothing. Where one is missing, nothing was said."""


# The values that a check judges, and the places where they are wrong.


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a constraint does not hold."""

    path: Path
    message: str
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    related: tuple[Related, ...] = ()
    allowed: tuple[Any, ...] = ()
    crash: Exception | None = None
    """What the user's own check raised; None where it did not."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The values that a constraint's field selects, and what it may compare them with."""

    sites: Sequence[tuple[Path, Any]]
    """Path and value of everything that the field selects, in document order."""
    params: Mapping[str, Any]
    context: CheckContext = field(default_factory=CheckContext)


ConstraintCheck = Callable[[Scene], Iterator[Violation]]
"""Yields every violation; gets plain data of any shape and must not raise for any of it."""
CheckValue = Callable[[Any, Mapping[str, Any]], Iterator[Violation]]


def each(check: CheckValue) -> ConstraintCheck:
    """Return a check that judges every selected value by itself. It gives paths below the value."""

    def check_all(scene: Scene) -> Iterator[Violation]:
        for path, value in scene.sites:
            for found in check(value, scene.params):
                yield replace(found, path=path + found.path)

    return check_all


def each_text(check: Callable[[str, Mapping[str, Any]], Iterator[Violation]]) -> ConstraintCheck:
    """As `each`, for checks of text: a value that is no text is a violation itself."""

    def check_value(value: object, params: Mapping[str, object]) -> Iterator[Violation]:
        return check(value, params) if isinstance(value, str) else iter([wrong("text", value)])

    return each(check_value)


def wrong(expected: str, value: object, *, hint: str | None = None) -> Violation:
    """Return the common violation: 'expected at least 3 characters; got "ab"', at the value itself."""
    actual = as_json(value)
    return Violation((), expected_got(expected, actual), expected, actual, hint)
