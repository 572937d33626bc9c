"""Which item of a list a sentence speaks of."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.reading.positions import item_named

DATA = {"order_lines": [{"sku": "A-1", "price": 1}, {"sku": "B-7", "price": 2}]}
PATH = ("order_lines", 1, "price")


@pytest.mark.parametrize(
    ("words", "own"),
    [
        ("the price of the second line is wrong", True),
        ("the price of the first line is wrong", False),
        ("the last line needs a price", True),
        ("the 2nd item needs a price", True),
        ("Line #3: price", False),
        ("Line 2: price", True),
        ("sku B-7 needs a price", True),
        ("sku A-1 needs a price", False),
        ("A-1 and B-7 need a price", True),
        ("the first digit of the price is wrong", None),
        ("the price is wrong", None),
    ],
)
def test_an_item_is_known_by_position_or_by_its_own_name(words: str, own: bool | None) -> None:
    """Ordinals and numbers count only before or behind the list's noun; a text that tells the items apart names one."""
    assert item_named(PATH, words, words, DATA) is own


@pytest.mark.parametrize(
    ("text", "own"),
    [("Line 0: a. Line 1: price", True), ("Line 2: a. Line 1: price", False), ("Line 1: price", True)],
)
def test_the_whole_text_tells_whether_digits_count_from_zero_or_one(text: str, own: bool) -> None:
    """A 0 says from zero, the length of the list says from one; where neither is said both are accepted."""
    assert item_named(PATH, "Line 1: price", text, DATA) is own


def test_the_noun_may_be_left_out_where_it_was_said() -> None:
    """Behind "the first line" the words "the second" speak of a line, else of nothing that is known."""
    assert item_named(PATH, "the second has no price", "the first line is fine, the second has no price", DATA) is True
    assert item_named(PATH, "the second has no price", "the second has no price", DATA) is None


def test_the_field_that_is_wrong_names_no_item() -> None:
    """Allowed values stand in feedback about every item: the finding's own field does not tell them apart."""
    data = {"tasks": [{"status": "Draft"}, {"status": "pending"}]}
    assert item_named(("tasks", 1, "status"), "status must be Draft", "status must be Draft", data) is None
