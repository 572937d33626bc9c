"""A finding is read in seconds: where, what, and the model's own line."""

from dataclasses import replace

from pytest_planguard.contract.finding import Related, Severity
from pytest_planguard.report.finding_text import NAMED, named, render_finding, render_findings, render_verdict

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
