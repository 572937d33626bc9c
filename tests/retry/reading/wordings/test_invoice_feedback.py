"""Feedback in words that were written without looking at the readers: what is right, and what is known to be wrong."""

from __future__ import annotations

import pytest

from .invoice import Feedback, feedback

MISJUDGED = {
    "Go validator, required": "lines.0.quantity",
    "Laravel": "currency",
    "cattrs": "note",
    "HTML list": "invoice_no",
    "table with types": "customer.email",
    "comments in the answer": "lines.1.quantity",
    "a model's bullets": "invoice_no",
    "a model's sentence": "invoice_no",
    "German, missing and unknown": "note",
    "Chinese, full-width colons": "note",
    "zod 3 flatten keeps the first step of a path": "invoice_no",
    "Japanese, the item before": "currency invoice_no",
}
"""By case the findings whose fate is wrong. A mend takes a name away; none is ever added."""
CASES = [*feedback("carrying"), *feedback("losing")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_feedback_is_judged_as_a_careful_reader_would(case: Feedback) -> None:
    """Lost is what the text does not tell, but for the findings that are named as misjudged."""
    wrong = case.judged_lost() ^ case.lost
    assert wrong == frozenset(MISJUDGED.get(case.name, "").split())


def test_every_named_misjudgement_is_of_a_case() -> None:
    """A name that no case has would hide nothing and tell a reader something false."""
    assert MISJUDGED.keys() <= {case.name for case in CASES}
