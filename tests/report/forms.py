"""The reports of the tests in the forms that a command gives them."""

from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.report.diff_data import diff_data
from pytest_planguard.report.forms import draw
from pytest_planguard.report.pages.comparison import StrategyReport, comparison_page, strategies_page
from pytest_planguard.report.pages.run import run_page, runs_page
from pytest_planguard.report.plain_text import json_text
from pytest_planguard.runs.compare.run_diff import RunDiff
from pytest_planguard.runs.figures import figures_of_run
from pytest_planguard.runs.gate.gate import GateResult
from pytest_planguard.runs.model.run import Run


def render_diff(diff: RunDiff, gate: GateResult | None = None, *, color: bool = False, verbose: bool = False) -> str:
    """A comparison for a terminal."""
    return draw(comparison_page(DiffReport(diff, gate)), "text", color=color, verbose=verbose)


def render_markdown(report: DiffReport) -> str:
    """A comparison for a job's summary."""
    return draw(comparison_page(report), "markdown")


def render_html(report: DiffReport) -> str:
    """A comparison as a page."""
    return draw(comparison_page(report), "html")


def render_json(report: DiffReport, *, rows: bool = False) -> str:
    """A comparison for a program."""
    return json_text(diff_data(report.diff, report.gate, rows=rows))


def strategies(report: StrategyReport, form: str) -> str:
    """Three and more runs."""
    return draw(strategies_page(report), form)


def one_run(run: Run, form: str) -> str:
    """One run in figures."""
    return draw(run_page(run, figures_of_run(run)), form)


def kept(run: Run, form: str) -> str:
    """A list of one kept run."""
    return draw(runs_page([(run.header, figures_of_run(run))]), form)
