"""Findings with a quote: the new words quote the wrong part of the answer, other parts, or none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard import Contract, FailureKind, Finding
from pytest_planguard.retry.linking.link import Delta, Piece
from pytest_planguard.retry.matching.fed_back import fed_back, read
from pytest_planguard.retry.results import FedBack
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


def quoting(words: str, *quotes: str) -> list[FedBack]:
    """Return the gradings of findings with these quotes."""
    findings = [
        Finding("rule", (f"p{at}",), "broken", FailureKind.RULE, quote=quote) for at, quote in enumerate(quotes)
    ]
    return [*fed_back(findings, read([Delta(1, (Piece(words, 1, Role.USER),))]), attempt=1)]


def test_a_reason_counts_the_quotes_of_others() -> None:
    """One may be all that an app reports at a time; without any, a name may be code."""
    one, two, none = (quoting(words, "x = 1", "y = 2", "z = 3")[2] for words in ("x = 1", "y = 2\nx = 1", "q: is bad"))
    assert one.reason == "the new words quote another wrong part of the answer; the app may report one at a time"
    assert two.reason == "the new words quote 2 wrong parts of the answer, but not this one"
    assert none.reason == (
        "the new words quote none of the wrong parts of the answer, and the names in their code are no places"
    )
    assert [graded.reason_code for graded in (one, two, none)] == ["other-quotes", "other-quotes", "words"]


def test_the_evidence_shows_the_beginning_of_a_long_quote() -> None:
    """Of 80 characters, with single spaces."""
    short, long = quoting(f"Wrong: {'g' * 81}, {'h' * 40}\n {'i' * 39}", "g" * 81, f"{'h' * 40} {'i' * 39}")
    assert short.evidence == f"{'g' * 79}…"
    assert long.evidence == f"{'h' * 40} {'i' * 39}"


def test_quotes_are_searched_in_200_000_characters() -> None:
    """More is a file."""
    finding = Finding("rule", ("p",), "broken", FailureKind.RULE, quote="x = 1")
    for front, label in ((199_995, "verbatim"), (199_996, "missing")):
        piece = Piece("Again.", 1, Role.USER, whole="y" * front + "x = 1")
        (graded,) = fed_back([finding], read([Delta(1, (piece,))]), attempt=1)
        assert graded.label == label
