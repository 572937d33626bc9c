"""Sentences, and the words in them that depend on a count."""

from __future__ import annotations

from collections import Counter

import pytest

from pytest_planguard.retry.proving.sentences import (
    Counts,
    Sentences,
    bullets_of,
    is_inflected,
    is_one_off,
    split,
)

from ...support.one_item import in_one_item

PAIRS = (
    *("is are", "was were", "has have", "this these", "that those", "it them"),
    *("ist sind", "muss müssen", "hat haben", "est sont", "a ont", "doit doivent"),
    *("es son", "ha han", "é são", "foi foram", "è sono"),
    *("problem problems", "erreur erreurs", "erro erros", "error errores", "errore errori", "Fehler Fehlern"),
    *("Problem Probleme", "entry entrys", "aaa aaaaa", "box boxes"),
)
UNLIKE = (
    *("is were", "this those", "ist haben", "ha han2", "step step2", "field fields2", "error error", "err errores"),
    *("title table", "box bar", "aaa aaaaaa", "é è", "", "no nos1", "name game", "Zeile Ziel"),
)


@in_one_item
@pytest.mark.parametrize("pair", PAIRS)
def test_the_singular_and_the_plural_of_a_word(pair: str) -> None:
    """In any order and case; some share no stem."""
    one, other = pair.split()
    assert is_inflected(one, other)
    assert is_inflected(other.upper(), one)


@in_one_item
@pytest.mark.parametrize("pair", UNLIKE)
def test_other_pairs_of_words_are_two_words(pair: str) -> None:
    """Of two plurals, of a name and its number, and of one word alone."""
    one, _, other = pair.partition(" ")
    assert not is_inflected(one, other)
    assert not is_inflected(other, one)


@pytest.mark.parametrize(
    ("one", "other", "off"),
    [
        *(("2", "1", True), ("1", "2", True), ("10", "9", True), ("0", "1", True), ("2", "2", False)),
        *(("3", "1", False), ("2", "x", False), ("2.0", "1.0", False), ("-1", "-2", False)),
        *(("99999999", "99999998", True), ("100000000", "99999999", False)),
    ],
)
def test_whole_numbers_that_differ_by_one(one: str, other: str, off: bool) -> None:
    """Of at most eight digits: no app counts more errors."""
    assert is_one_off(one, other) is off


@pytest.mark.parametrize(
    ("word", "other", "less"),
    [("2", "1", True), ("1", "2", False), ("errors", "error", True), ("4", "3", False), ("3", "2", False)],
)
def test_a_count_goes_down(word: str, other: str, less: bool) -> None:
    """Except a number that may be an item's position."""
    assert Counts({3, 4}).is_less(word, other) is less


@in_one_item
@pytest.mark.parametrize(
    ("one", "other", "alone"),
    [
        ("2 errors for Menu", "1 error for Menu", True),
        ("2 errors were found", "1 error was found", True),
        ("3 errors for Menu", "1 error for Menu", False),
        ("errors for Menu", "error for Menu", False),
        ("2 errors", "1 error found", False),
        ("2 errors", "2 errors", False),
        ("item 4", "item 3", False),
        ("2 errors in item 4", "1 error in item 3", False),
    ],
)
def test_sentences_that_differ_in_a_count_alone(one: str, other: str, alone: bool) -> None:
    """And in the endings that depend on it, but in no word more or less and no position."""
    assert Counts({3, 4}).alone(one.split(), other.split()) is alone


@pytest.mark.parametrize(
    ("words", "others", "within"),
    [
        ("1 problem the title", "2 problems the title and the owner", True),
        ("the title", "the owner and the title", True),
        ("title the", "the title", False),
        ("problem the title", "problems the title", False),
        ("the title", "the", False),
        ("", "", True),
    ],
)
def test_words_that_are_said_within_others(words: str, others: str, within: bool) -> None:
    """In order; an ending may differ only beside a count."""
    assert Counts(()).said_within(words.split(), others.split()) is within


@in_one_item
@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Is it three? Four; five", ["One.", "Two!", "Is it three?", "Four;", "five"]),
        ("优先级不对。步骤太少！是吗？一；二", ["优先级不对。", "步骤太少！", "是吗？", "一；", "二"]),
        ("rooms.0.kind is 3.5", ["rooms.0.kind is 3.5"]),
        ("rooms;2;price;too low", ["rooms;2;price;too low"]),
        ("crates no. 3 is bad", ["crates no. 3 is bad"]),
        ("crates number. 3 is bad", ["crates number.", "3 is bad"]),
        ("a 3. elem is bad", ["a 3. elem is bad"]),
        ("It is 3. Elem is bad", ["It is 3.", "Elem is bad"]),
        ("%{age: [what? ]}", ["%{age: [what? ]}"]),
        ("title? Why so short? Please.", ["title? Why so short?", "Please."]),
        ("title?\nWhy so short?", ["title?", "Why so short?"]),
        ("Why so short? title?", ["Why so short?", "title?"]),
        ("1. age\n2) name\n- kind\n* a\n• b\n– c\n[3] d\n(4) e", ["age", "name", "kind", "a", "b", "c", "d", "e"]),
        ("1234) age\n123) age", ["1234) age", "age"]),
        ("2.\n-\n...\n12\n410\n", ["410"]),
        ("", []),
    ],
)
def test_a_text_is_split_into_sentences(text: str, sentences: list[str]) -> None:
    """At the ends of sentences and lines, but not within a path, a number, a row or a label; without bullets."""
    assert split(text) == sentences


def test_bullets_may_be_kept() -> None:
    """They may number the item; those of some texts are compared in any order."""
    text = "1. age\n  - name\n[3] kind. 2. no\nplain"
    assert split(text, bullets=True) == ["1. age", "- name", "[3] kind.", "2. no", "plain"]
    assert bullets_of([text, "1. x"]) == Counter({"1.": 2, "-": 1, "[3]": 1, "2.": 1})


LETTERS = "a b c d e f g h i j"


@pytest.mark.parametrize(
    ("now", "gone"),
    [
        ("a b c", [LETTERS]),
        ("a b c d", ["e f g h i j"]),
        ("a b c d e f x y z", [LETTERS]),
        ("j", [LETTERS]),
        (LETTERS, []),
        (f"{LETTERS} k", []),
    ],
)
def test_a_sentence_goes_whole_if_most_of_it_goes(now: str, gone: list[str]) -> None:
    """Seven of ten words, or words that others replace; of fewer, only these words go."""
    assert [*Sentences(cuts=True, counts=Counts(()), bullets=False).gone(LETTERS, now)] == gone


@pytest.mark.parametrize(
    ("before", "now", "gone"),
    [
        ("see a.b, c.d and e", "see a.b and e", "c.d"),
        ("title: X, title: Y", "title: Y", "title: X"),
        ("lint: P-LEVEL|S-NONE|H-NUM", "lint: P-LEVEL|H-NUM", "S-NONE"),
        ("步骤、标题，优先级 are wrong here now", "步骤、优先级 are wrong here now", "标题"),
        ("a: x; b: y, c: z", "a: x; c: z", "b: y"),
        ("b: b,", "b,", "b:"),
        ("d b b:", "d b:", "b:"),
        ("a a a", "a a", "a"),
        ("a b b c;", "a b c;", "b"),
        ("a x: y, x: c;", "a x: c;", "x: y"),
    ],
)
def test_a_part_of_a_sentence_goes_up_to_its_separators(before: str, now: str, gone: str) -> None:
    """White space and the signs between the words of a list: no place is cut in two."""
    assert [*Sentences(cuts=True, counts=Counts(()), bullets=False).gone(before, now)] == [gone]
