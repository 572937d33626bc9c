"""Nothing that a model wrote reaches a terminal as an order."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.printable import HIDDEN, JOINERS, one_line, visible
from pytest_planguard.report.plain_text import width

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))


def test_escapes_what_a_terminal_obeys():
    """Escape sequences, bells and carriage returns are shown, not sent."""
    assert visible("\x1b[31mred\x07\r") == r"\x1b[31mred\x07\r"


def test_escapes_what_turns_the_writing_direction():
    """A bidi override cannot make text read otherwise than it is."""
    assert visible("a\u202eb\u2066c") == r"a\u202eb\u2066c"


def test_escapes_lone_surrogates_and_hidden_tags():
    """What cannot be encoded and what shows nothing is written out."""
    assert visible("\ud800\U000e0041") == r"\ud800\U000e0041"


def test_keeps_ordinary_text_of_any_script():
    """Words, accents, emoji joined to one, and right-to-left scripts stay as they are."""
    text = "Zoë 日本語 👨\u200d👩 שלום\n\tx"
    assert visible(text) == text


@given(ANY_TEXT)
def test_leaves_nothing_hidden(text):
    """Whatever the text, no control, format or surrogate character is left, and it can be encoded."""
    shown = visible(text, keep="")
    assert not [c for c in shown if unicodedata.category(c) in HIDDEN and c not in JOINERS]
    shown.encode()


@given(ANY_TEXT, st.integers(10, 80))
def test_one_line_keeps_its_limit(text, limit):
    """A line is one line, and never longer than asked for."""
    line = one_line(text, limit)
    assert len(line) <= limit
    assert "\n" not in line


def test_one_line_says_that_it_was_clipped():
    """A clipped text ends with an ellipsis."""
    assert one_line("word " * 20, 20) == "word word word wor …"


def test_width_counts_columns():
    """Wide characters take two columns, combining ones none."""
    assert width("日本") == 4
    assert width("e\u0301") == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::set-output name=a::b", r"\x3a:set-output name=a::b"),
        ("fine\n \t::error::x", "fine\n \t" + r"\x3a:error::x"),
        ("\u00a0::add-mask::a", r"\x3a:add-mask::a"),
        ("a ##[group]b", r"a ##\x5bgroup]b"),
        ("tests/test_a.py::test_b", "tests/test_a.py::test_b"),
    ],
)
def test_a_build_log_is_given_no_commands(text, shown):
    """A line that a build log would obey loses a character to an escape; a test id keeps its colons."""
    assert visible(text).lstrip("\u00a0") == shown
    assert "\n" in text or one_line(text) == shown
