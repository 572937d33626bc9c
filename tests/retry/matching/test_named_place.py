"""A path in running text and the words beside it."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.retry.linking.link import Delta, Piece
from pytest_planguard.retry.matching.fed_back import fed_back, read
from pytest_planguard.retry.outcomes import DROPPED
from pytest_planguard.wire.exchange import Role

FINDING = Finding("minimum", ("lines", 1, "no"), "too small", FailureKind.RANGE)


EXTRA = Finding("extra", ("note",), "not expected", FailureKind.EXTRA, actual='"x"')


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


@pytest.mark.parametrize("behind", ["Path: '/lines/1/no'", "  path: lines[1].no", "PATH: lines.1.no"])
def test_a_path_may_be_the_last_sentence_of_its_line(behind: str) -> None:
    """The sentences in front of it are about it then."""
    assert grade(f"A rule is broken. It must be at least 1. {behind}") == "located"
    assert grade(f"A rule is broken. It must be at least 1. The {behind.lstrip()}") == "unclear"


AGE = Finding("minimum", ("age",), "too small", FailureKind.RANGE, expected="at least 18", actual="7")


def age_grade(text: str) -> str:
    """Return what becomes of an age that is too low."""
    return grade(text, AGE, {"age": 7, "name": "x"})


@pytest.mark.parametrize("note", ["while setting", "when reading", "during the check of", "in", "FOR"])
def test_a_note_below_a_message_names_its_place(note: str) -> None:
    """The line above is about that place, unless it names one itself."""
    assert age_grade(f"Expected at least 18\n{note} 'age'") == "weak"
    assert age_grade(f"Expected at least 18\nFurther {note} 'age'") == "unclear"
    assert age_grade(f"name is expected to have at least 18\n{note} 'age'") == "unclear"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("note quux", "weak"),
        ("note quux 3", "partial"),
        ("weight quux 3, note frob", "weak"),
        ("weight must be 3, note frob", "weak"),
        ("weight quux 3, frob 4, note frob", "partial"),
        ("weight quux 3 note frob", "partial"),
        ("at least 3 quux note", "wrong"),
    ],
)
def test_the_clause_behind_another_place_is_about_that_one(text: str, label: str) -> None:
    """A number there says nothing of a field that should not exist; any other number beside it might."""
    assert grade(text, EXTRA, {"weight": 5, "note": "x"}) == label


@pytest.mark.parametrize(
    "separator", [", ", " and ", ", and ", " or ", "、", "和", " und ", " oder ", " y ", " o ", " et ", " ou ", " & "]
)
def test_names_in_a_list_share_their_words(separator: str) -> None:
    """A listed place has the words behind the last one."""
    assert age_grade(f"age{separator}name must be at least 18") == "weak"
    assert age_grade(f"'age'{separator}'name' must be at least 18") == "weak"


@pytest.mark.parametrize("separator", ["; ", " / ", " next to ", " before "])
def test_names_in_no_list_share_no_words(separator: str) -> None:
    """Words behind the other place are about that one."""
    assert age_grade(f"age{separator}name must be at least 18") not in ("weak", "located", "verbatim")
