"""Windows of words around a change."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_planguard.document.words import (
    ALIGNED,
    LONGEST,
    PIECE_CONTEXT,
    ChangePart,
    change_pieces,
    changed_lines,
    common_prefix,
    composed,
    copied_from,
    inline_change,
    source,
    spaced_words,
)

from ..support.cost import assert_growth


def test_the_changed_word_stands_in_the_middle():
    """Both windows start at the same word, and what is left out shows as an ellipsis."""
    before, after = "one two three " * 20, " four" * 40
    old, new = changed_lines(before + "cats" + after, before + "cars" + after, width=40)
    assert old == "…hree one two three cats four four four…"
    assert new == "…hree one two three cars four four four…"


def test_short_texts_stand_whole():
    """Nothing is cut from texts that fit; line breaks show as spaces."""
    assert changed_lines("a\nb  c", "a\nb  d") == ("a b c", "a b d")
    assert changed_lines("", "x") == ("", "x")
    assert changed_lines("same", "same") == ("same", "same")


def test_a_change_inside_a_very_long_word_is_shown():
    """A word longer than the window is cut around the change."""
    old, new = changed_lines("x" * 500 + "A" + "y" * 500, "x" * 500 + "B" + "y" * 500, width=20)
    assert (old, new) == ("…xxxxxxxxxAyyyyyyyy…", "…xxxxxxxxxByyyyyyyy…")


@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=300), st.integers(10, 120))
def test_windows_fit(common, old, new, width):
    """Law: no window is wider than asked for, and none has a line break."""
    for line in changed_lines(common + old, common + new, width):
        assert len(line) <= width
        assert "\n" not in line


@given(st.text(max_size=9000), st.text(max_size=50), st.text(max_size=50))
def test_common_prefix(common, old, new):
    """Law: the prefix is common and cannot be longer."""
    one, two = common + old, common + new
    length = common_prefix(one, two)
    assert one[:length] == two[:length]
    assert length == min(len(one), len(two)) or one[length] != two[length]


# The words around a change.


LONG = [f"w{n}" for n in range(50)]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("a b c", "a b c", ""),
        ("a b c", "a x c", "a [-b-]{+x+} c"),
        ("a", "a b", "a {+b+}"),
        ("a b", "b", "[-a-] b"),
        ("", "a", "{+a+}"),
        ("a b", "a  b", "only white space changed"),
        ("one\ntwo", "one\nthree", "one [-two-]{+three+}"),
        (
            " ".join(LONG),
            " ".join([*LONG[:25], "X", *LONG[26:]]),
            "… w19 w20 w21 w22 w23 w24 [-w25-]{+X+} w26 w27 w28 w29 w30 w31 …",
        ),
        ("a", " ".join(LONG), "[-a-]{+" + " ".join(LONG[:24]) + " … (26 more words)+}"),
        ("a " + "b" * 300, "a c", "a [-" + "b" * 200 + "…-]{+c+}"),
    ],
)
def test_windows_are_pinned(before: str, after: str, shown: str) -> None:
    """Kept words on both sides, the change between, on one line, clipped."""
    assert inline_change(before, after) == shown


@given(st.text(), st.text())
def test_a_window_is_one_bounded_line(before: str, after: str) -> None:
    """Whatever the texts, the window is one line, short, and empty exactly when they are equal."""
    shown = inline_change(before, after)
    assert len(shown.splitlines()) <= 1
    assert (shown == "") == (before == after)


# Two texts word by word: nothing is invented, nothing that changed is left out, long common parts are cut.


SPACES = st.sampled_from([" ", "  ", "\n", "\t \n", "\u00a0"])
"""White space of several kinds and lengths: only the words count."""
WORDS = st.lists(st.tuples(st.sampled_from("abcde"), SPACES).map("".join), max_size=12).map("".join)


def shown(before, after):
    """The pieces as one text: -gone-, +new+, the rest as it is."""
    marks = {ChangePart.GONE: "-", ChangePart.NEW: "+"}
    return " ".join(f"{marks.get(p.part, '')}{p.text}{marks.get(p.part, '')}" for p in change_pieces(before, after))


def words(pieces, *parts):
    """Words of the pieces of these parts."""
    return [word for piece in pieces if piece.part in parts for word in piece.text.split()]


@pytest.mark.slow
@given(WORDS, WORDS)
def test_what_is_gone_and_what_is_new_are_the_words_of_each_side(before, after):
    """Without cuts either side can be read from the pieces."""
    pieces = change_pieces(before, after)
    if pieces and not [piece for piece in pieces if piece.part is ChangePart.CUT]:
        assert words(pieces, ChangePart.SAME, ChangePart.GONE) == before.split()
        assert words(pieces, ChangePart.SAME, ChangePart.NEW) == after.split()


@pytest.mark.slow
@given(WORDS, WORDS)
@example("a a", "a a a")
@example("a  b", "a b")
@example("a b\n", "a\u00a0b")
def test_texts_with_the_same_words_have_no_difference(before, after):
    """And texts with other words have one, however many blanks stand between the words."""
    assert bool(change_pieces(before, after)) == (before.split() != after.split())


def test_only_the_words_around_a_change_are_shown():
    """Long common parts become an ellipsis."""
    many = " ".join(f"w{n}" for n in range(40))
    assert shown(f"{many} old {many}", f"{many} new {many}") == ("… w35 w36 w37 w38 w39 -old- +new+ w0 w1 w2 w3 w4 …")
    assert PIECE_CONTEXT == 5


def test_two_changes_far_apart_are_both_shown():
    """What stands between them is cut."""
    middle = " ".join(f"w{n}" for n in range(30))
    assert shown(f"a {middle} b", f"x {middle} y") == "-a- +x+ w0 w1 w2 w3 w4 … w25 w26 w27 w28 w29 -b- +y+"


def test_very_long_changes_are_not_aligned_word_by_word():
    """Aligning is quadratic: beyond some hundred words the middle is replaced as a whole."""
    before, after = (" ".join(f"{side}{n}" for n in range(ALIGNED + 1)) for side in "ab")
    pieces = change_pieces(f"same {before}", f"same {after}")
    assert [piece.part for piece in pieces] == [ChangePart.SAME, ChangePart.GONE, ChangePart.NEW]
    assert [len(piece.text.split()) for piece in pieces] == [1, ALIGNED + 1, ALIGNED + 1]
    assert change_pieces("x " * LONGEST, "x " * LONGEST + "y") == ()


# Copies: the same words in the same order, but for case and punctuation.


SENTENCE_WORDS = st.lists(st.sampled_from(["sweep", "the", "floor", "rest", "well"]), min_size=1, max_size=8)


@given(SENTENCE_WORDS, SENTENCE_WORDS, SENTENCE_WORDS, st.integers(1, 5))
def test_words_that_a_source_holds_are_copied_from_it(words, before, after, least):
    """Law: a run of words from a source is a copy exactly when it is long enough, however it is written."""
    known = source("an example", f"{' '.join(before)}, {' '.join(words)}! {' '.join(after)}")
    assert (copied_from(" ".join(words).upper(), [known], least) == "an example") == (len(words) >= least)


@given(SENTENCE_WORDS, SENTENCE_WORDS, SENTENCE_WORDS)
def test_only_what_stands_in_no_allowed_text_is_copied(words, before, after):
    """Law: words of an allowed text are no copy; the name comes from the first source that does not allow them."""
    text = " ".join(words)
    allowed = source("an example", text, "something else", f"{' '.join(before)} {text} {' '.join(after)}")
    assert copied_from(text, [allowed], 1) is None
    assert copied_from(text, [allowed, source("the feedback", text)], 1) == "the feedback"


@pytest.mark.parametrize("text", ["2026-01-15", "550e8400-e29b-41d4-a716-446655440000", "ada.lovelace@mail.test"])
def test_a_date_an_id_and_an_address_are_one_word(text):
    """They may be equal without being copied."""
    assert copied_from(text, [source("the prompt", f"due on {text}, please")], 2) is None


def test_words_are_compared_whole():
    """A part of a word is not that word."""
    assert copied_from("art of war", [source("the prompt", "start of warning")], 3) is None
    assert spaced_words("Art, of WAR!") == " art of war "


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("会議室の床を毎日掃除してから、窓を拭いてください。", "東京都庁"),
        ("请在每天早上打扫会议室的地板。", "北京市"),
        ("กรุณาทำความสะอาดพื้นห้องประชุมทุกวัน", "กรุงเทพ"),
        ("Příliš žluťoučký kůň úpěl", "Příliš žluťoučký kůň"),
    ],
)
def test_copies_are_found_in_any_script(text: str, short: str) -> None:
    """Also where no space separates words, and if accents are characters of their own. Names may repeat."""
    known = source("an example", f"Beispiel: {text} {short} {text}")
    for form in ("NFC", "NFD"):
        assert copied_from(unicodedata.normalize(form, text), [known], 4) == "an example"
    assert copied_from(short, [known], 4) is None


@given(st.text(st.sampled_from("ae \u0301\u0323\uff9e─"), max_size=20))
def test_each_accent_is_in_its_letter(text: str) -> None:
    """Two texts that look the same are equal."""
    assert composed(text) == unicodedata.normalize("NFC", text)
    assert composed(text, "NFKC") == unicodedata.normalize("NFKC", text)


@pytest.mark.parametrize(("form", "marks"), [("NFC", "\u0301\u0323"), ("NFC", "\u0f73"), ("NFKC", "\uff9e\u0323")])
def test_marks_without_end_cost_linear_time(form: Any, marks: str) -> None:
    """Python sorts the marks of a letter in quadratic time."""
    assert_growth(lambda size: composed("a" + marks * size, form), 1_000, 8_000, below=24)
