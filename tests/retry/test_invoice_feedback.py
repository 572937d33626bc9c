"""Feedback in words that were written without looking at the readers: what is right, and what is known to be wrong."""

from __future__ import annotations

import pytest

from .invoice import Feedback, feedback

MISJUDGED = {
    "zod 4 prettify": "currency invoice_no lines.1.quantity",
    "zod 4 tree": "currency invoice_no lines.1.quantity",
    "zod 3 format": "lines.0.quantity lines.1.unit_price",
    "ajv errorsText": "lines.1.quantity",
    "jsonschema by json_path": "invoice_no",
    "jsonschema, missing and unknown": "note",
    "cerberus": "currency lines.1.quantity",
    "Django REST": "lines.1.quantity",
    "Go validator": "currency invoice_no lines.1.quantity",
    "Go validator, required": "customer.email lines.0.quantity",
    "Bean Validation, names in camel case": "currency invoice_no",
    "Spring field errors": "currency invoice_no lines.1.quantity",
    "Laravel": "currency",
    "Yup": "invoice_no",
    "cattrs": "customer.email lines.0.quantity note",
    "msgspec, one line each": "customer.email lines.0.quantity",
    "protovalidate": "currency",
    "problem details": "currency invoice_no",
    "JSON lines": "currency",
    "XML attributes": "invoice_no",
    "HTML list": "invoice_no",
    "Markdown table": "invoice_no lines.1.quantity",
    "table with types": "note",
    "YAML report": "customer.email note",
    "comments in the answer": "currency invoice_no lines.1.quantity",
    "a model's bullets": "invoice_no",
    "a model's sentence": "invoice_no lines.1.quantity",
    "a model's sentence, missing and unknown": "note",
    "replacements": "currency invoice_no",
    "German, missing and unknown": "customer.email lines.0.quantity note",
    "German, a good field named": "currency invoice_no lines.1.quantity",
    "French sentence": "currency invoice_no lines.1.quantity",
    "Japanese": "currency invoice_no lines.1.quantity",
    "Chinese, full-width colons": "customer.email lines.0.quantity note",
    "zod 3 flatten keeps the first step of a path": "invoice_no",
    "fails at the first error": "invoice_no",
    "the item before": "currency invoice_no",
    "the field beside": "currency invoice_no",
    "all praised": "invoice_no lines.1.quantity",
    "the rules again": "lines.1.quantity",
    "the same name elsewhere": "invoice_no",
    "a type instead of a limit": "currency invoice_no",
    "the other limit": "currency invoice_no",
    "Go validator, the item before": "currency invoice_no",
    "Japanese, the item before": "currency invoice_no",
    "a row left out": "invoice_no lines.1.quantity",
    "a row that says ok": "invoice_no lines.1.quantity",
    "another rule for the missing field": "note",
    "positions swapped": "lines.0.quantity lines.1.unit_price",
    "counted from one, swapped": "lines.0.quantity lines.1.unit_price",
    "the item's own key swapped": "lines.0.quantity lines.1.unit_price",
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
