"""Text for terminals and logs: columns, blocks, colours, and JSON."""

from __future__ import annotations

import json

import pytest

from pytest_planguard.report.plain_text import Style, block, columns, json_safe, json_text, width


@pytest.mark.parametrize(
    ("char", "size"),
    [
        ("a", 1), ("é", 1), ("日", 2), ("Ａ", 2), ("ｱ", 1), ("😀", 2), ("·", 1),
        ("\u0301", 0), ("\u20dd", 0), ("\u200d", 0), ("\u200b", 0),
    ],
)  # fmt: skip
def test_the_columns_of_a_character(char: str, size: int) -> None:
    """Two for a wide one; none for one that is put on another or joins two."""
    assert width(char) == size
    assert width(f"a{char}b") == size + 2


def test_a_block_that_just_fits_is_whole() -> None:
    """One character more is counted, with a comma for thousands."""
    assert block("abcd", 4) == "abcd"
    assert block("abcde", 4) == "abcd\n… (1 more character)"
    assert block("a" * 5_000, 1) == "a\n… (4,999 more characters)"
    assert block("", 0) == ""


def test_a_table_is_as_wide_as_its_cells() -> None:
    """Two blanks between columns, none at the end of a line."""
    rows = [("a", "b", "c"), ("long", "1", ""), ("", "日本", "x" * 61)]
    assert columns(rows, right=frozenset({1})).split("\n") == [
        "a        b  c",
        "long     1",
        f"      日本  {'x' * 58} …",
    ]
    assert columns([("x" * 60,)]) == "x" * 60
    assert columns([("abcdef",)], limit=5) == "abc …"


@pytest.mark.parametrize(
    ("value", "safe"),
    [
        ("\ud800a\udfff", "\\ud800a\\udfff"),
        ({1: ("a", None)}, {"1": ["a", None]}),
        ({"\ud800": [True, 1.5]}, {"\\ud800": [True, 1.5]}),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (2**13_999, 2**13_999),
        (2**14_000, "(a whole number of 14,001 bits)"),
        (-(2**14_000), "(a whole number of 14,001 bits)"),
        ({"a"}, "{'a'}"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_value_has_a_form_in_json(value: object, safe: object) -> None:
    """What JSON lacks is spelled out, as a text."""
    assert json_safe(value) == safe


def test_json_is_plain_and_indented() -> None:
    """Hidden characters and commands to a build log are escaped, and mean the same."""
    text = json_text({"é": ["::a:::b", "##[x]", "#[", float("inf")]})
    assert text == (
        '{\n  "\\u00e9": [\n    "\\u003a:a\\u003a\\u003a:b",\n    "##\\u005bx]",\n    "#[",\n    "inf"\n  ]\n}'
    )
    assert json.loads(text) == {"é": ["::a:::b", "##[x]", "#[", "inf"]}


def test_the_colours() -> None:
    """Each has its code, and an empty text has none."""
    style = Style(color=True)
    painted = [paint("x") for paint in (style.bad, style.good, style.warn, style.dim, style.strong)]
    assert painted == [f"\x1b[{code}mx\x1b[0m" for code in (31, 32, 33, 2, 1)]
    assert (style.bad(""), Style().bad("x"), Style(color=False).strong("x")) == ("", "x", "x")
