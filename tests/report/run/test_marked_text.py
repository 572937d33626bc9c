"""Answers and requests with marks: the text stays as it was, and the same number stands in both."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.positions import Span
from pytest_planguard.report.forms.html_cases import Mark, MarkedPiece, answer_marks, evidence_marks, marked

from ...support.runs import finding

PLAIN = st.text("ab \n{}", max_size=40)
PLACES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)), max_size=5)


@given(PLAIN, PLACES)
def test_marks_take_nothing_away_and_add_nothing(text: str, places: list[tuple[int, int]]) -> None:
    """The pieces joined are the text, and those of one number are the place of its mark, however marks overlap."""
    marks = [Mark(start, start + length, number) for number, (start, length) in enumerate(places, 1)]
    pieces = marked(text, marks, 1_000)
    assert "".join(piece.text for piece in pieces) == text
    for mark in marks:
        own = [piece for piece in pieces if mark.number in piece.numbers]
        assert "".join(piece.text for piece in own) == text[mark.start : mark.end]
        assert sum(mark.number in piece.begins for piece in own) == (mark.start < len(text) or bool(own))


def test_a_mark_beyond_what_is_shown_is_cut_with_the_text() -> None:
    """The note of the cut stands after the text, unmarked."""
    assert marked("0123456789", [Mark(2, 8, 1)], 4) == (
        MarkedPiece("01"),
        MarkedPiece("23", (1,), (1,)),
        MarkedPiece("\n… (6 more characters)"),
    )


def test_hostile_characters_are_shown_inside_marks_too() -> None:
    """Escapes are made piece by piece, so that places stay places of the model's own text."""
    pieces = marked("a\x1b[31mb\u202ec", [Mark(6, 8, 1)], 100)
    assert [(piece.text, piece.numbers) for piece in pieces] == [
        ("a\\x1b[31m", ()), ("b\\u202e", (1,)), ("c", ()),
    ]  # fmt: skip


def test_the_offending_value_is_marked_as_the_answer_spells_it() -> None:
    """A JSON text with its quotes, a YAML scalar without, a list whole; else the word or bracket at the place."""
    answer = '{"priority": "urgent",\n "steps": ["a"], "ok": true}\npriority: very urgent'
    wrong = [
        replace(finding("enum"), span=Span(1, 14), actual='"urgent"'),
        replace(finding("length"), span=Span(2, 11), actual='["a"]'),
        replace(finding("type"), span=Span(2, 24)),
        replace(finding("missing"), span=Span(1, 1)),
        replace(finding("enum"), span=Span(3, 11), actual='"very urgent"'),
        finding("nowhere"),
    ]
    marks = answer_marks(answer, wrong)
    assert [(mark.number, answer[mark.start : mark.end]) for mark in marks] == [
        (1, '"urgent"'), (2, '["a"]'), (3, "true"), (4, "{"), (5, "very urgent"),
    ]  # fmt: skip


def test_a_place_past_the_end_is_the_end() -> None:
    """Of an answer that broke off."""
    assert answer_marks("{", [replace(finding("truncated"), span=Span(7, 9))]) == [Mark(1, 1, 1)]


def test_the_words_that_carry_a_finding_are_marked_in_the_request() -> None:
    """Whatever the line breaks; of clipped words what was kept. What is no quotation marks nothing."""
    texts = ["Fix it.", "1. priority:\n   must be low\n2. steps: two or more are needed"]
    quoted = [
        (1, "request 2, message 4: priority: must be low"), (2, "steps: two or mo…"), (3, "it names other things"),
    ]  # fmt: skip
    first, second = evidence_marks(texts, quoted)
    assert first == []
    assert [(m.number, texts[1][m.start : m.end]) for m in second] == [
        (1, "priority:\n   must be low"), (2, "steps: two or mo"),
    ]  # fmt: skip
