"""A text about one item of a list never feeds back what is wrong with another, however it names the item."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.matching.item_signs import ORDINAL, shows_another_item, with_numbers

from ...support.conversations import dialogue
from ...support.one_item import in_one_item
from .item_variants import NAMES, variants

SCHEMA = {
    "type": "object",
    "properties": {
        "reference": {"type": "string"},
        "guests": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"surname": {"type": "string"}, "age": {"type": "integer", "maximum": 120}},
            },
        },
    },
}
BOOKING = Contract(SCHEMA)
MESSAGES = ("must be less than or equal to 120", "is too high", "must be <= 120, got {}", "darf höchstens 120 sein")
FEEDBACK = ("verbatim", "located", "weak")


def answer(wrong: int) -> str:
    """Return a booking in which one guest is too old: the first is 410, the next 411."""
    guests = [{"surname": name, "age": 410 + n if n == wrong else 40 + n} for n, name in enumerate(NAMES)]
    return json.dumps({"reference": "BK-1", "guests": guests})


@cache
def grade(feedback: str, wrong: int) -> str:
    """Return what becomes of the finding at one guest."""
    (judged,) = judge(dialogue(feedback, bad=answer(wrong), good=answer(-1), task="Book"), [BOOKING]).conversations
    (graded,) = judged.attempts[0].fed_back
    return graded.label


@given(position=st.integers(0, 2), wrong=st.integers(0, 2), message=st.sampled_from(MESSAGES), data=st.data())
def test_no_text_about_another_item_carries_a_finding(
    position: int, wrong: int, message: str, data: st.DataObject
) -> None:
    """Lost or open; a text about the finding's own item is never missing."""
    every = list(variants(position, message.format(410 + position)))
    text, may_mean = data.draw(st.sampled_from(every))
    told = grade(text, wrong)
    if wrong == position:
        assert told != "missing"
    elif wrong not in may_mean or "got" in text:
        assert told not in FEEDBACK


@pytest.mark.slow
@pytest.mark.parametrize("message", ["is too high", "must be <= 120, got 411"])
def test_every_variant_is_told_apart(message: str) -> None:
    """All ways of naming the second guest: not the first one's fault, and not missing where it is the second's."""
    for text, _ in variants(1, message):
        assert grade(text, 0) not in FEEDBACK, text
        assert grade(text, 1) != "missing", text


def test_a_field_alone_still_counts_weakly() -> None:
    """Words that name no item at all are taken for the only one that is wrong."""
    assert grade("age is too high", 1) == "weak"


def test_another_value_beside_the_field_leaves_it_open() -> None:
    """The first guest is 410, and no guest is 999."""
    assert grade("guest 1: age must be <= 120, got 410", 0) == "weak"
    assert grade("guest 1: age must be <= 120, got 999", 0) == "unclear"


def test_a_number_of_the_rule_is_no_position() -> None:
    """The limit may be as small as a position."""
    few = Contract({"properties": {"rows": {"items": {"properties": {"n": {"maximum": 2}}}}}})
    bad = '{"rows": [{"n": 5}, {"n": 1}]}'
    (judged,) = judge(dialogue("n must be at most 2", bad=bad, good='{"rows": []}', task="t"), [few]).conversations
    (graded,) = judged.attempts[0].fed_back
    assert graded.label in FEEDBACK


ORDINALS = {
    "English": "first second third fourth fifth",
    "short": "1st 2nd 3rd 4th 5th",
    "German": "erste zweite dritte vierte fünfte",
    "French": "premier deuxième troisième quatrième cinquième",
    "Spanish": "primero segundo tercero cuarto quinto",
    "Portuguese": "primeira segunda terceira quarta quinta",
    "Italian": "primo secondo terzo quarto quinto",
    "Dutch": "eerste tweede derde vierde vijfde",
    "Russian": "первый второй третий четвёртый пятый",
    "Polish": "pierwszy drugi trzeci czwarty piąty",
    "Chinese": "第一 第二 第三 第四 第五",
}


@pytest.mark.parametrize("language", ORDINALS)
def test_an_ordinal_is_a_number_in_each_language(language: str) -> None:
    """From one, and higher than any position that counts from zero."""
    for number, word in enumerate(ORDINALS[language].split(), 1):
        for spelling in (word, word.upper()):
            assert with_numbers(f"the {spelling} guest").split()[1] == str(ORDINAL + number)


ORDER = {
    "properties": {"order_lines": {"items": {"properties": {"sku": {"type": "string"}, "price": {"minimum": 0}}}}},
}


def order_grade(feedback: str, wrong: int = 1) -> str:
    """Return what becomes of the price of one of two order lines."""
    lines = [{"sku": sku, "price": -7 if at == wrong else 5} for at, sku in enumerate(("A-1", "B-7"))]
    bad = json.dumps({"order_lines": lines})
    talk = dialogue(feedback, bad=bad, good='{"order_lines": []}', task="Order")
    (graded,) = judge(talk, [Contract(ORDER)]).conversations[0].attempts[0].fed_back
    return graded.label


@pytest.mark.parametrize(
    ("place", "own"),
    [
        ("the price of the second line", True),
        ("the price of the first line", False),
        ("the 2nd item's price", True),
        ("zweite Zeile: price", True),
        ("Line 2: price", True),
        ("Line #3: price", True),  # no line of this order, so it is none of another item's
        ("for sku B-7 the price", True),
        ("for sku A-1 the price", False),
        ("for A-1 and B-7 the price", True),
        ("the first line is fine, in the second the price", True),
        ("the price", True),
    ],
)
def test_prose_names_an_item_by_position_or_by_its_own_name(place: str, own: bool) -> None:
    """The finding's own item is never missing, and words about another one carry nothing."""
    assert (order_grade(f"{place} must be at least 0") in FEEDBACK) is own


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Line 0: sku is short.\nLine 1: price must be at least 0", True),
        ("Line 2: sku is short.\nLine 1: price must be at least 0", False),
        ("Line 1: price must be at least 0", True),
    ],
)
def test_the_whole_text_tells_whether_digits_count_from_zero_or_one(text: str, own: bool) -> None:
    """A 0 says from zero, the length of the list says from one; where neither is said both are accepted."""
    assert (order_grade(text) in FEEDBACK) is own


def test_the_nearest_words_tell_the_item() -> None:
    """Two items in one text, each with its own field: what is said of the one is not said of the other."""
    swapped = "The second line's sku is short. The first line's price must be at least 0."
    assert [order_grade(swapped, wrong) in FEEDBACK for wrong in (0, 1)] == [True, False]


def test_another_value_of_the_rule_leaves_it_open() -> None:
    """A price of -9 breaks the rule as well, and is not this one."""
    assert order_grade("the price must be at least 0, got -7") == "weak"
    assert order_grade("the price must be at least 0, got -9") == "unclear"


@pytest.mark.parametrize(
    ("rule", "words", "bad", "breaking", "allowed"),
    [
        ("minimum", "at least 10", 8, 3, 17),
        ("exclusiveMinimum", "greater than 10", 10, 3, 17),
        ("maximum", "at most 10", 12, 17, 3),
        ("exclusiveMaximum", "less than 10", 10, 17, 3),
    ],
)
def test_only_a_value_that_breaks_the_rule_is_another_item_s(
    rule: str, words: str, bad: int, breaking: int, allowed: int
) -> None:
    """On the side of the own value; one at an exclusive limit breaks it, too."""
    items = {"items": {"properties": {"price": {rule: 10}}}}
    prices = json.dumps({"order_lines": [{"price": bad}, {"price": allowed}]})

    def told(value: int) -> str:
        talk = dialogue(f"the price must be {words}, got {value}", bad=prices, good='{"order_lines": []}', task="Order")
        (judged,) = judge(talk, [Contract({"properties": {"order_lines": items}})]).conversations
        return judged.attempts[0].fed_back[0].label

    assert [told(value) for value in (bad, 10, breaking, allowed)] == ["weak", "weak", "unclear", "weak"]


FROM_1 = (
    *("item", "Items", "entry", "row", "ROWS", "number", "nr", "no", "nº", "n°", "Eintrag", "Zeile", "ligne", "fila"),
    *("Punkt", "post", "item:", "row #", "nr:"),
)


OLD = Finding("maximum", ("guests", 0, "age"), "is over 120", FailureKind.RANGE, actual="410")


def items_meant(text: str, words: str = "", **known: Any) -> list[int]:
    """Return the guests, of four, for whose age some words of a text may be: all of it, or a part of it."""
    data = {"guests": [{"age": 410}] * 4}
    start = text.index(words)
    span = (start, start + len(words or text))
    findings = [replace(OLD, path=("guests", at, "age"), **known) for at in range(4)]
    return [at for at, one in enumerate(findings) if not shows_another_item(one, text, text, [span], data)]


@in_one_item
@pytest.mark.parametrize("word", FROM_1)
def test_each_word_before_a_number_that_counts_from_one(word: str) -> None:
    """The second item, and no third one; as the end of another word it says nothing."""
    assert items_meant(f"guests, {word} 2: age is too high") == [1]
    assert items_meant(f"guests, x{word} 2: age is too high") == [1, 2]


@in_one_item
@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("index 2: age is too high", [2]),
        ("Indices = 2: age is too high", [2]),
        ("index #2 age is too high", [2]),
        ("[:guests 2 :age] is too high", [2]),
        ("(guests 2 age) is too high", [2]),
        ("guest #2: age is too high", [1]),
        ("第2个 guest: age is too high", [1]),
        ("age is too high\n└─ #1 :", [1]),
        ("age is too high\n3) #1 :", [1]),
        ("guests, 2: age is too high", [1, 2]),
        ("guests, 4: age is too high", [3]),
        ("guests, 0: age is too high", [0]),
        ("[2/4] age is too high", [1]),
        ("guests, 3.5: age is too high", [0, 1, 2, 3]),
        ("guests, 9: age is too high", [0, 1, 2, 3]),
        ("2. age is too high", [0, 1, 2, 3]),
        (" 12) age is too high", [0, 1, 2, 3]),
        ("the second and the fourth guest: age is too high", [1, 3]),
        ("age 410 is too high", [0, 1, 2, 3]),
    ],
)
def test_which_items_a_number_may_mean(text: str, items: list[int]) -> None:
    """By the word before it, else from zero or from one; a 0 and the length of the list tell which."""
    assert items_meant(text) == items


def test_without_the_answer_no_number_is_a_position() -> None:
    """Nobody knows how many items there are."""
    text = "guests, 3: age is too high"
    assert not shows_another_item(OLD, text, text, [(0, len(text))], None)


@in_one_item
@pytest.mark.parametrize("rule", ["at most 2", "2 at most", "2"])
@pytest.mark.parametrize("known", ["expected", "message", "validator_message", "actual"])
def test_a_number_of_the_finding_is_no_position(rule: str, known: str) -> None:
    """Wherever the finding has it, as its first word or its last."""
    assert items_meant("guests, 2: age is too high", **{known: rule}) == [0, 1, 2, 3]
    assert items_meant("guests, 3: age is too high", **{known: rule}) == [2, 3]


@in_one_item
@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("got 999\nage is too high", []),
        ("got 999\n\nage is too high", [0, 1, 2, 3]),
        ("age is too high\ngot 999", []),
        ("age is too high\n\ngot 999", [0, 1, 2, 3]),
        ("the second guest\nage is too high", [1]),
        ("the second guest\n\nage is too high", [0, 1, 2, 3]),
        ("age is too high\nthe second guest", [1]),
        ("age is too high\n\nthe second guest", [1]),
        (f"got 999{' ' * 297}age is too high", []),
        (f"got 999{' ' * 300}age is too high", [0, 1, 2, 3]),
        (f"age is too high{' ' * 293}got 999", []),
        (f"age is too high{' ' * 294}got 999", [0, 1, 2, 3]),
        (f"age is too high\n\n{' ' * 291}second", [1]),
        (f"age is too high\n\n{' ' * 293}second", [0, 1, 2, 3]),
    ],
)
def test_words_around_a_sentence_show_its_item(text: str, items: list[int]) -> None:
    """In 300 characters on each side, up to an empty line; an item's name may also be below that line."""
    assert items_meant(text, "age is too high") == items
