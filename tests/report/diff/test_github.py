"""Annotations of a workflow: one command a line, at a file and line, with every escape."""

import re
from dataclasses import replace
from datetime import date
from time import process_time

import pytest

from pytest_planguard.report.annotations import SHOWN, Annotation, Location, all_annotations, command, render_github
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.gate.gate import FailOn, gate
from pytest_planguard.runs.gate.known_failures import Baseline, updated

from ...support.runs import bad, good, run
from ..diffs import listed, odd_diff, report, single_file


def test_a_new_failure_is_an_error_where_it_stands():
    """File and line of the answer, the case, the rule, the change."""
    lines = render_github(report()).splitlines()
    assert lines[1] == (
        "::error file=out/candidate.jsonl,line=6,title=planguard%3A new failure::"
        "case-0005: breaks one_of at recommendation%0A"
        'recommendation (line 1, column 153): expected one of "approve", "reject", "revise", "escalate"; '
        'got "APPROVE"%0A'
        "recommendation: reject → APPROVE (breaks one_of)"
    )
    assert lines[-1] == (
        "::notice title=planguard::FAIL: 2 new failures, 1 fixed, 4 still failing, 1 changed but valid, 12 unchanged"
    )


def test_a_test_is_annotated_at_its_line_below_the_prefix():
    """The row knows the line of its test; the prefix leads from the repository to pytest's root."""
    text = render_github(report(odd_diff(), prefix="services/api"))
    assert "::error file=services/api/test_x.py,line=12,title=planguard%3A new failure::talk: breaks " in text
    assert "title=planguard%3A added and failing::fresh and bad: only the candidate has this case" in text
    assert "fresh:" not in text


@pytest.mark.parametrize("path", ["C:/repo/test_x.py", "C:\\repo\\test_x.py", "/repo/test_x.py"])
def test_an_absolute_path_has_no_prefix(path: str) -> None:
    """Of a test outside pytest's root; with slashes, as the format has it."""
    row = replace(bad("a"), test=f"{path}::test_a")
    text = render_github(report(compare(run("a", [good("a")]), run("b", [row])), prefix="services/api"))
    assert f"::error file={path.replace(chr(92), '/').replace(':', '%3A')},title" in text


def test_what_is_stale_unstable_or_not_comparable_is_a_warning():
    """Nothing is known about those: they are no errors."""
    lines = render_github(report(odd_diff())).splitlines()
    warned = [
        re.sub(r".*title=planguard%3A ([^:]*)::.*", r"\1", line) for line in lines if line.startswith("::warning")
    ]
    assert warned == ["stale", "unstable", "not comparable"]


def test_a_finding_in_a_file_that_is_the_answer_has_its_own_line():
    """There a place in the answer is a place in the file."""
    assert "::error file=plans/b.json,line=3,col=8,title=" in render_github(report(single_file()))


def test_a_known_failure_is_a_warning():
    """It is shown, and it fails nothing."""
    text = render_github(report(baseline=listed(("case-0005", "one_of", ("recommendation",)))))
    assert "::warning file=out/candidate.jsonl,line=6,title=planguard%3A known failure::case-0005" in text


def test_beyond_what_a_step_shows_annotations_are_counted():
    """Ten of a level are shown: the tenth counts the rest."""
    keys = [f"k{number:02}" for number in range(30)]
    lines = render_github(report(compare(run("a", map(good, keys)), run("b", map(bad, keys))))).splitlines()
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == SHOWN
    assert errors[-1] == "::error title=planguard::22 more: see the job's summary, or planguard diff --format text"


def test_every_separator_is_escaped():
    """A file's name or a message cannot end a property, a line or a command."""
    place = Location("a,b:c\nd.py", 1)
    found = Annotation("error", "a:b,c%", "", "x\ny\r50%::set-output name=a::b", location=place)
    assert command(found) == (
        r"::error file=a%2Cb%3Ac\nd.py,line=1,title=planguard%3A a%3Ab%2Cc%25::x%0Ay%0D50%25::set-output name=a::b"
    )


def test_thousands_of_known_failures_take_seconds() -> None:
    """Each one searched the whole list: 2,000 took a second, and 20,000 would take minutes."""
    before = run("a", [good(f"k{at}") for at in range(6_000)])
    after = run("b", [bad(f"k{at}", path=("a", f"x{at}")) for at in range(6_000)])
    today = date(2026, 1, 1)
    diff, listed = compare(before, after), updated(Baseline(), after.rows, today)
    report = DiffReport(diff, gate(diff, {FailOn.NEW}, today, baseline=listed))
    start = process_time()
    found = [one for one in all_annotations(report) if one.title == "known failure"]
    assert len(found) == 6_000
    assert process_time() - start < 5
