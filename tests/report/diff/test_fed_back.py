"""What a retry fed back, in a comparison: the terminal names what is missing, the page shows every grade."""

from dataclasses import replace

from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import RunDiff
from pytest_planguard.runs.model.judged_answers import FedBackRow

from ...support.runs import attempt, case, finding, good, run
from ..diffs import report
from ..forms import render_diff, render_html

FEEDBACK = (
    FedBackRow("enum", ("priority",), "located", evidence="1. priority: <high> or low"),
    FedBackRow("length", ("steps", 0), "missing", reason="no entry names /steps/0"),
)


def diff() -> RunDiff:
    """The candidate's first retry loses one of two findings."""
    first = replace(attempt("{}", finding("enum", ("priority",)), finding("length", ("steps", 0))), fed_back=FEEDBACK)
    return compare(run("main", [good("a")]), run("candidate", [case("a", first, attempt("{}", finding("x")))]))


def test_the_terminal_names_what_was_lost_on_the_way() -> None:
    """Places of missing findings, by the attempt whose request lacks them."""
    assert "    missing on the way to attempt 2: steps[0]\n" in render_diff(diff())


def test_the_page_shows_what_became_of_each_finding() -> None:
    """Grade, place, and the words that feed it back or why it is missing, escaped."""
    page = render_html(report(diff()))
    located = (
        '<li class="good"><b class="n told">1</b> <b>located</b> priority [enum]: 1. priority: &lt;high&gt; or low</li>'
    )
    missing = '<li class="bad"><b class="n told">2</b> <b>missing</b> steps[0] [length]: no entry names /steps/0</li>'
    assert located in page
    assert missing in page
