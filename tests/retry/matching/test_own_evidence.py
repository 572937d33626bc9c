"""Numbers and values at a place speak in any language: the finding's own, and those that contradict it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.reading.words import amounts_in, spelled_in

from ...support.conversations import dialogue
from ...support.one_item import in_one_item

SCHEMA = {
    "title": "Stay",
    "type": "object",
    "properties": {
        "nights": {"type": "integer", "minimum": 1, "maximum": 28},
        "motto": {"type": "string", "minLength": 5, "maxLength": 4000},
        "room": {"enum": ["single", "double", "suite"]},
        "code": {"type": "string", "pattern": "^BK-[0-9]+$"},
        "arrival": {"type": "string", "format": "date"},
        "guests": {"type": "integer"},
        "rating": {"type": "number", "exclusiveMinimum": 0},
    },
    "required": ["nights", "guests", "room"],
}
GOOD = '{"nights": 3, "motto": "Rest well", "room": "single", "code": "BK-7", "arrival": "2026-07-14", "guests": 2}'


def graded(words: str, bad: str) -> str:
    """Return what becomes of the one finding of an answer, which is the good one with a piece replaced: "3 -> 90"."""
    old, new = bad.split(" -> ")
    talk = dialogue(words, bad=GOOD.replace(old, new), good=GOOD, task="Book a stay")
    (found,) = judge(talk, [Contract(SCHEMA)]).conversations[0].attempts[0].fed_back
    return found.label


@in_one_item
@pytest.mark.parametrize(
    ("words", "bad", "grade"),
    [
        ("`nights` не может быть меньше 1 (сейчас -2)", '3, "m -> 90, "m', "wrong"),
        ("`nights` não pode ser menor que 1", '3, "m -> 90, "m', "wrong"),
        ("`nights` não pode ser maior que 28", '3, "m -> 90, "m', "weak"),
        ("Invalid 'nights': below the minimum. Expected a value >= 1, but got -2.", '3, "m -> 90, "m', "wrong"),
        ("nights quux 1..28", '3, "m -> 90, "m', "weak"),
        ("nights quux 1 frob. Quux 28.", '3, "m -> 90, "m', "partial"),
        (
            "The value at /nights must be 28 or less. The value at /motto must be 4,000 or fewer.",
            '3, "m -> 90, "m',
            "weak",
        ),
        ("nights quux frob. Quux 28.", '3, "m -> 90, "m', "weak"),
        ("nights quux 1 frob 90", '3, "m -> 90, "m', "partial"),
        ("nights quux 1 frob", '3, "m -> 0, "m', "weak"),
        ("line 1: nights quux frob", '3, "m -> 90, "m', "unclear"),
        ("motto quux 4,000 frob", f"Rest well -> {'x' * 4001}", "weak"),
        ("motto quux 4 000 frob", f"Rest well -> {'x' * 4001}", "weak"),
        ("motto quux 4,000.00 frob", f"Rest well -> {'x' * 4001}", "weak"),
        ("motto quux 4.000,0 frob", f"Rest well -> {'x' * 4001}", "weak"),
        ("motto quux fünf frob", "Rest well -> Rest", "partial"),
        ("motto quux 4 frob", "Rest well -> Rest", "partial"),
        ("room quux single, suite frob", "single -> penthouse", "weak"),
        ("room quux frob. Quux single, double, suite.", "single -> penthouse", "weak"),
        ("room quux frob. Quux single, suite.", "single -> penthouse", "partial"),
        ("room quux frob", "single -> penthouse", "unclear"),
        ("code quux ^BK-[0-9]+$ frob", "BK-7 -> seven", "weak"),
        ("code må være en av red, green, ikke 'seven'", "BK-7 -> seven", "partial"),
        ("nights quux nine frob, not 'nine'", '"nights": 3 -> "nights": "nine"', "partial"),
        ("guests puuttuu", '"guests": 2 -> "guests": "two"', "wrong"),
        ("Invalid 'nights': below the minimum.", '3, "m -> 90, "m', "wrong"),
        ("rating должно быть строкой, а не 0", '2026-07-14", -> 2026-07-14", "rating": 0,', "partial"),
        ("rating quux 0 frob 17", '2026-07-14", -> 2026-07-14", "rating": 0,', "partial"),
        ("code quux frob", "BK-7 -> seven", "unclear"),
        ("arrival quux JJJJ-MM-TT frob", "2026-07-14 -> mid July", "partial"),
        ("guests quux frob", '"guests": 2 -> "guests": "two"', "unclear"),
        ("nights quux 28 frob", '"nights": 3,  -> ', "unclear"),
        ("nights quux frob", '"nights": 3,  -> ', "partial"),
        ("nights puuttuu", '"nights": 3,  -> ', "weak"),
        ("nights tam sayı olmalı", '"nights": 3,  -> ', "unclear"),
        ("nights tam sayı olmalı", '"nights": 3 -> "nights": "three"', "weak"),
        ("nights पूर्णांक होना चाहिए", '"nights": 3 -> "nights": "three"', "weak"),
        ("nights puuttuu", '3, "m -> 90, "m', "wrong"),
        ("nights on pakollinen", '3, "m -> 90, "m', "unclear"),
        ("nights tam sayı olmalı", '3, "m -> 90, "m', "wrong"),
        ("nights cần là số nguyên, không phải 'ba'", '3, "m -> 90, "m', "wrong"),
        ("nights patří celé číslo, ne '90'", '3, "m -> 90, "m', "partial"),
        ("code quux tanggal frob", "BK-7 -> seven", "partial"),
        ("nights quux 90 frob 28", '"nights": 3,  -> ', "wrong"),
        ("room olvidado", "single -> penthouse", "wrong"),
        ("room отсутствует", "single -> penthouse", "unclear"),
        ("room quux single, suite frob", '"room": "single", -> ', "unclear"),
    ],
)
def test_words_that_nobody_knows_count_by_what_is_the_findings_own(words: str, bad: str, grade: str) -> None:
    """Its value, bound, length, choices or pattern; the other bound of its place contradicts."""
    assert graded(words, bad) == grade


@in_one_item
@pytest.mark.parametrize(
    ("words", "value", "grade"),
    [
        ("Replace penthouse with something valid.", "penthouse", "unclear"),
        ("What is penthouse?", "penthouse", "unclear"),
        ("Here is the text of the penthouse tour.", "penthouse", "missing"),
        ("No idea what to do with a castle.", "penthouse", "missing"),
        (f"I cannot use {'x' * 300}.", "x" * 300, "weak"),
    ],
)
def test_a_value_without_a_place(words: str, value: str, grade: str) -> None:
    """A question about it or a wish to change it is no plain sentence with the same word."""
    assert graded(words, f'"room": "single" -> "room": "{value}"') == grade


@pytest.mark.parametrize(
    ("words", "amounts"),
    [
        ("1,000", {1000}),
        ("1 000", {1000, 1, 0}),
        ("1.000.000", {1_000_000}),
        ("1.000", {1000, 1}),
        ("2,5 or 0.5", {2.5, 0.5}),
        ("≥-3, 最小30个", {-3, 30}),
        ("max:28", {28}),
        ("line 4: status 400 E17 rooms[1] /rooms/1 12:30 2026-07-14 2 errors", set()),
        ('{"1": "x"}', set()),
    ],
)
def test_amounts(words: str, amounts: set[float]) -> None:
    """Numbers with thousands parted, decimals and signs; positions, codes, times and counts of errors are none."""
    assert amounts_in(words) == amounts


@given(
    st.integers(0, 10**9), st.sampled_from(["{}", "最{}个", "({})", "<= {}.", "'{}'"]), st.sampled_from(["", ",", "'"])
)
def test_a_number_is_read_however_its_thousands_are_parted(number: int, around: str, sign: str) -> None:
    """Signs and words around it make no difference."""
    assert number in amounts_in(around.format(f"{number:,}".replace(",", sign)))


@pytest.mark.parametrize(
    ("words", "numbers"), [("at least two", {2}), ("zwölf Zeichen", {12}), ("至少两个", {2}), ("network", set())]
)
def test_numbers_that_are_spelled(words: str, numbers: set[float]) -> None:
    """From two to twelve, as whole words."""
    assert spelled_in(words) == numbers


OTHER = {
    "nights should be less than or equal to 1": '3, "m -> 0, "m',
    "nights must have at least 28": '3, "m -> 90, "m',
    "motto must have at most 5 characters": "Rest well -> Rest",
    "guests should be a valid string": '"guests": 2 -> "guests": "two"',
    "room must be one of 'tent', 'hut'": "single -> cave",
    "code must match the pattern '^XY-[0-9]+$'": "BK-7 -> 7",
}
OWN = {
    "nights: value not >= 1": '3, "m -> 0, "m',
    "nights must not be less than 1": '3, "m -> 0, "m',
    "guests must be a number": '"guests": 2 -> "guests": "two"',
    "guests should not be a string": '"guests": 2 -> "guests": "two"',
    "room must be one of 'suite', 'double'": "single -> cave",
    "code must match the pattern '/^BK-\\d{1,}$/'": "BK-7 -> 7",
    "code must match the pattern 'BK-0000'": "BK-7 -> 7",
    "code must match the pattern '^BK-[0-9]+$'": "BK-7 -> 7",
}


@in_one_item
@pytest.mark.parametrize("words", OTHER)
def test_a_demand_for_something_else_is_wrong(words: str) -> None:
    """The opposite of the own limit, another type, other choices, another pattern: the model would break the rule."""
    assert graded(words, OTHER[words]) == "wrong"


@in_one_item
@pytest.mark.parametrize("words", OWN)
def test_a_demand_for_the_own_rule_is_fed_back(words: str) -> None:
    """Denied, wider, or with some of the choices."""
    assert graded(words, OWN[words]) in {"weak", "located"}


def test_a_value_of_one_digit_is_quoted() -> None:
    """It is the only number, beside words that fit no rule of a limit."""
    assert graded("0 is not allowed as nights", '3, "m -> 0, "m') == "partial"
    assert graded("nights is too large: 0", '3, "m -> 0, "m') == "wrong"


@pytest.mark.parametrize("bad", ['"single" -> "…"', '"2026-07-14" -> "…"', '"BK-7" -> "…"', '"Rest well" -> "a…"'])
def test_a_value_that_ends_with_an_ellipsis_is_not_cut_off(bad: str) -> None:
    """Models write "…" as a placeholder. Words that quote none of it are no feedback on it."""
    assert graded("Something is wrong, please try again.", bad) == "missing"
    assert graded("The weather is invalid.", bad) == "missing"


def test_the_beginning_of_a_long_value_quotes_it() -> None:
    """A finding shows only the beginning."""
    long = "wholly unknown " * 20
    assert graded(f"Unacceptable: {long}", f'"single" -> "{long}"') != "missing"
    assert graded("Unacceptable: another text", f'"single" -> "{long}"') == "missing"
