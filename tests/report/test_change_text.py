"""One changed field as text."""

import pytest

from pytest_planguard.report.change_text import change_line, pieces_of, render_change, value_text
from pytest_planguard.report.plain_text import Style
from pytest_planguard.runs.value_diff import MISSING, ChangeKind, FieldChange

RED, GREEN, STRONG, END = "\x1b[31m", "\x1b[32m", "\x1b[1m", "\x1b[0m"
LONG = "The project faces three critical blockers: insufficient capital runway, no permits, and "


def change(before: object, after: object, where: str = "field", **other: object) -> FieldChange:
    """A change of one field."""
    kind = ChangeKind.ADDED if before is MISSING else ChangeKind.REMOVED if after is MISSING else ChangeKind.CHANGED
    return FieldChange(kind, ("field",), ("field",), before, after, where, **other)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("Go", "Proceed", "  field: Go → Proceed"),
        (MISSING, "Go", "  field: added Go"),
        ("Go", MISSING, "  field: removed Go"),
        (None, "", "  field: (null) → (empty text)"),
        ("", "Go", "  field: (empty text) → Go"),
        (1, "1", '  field: 1 → "1"'),
        ("null", None, '  field: "null" → (null)'),
        (True, 1, "  field: true → 1"),
        (["a"], {"b": 2}, '  field: ["a"] → {"b": 2}'),
        ("a  b", "a b", '  field: "a  b" → "a b"'),
        (" ", "  ", '  field: " " → "  "'),
        ("a\nb", "a b", '  field: "a\\nb" → "a b"'),
    ],
)
def test_short_values_stand_in_a_row(before: object, after: object, text: str) -> None:
    """Missing, null, empty, and values that only look alike are told apart."""
    assert render_change(change(before, after)) == text


def test_a_row_names_the_rule_that_it_breaks_or_mends() -> None:
    """The rule stands behind the values."""
    assert render_change(change("Go", "Proceed", "recommendation", breaks=("one_of",))) == (
        "  recommendation: Go → Proceed (breaks one_of)"
    )
    both = change("", "x", breaks=("min_length",), fixes=("non_empty",))
    assert render_change(both) == "  field: (empty text) → x (breaks min_length; fixes non_empty)"


def test_long_text_shows_the_words_around_the_first_difference() -> None:
    """Both windows start at the same words, so that the difference stands at the same place."""
    text = render_change(change(LONG + "a weak team." + " More." * 30, LONG + "a strong team." + " More." * 30))
    heading, minus, plus = text.split("\n")
    assert (heading, minus[:4], plus[:4]) == ("  field:", "-   ", "+   ")
    assert minus.index("weak") == plus.index("strong")
    assert max(len(minus), len(plus)) < 110


def test_a_field_that_was_missing_is_a_block() -> None:
    """A long value where there was none."""
    assert render_change(change(MISSING, LONG + "much more"), block=True) == (
        "  field:\n"
        "-   (empty — field was missing)\n"
        "+   The project faces three critical blockers: insufficient capital runway, no permits, and much more"
    )
    assert render_change(change("x", MISSING), block=True).split("\n")[2] == "+   (empty — field is missing)"


def test_a_moved_item_says_from_where_to_where() -> None:
    """Items count from 1."""
    moved = FieldChange(ChangeKind.MOVED, ("tasks", 4), ("tasks", 0), where="tasks[id=e]")
    assert render_change(moved) == "  tasks[id=e]: moved from item 5 to item 1"


@pytest.mark.parametrize(
    "hostile", ["\x1b[31mred", "a\u202eb", "::set-output name=x::y\nz", "\ud800", "x\r\ny" * 500_000]
)
def test_what_a_model_wrote_cannot_steer_the_terminal(hostile: str) -> None:
    """Controls become visible, line breaks do not break the form, and 1.5 MB are clipped; keys are hostile too."""
    for text in (render_change(change(hostile, "x", hostile)), render_change(change("x", hostile), block=True)):
        assert not any(ord(char) < 32 and char != "\n" for char in text)
        assert not {"\u202e", "\ud800"} & set(text)
        assert (len(text) < 600, text.count("\n") <= 2) == (True, True)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "(null)"),
        ("", "(empty text)"),
        ("two  words\n", "two words"),
        (" ", '" "'),
        (False, "false"),
        ({"é": [1, None]}, '{"é": [1, null]}'),
        ("x" * 100, "x" * 100),
        ("x" * 101, "x" * 97 + "..."),
        ("y" * 96 + " z z z", "y" * 96 + "..."),
        ("a" + " " * 399, "a"),
        ("a" + " " * 400, "a..."),
        ({"a"}, "\"{'a'}\""),
        (["x" * 96], f'["{"x" * 96}"]'),
        (["x" * 97], f'["{"x" * 95}...'),
    ],
)
def test_a_value_on_one_line(value: object, text: str) -> None:
    """Of a value that is longer than a hundred characters the start is shown."""
    assert value_text(value) == text


def test_a_value_that_python_cannot_write_is_named_by_its_type() -> None:
    """A list in lists in lists, and a number of five thousand digits."""
    deep: list[object] = []
    for _ in range(60_000):
        deep = [deep]
    assert value_text(deep) == "(list, too deep to show)"
    assert value_text(10**5_000) == "(int, too deep to show)"


def test_a_text_is_quoted_on_request() -> None:
    """As JSON writes it, without escapes for letters."""
    assert value_text("é", spelled=True) == '"é"'


@pytest.mark.parametrize(
    ("before", "after", "is_row"),
    [
        ("a" * 40, "b" * 40, True),
        ("a" * 41, "b", False),
        ("a", "b" * 41, False),
        (MISSING, "b" * 80, True),
        (MISSING, "b" * 81, False),
        ("a" * 80, MISSING, True),
        ("a" * 81, MISSING, False),
    ],
)
def test_long_values_stand_below_each_other(before: object, after: object, is_row: bool) -> None:
    """Forty characters fit beside another value, and eighty alone."""
    assert ("\n" not in render_change(change(before, after))) == is_row


def test_texts_that_differ_in_blanks_far_in_are_shown_there() -> None:
    """From twenty characters before the first difference, with an ellipsis for what is left out."""
    row = render_change(change("x" * 50 + "  end", "x" * 50 + " end"))
    assert row == f'  field: …"{"x" * 19}  end" → …"{"x" * 19} end"'
    lines = render_change(change("x" * 5 + "  " + "y" * 85, "x" * 5 + " " + "y" * 85)).split("\n")
    assert lines[1:] == [f'-   "xxxxx  {"y" * 73}"', f'+   "xxxxx {"y" * 74}"']


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (change("Go", "Stop", "a", breaks=("x", "y")), "a: Go → Stop (breaks x, y)"),
        (change("Go", "Stop", "a", fixes=("x",)), "a: Go → Stop (fixes x)"),
        (change(MISSING, 1, "a"), "a: (empty — field was missing) → 1"),
        (change(1, MISSING, "a"), "a: 1 → (empty — field is missing)"),
        (change(MISSING, "1", "a"), "a: (empty — field was missing) → 1"),
        (FieldChange(ChangeKind.MOVED, ("a", 4), ("a", 0), where="a[id=e]"), "a[id=e]: moved"),
    ],
)
def test_a_change_on_one_line(made: FieldChange, line: str) -> None:
    """For annotations: both values, and the rules that they affect."""
    assert change_line(made) == line


@pytest.mark.parametrize(
    ("made", "pieces"),
    [
        (
            change("buy two red apples today", "buy two green apples today"),
            [("same", "buy two"), ("gone", "red"), ("new", "green"), ("same", "apples today")],
        ),
        (change("Go", 1), [("gone", '"Go"'), ("new", "1")]),
        (change(MISSING, "Go"), [("gone", "(empty — field was missing)"), ("new", "Go")]),
        (FieldChange(ChangeKind.MOVED, ("a", 1), ("a", 2)), [("same", "moved from item 2 to item 3")]),
    ],
)
def test_the_pieces_of_a_change(made: FieldChange, pieces: list[tuple[str, str]]) -> None:
    """Two texts word by word, anything else as a whole."""
    assert [(piece.part.value, piece.text) for piece in pieces_of(made)] == pieces


@pytest.mark.parametrize(
    ("made", "block", "text"),
    [
        (change("a", "b", breaks=("x",)), False, f"field: a → b {RED}(breaks x){END}"),
        (change("a", "b", fixes=("x",)), False, f"field: a → b {GREEN}(fixes x){END}"),
        (change("a", "b", verdict=True), False, f"field: {STRONG}a → b{END}"),
        (
            change("a", "b", breaks=("x",), fixes=("y",)),
            True,
            f"field: {RED}(breaks x; fixes y){END}\n{RED}  -   a{END}\n{GREEN}  +   b{END}",
        ),
    ],
)
def test_the_colours_of_a_change(made: FieldChange, block: bool, text: str) -> None:
    """Red for a rule that breaks and for the value before; the signs of a block stand two columns before its place."""
    assert render_change(made, indent="    ", style=Style(True), block=block) == f"    {text}"
