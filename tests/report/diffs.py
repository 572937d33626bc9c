"""Comparisons for the renderers' tests: two runs of twenty reviews, a conversation that got worse, odd cases."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from pytest_planguard.document.positions import Span
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import RunDiff
from pytest_planguard.runs.gate.gate import FailOn, gate
from pytest_planguard.runs.gate.known_failures import Baseline, KnownFailure
from pytest_planguard.runs.judge_cases import judge_answer
from pytest_planguard.runs.model.judged_answers import AttemptRow, CheckRow
from pytest_planguard.runs.model.run import CaseRow, Run, RunHeader

from ..support import reviews
from ..support.runs import attempt, bad, case, finding, good, run

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TODAY = date(2026, 11, 21)
BASE = RunHeader("main", created="2026-11-18T10:00:00+00:00", commit="1" * 40, packages={"pydantic": "2.1"})
CANDIDATE = RunHeader("candidate", created="2026-11-21T10:00:00+00:00", commit="2" * 40, dirty=True)


def reviewed(answers: dict[int, str], header: RunHeader, file: str) -> Run:
    """The answers judged by the contract of reviews, each a line of a file."""
    contracts = (reviews.contract(),)
    rows = [
        CaseRow(
            f"case-{number:04}",
            f"{file}:{number + 1}",
            judged=(judge_answer(AttemptRow(text, ok=True), contracts),),
            model="m-1",
        )
        for number, text in answers.items()
    ]
    return Run(header, tuple(rows))


def reviews_diff() -> RunDiff:
    """2 new failures, 1 fixed, 4 still failing, 1 changed but valid, 12 unchanged."""
    return compare(
        reviewed(reviews.base(), BASE, "out/main.jsonl"),
        reviewed(reviews.candidate(), CANDIDATE, "out/candidate.jsonl"),
    )


def odd_diff() -> RunDiff:
    """A case in every bucket; the new failure is a test with a conversation of two attempts."""
    first = attempt('{"a": 1}', finding("missing", ("b",), "required field is missing"), tokens=10)
    worse = case("talk", first, attempt('{"a": 2}', finding("missing", ("b",), "required field is missing")), line=12)
    missing = CheckRow("feedback", "fail", "the request of attempt 2 missing 1 of 1 finding of attempt 1")
    worse = replace(worse, judged=(replace(worse.judged[0], checks=(missing,)),), model="m-2", cassette="c/talk.yaml")
    base = [
        good("talk", '{"a": 1, "b": 2}', line=12, model="m-1"),
        *(bad("repaired"), bad("still"), good("moved", '{"x": [1, 2]}'), good("same"), good("stale")),
        *(good("mixed"), good("mixed"), good("gone"), good("other", inputs="111")),
    ]
    candidate = [
        *(worse, good("repaired"), bad("still"), good("moved", '{"x": [2, 1]}'), good("same")),
        *(good("stale", stale=("the prompt changed",)), good("mixed"), bad("mixed")),
        *(good("fresh"), bad("fresh and bad"), good("other", inputs="222")),
    ]
    return compare(run("a", base), run("b", candidate))


def measured_diff() -> RunDiff:
    """A list whose items have new ids and names in each run, so that its figures are compared."""
    answers = (
        json.dumps([{"lever_id": f"{name}{n}", "name": f"{name} {n}", "review": "text"} for n in range(size)])
        for name, size in (("p", 6), ("q", 10))
    )
    return compare(*(run(name, [good("levers", answer)]) for name, answer in zip("ab", answers, strict=True)))


def report(diff: RunDiff | None = None, **changed: Any) -> DiffReport:
    """A report that gates new failures, made on a fixed day."""
    diff = diff or reviews_diff()
    listed = changed.pop("baseline", None)
    found = DiffReport(diff, gate(diff, [FailOn.NEW], TODAY, baseline=listed), now=NOW)
    return replace(found, **changed)


def listed(*cases: tuple[str, str, str]) -> Baseline:
    """A list of known failures since 1 October."""
    return Baseline(tuple(KnownFailure(*found, first_seen="2026-10-01") for found in cases))


def single_file() -> RunDiff:
    """One file each side that is the answer itself: a finding's place is a place in the file."""
    found = replace(finding("one_of", ("r",)), span=Span(3, 8))
    rows = [
        replace(
            bad("answer"), test=f"plans/{name}.json", judged=(replace(bad("x").judged[0], attempts=a, single=True),)
        )
        for name, a in (("b", (attempt('{"r": 1}', found),)),)
    ]
    return compare(run("a", [replace(good("answer"), test="plans/a.json")]), run("b", rows))
