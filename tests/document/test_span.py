"""Lines and columns of offsets."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.span import LineIndex, Span


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [
        ("", 0, (1, 1)),
        ("ab", 2, (1, 3)),
        ("a\nb", 2, (2, 1)),
        ("a\r\nb", 3, (2, 1)),
        ("a\rb", 2, (2, 1)),
        ("a\r\rb", 3, (3, 1)),
        ("a\n\rb", 3, (3, 1)),
        ("\N{GRINNING FACE}\tx", 2, (1, 3)),
        ("a\u2028b\x0cc\x85d\x0be", 8, (1, 9)),
    ],
)
def test_places(text, offset, place):
    """Lines end at LF, CRLF and a lone CR only; a column is one character, whatever its width."""
    assert LineIndex(text).position(offset) == place


def test_spans():
    """A span has its start, and its end where one is given."""
    index = LineIndex("ab\ncd")
    assert index.span(1) == Span(1, 2)
    assert index.span(1, 4) == Span(1, 2, 2, 2)
    assert str(index.span(4)) == "2:2"


@given(st.text("ab\r\n\u2028", max_size=30))
def test_places_count_lines(text):
    """Law: the line of an offset is one more than the line ends before it, and columns restart after each."""
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        ends = [m.end() for m in re.finditer("\r\n|\r|\n", text) if m.end() <= offset]
        assert index.position(offset) == (len(ends) + 1, offset - max(ends, default=0) + 1)
