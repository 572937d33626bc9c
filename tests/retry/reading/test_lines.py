"""Lines of feedback: what is a line, how deep it is, and which lines belong together."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.reading.lines import Line, line_entries, lines_of, plain

from ...support.one_item import in_one_item

PLAIN = {
    "a\nb": "a\nb",
    "a\r\nb": "a \nb",
    "a\rb": "a\nb",
    "a\\nb": "a \nb",
    "│├└╰─x": "     x",
    "> a": "  a",
    ">a": " a",
    "> > > > > a": "        > a",
    "        > a": " " * 10 + "a",
    "         > a": "         > a",
    "a > b": "a > b",
    "a\n  > b": "a\n    b",
}


@pytest.mark.parametrize("text", PLAIN)
def test_lines_are_read_without_marks_of_quotations_and_trees(text: str) -> None:
    """However they end, and with every position as it was."""
    assert plain(text) == PLAIN[text]
    assert len(plain(text)) == len(text)


def test_each_line_has_a_depth() -> None:
    """A bullet is deeper than its indentation, a heading above every line, and one of a lower level below it."""
    text = "# a\n### b c \n\n- d\n  e\n  - [f]\n12. g\n###### h"
    assert list(lines_of(text)) == [
        Line("a", 0, 3, -9, 3),
        Line("b c", 4, 11, -7, 12),
        Line("d", 14, 17, 1, 17),
        Line("e", 18, 21, 2, 21),
        Line("[f]", 22, 29, 3, 29),
        Line("g", 30, 35, 1, 35),
        Line("h", 36, 44, -4, 44),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\\n", " \n", "\t \n"])
def test_a_place_may_be_on_the_next_line_however_lines_end(end: str) -> None:
    """Blanks at the end of a line do not part it from the next one; an empty line does."""
    text = f"Too small{end}  → at goal"
    assert [(one.path, one.message, one.start, one.end) for one in line_entries(text)] == [
        (("goal",), "Too small", 0, len(text))
    ]
    assert list(line_entries(f"Too small{end}{end}  → at goal")) == []


POINTED = {
    "is short\nPath: goal\nis long\nPath: size": [("goal", "is short", 0, 19), ("size", "is long", 20, 38)],
    "Path: goal\nis short\nPath: size\nis long": [("goal", "is short", 0, 19), ("size", "is long", 20, 38)],
    "Oh.\n\nPath: goal\nis short": [("goal", "is short", 5, 24)],
    "Your answer has:\nPath: goal\nis short": [("goal", "is short", 17, 36)],
    "Error: is short\n at goal": [("goal", "is short", 0, 24), ("Error", "is short", 0, 15), (None, "is short", 0, 15)],
    "size: is short\n at goal": [("goal", "size: is short", 0, 23), ("size", "is short", 0, 14)],
}


@in_one_item
@pytest.mark.parametrize("text", POINTED)
def test_a_place_on_a_line_of_its_own(text: str) -> None:
    """Above the messages if the first one is not right below a message, else below them."""
    found = [(one.path and ".".join(one.path), one.message, one.start, one.end) for one in line_entries(text)]
    assert found == POINTED[text]


OUTLINES = {
    "goal:\n  too short": [("goal", "too short", 0, 17)],
    "goal:\n  too good": [],
    "goal:\n  - must be set": [("goal", "must be set", 0, 21)],
    "# goal\ntoo short": [("goal", "too short", 0, 16)],
    "# tasks\n## 0\ntoo short": [("tasks.0", "too short", 8, 22)],
    "tasks:\n  0:\n    too short\ntoo long": [("tasks.0", "too short", 7, 25)],
    "errors:\n  goal:\n    too short": [("goal", "too short", 8, 29)],
    "tasks:\n  id: is short": [("id", "is short", 7, 21), ("tasks.id", "is short", 7, 21)],
    "tasks:\n  id: too short": [("id", "too short", 7, 22), ("tasks.id", "too short", 7, 22)],
    "missing:\n- a.b: x": [("a.b", "x", 9, 17), ("missing.a.b", "x", 9, 17)],
    "missing\n- a.b: x": [("a.b", "x", 8, 16)],
    "# missing\n- a.b: x": [("a.b", "x", 10, 18), ("missing.a.b", "x", 10, 18)],
    "goal:\nis short": [("goal", "is short", 0, 14)],
    "goal:\n\nis short": [],
}


@in_one_item
@pytest.mark.parametrize("text", OUTLINES)
def test_the_places_of_an_outline(text: str) -> None:
    """Deeper lines are about the lines above them; names around errors and codes are no part of a place."""
    found = [(one.path and ".".join(one.path), one.message, one.start, one.end) for one in line_entries(text)]
    assert found == OUTLINES[text]


def test_an_outline_has_at_most_twelve_levels() -> None:
    """Lines below are about the twelfth."""
    text = "".join(f"{' ' * level}s{level}:\n" for level in range(14)) + " " * 14 + "too short"
    assert [one.path for one in line_entries(text)] == [tuple(f"s{level}" for level in range(12))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Please do this: now then: goal: is short", [(("goal",), "is short")]),
        ("Please do this: so now: or then: goal: is short", []),
        ("Oh no - please do this - goal - is short", [(("goal",), "is short")]),
    ],
)
def test_a_message_has_at_most_two_introductions(text: str, found: list[tuple[tuple[str, ...], str]]) -> None:
    """Words with more separators are prose."""
    assert [(one.path, one.message) for one in line_entries(text)] == found


ON_A_LINE = {
    "goal: is short": [("goal", None, "is short", 0, 14)],
    " - goal: is short ": [("goal", None, "is short", 0, 17)],
    "a: is short; b: is long": [("a", None, "is short", 0, 11), ("b", None, "is long", 13, 23)],
    "a: is short. b: is long": [("a", None, "is short.", 0, 12), ("b", None, "is long", 13, 23)],
    "a [too_short]: is short": [("a", "too_short", "is short", 0, 23)],
    "a: is short [type=too_short]": [("a", "too_short", "is short", 0, 28)],
    "a: (too_short)": [("a", "too_short", "(too_short)", 0, 14)],
    "Error: a value": [("Error", None, "a value", 0, 14), (None, None, "a value", 0, 14)],
    "is short (at a.b)": [("a.b", None, "is short", 0, 17)],
    "a: size X; b: is long": [("a", None, "size X", 0, 9), ("b", None, "is long", 11, 21)],
    "X is short (at a.X)": [("a.X", None, "X is short", 0, 19)],
    "[goal] is short": [("goal", None, "is short", 0, 15)],
    "Error: [goal] is short": [
        ("goal", None, "is short", 0, 22),
        ("Error", None, "[goal] is short", 0, 22),
        (None, None, "[goal] is short", 0, 22),
    ],
    "is short at a.b: expected a text": [
        ("a.b", None, "is short: expected a text", 0, 15),
        ("a.b", None, "expected a text", 0, 32),
    ],
    "the value at /a is short. The value at /b is long": [
        ("a", None, "the value", 0, 15),
        ("b", None, "The value", 25, 41),
    ],
    "is short [3]": [],
    "is short [missing]": [],
}


@in_one_item
@pytest.mark.parametrize("text", ON_A_LINE)
def test_errors_on_a_line(text: str) -> None:
    """In front of the message or beside it, with the words that the evidence quotes."""
    found = [(one.path and ".".join(one.path), one.code, one.message, one.start, one.end) for one in line_entries(text)]
    assert found == ON_A_LINE[text]
