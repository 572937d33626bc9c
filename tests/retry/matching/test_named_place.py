"""A path in running text and the words beside it."""

from __future__ import annotations

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.retry.linking.link import Delta, Piece
from pytest_planguard.retry.matching.fed_back import fed_back, read
from pytest_planguard.retry.outcomes import DROPPED
from pytest_planguard.wire.exchange import Role

FINDING = Finding("minimum", ("lines", 1, "no"), "too small", FailureKind.RANGE)


def grade(text: str, finding: Finding = FINDING, data: object = None) -> str:
    """Return what becomes of a number that is too small."""
    reading = read([Delta(2, (Piece(text, 4, Role.USER),))])
    return fed_back([finding], reading, attempt=1, data=data)[0].label


def test_the_words_behind_a_place_speak_of_it() -> None:
    """The rule may stand behind the place, or in front of it where the words lead there and nothing follows."""
    assert grade("lines[1].no must be at least 1") == "located"
    assert grade("expected at least 1 @ $.lines[1].no\nsomething else") == "located"
    assert grade("Mind that lines[1].no must be at least 1") == "located"
    assert grade("We see at lines[1].no: too small.") == "verbatim"
    assert grade("lines.1.no=minimum") == "located"
    assert grade("lines[1].no must be at most 1") in DROPPED
    assert grade("lines[0].no must be at least 1") in DROPPED


def test_what_is_well_is_no_error() -> None:
    """Words that affirm the rule are passed over; a demand further on still counts."""
    well = "Mind that lines[1].no is at least 1 as required."
    assert grade(well) in DROPPED
    assert grade(f"{well} Now lines[1].no must be at least 1.") == "located"


def test_only_the_first_places_of_a_path_are_looked_at() -> None:
    """A hostile text repeats one path without end; 40 places are read, and the one behind them is not."""
    repeated = "lines[1].no is fine.\n"
    told = "Mind that lines[1].no must be at least 1"
    assert grade(repeated * 39 + told) == "located"
    assert grade(repeated * 40 + told) in DROPPED


def test_a_field_of_a_field_is_not_the_field_of_its_name() -> None:
    """`result.no` is the field `no` of an answer that has no `result`, and another field of one that has it."""
    whole = Finding("minimum", ("no",), "too small", FailureKind.RANGE)
    text = "Mind that result.no must be at least 1"
    assert grade(text, whole, {"no": 0}) == "weak"
    assert grade(text, whole, {"no": 0, "result": {"no": 0}}) in DROPPED
