"""Tables of plain text."""

from pytest_planguard.report.plain_text import columns


def test_cells_are_clipped_and_sanitised():
    """A cell is one line of bounded length."""
    assert columns([("a\nb\x1b", "x" * 99)]) == "a b\\x1b  " + "x" * 58 + " …"


def test_wide_characters_take_two_columns():
    """Cells are aligned by what a terminal shows."""
    assert columns([("日本", "1"), ("plan", "10")], right=frozenset({1})) == "日本   1\nplan  10"
