"""A search as a page."""

import re

from pytest_planguard import Contract
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.step import SearchConfig, Step, StepAnswer, StepBudget
from pytest_planguard.report.forms import draw
from pytest_planguard.report.forms.html import NODES as NODES_ON_PAGE
from pytest_planguard.report.pages.search import search_page
from pytest_planguard.wire.exchange import Finish

from ...plan_search.pipelines import Scripted, finding, verdict
from ..html_reader import Reader

CONFIG = SearchConfig(escalates=False)
HOSTILE = "</pre><script>alert(1)</script>\x1b[2J"


def summaries(page: str) -> list[str]:
    """The line of each answer, as a reader sees it."""
    lines = re.findall(r"<summary>(.*?)</summary>", page)
    return [" ".join(re.sub(r"<[^>]+>", " ", line).split()) for line in lines]


def test_every_answer_has_its_line() -> None:
    """Depth first, indented by step, those of the path open."""
    page = draw(search_page(search(Scripted({"g_plan": ["goal-reachable", "ok"]}).steps, CONFIG)), "html")
    assert summaries(page) == [
        "passed 1 g_analysis ok 1",
        "passed 2 g_recon ok 2",
        "passed 3 g_strategy ok 3",
        "rejected 4 g_plan (whole answer) [goal-reachable], back to g_strategy",
        "passed 5 g_strategy (backtrack) ok 5",
        "passed 6 g_plan ok 6",
    ]
    assert re.findall(r"level-(\d)( failing)?\"( open)?", page) == [
        ("0", "", " open"), ("1", "", " open"), ("2", "", ""), ("3", " failing", ""),
        ("2", "", " open"), ("3", "", " open"),
    ]  # fmt: skip
    assert "plan search ( cbj ) success after 6 calls (every guard on the path passed)" in Reader(page).text
    assert "path: 1 g_analysis > 2 g_recon > 5 g_strategy > 6 g_plan" in Reader(page).text


def test_a_cut_off_answer_shows_its_findings() -> None:
    """With place and code, and why it ended."""
    steps = [Step("only", lambda _: StepAnswer('"a', Finish.LENGTH), Contract(str), StepBudget(1, 0))]
    page = draw(search_page(search(steps, CONFIG)), "html")
    assert summaries(page) == ["rejected 1 only (finish length) (whole answer) [truncated]"]
    assert "the answer was cut off at the token limit" in page


def test_what_a_model_wrote_stays_text() -> None:
    """Names, answers and messages are escaped, and nothing is loaded from outside."""
    bad = finding("<b>", message=HOSTILE)
    steps = [Step(HOSTILE, lambda _: HOSTILE, lambda path, answer: verdict(answer, bad), StepBudget(1, 0))]
    page = draw(search_page(search(steps, CONFIG)), "html")
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 3  # in the step's name, the answer and the message
    assert "<script" not in page
    assert "[&lt;b&gt;]" in page
    assert "\x1b" not in page
    assert not re.search(r"https?:|src=|@import", page)


def test_a_large_tree_is_cut() -> None:
    """The rest is counted."""
    budgets = (*(StepBudget(1, 0),) * 3, StepBudget(NODES_ON_PAGE, 0))
    config = SearchConfig(max_total_calls=NODES_ON_PAGE + 1, blame=CONFIG.blame, escalates=CONFIG.escalates)
    page = draw(search_page(search(Scripted({"g_plan": ["x"]}, budgets).steps, config)), "html")
    assert len(summaries(page)) == NODES_ON_PAGE
    assert "and 1 more answer<" in page


def test_a_search_without_any_answer() -> None:
    """The step that raised is named."""
    page = draw(search_page(search(Scripted({"g_analysis": ["raise"]}).steps, CONFIG)), "html")
    assert summaries(page) == []
    assert "ask of step &#39;g_analysis&#39; raised RuntimeError: no connection" in page
