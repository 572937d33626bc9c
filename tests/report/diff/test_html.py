"""The page as text: self-contained, complete without script, nothing foreign as markup."""

import base64
import hashlib
import re

import pytest

from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.report.forms.html import ALL_ANSWERS, ANSWER_LIMIT, LEAST, answer_limit
from pytest_planguard.report.pages.comparison import case_view
from pytest_planguard.runs.compare.compare import compare

from ...support.runs import bad, good, run
from ..diffs import listed, measured_diff, odd_diff, report
from ..forms import render_html
from ..html_reader import Reader


def test_everything_can_be_read_without_script():
    """Verdict, cases, changes, findings and answers are in the markup itself."""
    page = Reader(render_html(report()))
    assert "FAIL 2 new failures, 1 fixed, 4 still failing, 1 changed but valid, 12 unchanged" in page.text
    assert "recommendation reject APPROVE breaks one_of" in page.text
    assert "recommendation (line 1, column " in page.text
    assert '"recommendation": "APPROVE"' in page.text
    assert "case-0001" in page.text
    form = next(attrs for tag, attrs in page.tags if tag == "form")
    assert "hidden" in form


def test_the_page_asks_no_host_for_anything():
    """No address but fragments of the page itself and an empty icon."""
    page = Reader(render_html(report(odd_diff())))
    addresses = {v for _, attrs in page.tags for k, v in attrs.items() if k in ("src", "href", "action", "srcset")}
    assert addresses
    assert {a for a in addresses if not a.startswith("#")} == {"data:,"}
    assert not [tag for tag, _ in page.tags if tag in ("img", "iframe", "object", "embed", "audio", "video")]


def test_the_policy_runs_the_page_s_own_script_and_nothing_else():
    """The script and the style are named by their hashes; a script that got in anyhow would not run."""
    text = render_html(report())
    policy = re.search(r'content="(default-src[^"]*)"', text)[1].replace("&#39;", "'")
    for tag in ("script", "style"):
        (inside,) = re.findall(rf"(?s)<{tag}>(.*?)</{tag}>", text)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_unchanged_cases_are_folded_and_have_no_answers():
    """Only what changed is shown by default."""
    text = render_html(report())
    fold = text.partition('<details class="same">')[2].partition("</details>")[0]
    assert len(re.findall(r'<p class="case unchanged"', fold)) == 12
    assert "<pre" not in fold


def test_a_conversation_is_shown_attempt_by_attempt_on_both_sides():
    """Outcome, checks, findings and raw answers, base and candidate."""
    text = Reader(render_html(report(odd_diff()))).text
    assert "Base test_x.py::talk · m-1 conversation 1: converged attempt 1: valid the model wrote" in text
    assert "conversation 1: exhausted fail: feedback: the request of attempt 2 missing 1 of 1 finding" in text
    told = '1 b : required field is missing [missing] the model wrote {"a": 2}'
    assert f"attempt 2: not valid content {told}" in text


def test_known_failures_are_marked():
    """They stay where they are, with the word."""
    text = Reader(render_html(report(baseline=listed(("case-0005", "one_of", ("recommendation",)))))).text
    assert "known failure case-0005" in text


def test_a_long_answer_is_clipped_and_says_so():
    """Five million characters do not go into a page."""
    answer = '{"a": "' + "x" * 5_000_000 + '"}'
    text = render_html(report(compare(run("a", [good("k")]), run("b", [bad("k", answer)]))))
    assert len(text) < 200_000
    assert f"… ({len(answer) - ANSWER_LIMIT:,} more characters)" in text


@pytest.mark.slow
def test_many_answers_share_what_a_browser_can_hold():
    """The limit of one answer falls with the number of answers, but never to nothing."""
    rows = [[make(f"k{n}") for n in range(1_000)] for make in (good, bad)]
    found = compare(*(run(name, side) for name, side in zip("ab", rows, strict=True)))
    limit = answer_limit([case_view(DiffReport(found), case) for case in found.cases])
    assert limit == ALL_ANSWERS // 2_000
    assert LEAST <= limit <= ANSWER_LIMIT


def test_the_address_of_a_case_is_made_from_its_key():
    """A link to a case leads to the same case in the next page too, with or without script."""
    one, other = (render_html(report(compare(run("a", [good("k")]), run(name, [bad("k")])))) for name in "bc")
    (found,) = re.findall(r'id="(case=[0-9a-f]{8})"', one)
    assert f'id="{found}"' in other
    assert f'href="#{found}"' in one


def test_a_list_that_is_compared_by_metrics_has_its_figures_on_the_page() -> None:
    """In a table of the case, below which a note says why."""
    text = Reader(render_html(report(measured_diff()))).text
    assert (
        "metric before now change items of (whole answer) 6 10 +66.7 % complete items of (whole answer) 100 %" in text
    )
    assert "items are matched by lever_id , which 0 of 6 share: compared by metrics" in text
