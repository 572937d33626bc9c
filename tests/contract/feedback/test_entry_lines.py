"""Lines of feedback are read back: place, code and message."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.feedback.entry_lines import code_of, entry, parse_entries, visible, without_fences
from pytest_planguard.contract.finding import Finding
from pytest_planguard.document.positions import Span

from ...support.one_item import in_one_item

KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp"]), max_size=9).filter(
    lambda key: not key.isdecimal()
)
PATHS = st.lists(KEYS | st.integers(0, 99), max_size=4).map(tuple)


@given(PATHS, st.sampled_from(["rule", "min_length", "own.code"]), st.none() | st.integers(1, 9))
def test_a_line_is_read_back(path: Any, code: str, line: int | None) -> None:
    """Whatever the keys are, as long as the path is not cut."""
    span = None if line is None else Span(0, 1, line)
    finding = Finding(code, path, "is not as it should be", FailureKind.RULE, span=span)
    for start in ("- ", "12. "):
        assert parse_entries(f"Head:\n{start}{entry(finding)}\nFoot.") == [(path, code, "is not as it should be")]


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
    """Nothing of a line that has no place, or no colon behind it."""
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
def test_a_wording_tells_its_code(message: str) -> None:
    """By how it begins; a type is all that is expected."""
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
def test_a_code_is_added_where_the_words_do_not_tell_it(code: str, message: str, line: str) -> None:
    """Also where they end as if they told another; what is spelt like no code is left out."""
    assert entry(Finding(code, (), message, FailureKind.RULE)) == f"(whole answer): {line}"
    if code != "no code" and message == line.partition(" [")[0] != line:
        assert parse_entries(f"- (whole answer): {line}") == [((), code, message)]


@pytest.mark.parametrize(
    ("owner", "path", "hint", "line"),
    [
        (False, ("a",), None, "/a: words [own]"),
        (True, ("a",), None, "/a: words ('a' in Plan) [own]"),
        (True, ("a", 0), "do so", "/a/0: words ('0' in Plan) (do so) [own]"),
        (True, (), None, "(whole answer): words [own]"),
        (False, ("a",), "do so", "/a: words (do so) [own]"),
    ],
)
def test_a_line_names_the_model_where_it_is_asked_for(owner: bool, path: Any, hint: str | None, line: str) -> None:
    """The model that owns the last key; the root has none."""
    finding = Finding("own", path, "words", FailureKind.RULE, hint=hint, owner="Plan")
    assert entry(finding, owner=owner) == line
    assert entry(replace(finding, owner=None), owner=owner) == line.replace(" ('a' in Plan)", "").replace(
        " ('0' in Plan)", ""
    )
    assert entry(finding) == entry(finding, owner=False)


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
    """Three back-ticks or tildes are escapes, which JSON strings understand, too."""
    assert without_fences(text) == visible(text, 99) == FENCES[text]


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
    """Control and direction marks, line ends, halves of pairs; letters of any script are none."""
    assert visible(text, 99) == shown


@given(st.text(), st.integers(1, 30))
def test_a_text_has_at_most_its_limit(text: str, limit: int) -> None:
    """On one line."""
    shown = visible(text, limit)
    assert len(shown) <= limit
    assert len(shown.splitlines()) <= 1
