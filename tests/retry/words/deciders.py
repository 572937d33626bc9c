"""What is read in the words of feedback: one decider for each file of phrases."""

from __future__ import annotations

from pytest_planguard.retry.reading import error_category as category
from pytest_planguard.retry.reading.comparison import comparison_in
from pytest_planguard.retry.reading.entry import parse_place
from pytest_planguard.retry.reading.recognise import recognise

from ...support.pins import Decide


def said(message: str) -> str:
    """Return what a message says is wrong, and which bound it names."""
    firm, plain = category.firm_category(message), category.category_of_words(message)
    compared = comparison_in(message)
    bound = f"{compared.direction.value} {compared.bound} {'length' if compared.length else ''}" if compared else ""
    parts = (firm and firm.value, plain and plain.value, bound.strip())
    return " | ".join(part or "" for part in parts) + (" | invalid" if category.only_invalid(message) else "")


def errors(text: str) -> str:
    """Return the errors that a text names, with and without the wordings of frameworks."""
    shown = []
    for known in (True, False):
        entries = recognise(text, known_wordings=known)
        shown.append("; ".join(f"{one.path} [{one.code}] {one.message} {one.start}-{one.end}" for one in entries))
    return shown[0] if shown[0] == shown[1] else f"{shown[0]} | without frameworks: {shown[1]}"


def coded(code: str) -> str:
    """Return what a code stands for."""
    found = category.category_of_code(code)
    return f"{category.code_name(code)} {found.value if found else 'nothing'}"


DECIDERS: dict[str, Decide] = {
    "messages": said,
    "texts": errors,
    "codes": coded,
    "places": parse_place,
    "rules": said,
    "lines": errors,
}
"""By the file of inputs. In "rules" each word of the tables has an example, in "lines" each form of a line."""
