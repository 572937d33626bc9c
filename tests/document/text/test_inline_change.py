"""The words around a change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.text.word_change import inline_change

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
