"""The pages on what they are read on: a dark screen, a phone, paper; and with nothing to show."""

from pytest_planguard.report.pages.comparison import StrategyReport
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.deltas import compare_strategies

from ...support.runs import bad, good, run
from ..diffs import report
from ..forms import render_html
from ..forms import strategies as strategies_form


def test_dark_mode_follows_the_system(page, folder):
    """The same page, light and dark; text stands out on both."""
    colors = {}
    for scheme in ("light", "dark"):
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        page.open((folder / "reviews.html").as_uri())
        found = page.run("(s => [s.color, s.backgroundColor])(getComputedStyle(document.body))")
        colors[scheme] = [sum(map(int, color[4:-1].split(","))) for color in found]
    assert colors["light"][0] < 200 < 700 < colors["light"][1]
    assert colors["dark"][1] < 200 < 600 < colors["dark"][0]


def test_a_narrow_screen_scrolls_a_wide_table_and_breaks_no_word(page, tmp_path):
    """On a phone the page keeps its width; headings and figures stand on whole words, in every table."""
    strategies = [run(f"provider/a-model-with-a-long-name-{n}", [good("a"), bad("b")]) for n in "123"]
    file = tmp_path / "strategies.html"
    file.write_text(
        strategies_form(StrategyReport(compare_strategies(strategies), (compare(*strategies[:2]),)), "html"),
        encoding="utf-8",
    )
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=False)
    page.open(file.as_uri())
    assert page.run("document.documentElement.scrollWidth") <= 390
    assert page.run("(w => w.scrollWidth > w.clientWidth)(document.querySelector('.wide'))") is True
    single = "[...document.querySelectorAll('td.short')].every(each => each.firstChild.getClientRects().length === 1)"
    assert page.run(single) is True
    words = "[...document.querySelectorAll('th')].every(each => each.scrollWidth <= each.clientWidth)"
    assert page.run(words) is True
    lines = "Math.max(...[...document.querySelectorAll('th')].map(each => each.getBoundingClientRect().height))"
    assert page.run(lines) < 60


def test_what_is_printed_is_light_and_whole(page, folder):
    """Paper gets no dark ground, no filters and no box that scrolls, and what stands on one line is not cut."""
    page.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    page.open((folder / "odd.html").as_uri())
    page.run("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert page.run("getComputedStyle(document.body).color") == "rgb(29, 34, 40)"
    assert page.run("document.querySelector('nav').checkVisibility()") is False
    assert page.run("getComputedStyle(document.querySelector('pre')).maxHeight") == "none"
    page.run("document.querySelectorAll('details').forEach(each => { each.open = false })")
    assert page.run("getComputedStyle(document.querySelector('details.case .words')).whiteSpace") == "normal"


def test_a_comparison_without_cases_offers_no_filters(page, tmp_path):
    """The verdict and its reason, and no controls that have nothing to work on; no script stumbles over that."""
    file = tmp_path / "empty.html"
    file.write_text(render_html(report(compare(run("a", []), run("b", [])))), encoding="utf-8")
    page.open(file.as_uri())
    assert page.run("document.querySelector('.verdict-line').textContent") == "UNPROVEN no cases"
    assert page.run("document.querySelector('nav, form, script') === null") is True
    assert page.complaints() == []
