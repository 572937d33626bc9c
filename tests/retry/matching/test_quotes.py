"""Findings with a quote: the new words quote the wrong part of the answer, other parts, or none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard import Contract
from pytest_planguard.retry.linking.link import Delta, Piece
from pytest_planguard.retry.matching.fed_back import fed_back, read
from pytest_planguard.wire.exchange import Role

LIMIT = {"type": "integer", "maximum": 28}
STAY = Contract({"type": "object", "properties": {"nights": LIMIT, "beds": LIMIT, "age": LIMIT, "cots": LIMIT}})
ANSWER = '{"nights": 90, "beds": 91, "age": 92, "cots": 93}'


@pytest.mark.parametrize(
    ("words", "grades"),
    [
        ("-  nights  = 90\n+ nights = 3", "verbatim unclear unclear"),
        ("nights = 90, beds = 91", "verbatim verbatim missing"),
        ("cots: is required", "unclear unclear unclear"),
        ("Please try again.", "missing missing missing"),
    ],
)
def test_a_quote_counts_before_what_else_the_words_say(words: str, grades: str) -> None:
    """Two quotes of others show that the app reports several; a finding without a quote is read as ever."""
    found = {one.path[0]: replace(one, quote=f"{one.path[0]} = {one.actual}") for one in STAY.check(ANSWER).errors}
    found["cots"] = replace(found["cots"], quote="")
    reading = read([Delta(1, (Piece(words, 1, Role.USER),))])
    *quoted, plain = fed_back([found[name] for name in ("nights", "beds", "age", "cots")], reading, attempt=1)
    assert " ".join(one.label for one in quoted) == grades
    assert plain.label == ("missing" if "again" in words else "wrong")
