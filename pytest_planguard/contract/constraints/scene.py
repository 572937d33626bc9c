"""The input and output of a content check."""

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
    """The texts that were known when the model answered. Copies cannot be detected without a text to copy from."""

    prompt_texts: tuple[str, ...] = ()
    """The system and user turns of the request, including the task."""
    example_texts: tuple[str, ...] = ()
    """Worked examples: few-shot assistant turns, or documents in the prompt."""
    feedback_texts: tuple[str, ...] = ()
    """Feedback on earlier attempts of the same conversation."""
    answer_texts: tuple[str, ...] = ()
    """For each feedback text, the model's answer that it is about. Feedback quotes that answer, and a model that
    repeats its earlier words is not copying. A missing entry means that there was no answer."""
    state: Mapping[str, str] = field(default_factory=dict)
    """Texts by name that the app showed while it asked, such as its files: `document.state` for rules."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One place at which a constraint is broken."""

    path: Path
    message: str
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    related: tuple[Related, ...] = ()
    allowed: tuple[Any, ...] = ()
    crash: Exception | None = None
    """The exception that a user's check raised, if any."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The values that a constraint's field selects, and the texts to compare them with."""

    sites: Sequence[tuple[Path, Any]]
    """Path and value of everything that the field selects, in document order."""
    params: Mapping[str, Any]
    context: CheckContext = field(default_factory=CheckContext)


ConstraintCheck = Callable[[Scene], Iterator[Violation]]
"""Takes plain data of any shape, and yields every violation. Must not raise."""
CheckValue = Callable[[Any, Mapping[str, Any]], Iterator[Violation]]


def each(check: CheckValue) -> ConstraintCheck:
    """Return a check that judges each selected value separately. Paths in its violations are relative to the value."""

    def check_all(scene: Scene) -> Iterator[Violation]:
        for path, value in scene.sites:
            for found in check(value, scene.params):
                yield replace(found, path=path + found.path)

    return check_all


def each_text(check: Callable[[str, Mapping[str, Any]], Iterator[Violation]]) -> ConstraintCheck:
    """Return a check like `each` for text. A value that is not text is a violation."""

    def check_value(value: object, params: Mapping[str, object]) -> Iterator[Violation]:
        return check(value, params) if isinstance(value, str) else iter([wrong("text", value)])

    return each(check_value)


def wrong(expected: str, value: object, *, hint: str | None = None) -> Violation:
    """Return a violation at the value itself, with the usual message: 'expected at least 3 characters; got "ab"'."""
    actual = as_json(value)
    return Violation((), expected_got(expected, actual), expected, actual, hint)
