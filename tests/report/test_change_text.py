"""One changed field as text."""

import pytest

from pytest_planguard.report.change_text import render_change
from pytest_planguard.runs.value_diff import MISSING, ChangeKind, FieldChange

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
