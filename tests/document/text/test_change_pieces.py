"""Two texts word by word: nothing is invented, nothing that changed is left out, long common parts are cut."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_planguard.document.text.word_change import ALIGNED, LONGEST, PIECE_CONTEXT, ChangePart, change_pieces

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
