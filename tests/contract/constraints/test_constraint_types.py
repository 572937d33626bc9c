"""Each parameter of a constraint: what it may be, what it may not be, its default; and which types need a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_planguard.contract.constraints import constraint_types as p
from pytest_planguard.contract.constraints.builders import (
    contains,
    count,
    custom,
    distinct,
    excludes,
    in_range,
    max_length,
    min_length,
    non_empty,
    not_copied,
    one_of,
    regex,
    same_length,
)
from pytest_planguard.contract.constraints.constraint import ContentConstraint
from pytest_planguard.contract.constraints.constraint_types import CONSTRAINT_TYPES, REQUIRED, Param
from pytest_planguard.errors import UsageError

from ...support.one_item import in_one_item

PARAMS: list[tuple[Callable[[], Param], str, Any, list[Any], list[Any]]] = [
    (p.whole_number, "a whole number of at least 0", REQUIRED, [0, 1, 9], [-1, 1.0, True, None, "1"]),
    (lambda: p.whole_number(None), "a whole number of at least 0", None, [0, None], [-1, False]),
    (lambda: p.whole_number(8), "a whole number of at least 0", 8, [0, 8], [None]),
    (p.number, "a number", REQUIRED, [0, -1, 2.5, None], [True, "1", [1]]),
    (lambda: p.number(None), "a number", None, [0.5, None], [False]),
    (lambda: p.one_word_of("a", "b"), 'one of "a", "b"', "a", ["a", "b"], ["c", None, 1]),
    (lambda: p.some_of("a", "b"), 'a list of "a", "b"', ("a", "b"), [["a"], ("b", "a"), []], ["a", ["c"], None]),
    (p.some_texts, "a list of texts", REQUIRED, [["a"], (), ("a", "b")], ["a", [1], {"a"}]),
    (lambda: p.some_texts(()), "a list of texts", (), [[]], [None]),
    (lambda: p.some("a list of values", lambda _: True), "a list of values", REQUIRED, [[1, None]], ["a", None]),
    (p.flag, "True or False", False, [True, False], [0, 1, None, "yes"]),
    (p.pattern, "a regular expression", REQUIRED, ["a+", ""], [1, None]),
]


@in_one_item
@pytest.mark.parametrize(("build", "must_be", "default", "good", "bad"), PARAMS)
def test_what_a_parameter_may_be(
    build: Callable[[], Param], must_be: str, default: Any, good: list[Any], bad: list[Any]
) -> None:
    """In words, as a predicate, and by default."""
    param = build()
    assert (param.must_be, param.default) == (must_be, default)
    assert [value for value in good if not param.accepts(value)] == []
    assert [value for value in bad if param.accepts(value)] == []


DEFAULTS: dict[str, dict[str, Any]] = {
    "non_empty": {},
    "one_of": {"values": REQUIRED, "match": "exact"},
    "min_length": {"chars": REQUIRED},
    "max_length": {"chars": REQUIRED},
    "regex": {"pattern": REQUIRED, "match": "search", "language": None},
    "distinct": {},
    "not_copied": {"min_words": 4, "sources": ("prompt", "examples", "feedback"), "texts": ()},
    "count": {"min": None, "max": None},
    "range": {"min": None, "max": None},
    "contains": {"values": REQUIRED, "ignore_case": False, "language": None},
    "excludes": {"values": REQUIRED, "ignore_case": False, "language": None},
    "same_length": {"fields": REQUIRED},
    "custom": {"check": REQUIRED, "name": None},
}


def test_the_parameters_of_each_type_with_their_defaults() -> None:
    """Every built-in type, and no other."""
    built_in = {
        kind.name: {name: param.default for name, param in kind.params.items()} for kind in CONSTRAINT_TYPES.built_in
    }
    assert built_in == DEFAULTS


@in_one_item
@pytest.mark.parametrize("kind", sorted(DEFAULTS))
def test_a_parameter_that_is_needed_and_one_that_is_unknown(kind: str) -> None:
    """Both are said with what would be right."""
    needed = [name for name, default in DEFAULTS[kind].items() if default is REQUIRED]
    if needed:
        with pytest.raises(UsageError, match=f"^{kind} needs the parameter '{needed[0]}': "):
            ContentConstraint("a", kind, {})
    with pytest.raises(UsageError, match=f"^{kind} has no parameter 'zzz'; it takes "):
        ContentConstraint("a", kind, {"zzz": 1})


@in_one_item
@pytest.mark.parametrize(
    ("constraint", "missing"),
    [
        (non_empty("a"), True),
        (one_of("a", 1), True),
        (min_length("a", 1), True),
        (max_length("a", 1), False),
        (regex("a", "[0-9]"), True),
        (distinct("a"), False),
        (not_copied("a"), False),
        (count("a", min=1), True),
        (in_range("a", min=1), True),
        (contains("a", "#"), True),
        (excludes("a", "#"), False),
        (same_length("b", "c"), False),
        (custom("a", lambda _: True), False),
    ],
    ids=lambda value: value.constraint_type if isinstance(value, ContentConstraint) else "",
)
def test_whether_an_absent_field_breaks_a_constraint(constraint: ContentConstraint, missing: bool) -> None:
    """Limits of what is there say nothing of what is not."""
    assert [item.code for item in constraint.findings({})] == ["missing"] * missing
