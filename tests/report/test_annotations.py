"""Annotations beside a change: their places, their levels, and what is listed of each case."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.document.positions import Span
from pytest_planguard.report.annotations import (
    LONGEST,
    SHOWN,
    Annotation,
    Location,
    all_annotations,
    command,
    location_of,
    render_github,
)
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import Bucket, CaseDiff
from pytest_planguard.runs.gate.gate import GateResult
from pytest_planguard.runs.model.broken_rules import broken_rules
from pytest_planguard.runs.model.judged_answers import Judged
from pytest_planguard.runs.model.run import CaseRow

from ..support.runs import attempt, bad, finding, good, run
from .diffs import report

WIDE = DiffReport(compare(run("a", [good("k")]), run("b", [good("k")])))


def placed(code: str, line: int, column: int, **other: object) -> Finding:
    """A finding with a place in the answer."""
    return replace(finding(code, (code,)), span=Span(line, column), **other)  # type: ignore[arg-type]


def answer_in(file: str, *findings: Finding, single: bool = True, ok: bool = False) -> CaseRow:
    """A row about a file that is the answer itself."""
    judged = Judged((replace(attempt("{}", *findings), ok=ok),), "", ok=ok, single=single)
    return CaseRow(file, file, judged=(judged,))


def only(row: CaseRow, *, prefix: str = "", rule: str | None = None) -> Location | None:
    """The place of a case with one row in the candidate."""
    return location_of(CaseDiff("k", Bucket.NEW_FAILURE, candidate=(row,)), prefix, rule)


@pytest.mark.parametrize(
    ("file", "reason", "subject", "message", "place"),
    [
        ("rows.jsonl", "line 2: no JSON", "rows.jsonl:2", "rows.jsonl: line 2: no JSON", Location("app/rows.jsonl", 2)),
        ("rows.jsonl", "not found", "rows.jsonl", "rows.jsonl: not found", Location("app/rows.jsonl")),
        ("rows.jsonl", "in line 2: x", "rows.jsonl", "rows.jsonl: in line 2: x", Location("app/rows.jsonl")),
        ("rows.jsonl", "line 0: x", "rows.jsonl", "rows.jsonl: line 0: x", Location("app/rows.jsonl")),
        ("rows.jsonl", "line 2 is odd", "rows.jsonl", "rows.jsonl: line 2 is odd", Location("app/rows.jsonl")),
        ("rows.jsonl", "", "rows.jsonl", "rows.jsonl", Location("app/rows.jsonl")),
        ("", "no contract", "everything", "no contract", None),
    ],
)
def test_what_was_not_judged_is_an_error(
    file: str, reason: str, subject: str, message: str, place: Location | None
) -> None:
    """At its file, and at the line that its reason begins with."""
    found = next(all_annotations(replace(WIDE, unjudged=((file, reason),), prefix="app")))
    expected = Annotation("error", "not judged", subject, message, location=place, status="error", kind="error")
    assert found == expected


@pytest.mark.parametrize(
    ("row", "place"),
    [
        (bad("t", line=3), Location("test_x.py", 3)),
        (bad("t"), Location("test_x.py")),
        (replace(bad("t"), test="out/a.jsonl:12"), Location("out/a.jsonl", 12)),
        (replace(bad("t"), test="a:b.jsonl:7"), Location("a:b.jsonl", 7)),
        (replace(bad("t"), test="a.jsonl:0"), Location("a.jsonl:0")),
        (replace(bad("t"), test=""), None),
        (answer_in("a.json", placed("x", 3, 8)), Location("a.json", 3, 8)),
        (answer_in("a.json", finding("x")), Location("a.json")),
        (answer_in("a.json", placed("x", 3, 8, inside=("plan",))), Location("a.json")),
        (answer_in("a.json", placed("x", 3, 8), single=False), Location("a.json")),
        (answer_in("a.json"), Location("a.json")),
        (replace(answer_in("a.json", placed("x", 3, 8)), cassette="c.yaml"), Location("a.json")),
        (replace(answer_in("a.json", placed("x", 3, 8)), judged=()), Location("a.json")),
        (
            replace(answer_in("a.json"), judged=2 * answer_in("a.json", placed("x", 3, 8)).judged),
            Location("a.json"),
        ),
    ],
)
def test_the_place_of_a_row(row: CaseRow, place: Location | None) -> None:
    """The line of a test, the line of a file of answers, or the finding in a file that is the answer."""
    assert only(row) == place


def test_the_place_is_that_of_the_rule() -> None:
    """The first bad finding, or the first of the rule, or the finding itself."""
    info = placed("note", 1, 1, severity=Severity.INFO)
    row = answer_in("a.json", info, placed("x", 2, 2), placed("y", 3, 3), placed("y", 4, 4))
    assert only(row) == Location("a.json", 2, 2)
    assert only(row, rule="y") == Location("a.json", 3, 3)
    assert only(row, rule="z") == Location("a.json")
    case = CaseDiff("k", Bucket.NEW_FAILURE, candidate=(row,))
    assert location_of(case, "", "y", placed("y", 4, 4)) == Location("a.json", 4, 4)


def test_the_place_is_that_of_a_bad_row_of_the_candidate() -> None:
    """The first row if none is bad, and the base where the candidate has none."""
    rows = (good("a", line=1), bad("a", line=2), bad("a", line=3))
    assert location_of(CaseDiff("k", Bucket.UNSTABLE, (), rows[:1], rows), "", None) == Location("test_x.py", 2)
    assert location_of(CaseDiff("k", Bucket.FIXED, "", rows, rows[:1]), "", None) == Location("test_x.py", 1)
    assert location_of(CaseDiff("k", Bucket.REMOVED, "", rows[2:]), "", None) == Location("test_x.py", 3)
    assert location_of(CaseDiff("k", Bucket.REMOVED), "", None) is None


@pytest.mark.parametrize(
    ("prefix", "test", "file"),
    [
        ("", "a.py::t", "a.py"),
        ("app", "a.py::t", "app/a.py"),
        ("/app/", "./a.py::t", "app/a.py"),
        ("app", "..\\a.py::t", "app/../a.py"),
        ("app", "/home/a.py::t", "/home/a.py"),
        ("app", "D:\\a.py::t", "D:/a.py"),
        ("app", "a:/b.py::t", "a:/b.py"),
        ("app", "ab:/b.py::t", "app/ab:/b.py"),
    ],
)
def test_a_path_is_relative_to_the_repository(prefix: str, test: str, file: str) -> None:
    """With slashes, below the prefix, unless it is absolute."""
    assert only(replace(bad("t"), test=test), prefix=prefix) == Location(file)


def test_a_path_as_long_as_no_path_is_none() -> None:
    """A thousand characters may be a path."""
    longest = "a" * LONGEST
    assert only(replace(bad("t"), test=f"{longest}::t")) == Location(longest)
    assert only(replace(bad("t"), test=f"{longest}a::t")) is None
    assert LONGEST == 1_000


def test_a_step_shows_ten_annotations_of_a_level() -> None:
    """Ten are all shown; of eleven the tenth counts two."""
    for number, last in (
        (10, "::error file=test_x.py,"),
        (11, "::error title=planguard::2 more: see the job's summary"),
    ):
        keys = [f"k{n:02}" for n in range(number)]
        found = DiffReport(compare(run("a", map(good, keys)), run("b", map(bad, keys))))  # type: ignore[arg-type]
        errors = [line for line in render_github(found).split("\n") if line.startswith("::error")]
        assert len(errors) == SHOWN == 10
        assert errors[-1].startswith(last)


def test_an_annotation_lists_ten_changes_and_three_findings() -> None:
    """Of a case with more of both."""
    before, after = (str({f"f{n:02}": n + add for n in range(12)}).replace("'", '"') for add in (0, 1))
    findings = [finding("missing", ("steps", n), f"item {n}") for n in range(5)]
    row = replace(bad("k"), judged=(Judged((attempt(after, *findings),), "exhausted", ok=False),))
    found = DiffReport(compare(run("a", [good("k", before)]), run("b", [row])))
    (one,) = all_annotations(found)
    assert one.details == (
        *(f"steps[{n}]: item {n}" for n in range(3)),
        "and 2 more findings",
        *(f"f{n:02}: {n} → {n + 1}" for n in range(10)),
    )
    (breach,) = one.breaches
    assert breach.message.split("\n") == [
        "k breaks missing at steps[*]",
        *(f"steps[{n}]: item {n}" for n in range(3)),
    ]
    assert (breach.is_new, breach.finding, breach.location) == (True, findings[0], Location("test_x.py"))


def test_the_level_and_the_status_of_every_bucket() -> None:
    """New failures are errors, what is unknown is a warning, and the rest is only in lists of all cases."""
    found = {
        case: (annotation.level, annotation.status)
        for case in Bucket
        for annotation in all_annotations(replace(WIDE, diff=replace(WIDE.diff, cases=(_in_bucket(case),))))
    }
    assert found == {
        Bucket.NEW_FAILURE: ("error", "failed"),
        Bucket.FIXED: (None, "passed"),
        Bucket.STILL_FAILING: (None, "failed"),
        Bucket.CHANGED_VALID: (None, "passed"),
        Bucket.UNCHANGED: (None, "passed"),
        Bucket.STALE: ("warning", "skipped"),
        Bucket.UNSTABLE: ("warning", "skipped"),
        Bucket.ADDED: (None, "passed"),
        Bucket.REMOVED: (None, "skipped"),
        Bucket.NOT_COMPARABLE: ("warning", "skipped"),
    }


def _in_bucket(bucket: Bucket) -> CaseDiff:
    row = bad("k") if bucket in (Bucket.NEW_FAILURE, Bucket.STILL_FAILING) else good("k")
    return CaseDiff("k", bucket, base=(good("k"),), candidate=() if bucket is Bucket.REMOVED else (row,))


def test_findings_of_a_judged_file_have_an_annotation_each() -> None:
    """Those of one place share one; warnings come after, and say so."""
    warning = placed("w", 9, 1, severity=Severity.WARN)
    rows = {
        "two.json": (Bucket.NEW_FAILURE, (placed("x", 1, 1), placed("y", 2, 2), warning)),
        "one.json": (Bucket.NEW_FAILURE, (placed("x", 1, 1), placed("y", 1, 1))),
        "fine.json": (Bucket.UNCHANGED, (warning,)),
    }
    cases = tuple(
        CaseDiff(file, bucket, candidate=(row,), broken=broken_rules([row]))
        for file, (bucket, findings) in rows.items()
        for row in [answer_in(file, *findings, ok=bucket is Bucket.UNCHANGED)]
    )
    found = replace(WIDE, diff=replace(WIDE.diff, cases=cases), judged="2 of 3 answers are bad")
    both = "%0Ax (line 1, column 1): wrong%0Ay (line 1, column 1): wrong"
    assert [line.replace("title=planguard%3A ", "") for line in render_github(found).split("\n")] == [
        "::error file=two.json,line=1,col=1,failure::two.json: breaks x at x%0Ax (line 1, column 1): wrong",
        "::error file=two.json,line=2,col=2,failure::two.json: breaks y at y%0Ay (line 2, column 2): wrong",
        f"::error file=one.json,line=1,col=1,failure::one.json: breaks x at x, y at y{both}",
        "::warning file=two.json,line=9,col=1,warning::two.json: breaks w at w%0Aw (line 9, column 1): wrong",
        "::warning file=fine.json,line=9,col=1,warning::fine.json: breaks w at w%0Aw (line 9, column 1): wrong",
        "::notice title=planguard::2 of 3 answers are bad",
    ]


def test_a_failure_without_a_finding_breaks_that_its_test_failed() -> None:
    """It has no finding to tell."""
    row = replace(good("k"), result="failed")
    (one,) = all_annotations(report(compare(run("a", [good("k")]), run("b", [row]))))
    (breach,) = one.breaches
    assert (breach.message, breach.finding, breach.is_new) == ("k breaks test:failed", None, True)


def test_the_reasons_of_the_gate_are_errors_without_a_place() -> None:
    """Before the verdict, which is the notice."""
    gated = replace(WIDE, gate=GateResult(("too expensive", "too slow")))
    assert render_github(gated).split("\n") == [
        "::error title=planguard::too expensive",
        "::error title=planguard::too slow",
        "::notice title=planguard::FAIL: 1 unchanged",
    ]


def test_the_properties_of_a_command() -> None:
    """File, line and column as far as they are known, then the title; the details on lines of their own."""
    made = Annotation("warning", "", "", "m", ("a", "b"), Location("f", None, 4))
    assert command(made) == "::warning file=f,col=4,title=planguard::m%0Aa%0Ab"
    assert command(replace(made, location=Location("f", 3))) == "::warning file=f,line=3,title=planguard::m%0Aa%0Ab"
    assert command(Annotation("notice", "t", "shown only of a case", "m")) == "::notice title=planguard%3A t::m"
