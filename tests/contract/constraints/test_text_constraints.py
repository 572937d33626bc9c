"""Regular expressions in linear time."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.constraints.builders import regex
from pytest_planguard.contract.constraints.text_constraints import matches
from pytest_planguard.errors import UsageError

from ...support.cost import no_hang


def test_search_and_fullmatch() -> None:
    """Search finds the pattern anywhere, fullmatch wants the whole text."""
    assert matches("b+", "abbc")
    assert not matches("b+", "abbc", "fullmatch")
    assert matches("a|abbc", "abbc", "fullmatch")
    assert not matches("^b", "a\nb")
    assert matches("(?m)^b", "a\nb")


@pytest.mark.parametrize("pattern", ["(a+)+$", "^(a|a)*$", r"^(\w+\s?)*$", "a*a*a*a*a*b", "(.*)(.*)(.*)x$"])
def test_no_pattern_hangs(pattern: str) -> None:
    """Patterns that go back exponentially elsewhere end at once, on any text."""
    with no_hang():
        assert not matches(pattern, "a" * 50_000 + "!")


def test_a_lone_surrogate_is_text_like_any_other() -> None:
    """A text that is no valid Unicode is searched all the same."""
    assert matches("a", "\ud800a")


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("a(?=b)", r"the pattern 'a\(\?=b\)' cannot be used: look-around.* \(at '\(\?='\); .*Use excludes"),
        (r"(a)\1", r"backreferences are not supported \(at '\\\\1'\)"),
        ("(", r"unclosed group"),
        ("a{1000}{1000}", "cannot be used"),
    ],
)
def test_what_the_engine_does_not_take(pattern: str, message: str) -> None:
    """A pattern without a linear-time reading is refused at definition, with the part and the way out."""
    with pytest.raises(UsageError, match=message):
        regex("title", pattern)
