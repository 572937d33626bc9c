"""Every page of hostile rows in a real Chromium: nothing runs, nothing is loaded, nothing leads away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.pipeline.matrix import AttemptRecord, matrix_of
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.step import SearchConfig, Step, StepBudget
from pytest_planguard.plans.plan import Plan, Task
from pytest_planguard.plans.plan_graph import graph_of
from pytest_planguard.report.forms import draw
from pytest_planguard.report.pages.search import search_page
from pytest_planguard.report.pages.strength import strength_page
from pytest_planguard.report.pages.tasks import matrix_page
from pytest_planguard.report.plan_picture import draw_graph

from ...support.browser import Page
from ..forms import kept, one_run, render_html, strategies
from ..test_strength import result
from .test_hostile import HOSTILE, finding, hostile_report, hostile_run, hostile_strategies

HIT = "hit=1"
OUT = "http://127.0.0.1:9/x"
EVIL = f"""</script></style></title></textarea></pre></svg></details><script>{HIT}</script>
<img src={OUT} onerror={HIT}><svg onload={HIT}><use href={OUT}#a /></svg><iframe srcdoc='<script>{HIT}'></iframe>
<object data={OUT}></object><embed src={OUT}><link rel=stylesheet href={OUT}><base href={OUT}><audio src={OUT}></audio>
<meta http-equiv=refresh content='0;url={OUT}'><style>@import '{OUT}';*{{background:url({OUT})}}</style>
<form action={OUT}><input autofocus onfocus={HIT}></form><video poster={OUT}></video><math href={OUT}>x</math>
<a href=javascript:{HIT}>a</a> javascript:{HIT} {OUT} <details open ontoggle={HIT}>
" autofocus onfocus={HIT} x="' onmouseover={HIT} x=' `${{{HIT}}}` {{{{{HIT}}}}} ]]><![CDATA[ -->"""
"""What browsers run or load, and the ends of all that text can stand in."""
SHORT = f"<script>{HIT}</script>"
"""Where a long text is clipped."""
TEXTS = {"orders": EVIL, "short": SHORT, "others": "".join(text for kind, text in HOSTILE.items() if kind != "long")}


def searched(text: str) -> str:
    """The page of a search whose step, answer and finding are hostile."""
    bad = Verdict(text, text, (finding(text),))
    steps = [Step(text, lambda _: text, lambda _path, _answer: bad, StepBudget(1, 0))]
    return draw(search_page(search(steps, SearchConfig())), "html")


def matrix(text: str) -> str:
    """The page of a matrix whose model, task and result are hostile."""
    return draw(matrix_page(matrix_of([AttemptRecord(text, text, f"fail:{text}", 1.0)])), "html")


def drawn(text: str) -> str:
    """The picture of a plan whose words are hostile."""
    return draw_graph(graph_of(Plan(text, text, tasks=(Task(text, text, text),), find=lambda _: {})), "svg")


PAGES: dict[str, Callable[[str], str]] = {
    "comparison": lambda text: render_html(hostile_report(text)),
    "run": lambda text: one_run(hostile_run(text), "html"),
    "runs": lambda text: kept(hostile_run(text), "html"),
    "strategies": lambda text: strategies(hostile_strategies(text), "html"),
    "search": searched,
    "matrix": matrix,
    "strength": lambda text: draw(strength_page(result(text=text)), "html"),
    "plan": drawn,
}
TOUCHED = """
document.querySelectorAll('details').forEach(each => { each.open = true });
for (const each of document.querySelectorAll('*'))
  for (const kind of ['click', 'mouseover', 'focus', 'load', 'error', 'toggle']) each.dispatchEvent(new Event(kind));
"""
FOREIGN = "img, image, iframe, object, embed, base, video, audio, foreignObject, use, parsererror, [srcdoc], [action]"
"""No page of ours has one of these."""
LED = "[...document.querySelectorAll('[href]')].map(each => each.getAttribute('href'))"


@pytest.mark.slow
@pytest.mark.parametrize("kind", PAGES)
def test_a_page_of_hostile_words_is_inert(page: Page, tmp_path: Path, kind: str) -> None:
    """Opened, with all that can be opened in it, and every element touched."""
    for name, text in TEXTS.items():
        file = tmp_path / f"{name}.{'svg' if kind == 'plan' else 'html'}"
        file.write_text(PAGES[kind](text), encoding="utf-8")
        page.open(file.as_uri())
        page.run(TOUCHED)
        assert page.run("document.documentElement.textContent.length") > 30
        assert page.run(f'document.querySelectorAll("{FOREIGN}").length') == 0
        assert page.run("document.scripts.length") <= 1
        assert {link for link in page.run(LED) if not link.startswith("#")} <= {"data:,"}
        assert page.run("[window.hit, location.protocol]") == [None, "file:"]
        assert page.requests() == [file.as_uri()]
        assert page.complaints() == []
