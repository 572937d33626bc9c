"""Whatever a model wrote, no renderer passes it on as an order: one test over all renderers."""

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest
from markdown_it import MarkdownIt

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.document.positions import Span
from pytest_planguard.printable import HIDDEN, JOINERS
from pytest_planguard.report.annotations import render_github
from pytest_planguard.report.ci_files import render_junit, render_sarif
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.report.conversation import render_conversation
from pytest_planguard.report.finding_text import render_finding, render_verdict
from pytest_planguard.report.pages.comparison import StrategyReport, render_task
from pytest_planguard.report.pages.run import run_data
from pytest_planguard.report.plain_text import json_text
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Grade, Outcome
from pytest_planguard.retry.results import Attempt, Check, Convergence, FedBack
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.deltas import compare_strategies
from pytest_planguard.runs.figures import figures_of_run
from pytest_planguard.runs.gate.known_failures import BaselineReport, KnownFailure
from pytest_planguard.runs.model.judged_answers import CheckRow
from pytest_planguard.runs.model.run import CaseRow, Run
from pytest_planguard.runs.value_diff_options import diff_options
from pytest_planguard.wire.exchange import Exchange

from ...support.one_item import in_one_item
from ...support.runs import attempt, case, good, run
from ..diffs import report
from ..forms import kept, one_run, render_diff, render_html, render_json, render_markdown, strategies
from ..html_reader import Reader

LONG = 1_100_000
EXPIRY = (None, "2026-01-01", "2027-01-01", None, None)
HOSTILE = {
    "html": "</pre></td></script><script>alert(1)</script><img src=x onerror=alert(1)>&lt;\"'",
    "ansi": "\x1b[31mred\x1b]8;;http://x\x07link\x1b]8;;\x07\x9b2J",
    "command": "::set-output name=a::b\n  ::error file=a::b\n##[add-mask]a %0A::stop-commands::x",
    "cdata": "]]><!--<![CDATA[ --> ]]&gt;",
    "bidi": "safe\u202eevil\u2066x\u200b\ufeff\U000e0041",
    "long": "A" * LONG,
    "surrogates": "a\ud800b\udfff\udc80",
    "nul": "a\x00b\x08\x0c\r\n\u2028c\ufffe",
    "markdown": "` `` | \\| @all [a](http://x) ![i](http://x) www.x.org https://x.org **b** $x$ <b>",
    "sarif": "{0} [click](http://x) \\",
}


def finding(text: str) -> Finding:
    """A finding of which every text is hostile."""
    names = {"expected": text[:60], "actual": text[:60], "hint": text}
    return Finding(text, (text, 0), text, FailureKind.CONTENT, span=Span(1, 1, 1, 3), **names)


def rows(text: str, answer: str) -> CaseRow:
    """A case of which every text is hostile."""
    found = case(text, attempt(answer, finding(text)), attempt(answer, finding(text), finding("missing")), outcome=text)
    check = CheckRow(text, "fail", text)
    judged = replace(found.judged[0], name=text, contract=text, checks=(check,))
    names = {"model": text, "variant": text, "cassette": text, "test": f"{text}::{text}", "outcome": text}
    return replace(found, judged=(judged,), **names)


@cache
def hostile_report(text: str) -> DiffReport:
    """New, failing and stale cases of which every text is hostile, and a change of every kind."""
    before = good(text, json.dumps({"v": "x", "gone": text, "list": [1, 2]}), model=text, variant=text)
    after = rows(text, json.dumps({"v": text, text: [text], "list": [2, 1]}))
    others = [replace(good(f"{text}2"), stale=(text,)), rows(f"{text}3", text), good(f"{text}4", "{}")]
    old = [before, good(f"{text}2"), rows(f"{text}3", f"{text}."), good(f"{text}4", json.dumps(text + "x" * 50))]
    header = {"commit": text, "created": text, "packages": {text: text}, "match": text}
    options = diff_options(verdicts=["v"])
    diff = compare(
        run(text, old, **header), run(text, [after, *others], **{**header, "packages": {text: "2"}}), options
    )
    entries = [
        KnownFailure(f"{text}3", f"{text}{n}", (text,), owner=text, reason=text, expires=e)
        for n, e in enumerate(EXPIRY)
    ]
    found = report(replace(diff, notes=(text,)), prefix=text, baseline_path=text)
    assert found.gate is not None
    held = BaselineReport(*((entry,) for entry in entries))
    return replace(found, gate=replace(found.gate, baseline=held, reasons=("as listed",)))


def hostile_run(text: str) -> Run:
    """A run with failing, stale and good cases of which every text is hostile."""
    found = hostile_report(text).diff
    return Run(found.candidate, tuple(row for case in found.cases for row in case.candidate), (text,))


@cache
def hostile_strategies(text: str) -> StrategyReport:
    """Three runs of which every text is hostile, two by two."""
    diff = hostile_report(text).diff
    runs = [replace(hostile_run(text), header=replace(diff.base, name=name)) for name in (text, f"{text}2", "c")]
    return StrategyReport(compare_strategies(runs), (diff, diff, diff), (text,))


def conversation(text: str) -> Convergence:
    """A conversation of which every text is hostile."""
    verdict = Verdict(text, text, (finding(text),))
    fed_back = (
        FedBack(finding(text), 1, Grade.MISSING, reason=text),
        FedBack(finding(text), 1, Grade.FED_BACK, Firmness.WEAK, evidence=text),
    )
    attempts = tuple(Attempt(n, Exchange(n, "openai.chat", model=text), verdict, fed_back) for n in (1, 2))
    return Convergence(text, text, Outcome.STUCK, attempts, (Check(text, CheckStatus.FAIL, text, (text,)),), 3)


def lines_are_plain(text: str, shown: str) -> None:
    """Nothing hidden, nothing that cannot be encoded, no line that a build log obeys."""
    assert not {char for char in set(shown) - JOINERS - {"\n"} if unicodedata.category(char) in HIDDEN}
    shown.encode()
    assert not re.search(r"(?m)^\s*::", shown)
    assert "##[" not in shown


def markdown_is_inert(text: str, shown: str) -> None:
    """Rendered, the page has our own tags only, and no link."""
    lines_are_plain(text, shown)
    html = MarkdownIt("gfm-like", {"linkify": False}).render(shown)
    ours = {
        "details",
        "summary",
        "h3",
        "p",
        "strong",
        "em",
        "code",
        "ul",
        "li",
        "br",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    }
    assert {tag for tag, _ in Reader(html).tags} <= ours
    for table in html.split("<table>")[1:]:
        head, *rows = table.partition("</table>")[0].split("<tr>")[1:]
        assert {row.count("<td") for row in rows} <= {head.count("<th")}


def page_is_inert(text: str, shown: str) -> None:
    """One script, one style, no address, nothing hidden."""
    page = Reader(shown)
    tags = [tag for tag, _ in page.tags]
    assert (tags.count("script"), tags.count("style"), tags.count("img"), tags.count("meta")) == (1, 1, 0, 4)
    assert not {name for _, attrs in page.tags for name in attrs if name.startswith("on")}
    lines_are_plain(text, re.sub(r"(?s)<(style|script)>.*?</\1>", "", shown).replace("\t", " "))


def list_is_inert(text: str, shown: str) -> None:
    """A page without any script."""
    tags = [tag for tag, _ in Reader(shown).tags]
    assert (tags.count("script"), tags.count("style"), tags.count("img")) == (0, 1, 0)
    lines_are_plain(text, re.sub(r"(?s)<style>.*?</style>", "", shown))


def annotations_are_ours(text: str, shown: str) -> None:
    """Every line is one of our commands, and a message holds no line break."""
    lines = shown.split("\n")
    assert all(re.match(r"::(error|warning|notice) [a-z]+=", line) for line in lines)
    assert "##[" not in shown
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]", shown)
    for line in lines:
        properties = line.partition(" ")[2].partition("::")[0]
        assert set(re.findall(r"(?:^|,)([a-z]+)=", properties)) <= {"file", "line", "col", "title"}
    shown.encode()


def json_is_strict(text: str, shown: str) -> None:
    """ASCII, and a strict parser reads it."""
    assert shown.isascii()
    assert "\x1b" not in shown
    jsonschema_rs.validator_for({}).validate(json.loads(shown))


def sarif_is_valid(text: str, shown: str) -> None:
    """By the schema, and no message is a link."""
    json_is_strict(text, shown)
    schema = json.loads((Path(__file__).parent.parent / "sarif_subset.schema.json").read_text(encoding="utf-8"))
    document = json.loads(shown)
    jsonschema_rs.validator_for(schema, validate_formats=True).validate(document)
    messages = [result["message"]["text"] for result in document["runs"][0]["results"]]
    assert messages
    assert not [message for message in messages if re.search(r"(?<!\\)\[[^\]]*\]\(|(?<!\{)\{\d+\}", message)]


def xml_is_well_formed(text: str, shown: str) -> None:
    """A parser reads it, and finds our elements only."""
    names = {element.tag for element in ET.fromstring(shown).iter()}
    assert names <= {
        "testsuites",
        "testsuite",
        "testcase",
        "properties",
        "property",
        "failure",
        "skipped",
        "system-out",
    }
    assert "]]>" not in shown
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\u202e\ufffe]", shown)
    shown.encode()


RENDERERS: dict[str, tuple[Callable[[str], str], Callable[[str, str], None]]] = {
    "finding": (lambda text: render_finding(finding(text), text), lines_are_plain),
    "verdict": (lambda text: render_verdict(Verdict(text, text, (finding(text),))), lines_are_plain),
    "conversation": (lambda text: render_conversation(conversation(text)), lines_are_plain),
    "diff text": (lambda text: render_diff(hostile_report(text).diff, hostile_report(text).gate), lines_are_plain),
    "diff task": (lambda text: render_task(hostile_report(text).diff.cases[0], text), lines_are_plain),
    "markdown": (lambda text: render_markdown(hostile_report(text)), markdown_is_inert),
    "html": (lambda text: render_html(hostile_report(text)), page_is_inert),
    "run text": (lambda text: one_run(hostile_run(text), "text"), lines_are_plain),
    "run markdown": (lambda text: one_run(hostile_run(text), "markdown"), markdown_is_inert),
    "run html": (lambda text: one_run(hostile_run(text), "html"), page_is_inert),
    "runs text": (lambda text: kept(hostile_run(text), "text"), lines_are_plain),
    "runs markdown": (lambda text: kept(hostile_run(text), "markdown"), markdown_is_inert),
    "runs html": (lambda text: kept(hostile_run(text), "html"), list_is_inert),
    "run json": (
        lambda text: json_text(run_data(hostile_run(text), figures_of_run(hostile_run(text)))),
        json_is_strict,
    ),
    "strategies text": (lambda text: strategies(hostile_strategies(text), "text"), lines_are_plain),
    "strategies markdown": (lambda text: strategies(hostile_strategies(text), "markdown"), markdown_is_inert),
    "strategies html": (lambda text: strategies(hostile_strategies(text), "html"), list_is_inert),
    "github": (lambda text: render_github(hostile_report(text)), annotations_are_ours),
    "json": (lambda text: render_json(hostile_report(text), rows=len(text) < LONG), json_is_strict),
    "sarif": (lambda text: render_sarif(hostile_report(text), "1.2.3"), sarif_is_valid),
    "junit": (lambda text: render_junit(hostile_report(text)), xml_is_well_formed),
}
SMALL = {
    "finding",
    "verdict",
    "conversation",
    "table",
    "diff text",
    "diff task",
    "strategies text",
    "strategies markdown",
    "markdown",
    "github",
    "sarif",
    "junit",
}
"""Renderers for people and servers: however long a text is, they clip it."""


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("renderer", RENDERERS)
def test_hostile_text_reaches_no_renderer_unescaped(renderer: str, kind: str) -> None:
    """Markup, escapes, commands, ends of sections, hidden characters, surrogates, NUL, a text longer than a page."""
    render, holds = RENDERERS[renderer]
    shown = render(HOSTILE[kind])
    holds(HOSTILE[kind], shown)
    if renderer in SMALL:
        assert len(shown) < 100_000
    elif renderer.endswith("html"):
        assert len(shown) < 1_000_000
