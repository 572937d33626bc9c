"""What counts as the expected value of a field."""

import unicodedata
from datetime import date, datetime, timedelta
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import UsageError
from pytest_planguard.contract.comparison.comparators import (
    Equal,
    SameText,
    day_of,
    ignored,
    near,
    same_date,
    same_items,
    same_text,
    similar,
)

from ...support.one_item import in_one_item

NUMBERS = st.decimals(-(10**9), 10**9, places=3)
TOLERANCES = st.decimals(0, 1000, places=3)


@given(NUMBERS, NUMBERS, TOLERANCES, TOLERANCES)
def test_a_larger_tolerance_takes_no_fit_away(one, other, tolerance, more) -> None:
    """What is near stays near, and nearness does not depend on the side."""
    fits = near(float(tolerance)).fits(float(one), float(other))
    assert fits is near(float(tolerance)).fits(float(other), float(one))
    assert not fits or near(float(tolerance + more)).fits(float(one), float(other))


@given(NUMBERS, TOLERANCES)
def test_the_bound_itself_is_near(number, tolerance) -> None:
    """Exactly, whatever floats make of it; the next thousandth is not."""
    assert near(float(tolerance)).fits(float(number), float(number + tolerance))
    assert not near(float(tolerance)).fits(float(number), str(number + tolerance * 1 + 1))


@in_one_item
@pytest.mark.parametrize(
    ("comparator", "expected", "actual", "fits"),
    [
        (near(0.01), 1.0, 1.01, True),
        (near(0.01), 1.0, 1.02, False),
        (near(0.01), 10, "10.005", True),
        (near(0.01), 1000, "1,000", False),
        (near(0.01), 1, True, False),
        (near(0.01), None, None, True),
        (near(rel=0.05), 200, 210, True),
        (near(rel=0.05), 200, 211, False),
        (near(5, rel=0.01), 100, 104, True),
        (near(0.1), float("nan"), 1, False),
        (near(0.1), float("inf"), float("inf"), True),
        (near(0.1), 10, " 10.1 ", True),
        (near(0.1), -10, -9.9, True),
        (near(rel=0.1), -10, -9, True),
        (near(rel=0.1), -10, -8.9, False),
        (near(), 10, 10.0, True),
        (near(1), "a", "a", True),
        (near(1), [1], [1], True),
        (near(1), True, True, True),
        (same_items(), 3, 3, True),
        (same_items(), 3, 4, False),
        (same_text(), "x", None, False),
        (same_text(fold=False), "a  b", "a b", True),
        (same_text(), "ACME  Inc.", "acme\ninc.", True),
        (same_text(), "Straße", "STRASSE", True),
        (same_text(), "e\u0301t\u00e9", "\u00e9te\u0301", True),
        (same_text(), "ACME Inc.", "ACME Ltd.", False),
        (same_text(fold=False), "ACME", "acme", False),
        (same_text(), 3, 3, True),
        (similar(0.8), "The printer is on fire", "the printer's on fire", True),
        (similar(0.8), "The printer is on fire", "The kettle boils", False),
        (similar(), None, "x", False),
        (ignored(), 1, object(), True),
        (Equal(), 1, 1.0, True),
        (Equal(), 1, True, False),
        (Equal(), True, True, True),
        (Equal(), pytest.approx(1.0, abs=0.1), 1.05, True),
    ],
)
def test_fits(comparator, expected, actual, fits: bool) -> None:
    """One row for each thing that a comparator looks at or past."""
    assert comparator.fits(expected, actual) is fits


@pytest.mark.parametrize(
    ("comparator", "expected", "wanted"),
    [
        (near(0.01), 10, "10 within 0.01"),
        (near(rel=0.05), 200, "200 within 5 %"),
        (near(0.5, rel=0.125), 10, "10 within 0.5 or 12.5 %"),
        (near(rel=1), 10, "10 within 100 %"),
        (near(), 10, "10 within 0.0"),
        (near(0.01, rel=1), 10, "10 within 0.01 or 100 %"),
        (near(rel=0.001), None, "null within 0.1 %"),
        (same_text(), "Acme", '"Acme"'),
        (similar(), "Acme", 'a text like "Acme" (similarity of at least 0.8)'),
        (similar(1), "Acme", 'a text like "Acme" (similarity of at least 1.0)'),
        (same_date(), "2026-03-01", 'the day "2026-03-01"'),
        (same_items(), [1, "a"], '[1, "a"]'),
        (ignored(), 1, "anything"),
        (Equal(), {"a": None}, '{"a": null}'),
        (Equal(), True, "true"),
        (Equal(), date(2026, 3, 1), "datetime.date(2026, 3, 1)"),
    ],
)
def test_a_tolerance_is_named(comparator: Any, expected: object, wanted: str) -> None:
    """Both, if a comparator has both; nothing is 0."""
    assert comparator.wanted(expected) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-01",
        "2026-03-01T12:30:00Z",
        "2026/3/1",
        "01.03.2026",
        "1 March 2026",
        "1st of March, 2026",
        "March 1, 2026",
        "Mar. 1st 2026",
        "Sunday, 1 March 2026",
        "Sun, 1 Mar 2026",
        "01-Mar-2026",
        "1-mar-26",
        "1.3.26",
        "2026.03.01",
        "2026-3-1",
        "1. 3. 2026".replace(" ", ""),
        "1st March 2026",
        "1 march, 2026",
        "1 Mar. 26",
        "March 1 2026",
        "march 1st, 2026",
        " 2026-03-01 ",
        *(f"{name} 1 March 2026" for name in ("Monday,", "Tuesday", "Wednesday,", "Thursday", "Friday", "Saturday,")),
        *(f"{name} 1 March 2026" for name in ("Mon", "Tue.", "Wed,", "thu", "Fri.,", "SAT", "Sun.")),
        " " * 48 + "1 March 2026",
    ],
)
def test_notations_of_one_day(text: str) -> None:
    """All of them are 1 March 2026."""
    assert day_of(text) == date(2026, 3, 1)
    assert same_date().fits("2026-03-01", text)


MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


@pytest.mark.parametrize(("number", "month"), [*enumerate(MONTHS, 1)])
def test_a_month_has_its_name_or_the_start_of_it(number: int, month: str) -> None:
    """In any case, before the day or behind it."""
    for name in (month, month.upper(), month[:3], f"{month[:3]}."):
        assert day_of(f"1 {name} 2026") == day_of(f"{name} 1, 2026") == date(2026, number, 1)


@pytest.mark.parametrize(
    "text",
    [
        *("", "soon", "2026-02-30", "31.04.2026", "0 March 2026", "1 Marsh 2026", "x" * 99, "1/3-2026", "1 3 2026"),
        *("March 1, 26", "1 Ma 2026", "on 1 March 2026", "Funday, 1 March 2026", "2026-13-01", "001.3.2026"),
        *("1.3.226", "1 March 2026 at noon", " " * 49 + "1 March 2026", "1th of of March 2026"),
    ],
)
def test_what_names_no_day(text: str) -> None:
    """Such a text only equals itself."""
    assert day_of(text) is None
    assert same_date().fits(text, text)
    assert not same_date().fits("2026-03-01", text)


def test_a_date_with_two_readings_is_not_guessed() -> None:
    """Unless the test says which is meant, or one number is no month."""
    assert day_of("03/04/2026") is None
    assert day_of("03/04/2026", day_first=True) == date(2026, 4, 3)
    assert day_of("03/04/2026", day_first=False) == date(2026, 3, 4)
    assert day_of("13/04/2026") == day_of("04/13/2026", day_first=True) == date(2026, 4, 13)
    assert day_of("04/04/2026") == date(2026, 4, 4)
    assert day_of("13/04/26") is None  # it may begin with a year
    assert day_of("1/3/26", day_first=True) == date(2026, 3, 1)
    assert day_of("1/3/70", day_first=True) == date(1970, 3, 1)
    assert day_of("3/1/68", day_first=False) == date(2068, 3, 1)
    assert day_of("1.3.69", day_first=False) == date(1969, 3, 1)  # with dots the day comes first
    assert day_of("3.1.26", day_first=False) == date(2026, 1, 3)
    assert day_of("13-14-2026") is None
    assert same_date(day_first=False).fits("2026-03-04", "03/04/2026")
    assert not same_date().fits("2026-03-04", "03/04/2026")


def test_a_value_of_a_date_type_is_its_day() -> None:
    """With the day of its own zone; other values are no dates."""
    assert day_of(datetime(2026, 3, 1, 23, 59)) == day_of(date(2026, 3, 1)) == date(2026, 3, 1)
    assert day_of("2026-03-01T23:30:00-08:00") == date(2026, 3, 1)
    assert day_of(20260301) is None
    assert same_date().fits(3, 3)
    assert not same_date().fits(None, "2026-03-01")


@pytest.mark.parametrize("optional", [False, True])
def test_a_comparator_may_be_optional(optional: bool) -> None:
    """By its argument; what is ignored always is, and nothing else is by itself."""
    made: list[Any] = [near(1, optional=optional), same_text(optional=optional), similar(optional=optional)]
    made += [same_date(optional=optional), same_items(optional=optional), Equal(optional=optional)]
    assert [one.optional for one in made] == [optional] * 6
    assert [one.optional for one in (near(), same_text(), similar(), same_date(), same_items())] == [False] * 5
    assert (Equal().optional, ignored().optional) == (False, True)


LONG = "".join(map(chr, range(0x4E00, 0x4E00 + 5_000)))
"""Five thousand different characters: the time to compare equal ones grows with the square of their number."""


@pytest.mark.parametrize(
    ("expected", "actual", "similarity"),
    [
        ("abcd", "abcd", 1),
        ("abcd", "ABCD", 1),
        ("a  b", "a\nb", 1),
        ("abcd", "abce", 0.75),
        ("abcde", "vwxyz", 0),
        (LONG + "abc", LONG, 1),
        (LONG[:-1] + "a", LONG[:-1] + "b", 0.9998),
    ],
)
def test_the_similarity_that_is_enough(expected: str, actual: str, similarity: float) -> None:
    """As much as asked for fits, and less does not; the first five thousand characters count."""
    assert not similarity or similar(similarity).fits(expected, actual)
    assert similarity == 1 or not similar(similarity + 0.0001).fits(expected, actual)


@given(st.text(), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]), st.sampled_from([" ", "\n\t ", "\u00a0"]))
def test_a_text_is_the_same_in_every_spelling(
    text: str, form: Literal["NFC", "NFD", "NFKC", "NFKD"], blank: str
) -> None:
    """Of its accents, of its blanks and of its case; what is compared is in that form already."""
    spelled = blank + unicodedata.normalize(form, text).replace(" ", blank)
    assert same_text().fits(text, spelled)
    assert same_text(fold=False).fits(text, spelled)
    assert same_text().fits(text, unicodedata.normalize("NFKC", spelled).casefold())
    for comparator in (SameText(), SameText(fold=False)):
        assert comparator.normal(comparator.normal(text)) == comparator.normal(text)


@given(st.dates(date(1000, 1, 1)), st.integers(0, 23))
def test_a_day_is_the_same_in_every_notation(day: date, hour: int) -> None:
    """And never that of another day."""
    spelled = f"{day.day} {day:%B} {day.year}"
    assert same_date().fits(day, spelled)
    assert same_date().fits(day.isoformat(), datetime(day.year, day.month, day.day, hour).isoformat())
    if day < date.max:
        assert not same_date().fits(day + timedelta(days=1), spelled)


@given(st.text(max_size=70))
def test_any_text_is_a_day_or_none(text: str) -> None:
    """No text makes it fail."""
    assert day_of(text) is None or isinstance(day_of(text), date)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: near(-1), "near needs tolerances of at least 0: got abs=-1, rel=0.0; write near(0.01)"),
        (lambda: near("much"), "near needs tolerances of at least 0: got abs='much', rel=0.0; write near(0.01)"),
        (lambda: near(rel=-0.1), "near needs tolerances of at least 0: got abs=0.0, rel=-0.1; write near(0.01)"),
        (lambda: near(True), "near needs tolerances of at least 0: got abs=True, rel=0.0; write near(0.01)"),
        (lambda: similar(1.01), "similar needs a share above 0 and at most 1: got 1.01; write similar(0.8)"),
        (lambda: similar("1"), "similar needs a share above 0 and at most 1: got '1'; write similar(0.8)"),
        (lambda: same_items(key=""), "same_items needs the name of a field: got ''; write same_items(key='sku')"),
        (
            lambda: same_items(key=["a", ""]),
            "same_items needs the name of a field: got ['a', '']; write same_items(key='sku')",
        ),
        (lambda: similar(0), "similar needs a share above 0 and at most 1: got 0; write similar(0.8)"),
        (lambda: similar(True), "similar needs a share above 0 and at most 1: got True; write similar(0.8)"),
        (lambda: same_items(key=[3]), "same_items needs the name of a field: got [3]; write same_items(key='sku')"),
    ],
)
def test_wrong_arguments(make, message: str) -> None:
    """Each says what was given and what to write."""
    with pytest.raises(UsageError) as caught:
        make()
    assert str(caught.value) == message
