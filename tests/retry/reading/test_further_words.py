"""What is missing or of a wrong type, in languages that no reader is for."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.reading.error_category import ErrorCategory, further_category

from ...support.one_item import in_one_item

MISSING = (
    *(
        "`title` saknas.",
        "title mangler",
        "title chybí",
        "title eksik",
        "title이(가) 빠져 있습니다.",
        "`title`: поле отсутствует",
    ),
    *("title hiányzik", "title puuttuu", "title lipsește", "Manca title", "title: add it", "title? where is it?"),
    *(
        "Olvidaste incluir title.",
        "漏了 title",
        "title が入っていません",
        "В ответе нет title",
        "Du glömde title",
    ),
)
TYPE = (
    *("title ska vara en text", "title muss eine Zeichenkette sein", "title bir metin olmalı", "title: not text"),
    *(
        "title은(는) 문자열이어야 합니다.",
        "turn it into a list",
        "hours: целое число",
        "timer skal være et helt tal",
        "title: it should have been text",
    ),
)
NEITHER = (
    "title is too short",
    "[input_type=dict]",
    "title",
    "",
    "the text is not long enough",
    "on the list of guests",
    "högst 28",
    "Такого варианта для title нет",
    "القيمة غير موجودة",
)


@in_one_item
@pytest.mark.parametrize("words", MISSING)
def test_what_is_missing(words: str) -> None:
    """Whatever is said to be missing."""
    assert further_category(words) is ErrorCategory.MISSING


@pytest.mark.parametrize("words", TYPE)
def test_what_is_of_a_wrong_type(words: str) -> None:
    """By the name of the type."""
    assert further_category(words) is ErrorCategory.TYPE


@pytest.mark.parametrize("words", NEITHER)
def test_other_words_are_neither(words: str) -> None:
    """Also those that only have the name of a type in them."""
    assert further_category(words) is None
