"""The table of constraint types: name, parameters, check. A new type is one generator and one line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...registry import Registry
from ..finding import Related
from ..own_checks import asked, is_whole
from ..phrasing import as_json, did_you_mean, equal_key, plural
from .scene import ConstraintCheck, Scene, Violation, each, wrong
from .text_constraints import (
    MIN_WORDS,
    SOURCES,
    compile_pattern,
    contains,
    excludes,
    max_length,
    min_length,
    non_empty,
    not_copied,
    one_of,
    regex,
)

if TYPE_CHECKING:
    from ...document.path import Path


REQUIRED = object()
"""Marks a parameter without a default."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter: its allowed values (as a description and a predicate), and its default."""

    must_be: str
    accepts: Callable[[Any], bool]
    default: Any = REQUIRED


def whole_number(default: object = REQUIRED) -> Param:
    """Return a parameter for integers of at least 0. None is allowed only as the default."""
    # `type(v) is int`: True is an int as well, and `count("steps", min=True)` is a mistake.
    return Param("a whole number of at least 0", lambda v: v is default is None or (type(v) is int and v >= 0), default)


def number(default: object = REQUIRED) -> Param:
    """Return a parameter for the bound of a range. None means no bound; NaN is no bound."""

    def accepts(value: Any) -> bool:
        return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool) and value == value)

    return Param("a number", accepts, default)


def one_word_of(*words: str) -> Param:
    """Return a parameter that takes one of some words. The first word is the default."""
    return Param("one of " + ", ".join(f'"{word}"' for word in words), lambda v: v in words, words[0])


def some(must_be: str, accepts: Callable[[Any], bool], default: object = REQUIRED) -> Param:
    """Return a parameter for a list or tuple of values."""
    return Param(must_be, lambda v: isinstance(v, (list, tuple)) and all(accepts(item) for item in v), default)


def some_of(*words: str) -> Param:
    """Return a parameter that takes several of some words. The default is all of them."""
    listed = ", ".join(f'"{word}"' for word in words)
    return some(f"a list of {listed}", lambda v: v in words, tuple(words))


def some_texts(default: object = REQUIRED) -> Param:
    """Return a parameter for a list of strings."""
    return some("a list of texts", lambda v: isinstance(v, str), default)


def flag() -> Param:
    """Return a parameter for True or False. The default is False."""
    return Param("True or False", lambda v: isinstance(v, bool), False)


def pattern() -> Param:
    """Return a parameter for a regular expression. If the engine rejects it, UsageError gives the reason."""
    return Param("a regular expression", lambda v: isinstance(v, str) and compile_pattern(v) is not None)


def complete(type_name: str, known: Mapping[str, Param], given: Mapping[str, object]) -> dict[str, Any]:
    """Return the given parameters with defaults filled in.

    Raises:
        UsageError: an unknown, missing or wrong parameter; the message lists the valid ones.
    """
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known)
            takes = ", ".join(f"{known_name} ({param.must_be})" for known_name, param in known.items()) or "none"
            raise UsageError(f"{type_name} has no parameter {name!r}{f' ({hint})' if hint else ''}; it takes {takes}")
    filled = {name: given.get(name, param.default) for name, param in known.items()}
    for name, value in filled.items():
        if value is REQUIRED:
            raise UsageError(f"{type_name} needs the parameter {name!r}: {known[name].must_be}")
        if not known[name].accepts(value):
            raise UsageError(f"{type_name}: {name!r} must be {known[name].must_be}, got {value!r}")
    return filled


# A user's check as a constraint.

_MESSAGE_LIMIT = 300  # maximum length of a message, because feedback is bounded
_LISTED = 20  # maximum number of messages per call, because a generator may be endless


@each
def custom(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for each message that the check returns, and one if it raises.

    If only parts of the value are valid, stop when the check reads an invalid part, and ignore exceptions.
    """
    whole = is_whole(value)
    try:
        for message in asked(lambda: _messages(params["check"](value)), value):
            yield Violation((), message, actual=as_json(value) if whole else None)
    except Exception as exc:
        if whole:
            yield Violation((), "", crash=exc)


def _messages(answer: object) -> Iterator[str]:
    if answer is None or answer is True:
        return
    if answer is False:
        yield "the check does not hold"
    elif isinstance(answer, str):
        yield answer[:_MESSAGE_LIMIT] if answer.strip() else "the check does not hold"
    elif isinstance(answer, Iterable):
        yield from (str(message)[:_MESSAGE_LIMIT] for message in islice(answer, _LISTED))
    else:
        raise TypeError(f"it returned {type(answer).__name__}, not None, a text or several texts")


# Constraints on lists and numbers.


@each
def count(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation if there are too few or too many items."""
    if not isinstance(value, (list, dict)):
        yield wrong("a list", value)
        return
    least, most = params["min"], params["max"]
    if least is not None and len(value) < least:
        yield wrong(f"at least {plural(least, 'item')} (has {len(value)})", value)
    if most is not None and len(value) > most:
        yield wrong(f"at most {plural(most, 'item')} (has {len(value)})", value)


@each
def number_range(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for a number outside its bounds, and for a value that is not a number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        yield wrong("a number", value)
        return
    least, most = params["min"], params["max"]
    # "not (a <= b)" instead of "a > b", because NaN is in no range.
    if least is not None and not least <= value:
        yield wrong(f"a number of at least {least}", value)
    elif most is not None and not value <= most:
        yield wrong(f"a number of at most {most}", value)


def distinct(scene: Scene) -> Iterator[Violation]:
    """Yield a violation for each repeated item. Values selected by a field such as `tasks[*].id` form one list."""
    singles: list[tuple[Path, object]] = []
    for path, value in scene.sites:
        if isinstance(value, list):
            yield from _repeated(((*path, index), item) for index, item in enumerate(value))
        else:
            singles.append((path, value))
    yield from _repeated(singles)


def _repeated(items: Iterable[tuple[Path, object]]) -> Iterator[Violation]:
    """Yield a violation for each item that equals an earlier one, and name the place of the earlier item."""
    first: dict[str, Path] = {}
    for path, item in items:
        key = equal_key(item)
        if key in first:
            related = Related("the same", first[key])
            message = f"repeats an earlier value; got {as_json(item)}"
            yield Violation(path, message, "a value that has not occurred before", as_json(item), related=(related,))
        else:
            first[key] = path


@each
def same_length(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for each list that is not as long as the first one in its object."""
    if not isinstance(value, dict):
        yield wrong("an object", value)
        return
    lists = {name: value[name] for name in params["fields"] if isinstance(value.get(name), list)}
    if len({len(items) for items in lists.values()}) > 1:
        first, *others = lists
        for name in others:
            if len(lists[name]) != len(lists[first]):
                expected = f"{plural(len(lists[first]), 'item')}, as many as {as_json(first)}"
                found = wrong(f"{expected} (has {len(lists[name])})", lists[name])
                yield Violation((name,), found.message, found.expected, found.actual)


# Parameters that are valid individually but useless together: every answer would pass, or every answer would fail.

Flaw = Callable[[Mapping[str, Any]], "str | None"]
"""Returns what is wrong with a complete set of parameters; None if nothing is."""


def bounds(params: Mapping[str, Any]) -> str | None:
    """Check that at least one of two bounds is set, and that they are in order."""
    low, high = params["min"], params["max"]
    if low is None and high is None:
        return "give 'min', 'max' or both: without a bound every answer passes"
    if low is not None and high is not None and low > high:
        return f"'min' {low} is more than 'max' {high}: no answer can pass"
    return None


def some_values(params: Mapping[str, object]) -> str | None:
    """Check that there is at least one value to compare with."""
    return None if params["values"] else "'values' is empty: name at least one"


def two_fields(params: Mapping[str, Any]) -> str | None:
    """Check that there are at least two lists to compare."""
    return None if len(params["fields"]) > 1 else "'fields' needs two or more lists: one has nothing to compare with"


_LANGUAGE = Param('a language tag such as "en", or None', lambda v: v is None or isinstance(v, str), None)
_NAME = Param("a name, or None", lambda v: v is None or (isinstance(v, str) and v.isidentifier()), None)


@dataclass(frozen=True, slots=True)
class ConstraintType:
    """A type of content constraint."""

    name: str
    check: ConstraintCheck
    params: Mapping[str, Param] = field(default_factory=dict)
    needs_value: bool = True
    """True if a missing field breaks the constraint; False if the constraint ignores it."""
    literals: tuple[str, ...] = ()
    """Names of parameters whose text must occur in the answer. English words in them require answers in English."""
    flaw: Flaw | None = None
    """Returns what is wrong with a complete set of parameters, if anything."""


_BOUNDS = {"min": whole_number(None), "max": whole_number(None)}
_WORDS = {"values": some_texts(), "ignore_case": flag(), "language": _LANGUAGE}
_CHOICE = {
    "values": some("a list of values", lambda _: True),
    "match": one_word_of("exact", "casefold", "prefix", "contains"),
}
_COPY = {"min_words": whole_number(MIN_WORDS), "sources": some_of(*SOURCES), "texts": some_texts(())}
_PATTERN = {"pattern": pattern(), "match": one_word_of("search", "fullmatch"), "language": _LANGUAGE}
_CALL = {"check": Param("a callable", callable), "name": _NAME}

_BUILT_IN = (
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
    ConstraintType("same_length", same_length, {"fields": some_texts()}, needs_value=False, flaw=two_fields),
    ConstraintType("custom", custom, _CALL, needs_value=False),
)
CONSTRAINT_TYPES = Registry("constraint type", {kind.name: kind for kind in _BUILT_IN})
