"""A path in running text and the words beside it."""

from __future__ import annotations

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.retry.matching.path_in_text import path_mentioned
from pytest_planguard.retry.reading.error_category import ErrorCategory

FINDING = Finding("minimum", ("lines", 1, "no"), "too small", FailureKind.RANGE)
SMALL = frozenset({ErrorCategory.TOO_SMALL})


def test_the_words_behind_a_place_speak_of_it() -> None:
    """The rule may stand behind the place, or in front of it where the words lead there and nothing follows."""
    assert path_mentioned(FINDING, "lines[1].no must be at least 1", SMALL)
    assert path_mentioned(FINDING, "expected at least 1 @ $.lines[1].no\nsomething else", SMALL)
    assert path_mentioned(FINDING, "lines[1].no must be at most 1", SMALL) is None
    assert path_mentioned(FINDING, "lines[0].no must be at least 1", SMALL) is None


def test_what_is_well_is_no_error() -> None:
    """Words that affirm the rule are passed over; a demand further on still counts."""
    well = "lines[1].no is at least 1 as required."
    assert path_mentioned(FINDING, well, SMALL) is None
    assert path_mentioned(FINDING, f"{well} Now lines[1].no must be at least 1.", SMALL)


def test_only_the_first_places_of_a_path_are_looked_at() -> None:
    """A hostile text repeats one path without end; 200 places are read, and the one behind them is not."""
    repeated = "lines[1].no is what it is.\n"
    told = "lines[1].no must be at least 1"
    assert path_mentioned(FINDING, repeated * 199 + told, SMALL)
    assert path_mentioned(FINDING, repeated * 200 + told, SMALL) is None


def test_a_field_of_a_field_is_not_the_field_of_its_name() -> None:
    """`result.no` is the field `no` of an answer that has no `result`, and another field of one that has it."""
    whole = Finding("minimum", ("no",), "too small", FailureKind.RANGE)
    text = "Mind that result.no must be at least 1"
    assert path_mentioned(whole, text, SMALL, {"no": 0})
    assert path_mentioned(whole, text, SMALL, {"no": 0, "result": {"no": 0}}) is None
