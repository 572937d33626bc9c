"""The comparison as text: the verdict first, then what explains it, then case by case."""

from dataclasses import replace
from datetime import date

import pytest

from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.report.diff_data import diff_data
from pytest_planguard.report.page import Cases, Facts, Foreign
from pytest_planguard.report.pages.comparison import render_task
from pytest_planguard.report.pages.run import run_page
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import RunDiff
from pytest_planguard.runs.figures import figures_of_run
from pytest_planguard.runs.gate.gate import FailOn, gate
from pytest_planguard.runs.model.run import CaseRow
from pytest_planguard.runs.value_diff_options import diff_options

from ...support.runs import attempt, bad, case, finding, good, run
from ..forms import render_diff, render_html, render_markdown

TODAY = date(2026, 5, 1)
BROKEN = case("b", attempt('{"recommendation": "Proceed", "n": 1}', finding("one_of", ("recommendation",))))
BASE = [good("a"), good("b", '{"recommendation": "Go", "n": 1}', model="m1"), bad("c")]
CANDIDATE = [good("a"), BROKEN, bad("c"), good("d", stale=("the prompt changed",))]


def found(base: list[CaseRow], candidate: list[CaseRow], **options: object) -> RunDiff:
    """Two runs called main and candidate, compared."""
    return compare(run("main", base), run("candidate", candidate), **options)  # type: ignore[arg-type]


def test_the_whole_comparison() -> None:
    """Counts, rates with intervals, axes, buckets, rules, figures, the gate's word."""
    diff = found(BASE, CANDIDATE)
    assert (
        render_diff(diff, gate(diff, [FailOn.NEW], TODAY))
        == """\
main → candidate: 1 new failure, 1 still failing, 1 unchanged, 1 added
good before: 2 of 3 (67 %, 95 % interval 21 to 94 %)
good now: 1 of 3 (33 %, 95 % interval 6 to 79 %): no evidence of a change (better in 0, worse in 1 of 3 cases, p = 1; \
about 14 more cases like these would decide)
differs in model: m1 → unknown

new failure (1)
  b
    recommendation: wrong
    recommendation: Go → Proceed (breaks one_of)

still failing (1)
  c
    still breaks missing at a

added (1)
  d: only the candidate has this case

rule     breaks before  breaks now  cases  better  worse  p  evidence
one_of               0           1      3       0      1  1  no evidence
missing              1           1      3       0      0  1  no evidence
better, worse: cases that break the rule only before, only now
p: two-sided p-value (exact McNemar test); at most 0.05 counts as evidence

figure                      before   now      change
valid at the first attempt    67 %  33 %  -33 points
attempts until valid             1     1      +0.0 %
attempts                         3     3      +0.0 %

FAIL: 1 new failure"""
    )


def test_a_passing_gate_says_so_and_a_report_without_gate_says_nothing() -> None:
    """The last line is the gate's."""
    diff = found([good("a")], [good("a")])
    result = gate(diff, [FailOn.NEW], TODAY)
    assert render_diff(diff, result).endswith("\nPASS")
    assert "PASS" not in render_diff(diff)
    assert [diff_data(diff, given)[name] for given in (result, None) for name in ("result", "passed", "reasons")] == [
        "pass", True, [], None, None, [],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("diff", "why"),
    [
        (found([good("a")], [good("b")]), "nothing could be compared"),
        (replace(found([good("a")], [good("a")]), unread=True), "a part of a run could not be read or judged"),
    ],
)
def test_a_gate_that_saw_nothing_or_not_all_does_not_say_pass(diff: RunDiff, why: str) -> None:
    """Its exit code is not 0 either: nothing bad was found, and that proves little."""
    result = gate(diff, [FailOn.NEW], TODAY)
    assert result.ok
    assert render_diff(diff, result).endswith(f"\nUNPROVEN: {why}")
    lines = render_markdown(DiffReport(diff, result)).splitlines()
    assert lines[0].startswith("❔ **planguard: UNPROVEN** ")
    assert f"- `{why}`" in lines
    assert 'class="verdict-line UNPROVEN"' in render_html(DiffReport(diff, result))
    data = diff_data(diff, result)
    assert (data["result"], data["passed"], data["reasons"]) == ("unproven", None, [why])


def test_colour_changes_nothing_but_the_paint() -> None:
    """Without its escapes the painted text is the plain text."""
    diff = found(BASE, CANDIDATE)
    painted = render_diff(diff, color=True)
    assert "\x1b[31m" in painted
    plain = painted
    for code in ("\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[2m", "\x1b[0m"):
        plain = plain.replace(code, "")
    assert plain == render_diff(diff)


def test_many_cases_are_counted_and_shown_on_request() -> None:
    """Twenty of a bucket, twelve changes of a case; verbose shows all."""
    rows = [[good(f"c{n:02}", str({f"k{i}": side for i in range(15)}).replace("'", '"')) for n in range(25)]
            for side in (1, 2)]  # fmt: skip
    diff = found(*rows)
    short, whole = render_diff(diff), render_diff(diff, verbose=True)
    assert "  and 5 more; --verbose shows all" in short
    assert "    and 3 more changes; --verbose shows all" in short
    assert (whole.count("\n  c"), whole.count(": 1 → 2"), "more" in whole) == (25, 375, False)


def test_conclusions_come_before_the_cases() -> None:
    """A table of the marked field; in a case it is the first change."""
    before, after = ('{"a": 0, "levers": [{"id": 1, "c": "keep"}, {"id": 2, "c": "keep"}]}',
                     '{"a": 1, "levers": [{"id": 1, "c": "drop"}, {"id": 2, "c": "keep"}]}')  # fmt: skip
    text = render_diff(found([good("x", before)], [good("x", after)], fields=diff_options(verdicts=["levers[*].c"])))
    assert (
        """
levers[*].c: 1 of 2 agree
before  now   times
keep    drop      1

changed but valid (1)
  x
    levers[id=1].c: keep → drop
    a: 0 → 1
"""
        in text
    )


def test_one_task_in_the_form_of_a_field_diff() -> None:
    """The task's name, then every field with a line for each side."""
    blockers = "The project faces three critical blockers: insufficient capital runway"
    proceed = "Proceed with Caution — the core concept is viable but"
    answer = f'{{"combined_summary": "{blockers}", "go_no_go_recommendation": "{proceed}"}}'
    (only,) = found([good("x", "{}")], [good("x", answer)]).cases
    assert (
        render_task(only, "PreProjectAssessmentTask")
        == f"""\
PreProjectAssessmentTask output diff:

  combined_summary:
-   (empty — field was missing)
+   {blockers}

  go_no_go_recommendation:
-   (empty — field was missing)
+   {proceed}"""
    )


def test_all_forms_count_the_same() -> None:
    """The JSON form has the counts, reasons and rules that the text shows; a missing side has no field."""
    diff = found(BASE, CANDIDATE)
    data = diff_data(diff, gate(diff, [FailOn.NEW], TODAY), rows=True)
    assert {name: n for name, n in data["counts"].items() if n} == {
        "new_failure": 1, "still_failing": 1, "unchanged": 1, "added": 1,
    }  # fmt: skip
    assert (data["passed"], data["reasons"], [rule["rule"] for rule in data["rules"]]) == (
        False, ["1 new failure"], ["one_of", "missing"],
    )  # fmt: skip
    (change,) = data["cases"][0]["values"][0]["changes"]
    assert change == {
        "kind": "changed", "where": "recommendation", "path": ["recommendation"], "path_after": ["recommendation"],
        "before": "Go", "after": "Proceed", "breaks": ["one_of"], "fixes": [], "verdict": False,
    }  # fmt: skip
    assert data["cases"][0]["candidate"][0]["judged"][0]["attempts"][0]["answer"].startswith("{")
    (added,) = diff_data(found([good("x", "{}")], [good("x", '{"a": null}')]))["cases"][0]["values"][0]["changes"]
    assert ("before" in added, added["after"]) == (False, None)


def test_hostile_names_and_answers_are_made_visible() -> None:
    """Escapes in a case key, a run's name, a stale reason and a value reach the terminal as text."""
    evil = "\x1b]0;x\x07\u202e"
    base = run(evil, [good(evil, '{"a": 1}'), good("s")], packages={})
    candidate = run("b", [good(evil, f'{{"a": "{evil}"}}'), good("s", stale=(evil,))])
    text = render_diff(compare(base, candidate))
    assert not any(char in text for char in ("\x1b", "\x07", "\u202e"))


def test_commits_and_missing_names_are_no_differences_between_runs() -> None:
    """The commits are named above; a run without a name still has a title."""
    before, after = run("", BASE, commit="1" * 40), run("candidate", CANDIDATE, commit="2" * 40)
    text = render_diff(compare(before, after))
    assert text.startswith("(no name) → candidate: ")
    assert "1" * 12 in text
    assert "differs in commit" not in text
    page = run_page(before, figures_of_run(before))
    assert page.title == Foreign("(no name)", 120)
    fails = {case.key: case.fails for block in page.blocks if isinstance(block, Cases) for case in block.every()}
    assert fails == {"a": False, "b": False, "c": True}
    assert [label for block in page.blocks if isinstance(block, Facts) for label, _ in block.entries][:1] == ["run"]
