"""Windows of words around a change."""

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.text.word_change import changed_lines, common_prefix


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
