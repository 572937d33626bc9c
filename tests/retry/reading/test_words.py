"""Numbers in words: which digits are amounts, and which words are numbers."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.reading.words import READ_LIMIT, amounts_in, spelled_in

from ...support.one_item import in_one_item

POSITIONS = (
    *("line 4", "column 4", "col 4", "char 4", "character 4", "position 4", "offset 4", "index 4", "row 4", "item 4"),
    *("entry 4", "element 4", "step 4", "attempt 4", "status 4", "code 4", "rule 4", "nr 4", "no 4", "Zeile 4"),
    *("Spalte 4", "Eintrag 4", "Punkt 4", "ligne 4", "línea 4", "fila 4", "Line: 4", "no. 4", "item #4", "step (4)"),
)
COUNTS = (
    *("4 errors", "4 error", "4 problems", "4 problem", "4 issues", "4 findings", "4 Fehler", "4 erreurs", "4 error"),
    *("4 errores", "4 validation errors", "4 more problems"),
)
APART = (
    *("rooms[4]", "/rooms/4", "rooms[4].kind", "E4", "4x", "item_4", "4.1.2", "v4", "12:30", "2026-07-14", "#4", "a.4"),
    *('{"4": "x"}', "'4' : x", "4-5", "4_000", "x[0].4"),
)
AMOUNTS: dict[str, set[float]] = {
    "at most 4": {4},
    "4": {4},
    "(4)": {4},
    "4.": {4},
    "4, 5": {4, 5},
    "-4 and +5": {-4, 5},
    "\u22124": {-4},
    "4 items": {4},
    "lines 4": {4},
    "4 problematic items": {4},
    "4 really bad errors": {4},
    "1,234.5": {1234.5},
    "1.234,50": {1234.5},
    "1'234.5": {1234.5},
    "1\u202f234,567": {1234.567},
    "1,234,567.25": {1_234_567.25},
    "-1,250.00": {-1250},
    "1 234.5": {1234.5, 1, 234.5},
    "12,345 678": {12_345_678, 12, 345, 678},
    "1,234.5.6": set(),
    "1,234.5x": set(),
    "0.25": {0.25},
    "2,5": {2.5},
    "1,000": {1000},
    "1'000'000": {1_000_000},
    "1\u202f000": {1000},
    "1\u00a0000": {1000},
    "1 000 000": {1_000_000, 1, 0},
    "12 345": {12345, 12, 345},
    "1.000": {1000, 1},
    "1.000.000": {1_000_000},
    "1000": {1000},
    "1,00": {1},
    "123456789012345": {123456789012345},
    "1234567890123456": set(),
    "最小30个": {30},
    "": set(),
}


@in_one_item
@pytest.mark.parametrize("words", [*POSITIONS, *COUNTS, *APART])
def test_numbers_that_are_no_amounts(words: str) -> None:
    """Positions, codes, counts of errors, and parts of paths, names, versions, times and dates."""
    assert amounts_in(words) == set()
    assert amounts_in(f"{words} of 28") == {28}
    assert amounts_in(words.upper()) == set()


@in_one_item
@pytest.mark.parametrize("words", AMOUNTS)
def test_amounts_in_each_spelling(words: str) -> None:
    """With a sign, a decimal point or comma, or separated thousands, of which a text may mean either."""
    assert amounts_in(words) == AMOUNTS[words]


SPELLED = {
    "English": "two three four five six seven eight nine ten eleven twelve",
    "German": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "French": "deux trois quatre cinq six sept huit neuf dix onze douze",
    "Spanish": "dos tres cuatro cinco seis siete ocho nueve diez - doce",
    "Italian": "due tre quattro cinque sei sette otto nove dieci undici dodici",
    "Portuguese": "dois três quatro cinco seis sete oito nove dez onze doze",
    "Dutch": "twee drie vier vijf zes zeven acht negen tien elf twaalf",
    "Russian": "два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
    "Polish": "dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście",
    "Swedish": "två tre fyra fem sex sju åtta nio tio elva tolv",
    "Chinese": "两 三 四 五 六 七 八 九 十 十一 十二",
    "Turkish": "iki üç dört beş altı yedi sekiz dokuz - on_bir on_iki",
    "Indonesian": "dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas dua_belas",
    "feminine": "две - - - - - - - - - -",
    "other forms": "duas - - - - - - - - - -",
    "one more form": "dwie - - - - - - - - - -",
    "Chinese digit": "二 - - - - - - - - - -",
}


@in_one_item
@pytest.mark.parametrize("language", SPELLED)
def test_numbers_are_spelled_from_two_to_twelve(language: str) -> None:
    """As words of their own, in any case. An article is no one, and English "on" is no Turkish ten."""
    for number, word in enumerate(SPELLED[language].split(), 2):
        if word != "-":
            spelled = word.replace("_", " ")
            assert spelled_in(f"({spelled})") >= {number}, word
            assert spelled_in(f"{spelled.capitalize()}!") >= {number}, word
            assert number not in spelled_in(f"x{word}x"), word


@pytest.mark.parametrize("words", ["one", "ein", "on", "once", "tenth", "network", "", "2"])
def test_other_words_are_no_numbers(words: str) -> None:
    """Ordinals, articles, digits, and parts of words."""
    assert spelled_in(words) == set()


@pytest.mark.parametrize(("words", "number"), [("至少两个", 2), ("最多十二项", 12), ("最少十一", 11), ("至多三", 3)])
def test_a_number_may_touch_the_words_around_it(words: str, number: int) -> None:
    """Chinese has no spaces."""
    assert spelled_in(words) == {number}


def test_only_the_beginning_of_a_message_is_read() -> None:
    """A rule is named early; what is behind 2,000 characters is data."""
    assert READ_LIMIT == 2_000
    assert amounts_in("28".rjust(2_000)) == {28}
    assert amounts_in(" 28".rjust(2_003)) == set()
    assert spelled_in("two".rjust(2_000)) == {2}
    assert spelled_in("two".rjust(2_003)) == set()
