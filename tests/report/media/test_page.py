"""The content of a page: lines of words, and the rules and changes of a case."""

from dataclasses import replace

from pytest_planguard.report.forms import draw
from pytest_planguard.report.forms.text import block_lines, render_text
from pytest_planguard.report.page import Answer, Case, Facts, Foreign, Lines, Listing, Page, joined, plain
from pytest_planguard.runs.model.broken_rules import Broken
from pytest_planguard.runs.value_diff import ChangeKind, FieldChange

CHANGE = FieldChange(ChangeKind.CHANGED, ("a",), ("a",), 1, 2, "a")


def test_lines_are_made_of_our_words_and_foreign_ones() -> None:
    """Foreign words are cut, ours are not."""
    assert plain(("a ", Foreign("b" * 9, 5), " c")) == "a bbb … c"
    assert joined(", ", ["a", ("b", Foreign("c")), Foreign("d")]) == ("a", ", ", "b", Foreign("c"), ", ", Foreign("d"))
    assert joined(", ", []) == ()
    assert list(block_lines([Facts((("a", "b"),)), Lines(("c\nd",))])) == ["a: b", "c", "d"]


def test_a_case_names_five_rules_of_a_verb() -> None:
    """Those that a change explains are left out beside it."""
    rules = tuple(("breaks", Broken(f"r{n}")) for n in range(6))
    five, six = Case("k", rules=rules[:5]), Case("k", rules=rules)
    assert list(map(plain, five.ruled())) == ["breaks r0, r1, r2, r3, r4"]
    assert list(map(plain, six.ruled())) == ["breaks r0, r1, r2, r3, r4, and 1 more"]
    changes = (CHANGE, replace(CHANGE, breaks=("r0",)), replace(CHANGE, fixes=("r1",)), replace(CHANGE, verdict=True))
    explained = replace(six, answers=(Answer(changes[:2]), Answer(changes[2:])))
    assert list(map(plain, explained.unexplained)) == ["breaks r2, r3, r4, r5"]
    assert explained.changes == (*changes[1:], changes[0])


def test_a_page_is_cut_and_plain_unless_asked_otherwise() -> None:
    """Whichever function draws it."""
    items = Page("t", "l", blocks=(Listing("to do", tuple(f"item {n}" for n in range(21))),))
    for drawn in (render_text(items, color=False), draw(items, "text")):
        assert drawn.startswith("t: l\n\nto do:\n  item 0\n")
        assert drawn.endswith("  item 19\n  and 1 more")
    assert render_text(items, color=False, verbose=True).endswith("\n  item 20")
