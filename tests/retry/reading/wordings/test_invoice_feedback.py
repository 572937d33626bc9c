"""Feedback in words that were written without looking at the readers: what is right, and what is known to be wrong."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.outcomes import DROPPED

from ....support.one_item import in_one_item
from .invoice import Feedback, feedback

UNCLEAR = {
    "codes without places": "invoice_no currency lines.1.quantity",
    "praise and a new wish": "invoice_no currency",
    "German praise": "invoice_no currency lines.1.quantity",
    "positions swapped": "lines.0.quantity lines.1.unit_price",
    "counted from one, swapped": "lines.0.quantity lines.1.unit_price",
    "the item's own key swapped": "lines.0.quantity lines.1.unit_price",
}
"""By case the findings that a careful reader calls missing and that are placed or unclear: nobody understood the words,
or they show another item, which is no proof."""
CASES = [*feedback("passing_on"), *feedback("dropping")]


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_feedback_is_judged_as_a_careful_reader_would(case: Feedback) -> None:
    """Lost is nothing that the text tells; what it does not tell is missing, but where it was not understood."""
    graded = case.grades()
    missing = {path for path, grade in graded.items() if grade in DROPPED}
    unclear = {path for path, grade in graded.items() if grade in ("partial", "unclear")}
    assert missing <= case.missing
    assert case.missing - missing == frozenset(UNCLEAR.get(case.name, "").split())
    assert case.missing - missing <= unclear


def test_every_unclear_name_is_of_a_case() -> None:
    """A name that no case has would hide nothing and tell a reader something false."""
    assert UNCLEAR.keys() <= {case.name for case in CASES}
