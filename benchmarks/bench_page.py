"""How long the page of a comparison takes: rendering, and the first paint in a real Chromium.

Every fourth case has a retry whose words carry the finding, marked in the answer and in the request, and the prompt of
all of them has changed. The first paint is to stay below 1 s at 1,000 cases.

Run: python -m benchmarks.bench_page [cases]. Needs a Chromium on the path.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from shutil import which

from benchmarks.smoke import size
from pytest_planguard.document.positions import Span
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.report.forms.html import render_html
from pytest_planguard.report.pages.comparison import comparison_page
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.model.judged_answers import FedBackRow, Said
from pytest_planguard.runs.model.run import CaseRow, Run
from tests.support.browser import NAMES, Browser
from tests.support.runs import attempt, case, finding, good, run

WORDS = ["service", "store", "latency", "release", "queue", "customer", "rollout", "region", "risk", "review"]
FEEDBACK = "number: expected one of 1, 3"
RETRY = (Said("user", f"Mend the answer. {FEEDBACK}. Keep the rest as it is."),)
FEEDBACK = (FedBackRow("one_of", ("number",), "located", FEEDBACK),)
PAINTED = """JSON.stringify(Object.fromEntries([
  ...performance.getEntriesByType("paint").map(entry => [entry.name, Math.round(entry.startTime)]),
  ["interactive", Math.round(performance.getEntriesByType("navigation")[0].domInteractive)]]))"""
FILTERED = """(() => { const form = document.forms[0], start = performance.now(); form.q.value = "queue latency";
  form.q.dispatchEvent(new Event("input")); document.body.offsetHeight;
  return Math.round(performance.now() - start) })()"""


def answer(dice: random.Random, number: int) -> str:
    """About 800 characters of JSON."""
    summary, *risks = (" ".join(dice.choices(WORDS, k=size)) for size in (60, 12, 12, 12, 12))
    return json.dumps({"summary": summary, "number": number, "risks": risks}, indent=1)


def side(dice: random.Random, cases: int, name: str) -> Run:
    """Every case differs; in the candidate every fourth fails after two attempts."""
    rows: list[CaseRow] = []
    for number in range(cases):
        key, texts = f"case-{number:05}", [answer(dice, number) for _ in range(2)]
        wrong = replace(finding("one_of", ("number",), "expected one of 1, 3"), span=Span(3, 12))
        worse = name == "candidate" and number % 4 == 0
        tries = (replace(attempt(texts[0], wrong), next_request=RETRY, fed_back=FEEDBACK), attempt(texts[1], wrong))
        asked = (Said("system", f"Write a review as JSON, for the {name}."), Said("user", f"review {number}"))
        made = case(key, *tries, model="m-2") if worse else good(key, texts[0], model="m-1")
        rows.append(replace(made, asked=asked))
    return run(name, rows)


def main() -> None:
    """Print a table."""
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else size(1_000, 8)
    dice = random.Random(3)
    diff = compare(side(dice, cases, "base"), side(dice, cases, "candidate"))
    start, used = time.perf_counter(), time.process_time()
    text = render_html(comparison_page(DiffReport(diff)))
    took, used = time.perf_counter() - start, time.process_time() - used
    print(f"{cases:,} cases: {len(text) / 1e6:.1f} MB, rendered in {took:.2f} s ({used:.2f} s of CPU)")
    if not any(map(which, NAMES)):
        print("no Chromium on the path: nothing was painted")
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = Path(folder) / "page.html"
        page.write_text(text, encoding="utf-8")
        browser = Browser(Path(folder) / "profile")
        try:
            for _ in range(size(5, 1)):
                tab = browser.page()
                tab.open(page.as_uri())
                print(f"painted {tab.run(PAINTED)} ms, filtered by text in {tab.run(FILTERED)} ms")
        finally:
            browser.close()


if __name__ == "__main__":
    main()
