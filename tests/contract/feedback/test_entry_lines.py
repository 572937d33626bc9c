"""Lines of feedback are read back: place, code and message."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.feedback.entry_lines import code_of, entry, parse_entries, safe_line, without_fences
from pytest_planguard.contract.finding import Finding
from pytest_planguard.document.positions import Span

from ...support.one_item import in_one_item

ANY = st.characters(exclude_categories=())
"""All characters, with control and direction marks and halves of pairs."""
KEYS = st.text(ANY, max_size=9).filter(lambda key: not re.fullmatch("0|[1-9][0-9]{0,8}", key))
"""A key such as "7" is read back as an index, since a pointer does not distinguish them."""
PATHS = st.lists(KEYS | st.integers(0, 999_999_999), max_size=4).map(tuple)
FORGED = ("\n- /x: required, missing", " [missing]", "required, missing", "(whole answer): ", "an integer", "```", "]")
MESSAGES = st.text(ANY, max_size=40) | st.lists(st.sampled_from(FORGED), max_size=5).map("".join)
CODES = st.sampled_from(["missing", "type", "enum", "min_length", "own.code"])


@given(PATHS, CODES, MESSAGES, st.none() | st.integers(1, 9))
def test_a_finding_is_one_line_and_read_back(path: Any, code: str, message: str, line: int | None) -> None:
    """The path is whole unless it is cut, and no message adds a line or has another code than the finding."""
    span = None if line is None else Span(0, 1, line)
    finding = Finding(code, path, message, FailureKind.RULE, span=span)
    for start in ("- ", "12. "):
        assert parse_entries(f"Head:\n{start}{entry(finding)}\nFoot.") == [(path, code, safe_line(message, 240))]


LINES: dict[str, list[tuple[Any, str | None, str]]] = {
    "- /a: required, missing": [(("a",), "missing", "required, missing")],
    "1. /a/0/b: not allowed here": [(("a", 0, "b"), "extra", "not allowed here")],
    "1. /a (line 3): no [rule]": [(("a",), "rule", "no")],
    "- (whole answer): the answer is empty [empty]": [((), "empty", "the answer is empty")],
    '- "/a b": no [rule]': [(("a b",), "rule", "no")],
    '- "/a~1b~0": no [rule]': [(("a/b~",), "rule", "no")],
    "- /01: no [rule]": [(("01",), "rule", "no")],
    "- /999999999: no [rule]": [((999_999_999,), "rule", "no")],
    "- /1000000000: no [rule]": [(("1000000000",), "rule", "no")],
    "- /12345678901: no [rule]": [(("12345678901",), "rule", "no")],
    "- /a: words alone": [(("a",), None, "words alone")],
    "- /a: two [rule] [type]": [(("a",), "type", "two [rule]")],
    "- /a: no [9]": [(("a",), None, "no [9]")],
    '- "broken: no [rule]': [],
    '- "/a" no [rule]': [],
    "- a: no [rule]": [],
    "- /a no [rule]": [],
    "/a: no [rule]": [],
    "1 /a: no [rule]": [],
    "- ": [],
}


@in_one_item
@pytest.mark.parametrize("text", LINES)
def test_what_is_read_of_a_line(text: str) -> None:
    """A line without a place, or without a colon behind it, is none of ours."""
    assert parse_entries(text) == LINES[text]
    assert parse_entries(f"Head\n{text}\nFoot") == LINES[text]


WORDINGS = {
    "required, missing": "missing",
    "not allowed here": "extra",
    'expected one of "a", "b"': "enum",
    'expected "a"; got "b"': "enum",
    "expected at least 2 items": "length",
    "expected at most 3 characters": "length",
    "expected at least 4 bytes": "length",
    "expected at most 5 properties": "length",
    "expected at least 2; got 1": "range",
    "expected at most -2": "range",
    "expected greater than 0": "range",
    "expected less than 9": "range",
    "expected a multiple of 5": "range",
    "expected text matching ^a": "format",
    "expected text in the format date": "format",
    "expected a date (YYYY-MM-DD)": "format",
    "expected a time": "format",
    "expected a duration": "format",
    "expected a URL": "format",
    "expected a UUID": "format",
    **{f"expected {kind}; got 1": "type" for kind in ("an integer", "a number", "a string", "true or false", "a list")},
    "expected an object": "type",
    "expected null": "type",
    "expected an integer or null; got 1": "type",
    "expected an integer of a kind": None,
    "expected something": None,
    "is required, missing": None,
    "": None,
}


@in_one_item
@pytest.mark.parametrize("message", WORDINGS)
def test_the_first_words_imply_the_code(message: str) -> None:
    """A type implies its code only if nothing else follows."""
    assert code_of(message) == WORDINGS[message]


@in_one_item
@pytest.mark.parametrize(
    ("code", "message", "line"),
    [
        ("missing", "required, missing", "required, missing"),
        ("own", "required, missing", "required, missing [own]"),
        ("missing", "required, missing [x]", "required, missing [x] [missing]"),
        ("x", "required, missing [x]", "required, missing [x] [x]"),
        ("missing", "required, missing [no code]", "required, missing [no code]"),
        ("own", "words", "words [own]"),
        ("no code", "words", "words"),
        ("", "words", "words"),
        ("c" * 60, "words", f"words [{'c' * 60}]"),
        ("c" * 61, "words", "words"),
        ("1st", "words", "words"),
        ("a-1.b:c_", "words", "words [a-1.b:c_]"),
    ],
)
def test_a_code_is_added_if_the_words_imply_another(code: str, message: str, line: str) -> None:
    """Also if the words end like a code. A code that could not be read back is left out."""
    assert entry(Finding(code, (), message, FailureKind.RULE)) == f"(whole answer): {line}"


@pytest.mark.parametrize(
    ("named", "path", "hint", "line"),
    [
        (False, ("a",), None, "/a: words [own]"),
        (True, ("a",), None, "/a: words ('a' in Plan) [own]"),
        (True, ("a", 0), "do so", "/a/0: words ('0' in Plan) (do so) [own]"),
        (True, (), None, "(whole answer): words [own]"),
        (False, ("a",), "do so", "/a: words (do so) [own]"),
    ],
)
def test_a_line_names_the_model_if_asked(named: bool, path: Any, hint: str | None, line: str) -> None:
    """The model that owns the last key. The whole answer has no owner."""
    finding = Finding("own", path, "words", FailureKind.RULE, hint=hint, owner="Plan")
    assert entry(finding, owner=named) == line
    assert entry(replace(finding, owner=None), owner=True) == entry(finding) == entry(finding, owner=False)


FENCES = {
    "plain": "plain",
    "``": "``",
    "~~": "~~",
    "```": "\\u0060" * 3,
    "~~~": "\\u007e" * 3,
    "a ```` b ~~~ c": "a " + "\\u0060" * 4 + " b " + "\\u007e" * 3 + " c",
}


@pytest.mark.parametrize("text", FENCES)
def test_no_fence_is_left(text: str) -> None:
    """Three back-ticks or tildes become escapes that a JSON string may have too."""
    assert without_fences(text) == safe_line(text, 99) == FENCES[text]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("\x00\x1f\x7f\x9f", "\\u0000\\u001f\\u007f\\u009f"),
        ("\u200b\u200f\u2028\u202e\u2060\u2069\ufeff", "\\u200b\\u200f\\u2028\\u202e\\u2060\\u2069\\ufeff"),
        ("\ud800", "\\ud800"),
        ("ä計 \u2010\u2027", "ä計 \u2010\u2027"),
    ],
)
def test_what_cannot_be_seen_is_an_escape(text: str, shown: str) -> None:
    """Control and direction marks, line ends and halves of pairs. Letters of any script stay."""
    assert safe_line(text, 99) == shown


@given(st.text(), st.integers(1, 30))
def test_a_text_is_one_line_of_at_most_its_limit(text: str, limit: int) -> None:
    """Escapes and the ellipsis count too."""
    shown = safe_line(text, limit)
    assert len(shown) <= limit
    assert len(shown.splitlines()) <= 1
