"""What the parameters of a constraint type may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError
from ..phrasing import did_you_mean
from .patterns import compile_pattern

REQUIRED = object()
"""Stands for the default of a parameter that has none."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter: what it must be, in words and as a predicate, and its default."""

    must_be: str
    accepts: Callable[[Any], bool]
    default: Any = REQUIRED


def whole_number(default: Any = REQUIRED) -> Param:
    """Return a count of something; None only where that is the default."""
    return Param("a whole number from 0", lambda v: v is default is None or (type(v) is int and v >= 0), default)


def number(default: Any = REQUIRED) -> Param:
    """Return a bound of a range; None for no bound."""
    return Param("a number", lambda v: v is None or (isinstance(v, (int, float)) and not isinstance(v, bool)), default)


def one_word_of(*words: str) -> Param:
    """Return one of some words, the first by default."""
    return Param("one of " + ", ".join(f'"{word}"' for word in words), lambda v: v in words, words[0])


def some(must_be: str, accepts: Callable[[Any], bool], default: Any = REQUIRED) -> Param:
    """Return a list or tuple of things."""
    return Param(must_be, lambda v: isinstance(v, (list, tuple)) and all(accepts(item) for item in v), default)


def some_of(*words: str) -> Param:
    """Several of some words, all by default."""
    listed = ", ".join(f'"{word}"' for word in words)
    return some(f"a list of {listed}", lambda v: v in words, tuple(words))


def some_texts(default: Any = REQUIRED) -> Param:
    """Return a list of texts."""
    return some("a list of texts", lambda v: isinstance(v, str), default)


def flag() -> Param:
    """Return True or False; False by default."""
    return Param("True or False", lambda v: isinstance(v, bool), False)


def pattern() -> Param:
    """Return a regular expression. One that the engine does not take raises UsageError with the reason."""
    return Param("a regular expression", lambda v: isinstance(v, str) and compile_pattern(v) is not None)


def complete(type_name: str, known: Mapping[str, Param], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given parameters with defaults filled in.

    Raises:
        UsageError: an unknown, missing or wrong parameter, with the valid ones.
    """
    for name in given:
        if name not in known:
            raise UsageError(f"{type_name} has no parameter {name!r}{_near(name, known)}; it takes {_listed(known)}")
    filled = {name: given.get(name, param.default) for name, param in known.items()}
    for name, value in filled.items():
        if value is REQUIRED:
            raise UsageError(f"{type_name} needs the parameter {name!r}: {known[name].must_be}")
        if not known[name].accepts(value):
            raise UsageError(f"{type_name}: {name!r} must be {known[name].must_be}, got {value!r}")
    return filled


def _near(name: str, known: Mapping[str, Param]) -> str:
    hint = did_you_mean(name, known)
    return f" ({hint})" if hint else ""


def _listed(known: Mapping[str, Param]) -> str:
    return ", ".join(f"{name} ({param.must_be})" for name, param in known.items()) or "none"
