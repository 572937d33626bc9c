"""The code frame points at the right character, whatever the line is made of."""

import re

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.positions import Span
from pytest_planguard.report.finding_text import frame
from pytest_planguard.report.plain_text import width


def shown(text: str, span: Span, **options: int) -> str:
    """The frame as one text."""
    return "\n".join(frame(text, span, **options))


def test_shows_two_lines_of_context_and_a_caret():
    """The place stands in the middle, carets under its characters."""
    assert shown('a\nb\n{\n  "x": 12,\n}\nc\nd', Span(4, 8, 4, 10)) == (
        '2 | b\n3 | {\n4 |   "x": 12,\n  |        ^^\n5 | }\n6 | c'
    )


def test_line_numbers_are_aligned():
    """Numbers of different length keep the bar in one column."""
    assert shown("\n" * 8 + "nine\nten", Span(9, 1, 9, 5), context=1) == " 8 |\n 9 | nine\n   | ^^^^\n10 | ten"


def test_a_tab_and_wide_characters_before_the_place():
    """The caret stands under its character after tabs and double-width characters."""
    assert shown("\t日本 x", Span(1, 5)) == "1 |     日本 x\n  |          ^"


def test_a_control_character_is_shown_and_marked_whole():
    """The caret covers the whole escape of a character that a terminal would obey."""
    assert shown("a\x1bb", Span(1, 2, 1, 3)) == "1 | a\\x1bb\n  |  ^^^^"


def test_only_real_line_ends_end_a_line():
    """LF, CRLF and a lone CR end a line; U+2028 and a form feed do not."""
    assert shown("a\r\nb\rc\u2028d\x0ce\nf", Span(3, 1), context=1) == "2 | b\n3 | c\\u2028d\\x0ce\n  | ^\n4 | f"


def test_a_long_line_is_a_window_around_the_place():
    """Of a minified answer only the surroundings of the place are shown."""
    text = "x" * 500 + "BAD" + "y" * 500
    assert shown(text, Span(1, 501, 1, 504), width=30) == ("1 | …xxxxxxxxxxBADyyyyyyyyyyyyyyyy…\n  |            ^^^")


def test_a_place_that_is_not_there():
    """A line beyond the text gives no frame, never an error."""
    assert frame("one\ntwo", Span(9, 1)) == []


def test_the_end_of_the_text():
    """A caret may stand one after the last character, where an unfinished answer stops."""
    assert shown('{"a": ', Span(1, 7)) == '1 | {"a":\n  |       ^'


@given(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=300),
    st.integers(1, 12),
    st.integers(1, 400),
    st.integers(12, 100),
)
def test_never_raises_and_keeps_its_width(text, line, column, limit):
    """Any text, any place: lines stay within the width asked for, and each frame has at most one caret line."""
    rows = frame(text, Span(line, column), width=limit)
    assert all(width(row) <= limit + 10 for row in rows)
    assert sum(bool(re.fullmatch(r" +\| +\^+|  \| \^+", row)) for row in rows) <= max(1, len(rows))


@given(st.text("ab日\té\x1b", max_size=60), st.text("ab日é\x1b", min_size=1, max_size=1), st.text("ab", max_size=60))
def test_the_caret_stands_under_its_character(before, marked, after):
    """For any mix of tabs, wide and control characters the columns before the caret are those before the character."""
    line, caret = frame(before + marked + after, Span(1, len(before) + 1), width=10_000)
    column = caret.index("^")
    plain, position = "", 0
    for char in line:
        if position == column:
            plain = char
            break
        position += width(char)
    assert plain == ("\\" if marked == "\x1b" else marked)


def test_a_frame_gives_no_command_to_a_build_log():
    """A build log obeys `##[` anywhere in a line; the caret still stands under its place."""
    rows = frame('a ##[group] "x"', Span(1, 13, 1, 16))
    assert rows == ['1 | a ##\\x5bgroup] "x"', "  |                ^^^"]


def test_line_numbers_are_as_wide_as_the_last_one() -> None:
    """Line 99 is the last of two digits, and line 100 needs three for all."""
    text = "a\n" * 100
    assert frame(text, Span(99, 1), context=0)[0] == "99 | a"
    assert [row[:5] for row in frame(text, Span(99, 1), context=1)] == [" 98 |", " 99 |", "    |", "100 |"]


def test_an_ellipsis_ends_only_a_line_that_goes_on() -> None:
    """A line that just fits ends without one."""
    assert frame("a" * 20, Span(1, 1), width=20) == ["1 | " + "a" * 20, "  | ^"]
    assert frame("a" * 21, Span(1, 1), width=20) == ["1 | " + "a" * 20 + "…", "  | ^"]
    assert frame("a" * 99, Span(1, 1), width=20)[0].count("…") == 1


def test_a_line_beside_the_place_is_shown_from_the_same_column() -> None:
    """A line that ends before the window is empty, and one that goes on begins with an ellipsis."""
    place = "x" * 40 + "BAD" + "y" * 40
    rows = [
        frame("\n".join(("a" * length, place)), Span(2, 41, 2, 44), context=1, width=30)[0]
        for length in (29, 30, 31, 58, 59, 60)
    ]
    assert rows == [
        "1 |",
        "1 |",
        "1 | …a",
        f"1 | …{'a' * 28}",
        f"1 | …{'a' * 29}",
        f"1 | …{'a' * 29}…",
    ]


def test_characters_without_width_take_no_room() -> None:
    """An accent of its own is shown with its letter, and an ellipsis comes where the next letter is missing."""
    accent = "\u0301"
    assert frame(f"a{accent}bcd", Span(1, 1), width=4)[0] == f"1 | a{accent}bcd"
    assert frame(f"a{accent}bc", Span(1, 1), width=4)[0] == f"1 | a{accent}bc"
    assert frame(f"a{accent}b{accent}cd", Span(1, 1), width=4)[0] == f"1 | a{accent}b{accent}c…"
    assert frame(f"a{accent * 5}", Span(1, 1), width=4)[0] == f"1 | a{accent * 4}…"


def test_the_carets_of_a_place() -> None:
    """As many as the place has columns, one where the end is unknown or on another line, and none past the window."""
    text = "0123456789" * 4
    assert [
        frame(text, span, width=20)[1]
        for span in (
            *(Span(1, 3), Span(1, 3, 1, 3), Span(1, 3, 1, 4), Span(1, 3, 1, 6), Span(1, 3, 2, 6)),
            *(Span(1, 3, None, 6), Span(1, 3, 1, 40), Span(1, 41)),
        )
    ] == [
        *("  |   ^", "  |   ^", "  |   ^", "  |   ^^^", "  |   ^"),
        *("  |   ^^^", "  |   ^^^^^^^^^^^^^^^^^^", "  |        ^"),
    ]


def test_a_tab_reaches_the_next_of_four_columns() -> None:
    """Wherever in the line it stands."""
    rows = [frame(f"{'a' * length}\tb", Span(1, length + 2))[0] for length in range(6)]
    assert rows == ["1 |     b", "1 | a   b", "1 | aa  b", "1 | aaa b", "1 | aaaa    b", "1 | aaaaa   b"]


def test_a_place_in_the_first_and_the_last_line_has_less_around_it() -> None:
    """Two lines before and after it, if there are so many."""
    text = "a\nb\nc\nd\ne"
    assert [row for row in frame(text, Span(1, 1)) if "^" not in row] == ["1 | a", "2 | b", "3 | c"]
    assert [row for row in frame(text, Span(5, 1)) if "^" not in row] == ["3 | c", "4 | d", "5 | e"]
    assert [row for row in frame(text, Span(2, 1)) if "^" not in row] == ["1 | a", "2 | b", "3 | c", "4 | d"]
    assert frame(text, Span(6, 1)) == []
    assert frame("a\n", Span(2, 1)) == ["1 | a", "2 |", "  | ^"]


def test_a_command_to_a_build_log_takes_two_signs() -> None:
    """A bracket alone, or behind one of them, stays."""
    assert frame("[a] #[b] ##[c] ###[d]", Span(1, 1))[0] == "1 | [a] #[b] ##\\x5bc] ###\\x5bd]"
