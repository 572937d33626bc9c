"""Comparisons: generated phrases whose truth is known by construction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.retry.reading.comparison import Direction, comparison_in

UP = st.sampled_from(["greater than", "larger than", "higher than", "more than", "above"])
DOWN = st.sampled_from(["less than", "smaller than", "lower than", "fewer than", "below"])
DEMANDS = st.sampled_from(["must", "should", "may", "has to"])
BOUNDS = st.integers(0, 10_000)


def direction(text: str) -> Direction | None:
    """Return the direction alone."""
    told = comparison_in(text)
    return told.direction if told else None


@given(DEMANDS, UP, DOWN, BOUNDS)
def test_negation_and_the_other_comparative_turn_the_direction(demand: str, up: str, down: str, bound: int) -> None:
    """A demand upwards means too low; denied, or downwards, too high; both once more too low."""
    assert direction(f"{demand} be {up} {bound}") is Direction.LOW
    assert direction(f"{demand} not be {up} {bound}") is Direction.HIGH
    assert direction(f"{demand} be {down} {bound}") is Direction.HIGH
    assert direction(f"{demand} not be {down} {bound}") is Direction.LOW
    assert direction(f"is {up} {bound}") is Direction.HIGH


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("no fewer than 2", "no more than 28"),
        ("is too low, keep it at 2 or above", "is too high, keep it at 12 or below"),
        ("muss >= 0 sein", "muss <= 28 sein"),
        ("no debe contener menos de 3 caracteres", "no debe contener más de 3 caracteres"),
        ("doit être au moins 3", "ne doit pas contenir plus de 5 éléments"),
        ("数值不得小于 1", "servings必须小于或等于12"),
    ],
)
def test_languages_tell_both_directions(low: str, high: str) -> None:
    """The same grammar reads five languages."""
    assert (direction(low), direction(high)) == (Direction.LOW, Direction.HIGH)


@given(BOUNDS, st.sampled_from(["bring it down to", "keep it at", "it takes"]))
def test_a_bound_word_behind_its_number_counts(bound: int, before: str) -> None:
    """It is firmer than the words in front: "bring it down to 1 at least" names the lowest value."""
    assert direction(f"{before} {bound} at least") is Direction.LOW
    assert direction(f"{before} {bound} at most") is Direction.HIGH


@given(st.sampled_from(["or", "oder", "o", "ou"]), st.sampled_from(["más", "more", "mehr"]), BOUNDS)
def test_a_comparative_behind_or_is_the_bound(word: str, up: str, bound: int) -> None:
    """The lowest value is meant, in whatever language, though no number is behind the word."""
    assert direction(f"{bound} {word} {up}") is Direction.LOW
    assert direction(f"{bound} {up}") is None


@given(st.sampled_from(["over", "below", "exceeds", "more than", ">", "<="]), BOUNDS)
def test_a_bare_comparative_does_not_tell_its_side(up: str, bound: int) -> None:
    """Nothing says whether it is the rule or the fault; the bound is known."""
    told = comparison_in(f"nights {up} {bound}")
    assert told is not None
    assert (told.direction, told.bound) == (Direction.OUTSIDE, str(bound))


@pytest.mark.parametrize("below", ["under", "over", "below"])
def test_the_number_of_an_item_is_no_bound(below: str) -> None:
    """It says which item, as in "#3"."""
    assert comparison_in(f"handling, {below} crates #3: you skipped this one.") is None


@pytest.mark.parametrize("denied", ["can't", "cannot", "mustn't", "must not", "shouldn’t"])
def test_a_negation_may_end_its_verb(denied: str) -> None:
    """It turns the comparative as a word of its own does."""
    assert direction(f"nights {denied} be above 28") is Direction.HIGH
    assert direction(f"nights {denied} be below 2") is Direction.LOW


def test_enough_compares_beside_a_size_alone() -> None:
    """What is "not good enough" may have any fault."""
    assert direction("the goal isn't long enough") is Direction.LOW
    assert direction("that isn't good enough") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("is greater than 5", Direction.HIGH),
        ("is expected to be greater than 5", Direction.LOW),
        ("is not expected to be greater than 5", Direction.HIGH),
        ("must be there but is greater than 5", Direction.HIGH),
        ("is > 5", Direction.LOW),
        ("is not > 5", Direction.HIGH),
    ],
)
def test_what_is_expected_is_no_fact(text: str, found: Direction) -> None:
    """Words of a demand win within a clause; a sign tells the rule, as validators print it."""
    assert direction(text) is found


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("at most 5 characters", True),
        ("5 or fewer readable characters", True),
        ("too many", True),
        ("at most 5", False),
    ],
)
def test_a_number_that_counts_things_is_a_length(text: str, length: bool) -> None:
    """Nights and degrees are values, characters and items make a length."""
    told = comparison_in(text)
    assert told is not None
    assert told.length is length


@given(BOUNDS, BOUNDS)
def test_a_name_may_stand_between_its_bounds(low: int, high: int) -> None:
    """Mathematicians write both bounds around the name."""
    told = comparison_in(f"must be of length {low} <= L <= {high}")
    assert told is not None
    assert (told.direction, told.length) == (Direction.OUTSIDE, True)


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("must be >=28", "28"),
        ("nights ≤28, got 90", "28"),
        ("got 90, must be <= 28", "28"),
        ("got 90, nights > '28'", "28"),
        ("90 is more than 28", "28"),
        ("more than 28, got 90", "28"),
        ("5 or more", "5"),
        ("of 3 to 5 or more", "5"),
        ("minimum: -2.5", "-2.5"),
        ("at most 1,000", "1,000"),
        ("too long", None),
        ("crates #3 too long", None),
        ("version a.3 is too long", None),
    ],
)
def test_the_bound_is_the_first_number_behind_the_comparison(text: str, bound: str | None) -> None:
    """Or the last one in front of it; the number of an item is none."""
    told = comparison_in(text)
    assert told is not None
    assert told.bound == bound


@pytest.mark.parametrize("text", ["-> 1", "=> 28", "<obj>", "a <- 3", "x > y"])
def test_arrows_and_tags_are_no_comparisons(text: str) -> None:
    """A sign compares only with the number behind it."""
    assert comparison_in(text) is None


@pytest.mark.parametrize(("between", "found"), [(33, Direction.HIGH), (34, None), (60, None)])
def test_a_bound_is_near_its_comparative(between: int, found: Direction | None) -> None:
    """At most 40 characters behind "more", and not in a bracket."""
    assert direction(f"may not be more than {'x' * between} 28") is found
    assert direction("may not be more text (28 letters)") is None
