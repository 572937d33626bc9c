"""Both ways to write a possessive repeat mean what it says: take all that is there, and give nothing back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document import limits as module
from pytest_planguard.document.limits import CLOSED_STRING, possessive
from tests.support.paths import ROOT

REPEATS = [
    (r'[^"\\]++|\\.', "*", "a"),
    (r"\.[0-9]++", "?", r"\."),
    (r" ?+[a-z]++", "{0,5}", "x"),
    (r"[ab]|abc", "+", "b"),
]
"""A body, how often, and what can only follow where the repeat gives something back."""


@pytest.mark.parametrize(("body", "times", "after"), REPEATS)
@given(text=st.text(alphabet='ab c1.\\"x', max_size=12))
def test_both_forms_match_the_same(body: str, times: str, after: str, text: str) -> None:
    """An atomic group is what each Python reads rightly; this one's own form is compared with it."""
    for tail in ("", after):
        atomic = re.match(f"(?>(?:{body}){times}){tail}", text, re.DOTALL)
        here = re.match(possessive(body, times) + tail, text, re.DOTALL)
        assert (here and here.span()) == (atomic and atomic.span())


@given(text=st.text(alphabet='a\\"', max_size=12))
def test_a_closed_string_is_read_alike_by_each_python(text: str) -> None:
    """The possessive form of an old Python may keep half of a pair, which never closes a string."""
    for start in range(len(text)):
        atomic = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"', re.DOTALL).match(text, start)
        here = re.compile(CLOSED_STRING, re.DOTALL).match(text, start)
        assert (here and here.span()) == (atomic and atomic.span())


def test_the_form_for_an_older_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """There a group that fails half way would keep what it took."""
    monkeypatch.setattr(module, "_KEEPS_ITS_PLACE", False)
    assert possessive(r"\.[0-9]++", "?") == r"(?>(?:\.[0-9]++)?)"
    assert re.match("1" + possessive(r"\.[0-9]++", "?"), "1.")[0] == "1"  # type: ignore[index]
    assert re.match(possessive("a|ab") + "c", "abc") is None


def test_each_group_is_written_in_both_forms() -> None:
    """Only an older Python notices a group that is not: two patterns are safe in each, and say why."""
    bare = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")
    safe = ('r\'"(?:[^"\\\\]++|\\\\.)*+', 'r"""')
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted((ROOT / "pytest_planguard").rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if bare.search(line) and "`" not in line and not any(one in line for one in safe)
    ]
    assert found == []
