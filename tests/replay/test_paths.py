"""Globs match files as a regular expression of the same meaning does, and in time that grows with their product."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.replay.paths import fits_glob

from ..support.cost import no_hang

NAMES = st.lists(st.sampled_from(["a", "ab", "b"]), max_size=6)
GLOBS = st.lists(st.sampled_from(["**", "*", "a", "a*", "?b"]), max_size=6)


def _pattern(glob: list[str]) -> str:
    """Return a glob as an expression over names that each end with a slash: "a/**/b" as "a/(?:[^/]+/)*b/"."""
    one = {"**": "(?:[^/]+/)*", "*": "[^/]+/", "a": "a/", "a*": "a[^/]*/", "?b": "[^/]b/"}
    last = "(?:[^/]+/)+" if glob[-1:] == ["**"] else "".join(one[name] for name in glob[-1:])
    return "".join(one[name] for name in glob[:-1]) + last


@given(NAMES, GLOBS)
def test_a_glob_matches_what_its_expression_matches(path: list[str], glob: list[str]) -> None:
    """`**` stands for any number of folders, and at the end for at least one name."""
    expected = re.fullmatch(_pattern(glob), "".join(f"{name}/" for name in path))
    assert fits_glob(path, glob) == (expected is not None)


def test_many_stars_take_no_time() -> None:
    """Each `**` may take any number of names, and trying every split needed exponential time."""
    with no_hang():
        assert not fits_glob(["a"] * 40 + ["b"], ["**", "a"] * 20)
