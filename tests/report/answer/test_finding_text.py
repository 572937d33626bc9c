"""A finding is read in seconds: where, what, and the model's own line."""

from dataclasses import replace

import pytest

from pytest_planguard.contract.finding import Related, Severity
from pytest_planguard.document.positions import Span
from pytest_planguard.report.finding_text import (
    NAMED,
    named,
    render_finding,
    render_findings,
    render_verdict,
    text_of,
)
from pytest_planguard.report.plain_text import count

from ...support.verdicts import BAD, GOOD, PRIORITY, STEPS, verdict


def test_a_finding_in_its_place():
    """Path, position, message, code, frame and hint."""
    assert (
        render_finding(PRIORITY, BAD)
        == """\
  x priority (line 3, column 15): expected one of "low", "high"; got "hi"  [enum]
    1 | {
    2 |   "title": "Printer",
    3 |   "priority": "hi",
      |               ^^^^
    4 |   "steps": []
    5 | }
    hint: did you mean "high"?"""
    )


def test_a_finding_without_a_place():
    """Where there is no text there is no frame."""
    assert render_finding(replace(STEPS, span=None), "") == "  x steps: expected at least 1 item; got 0  [length]"


def test_the_other_place_is_named():
    """What belongs together is said together."""
    doubled = replace(STEPS, span=None, related=(Related("first defined here", ("steps", 0)),))
    assert "    see steps[0]: first defined here" in render_finding(doubled, "").split("\n")


def test_a_summary_names_some_findings_and_counts_the_rest():
    """As many as a line holds are named without a count; of one more the count is said."""
    findings = [replace(STEPS, path=("steps", n)) for n in range(NAMED + 1)]
    listed = ", ".join(f"steps[{n}] [length]" for n in range(NAMED))
    assert named(findings[:NAMED]) == listed
    assert named(findings) == f"{listed} and 1 more"


def test_what_the_model_wrote_is_not_obeyed():
    """Escape sequences in paths, messages and hints are shown as text."""
    evil = replace(PRIORITY, path=("\x1b[2J",), message="\x1b[31m\nFAKE: 1 passed", hint="\u202egnp.exe", span=None)
    shown = render_finding(evil, "")
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert len(shown.split("\n")) == 2


def test_many_findings_are_counted():
    """Eight are shown, the rest is counted with its codes."""
    shown = render_findings([replace(STEPS, span=None)] * 11, "")
    assert shown.endswith("\n  and 3 more (length)")
    assert shown.count("[length]") == 8


def test_a_bad_verdict():
    """The first line says what is wrong with which contract."""
    assert render_verdict(verdict(BAD, STEPS)).startswith(
        "not a valid Ticket: 1 finding\n  x steps (line 4, column 12)"
    )


def test_a_good_verdict_with_a_note():
    """A valid answer says so, and what was noted about it."""
    note = replace(STEPS, severity=Severity.INFO, span=None, message="a fence was stripped", code="fence", path=())
    assert render_verdict(verdict(GOOD, note)) == "valid Ticket\n  i (whole answer): a fence was stripped  [fence]"


def test_colour_changes_nothing_but_colour():
    """Without its escape sequences the coloured text is the plain one."""
    import re

    colored = render_verdict(verdict(BAD, PRIORITY), color=True)
    assert re.sub(r"\x1b\[\d+m", "", colored) == render_verdict(verdict(BAD, PRIORITY))
    assert colored != render_verdict(verdict(BAD, PRIORITY))


@pytest.mark.parametrize(
    ("severity", "color", "mark"),
    [
        (Severity.INFO, "\x1b[2m", "i"),
        (Severity.WARN, "\x1b[33m", "!"),
        (Severity.RETRY, "\x1b[31m", "x"),
        (Severity.FAIL, "\x1b[31m", "X"),
    ],
)
def test_a_severity_has_its_mark_and_colour(severity: Severity, color: str, mark: str) -> None:
    """The place is strong, and the code is dim."""
    found = replace(STEPS, severity=severity, span=None)
    assert render_finding(found, "", color=True) == (
        f"  {color}{mark}\x1b[0m \x1b[1msteps\x1b[0m: expected at least 1 item; got 0  \x1b[2m[length]\x1b[0m"
    )


def test_a_finding_in_the_text_of_a_field_shows_that_text() -> None:
    """Its line and column are those of the field's text."""
    answer = '{"plan": "one\\ntwo", "n": 1}'
    inside = replace(STEPS, span=Span(2, 1, 2, 4), inside=("plan",))
    assert render_finding(inside, answer).split("\n") == [
        "  x steps (line 2, column 1 of plan): expected at least 1 item; got 0  [length]",
        "    1 | one",
        "    2 | two",
        "      | ^^^",
    ]
    assert [text_of(answer, path) for path in ((), ("plan",), ("n",), ("gone",), ("plan", 0))] == [
        answer, "one\ntwo", "", "", "",
    ]  # fmt: skip


def test_everything_that_a_finding_can_say_is_below_it_in_order() -> None:
    """The frame, the other places, the hint."""
    related = (Related("first", ("a",)), Related("second", ()))
    assert render_finding(replace(PRIORITY, related=related), "{}\n{}\nhi").split("\n")[1:] == [
        "    1 | {}",
        "    2 | {}",
        "    3 | hi",
        "      |   ^",
        "    see a: first",
        "    see (whole answer): second",
        '    hint: did you mean "high"?',
    ]


def test_the_ninth_finding_is_counted_with_the_codes_of_the_rest() -> None:
    """Each code once, sorted."""
    eight = [replace(STEPS, span=None)] * 8
    rest = [replace(STEPS, code=code) for code in ("type", "enum", "type")]
    assert "more" not in render_findings(eight, "")
    assert render_findings([*eight, *rest], "").endswith("[length]\n  and 3 more (enum, type)")


def test_a_verdict_counts_only_what_is_bad() -> None:
    """A warning stands with a valid answer, and beside a bad one it is left out."""
    warning = replace(PRIORITY, severity=Severity.WARN, span=None)
    assert render_verdict(verdict(GOOD, warning)).startswith("valid Ticket\n  ! priority: ")
    assert render_verdict(verdict(GOOD)) == "valid Ticket"
    assert render_verdict(verdict(BAD, warning, replace(STEPS, span=None))) == (
        "not a valid Ticket: 1 finding\n  x steps: expected at least 1 item; got 0  [length]"
    )
    assert render_verdict(verdict(GOOD, warning), color=True).startswith("\x1b[32mvalid\x1b[0m Ticket\n")
    assert render_verdict(verdict(BAD, STEPS), color=True).startswith("\x1b[31mnot a valid Ticket\x1b[0m: 1 finding\n")


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 findings"), (1, "1 finding"), (2, "2 findings"), (1_234, "1,234 findings")]
)
def test_a_count(number: int, words: str) -> None:
    """In the singular for one, with a comma for thousands."""
    assert count(number, "finding") == words
