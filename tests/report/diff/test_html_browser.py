"""The page in a real Chromium: filters, address, keys, without script, and hostile answers stay inert."""

import json

from pytest_planguard.runs.compare.compare import compare

from ...support.runs import attempt, bad, case, finding, good, run
from ..diffs import report
from ..forms import render_html

SHOWN = (
    "[...document.querySelectorAll('.case')].filter(each => each.checkVisibility())"
    ".map(each => each.querySelector('.key').textContent)"
)
"""Keys of the cases that can be seen."""


def test_by_default_only_what_changed_is_visible(page, folder):
    """Eight of twenty; nothing was asked of any host, and nothing is complained about."""
    page.open(f"{(folder / 'reviews.html').as_uri()}")
    assert len(page.run(SHOWN)) == 8
    assert page.run("document.querySelector('output').value") == "8 of 20 cases"
    assert page.requests() == [(folder / "reviews.html").as_uri()]
    assert page.complaints() == []


def test_a_click_on_a_bucket_shows_it_alone_and_another_click_shows_all(page, folder):
    """The chip filters, the address tells it."""
    page.open((folder / "reviews.html").as_uri())
    page.click(".chip.new_failure")
    assert page.run(SHOWN) == ["case-0000", "case-0005"]
    assert page.run("location.hash") == "#bucket=new_failure"
    assert page.run("document.querySelector('.chip.new_failure').ariaPressed") == "true"
    page.click(".chip.unchanged")
    assert len(page.run(SHOWN)) == 12
    page.click(".chip.unchanged")
    assert len(page.run(SHOWN)) == 8


def test_filters_by_rule_model_and_text_combine(page, folder):
    """What is typed or chosen narrows; `clear` takes it back."""
    page.open((folder / "odd.html").as_uri())
    page.run(
        "(() => { const f = document.forms[0]; f.rule.value = 'missing'; f.rule.dispatchEvent(new Event('change')) })()"
    )
    assert page.run(SHOWN) == ["talk", "repaired", "still", "mixed", "fresh and bad"]
    page.run(
        "(() => { const f = document.forms[0]; f.model.value = 'm-2'; f.model.dispatchEvent(new Event('change')) })()"
    )
    assert page.run(SHOWN) == ["talk"]
    page.click("button[name=clear]")
    assert len(page.run(SHOWN)) == 10
    page.click("input[name=q]")
    for letter in "prompt":
        page.press(letter)
    assert page.run(SHOWN) == ["stale"]
    assert page.run("location.hash") == "#q=prompt"


def test_a_filtered_page_can_be_linked_and_the_back_button_works(page, folder):
    """The address alone gives the same page."""
    address = f"{(folder / 'odd.html').as_uri()}#rule=missing&bucket=still_failing"
    page.open(address)
    assert page.run(SHOWN) == ["still"]
    assert page.run("[document.forms[0].rule.value, document.querySelector('.chip.still_failing').ariaPressed]") == [
        "missing", "true",
    ]  # fmt: skip
    page.click("button[name=clear]")
    page.run("new Promise(done => { addEventListener('popstate', done, {once: true}); history.back() })")
    assert page.run(SHOWN) == ["still"]


def test_a_link_to_a_case_opens_it(page, folder):
    """Open and in sight."""
    text = (folder / "odd.html").read_text(encoding="utf-8")
    found = text.partition('id="case=')[2][:8]
    page.open(f"{(folder / 'odd.html').as_uri()}#case={found}")
    assert page.run(f"document.getElementById('case={found}').open") is True
    assert page.run(f"document.getElementById('case={found}').querySelector('pre').checkVisibility()") is True


def test_the_page_can_be_used_by_keys_alone(page, folder):
    """The keys j and k go from case to case, Enter opens, / searches, Escape leaves the field, x clears."""
    page.open((folder / "reviews.html").as_uri())
    where = "document.activeElement.querySelector?.('.key')?.textContent"
    for key, expected in (("j", "case-0000"), ("j", "case-0005"), ("j", "case-0007"), ("k", "case-0005")):
        page.press(key)
        assert page.run(where) == expected
    page.press("Enter")
    assert page.run("document.activeElement.parentElement.open") is True
    page.press("/")
    for letter in "jx5":
        page.press(letter)
    assert page.run("[document.activeElement.name, document.forms[0].q.value]") == ["q", "jx5"]
    assert page.run(SHOWN) == []
    assert page.run("document.getElementById('nothing').checkVisibility()") is True
    page.press("Escape")
    page.press("x")
    assert len(page.run(SHOWN)) == 8


def test_without_script_everything_is_there(page, folder):
    """No filter is offered, every changed case opens by a click, and a bucket's link leads to it."""
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.open(f"{(folder / 'reviews.html').as_uri()}#bucket=still_failing")
    page.call("Emulation.setScriptExecutionDisabled", value=False)  # the page's script has had its chance
    assert page.run("document.forms[0].checkVisibility()") is False
    assert len(page.run(SHOWN)) == 8
    assert page.run(
        "Math.round(document.getElementById('bucket=still_failing').getBoundingClientRect().top) < innerHeight"
    )
    page.click("details.case summary")
    assert page.run("document.querySelector('details.case pre').checkVisibility()") is True


def test_a_hostile_answer_is_inert(page, tmp_path):
    """Markup, event handlers, attribute breaks and links in keys, values, rules, models and answers do nothing."""
    evil = (
        "</pre></details><script>window.hit=1</script><img src=x onerror='window.hit=2'>\"'><a href=javascript:hit()>"
    )
    answer = json.dumps({"text": evil, evil: 1})
    bad_one = case(f"k {evil}", attempt(answer, finding(evil, ("text",), evil)), model=evil, stale=())
    found = compare(run(evil, [good(f"k {evil}", model="m")]), run(evil, [bad_one, bad(evil, evil, code=evil)]))
    file = tmp_path / "evil.html"
    file.write_text(render_html(report(found)), encoding="utf-8")
    page.open(file.as_uri())
    page.run("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert page.run("window.hit === undefined && document.scripts.length === 1 && document.images.length === 0") is True
    assert page.run("[...document.links].every(each => each.getAttribute('href').startsWith('#'))") is True
    assert (
        page.run(f"document.querySelector('.talk pre, main pre').textContent.length > 0 && {len(answer)} > 0") is True
    )
    assert (
        page.run(f"[...document.querySelectorAll('pre')].some(each => each.textContent === {json.dumps(answer)})")
        is True
    )
    page.click(".chip.new_failure")
    assert len(page.run(SHOWN)) == 1
    assert page.complaints() == []
    assert page.requests() == [file.as_uri()]


def test_a_script_that_got_in_anyhow_does_not_run(page, folder, tmp_path):
    """The page's policy is a second fence: it names its one script by hash."""
    text = (folder / "reviews.html").read_text(encoding="utf-8")
    evil = "<script>window.hit=1</script><img src=x onerror='window.hit=2'><img src=http://127.0.0.1:9/x>"
    file = tmp_path / "broken.html"
    file.write_text(text.replace("<main>", f"<main>{evil}"), encoding="utf-8")
    page.open(file.as_uri())
    assert page.run("window.hit === undefined && document.images.length === 2") is True
    assert len(page.run(SHOWN)) == 8
    assert any("Content Security Policy" in text for text in page.complaints())
