"""How many lines of feedback go out, at each bound and next to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.feedback.style import fitted
from pytest_planguard.contract.phrasing import plural


@pytest.mark.parametrize(
    ("limit", "budget", "shown"),
    [(3, 12, 3), (3, 11, 2), (3, 8, 2), (3, 7, 1), (3, 4, 1), (3, 3, 0), (3, 0, 0), (2, 99, 2), (0, 99, 0), (4, 99, 3)],
)
def test_lines_at_the_bounds(limit: int, budget: int, shown: int) -> None:
    """Each of the three lines takes four characters, its line break among them."""
    assert fitted(["abc"] * 3, limit, budget) == shown


@given(lines=st.lists(st.text("ab", max_size=4), max_size=6), limit=st.integers(0, 7), budget=st.integers(0, 30))
def test_as_many_as_fit_and_no_more(lines: list[str], limit: int, budget: int) -> None:
    """The characters of what is shown, and of one line more."""
    shown = fitted(lines, limit, budget)
    sizes = [sum(len(line) + 1 for line in lines[:many]) for many in range(len(lines) + 1)]
    assert shown == max(many for many in range(min(limit, len(lines)) + 1) if sizes[many] <= budget)


@pytest.mark.parametrize(
    ("count", "noun", "said"),
    [
        (0, "item", "0 items"),
        (1, "item", "1 item"),
        (2, "item", "2 items"),
        (0, "property", "0 properties"),
        (1, "property", "1 property"),
        (2, "property", "2 properties"),
        (3, "entry", "3 entries"),
    ],
)
def test_a_noun_in_the_plural(count: int, noun: str, said: str) -> None:
    """One is the singular, and nothing else is."""
    assert plural(count, noun) == said
