"""Places that a text names: what is one address, and what reading them costs."""

import pytest

from pytest_planguard.retry.reading.addresses import Vocabulary, addresses, vocabulary

from ...support.cost import assert_growth, no_hang, peak_memory

NAMES = vocabulary({"guests": [{"first name": "Ann", "age": 3}], "title": "x"})


def places(text: str, names: Vocabulary = NAMES) -> list[tuple[str | int, ...]]:
    """The steps of every address of a text."""
    return [one.steps for one in addresses(text, names)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("guests[0].age and title", [("guests", 0, "age"), ("title",)]),
        ("the first name is too short", [("first name",)]),
        ("guests.0.firstName, title", [("guests", 0, "first name"), ("title",)]),
        ("the last first", []),
        ("first name", [("first name",)]),
        ("age", [("age",)]),
        ("", []),
    ],
)
def test_names_of_several_words_are_found_up_to_the_end_of_the_text(
    text: str, named: list[tuple[str | int, ...]]
) -> None:
    """The longest name counts, wherever in the text it stands."""
    assert places(text) == named


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["a ", "1,", "**a"])
def test_words_that_are_no_places_are_not_kept(unit: str) -> None:
    """Each word had a match object of its own, all at a time: 80 to 130 bytes for a character."""
    text = unit * 1_500
    assert peak_memory(lambda: places(text)) < 4 * len(text)


def test_thousands_of_joined_steps_are_no_one_address() -> None:
    """A printed list is data; each address has few steps."""
    assert max(map(len, places("guests" + ".age" * 1_000))) <= 200


def test_a_key_of_a_thousand_words_does_not_multiply_the_cost() -> None:
    """It was looked for at every word, with every number of words."""
    key = "a " * 1_000
    names = vocabulary({key: 1, "title": "x"})
    assert places(f"title {key}", names) == [("title",)]
    with no_hang():
        assert_growth(lambda size: places("a b " * size, names), 100, 200, below=4)
