"""Rows as text: one line of ASCII, and the same values when they are read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.runs.model.row_write import row_of_text, row_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)
HOSTILE = ["\ud800", "é", "\u2028", "\x00\x1b", "</script>", '"', "\\", "a\nb", "\U0001f600"]


@pytest.mark.slow
@given(st.dictionaries(st.text() | st.sampled_from(HOSTILE), VALUES | st.sampled_from(HOSTILE), max_size=5))
def test_what_is_written_is_read(row: dict[str, object]) -> None:
    """Any row comes back type for type, from our reader and from any other, and takes one line of ASCII."""
    text = row_text(row)
    assert text.isascii()
    assert len(text.splitlines()) == 1
    assert repr(row_of_text(text)) == repr(json.loads(text)) == repr(row)
