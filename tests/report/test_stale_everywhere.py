"""A stale case in every form of a report: why, the exact command, and what it takes."""

import html
import json
from xml.etree import ElementTree as ET

import pytest

from pytest_planguard.replay.session.rerecord import RerecordHint
from pytest_planguard.report.annotations import render_github
from pytest_planguard.report.ci_files import junit_properties, render_junit, render_sarif
from pytest_planguard.report.pages.run import run_data
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.figures import figures_of_run

from ..support.runs import good, run
from .diffs import report
from .forms import one_run, render_diff, render_html, render_json, render_markdown

COMMAND = "pytest test_app.py::test_ticket --planguard-record=stale"
LINE = f"{COMMAND} # about 2 calls, 1,230 tokens"
STALE = good("t", stale=("request 1 differs",), rerecord=RerecordHint(COMMAND, 2, 1_200, 30))
DIFF = report(compare(run("a", [good("t")]), run("b", [STALE])))
RUN = run("b", [STALE])
FIGURES = figures_of_run(RUN)


@pytest.mark.parametrize(
    "form",
    [
        render_diff(DIFF.diff),
        render_markdown(DIFF),
        html.unescape(render_html(DIFF)),
        render_github(DIFF),
        json.dumps(json.loads(render_sarif(DIFF, "1.0")), ensure_ascii=False),  # `::` is escaped in what is printed
        render_junit(DIFF),
        one_run(RUN, "text"),
        one_run(RUN, "markdown"),
        html.unescape(one_run(RUN, "html")),
    ],
    ids=["text", "markdown", "html", "github", "sarif", "junit", "run text", "run markdown", "run html"],
)
def test_every_form_has_reason_command_and_estimate(form: str) -> None:
    """A reader need not open another form to know what to type and what it will take."""
    assert "request 1 differs" in form
    assert LINE in form


def test_as_data() -> None:
    """Command, calls and tokens apart, in the comparison and in the run."""
    told = {"command": COMMAND, "calls": 2, "input_tokens": 1_200, "output_tokens": 30}
    assert json.loads(render_json(DIFF))["cases"][0]["rerecord"] == told
    assert run_data(RUN, FIGURES)["stale_cases"] == [
        {"case": "t", "variant": None, "reasons": ["request 1 differs"], "rerecord": told}
    ]


def test_as_a_property_of_junit() -> None:
    """The skipped case has the line as a property too."""
    (found,) = ET.fromstring(render_junit(DIFF)).findall(".//property[@name='planguard_rerecord']")
    assert found.get("value") == LINE
    assert dict(junit_properties(STALE))["planguard_rerecord"] == LINE
