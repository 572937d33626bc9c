"""The lines around some words in an outline, and words that are cut off at a limit."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.proving.attribution import ends_at_limit, entry_around, lines_above

from ...support.one_item import in_one_item

LIST = "head\n  l0\n  l1\n  l2\n  l3\n  l4\n  l5"


@in_one_item
@pytest.mark.parametrize(
    ("words", "text", "above"),
    [
        ("l0", LIST, "head"),
        ("l3", LIST, "head\n  l0\n  l1\n  l2"),
        ("l4", LIST, "head\n  l0\n  l1\n  l2\n  l3"),
        ("l5", LIST, "  l0\n  l1\n  l2\n  l3\n  l4"),
        ("l0\nl1", LIST, "head"),
        ("b", "top\n      a\n    b", "top\n      a"),
        ("b", "top\n  a\n    b", "  a"),
        ("head", LIST, ""),
        ("l9", LIST, ""),
        ("", LIST, ""),
        ("a" * 24 + "b", f"top\n  {'a' * 24}c", "top"),
        ("a" * 23 + "b", f"top\n  {'a' * 23}c", ""),
    ],
)
def test_the_lines_above_a_line_of_an_outline(words: str, text: str, above: str) -> None:
    """Up to five, the last of them outside of its list; the line is known by its first 24 characters."""
    assert lines_above(words, ["Write it.", text]) == above


@in_one_item
@pytest.mark.parametrize(
    ("words", "text", "entry"),
    [
        ("a", "a\n  b", "a\n  b"),
        ("a", "x\n  y\na\n  b\nc", "a\n  b"),
        ("a", "\n  a\n    b", "  a\n    b"),
        ("b", "a\n\n  b\n    c", "  b\n    c"),
        ("b", "a\n  b\n  c", "a\n  b\n  c"),
        ("b", "a:\n  b\n    c", "  b\n    c"),
        ("b", "a: \n  b", ""),
        ("b", "a b\n  c", ""),
        ("c", "a\n  b\n  c\n  d", ""),
        ("b", "  a\nb\n c\nd", "b\n c"),
        ("b", "a\nb", ""),
    ],
)
def test_the_entry_of_a_line_in_an_outline(words: str, text: str, entry: str) -> None:
    """With the line right above it if that is less indented and no heading, and with the more indented lines below."""
    assert entry_around(words, ["Write it.", text]) == entry


@in_one_item
@pytest.mark.parametrize(
    ("words", "before", "now", "ends"),
    [
        ("prior", "Not valid: prior", "Not valid: title", True),
        ("a\nprior", "Not valid: prior", "Not valid: title", True),
        ("prior", "Not valid: prior\nPlease!", "Not valid: title\nOnce more!", True),
        ('{"why": "prior"}', '{"why": "Not valid: prior"}', '{"why": "Not valid: title"}', True),
        ("prio!", "Not valid: prio!", "Not valid: title", False),
        ("prior", "Not valid: prior", "Not valid: age", False),
        ("prior", "No: prior", "Not valid: age!", False),
        ("prior", "No: prior\nNot valid: names", "Not valid: title", False),
        ("valid", "Not valid: prior", "Not valid: title", False),
        ("", "", "", False),
    ],
)
def test_words_end_at_the_limit_of_all_texts(words: str, before: str, now: str, ends: bool) -> None:
    """The last ones with a letter at the end, where a turn or a line is as long as the longest one without them."""
    assert ends_at_limit(words, ["Write it.", before], ["Write it.", now]) is ends


def test_only_the_turns_of_this_retry_have_a_limit() -> None:
    """Earlier turns are the same in both requests."""
    earlier = "Not valid: prior"
    assert not ends_at_limit("prior", [earlier, "ok"], [earlier, "no"])
