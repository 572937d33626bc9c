"""The short form of a constraint means the same as the long one, with the same defaults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest

from pytest_planguard.contract.constraints import builders as b
from pytest_planguard.contract.constraints.constraint import ContentConstraint
from pytest_planguard.contract.constraints.constraint_types import CONSTRAINT_TYPES
from pytest_planguard.contract.finding import Severity, SeverityLike
from pytest_planguard.errors import UsageError


def check(value: Any) -> bool:
    """Return True for any value."""
    return True


Build = Callable[..., ContentConstraint]
BARE: list[tuple[str, Build, dict[str, Any]]] = [
    ("non_empty", lambda **more: b.non_empty("a", **more), {}),
    ("one_of", lambda **more: b.one_of("a", "x", **more), {"values": ("x",)}),
    ("min_length", lambda **more: b.min_length("a", 3, **more), {"chars": 3}),
    ("max_length", lambda **more: b.max_length("a", 3, **more), {"chars": 3}),
    ("regex", lambda **more: b.regex("a", "x", **more), {"pattern": "x"}),
    ("distinct", lambda **more: b.distinct("a", **more), {}),
    ("not_copied", lambda **more: b.not_copied("a", **more), {}),
    ("count", lambda **more: b.count("a", 1, **more), {"min": 1}),
    ("range", lambda **more: b.in_range("a", 1, **more), {"min": 1}),
    ("contains", lambda **more: b.contains("a", "x", **more), {"values": ("x",)}),
    ("excludes", lambda **more: b.excludes("a", "x", **more), {"values": ("x",)}),
    ("same_length", lambda **more: b.same_length("x", "y", within="a", **more), {"fields": ("x", "y")}),
    ("custom", lambda **more: b.custom("a", check, **more), {"check": check}),
]
"""The type that each function makes, with the arguments that it needs and the same for the long form."""
MORE: dict[str, dict[str, Any]] = {
    "one_of": {"match": "prefix"},
    "regex": {"match": "fullmatch", "language": "en"},
    "not_copied": {"min_words": 2, "sources": ["prompt"], "texts": ["one two"]},
    "count": {"max": 4},
    "range": {"max": 4.5},
    "contains": {"ignore_case": True, "language": "en"},
    "excludes": {"ignore_case": True, "language": "en"},
    "custom": {"name": "mine"},
}
"""Another value than the default for every optional parameter."""


def test_each_type_has_a_function() -> None:
    """And each optional parameter of a type is one of its function."""
    assert [kind for kind, _, _ in BARE] == [kind.name for kind in CONSTRAINT_TYPES.built_in]
    optional = {
        kind.name: set(kind.params) - set(needed)
        for kind, (_, _, needed) in zip(CONSTRAINT_TYPES.built_in, BARE, strict=True)
    }
    assert {name: set(MORE.get(name, {})) for name in optional} == optional


@pytest.mark.parametrize(("kind", "build", "needed"), BARE)
def test_both_forms_mean_the_same(kind: str, build: Build, needed: dict[str, Any]) -> None:
    """With the defaults of the table of types, and with every parameter and severity given."""
    assert build() == ContentConstraint("a", kind, needed)
    more = MORE.get(kind, {})
    for severity in Severity:
        assert build(**more, severity=severity.value) == ContentConstraint("a", kind, {**needed, **more}, severity)


def test_type_checkers_know_every_severity() -> None:
    """An argument may be a member or its value."""
    assert get_args(get_args(SeverityLike)[1]) == tuple(severity.value for severity in Severity)


ALONE = "one_of takes its values as separate arguments, got only ['x', 'y']"


@pytest.mark.parametrize(
    ("define", "message"),
    [
        (
            lambda: b.one_of("a", ["x", "y"]),
            f'{ALONE}: write one_of("a", *values). To pass the list as one value, use ContentConstraint',
        ),
        (
            lambda: b.contains("a", ["x"]),  # type: ignore[arg-type]
            "contains takes its values as separate arguments, got only ['x']: write contains(\"a\", *values)",
        ),
        (
            lambda: b.excludes("a", ("x",)),  # type: ignore[arg-type]
            "excludes takes its values as separate arguments, got only ('x',): write excludes(\"a\", *values)",
        ),
        (
            lambda: b.same_length(["a", "b"]),  # type: ignore[arg-type]
            "same_length takes its values as separate arguments, got only ['a', 'b']: write same_length(*fields)",
        ),
    ],
)
def test_a_list_of_values_must_be_unpacked(define: Callable[[], object], message: str) -> None:
    """Only one_of can mean the list itself."""
    with pytest.raises(UsageError) as refused:
        define()
    assert str(refused.value) == message
