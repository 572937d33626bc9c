"""The page of a comparison as a person sees it, in a real Chromium: widths, colours, marks, keys."""

import pytest

from ..forms import render_html
from ..talks import BAD, FEEDBACK, TASKS, WORDS, key_of, talks_report

CASES = "document.querySelectorAll('details.case')"
MARKS = "[...{}.querySelectorAll('mark.{}')].map(mark => [mark.dataset.n, mark.textContent])"

GROUND = """(function ground(each) {
  const colour = getComputedStyle(each).backgroundColor;
  return colour === "rgba(0, 0, 0, 0)" && each.parentElement ? ground(each.parentElement) : colour;
})"""
"""The colour behind an element: its own, or that of the nearest one around it that has any."""


@pytest.fixture
def talks(tmp_path):
    """The page's address."""
    file = tmp_path / "talks.html"
    file.write_text(render_html(talks_report()), encoding="utf-8")
    return file.as_uri()


@pytest.mark.parametrize("width", [360, 800, 1280, 2560])
def test_the_page_fits_its_window(page, talks, width):
    """Nothing is cut or has to be scrolled sideways, closed or open, and names of cases are whole."""
    page.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    page.open(talks)
    for opened in ("false", "true"):
        page.run(f"{CASES}.forEach(each => {{ each.open = {opened} }})")
        assert page.run("document.documentElement.scrollWidth") <= width
        cut = f"[...{CASES}].flatMap(each => [...each.querySelectorAll('.key, .words')])"
        wider = "each => each.clientWidth && each.scrollWidth > each.clientWidth + 1"
        assert page.run(f"{cut}.filter({wider}).length") == 0
    assert page.run("document.querySelector('.key').textContent") == key_of(TASKS[0])


def test_a_finding_is_marked_in_the_answer_and_in_the_request_that_carries_it(page, talks):
    """The same number in both, and the texts stay what they were."""
    page.open(talks)
    page.click("details.case summary")
    first = "document.querySelector('details.case .attempt')"
    assert page.run(MARKS.format(first, "hit")) == [["1", '"urgent"'], ["2", '["Cut the power"]']]
    assert page.run(MARKS.format(first, "told")) == [["1", WORDS[0]], ["2", WORDS[1]]]
    assert page.run(f"{first}.querySelector('pre').textContent") == BAD
    assert page.run(f"{first}.querySelector('pre.request').textContent") == f"user\n{FEEDBACK}"


def test_answer_and_next_request_stand_side_by_side_where_there_is_room(page, talks):
    """At 2,560 px each of the two conversations has them in one line; on a phone one is below the other."""
    tops = "[...document.querySelector('details.case .turns').children].map(each => each.getBoundingClientRect().top)"
    for width, aside in ((2560, True), (360, False)):
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        page.open(talks)
        page.run(f"{CASES}[0].open = true")
        first, second = page.run(tops)
        assert (first == second) is aside


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_words_and_marks_can_be_read_in_both_schemes(page, talks, scheme, dark):
    """Each text stands out from its ground by 4.5 to 1 and more, as WCAG 2 asks for."""
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    page.open(talks)
    page.run(f"{CASES}[0].open = true")
    places = ("body", ".words", ".small", ".file", "mark.hit", "mark.told", "del", "ins", ".mark", ".findings li", "a")
    shown = f"{list(places)}.map(p => document.querySelector('details[open] ' + p) || document.querySelector(p))"
    colours = page.run(f"{shown}.map(each => [getComputedStyle(each).color, {GROUND}(each)])")
    contrasts = {place: contrast(*pair) for place, pair in zip(places, colours, strict=True)}
    assert {place: found for place, found in contrasts.items() if found < 4.5} == {}
    assert (luminance(colours[0][1]) < 0.1) is dark


def test_a_case_that_keys_reach_is_not_below_the_filters(page, talks):
    """The bar with the filters sticks to the top; what j and k or a link lead to stands below it."""
    page.call("Emulation.setDeviceMetricsOverride", width=1280, height=500, deviceScaleFactor=1, mobile=False)
    page.open(talks)
    page.run(f"{CASES}.forEach(each => {{ each.open = true }})")
    for key in "jjk":
        page.press(key)
    top = "Math.round(document.activeElement.getBoundingClientRect().top)"
    assert page.run(f"{top} >= Math.round(document.querySelector('nav').getBoundingClientRect().bottom)") is True
    page.run("(() => { location.hash = '#' + document.querySelector('details.case').id })()")
    page.run("new Promise(done => setTimeout(done, 50))")
    linked = f"Math.round({CASES}[0].getBoundingClientRect().top)"
    assert page.run(f"{linked} >= Math.round(document.querySelector('nav').getBoundingClientRect().bottom)") is True


def test_the_words_of_a_finding_and_of_a_request_can_be_searched(page, talks):
    """What a case shows is what the search finds."""
    page.open(talks)
    page.press("/")
    for letter in "exhausted":
        page.press(letter)
    keys = f"[...{CASES}].filter(each => each.checkVisibility()).map(each => each.querySelector('.key').textContent)"
    assert page.run(keys) == [key_of(TASKS[0])]


def luminance(colour):
    """Relative luminance of 'rgb(1, 2, 3)', from 0 to 1, as WCAG 2 defines it."""
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """From 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
