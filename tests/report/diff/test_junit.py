"""JUnit XML of a comparison: a reason in every failure, properties, nothing judged that is not known."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from pytest_planguard.replay.session.rerecord import RerecordHint
from pytest_planguard.report.ci_files import junit_properties, render_junit
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import Bucket, CaseDiff
from pytest_planguard.runs.gate.gate import FailOn, gate
from pytest_planguard.runs.gate.known_failures import Baseline, KnownFailure
from pytest_planguard.runs.model.broken_rules import Broken
from pytest_planguard.runs.model.judged_answers import FedBackRow

from ...support.runs import attempt, bad, case, finding, good, run
from ..diffs import TODAY, listed, odd_diff, report


def suite(found=None, **changed):
    """The one suite of the document."""
    return ET.fromstring(render_junit(report(found, **changed))).find("testsuite")


def test_every_failure_has_its_reason():
    """The rule and the place in the message, the change below."""
    found = suite().find("testcase[@name='case-0005']/failure")
    assert found.get("message") == "new failure: breaks one_of at recommendation"
    assert found.get("type") == "new_failure"
    assert found.text.splitlines()[1:] == [
        'recommendation (line 1, column 153): expected one of "approve", "reject", "revise", "escalate"; got "APPROVE"',
        "recommendation: reject → APPROVE (breaks one_of)",
    ]


def test_the_numbers_agree_with_the_cases():
    """Tests, failures, skipped."""
    found = suite()
    assert {k: found.get(k) for k in ("tests", "failures", "errors", "skipped")} == {
        "tests": "20", "failures": "6", "errors": "0", "skipped": "0",
    }  # fmt: skip
    odd = suite(odd_diff())
    assert (odd.get("failures"), odd.get("skipped")) == ("3", "4")


def test_what_nobody_knows_is_skipped_with_the_reason():
    """A stale case has neither passed nor failed."""
    skipped = suite(odd_diff()).find("testcase[@name='stale']/skipped")
    assert skipped.get("message") == "stale: the candidate's recording: the prompt changed"


def test_a_known_failure_is_skipped():
    """It fails nothing, and it is told."""
    found = suite(baseline=listed(("case-0005", "one_of", ("recommendation",))))
    assert found.find("testcase[@name='case-0005']/skipped").get("message").startswith("known failure: breaks one_of")


def test_properties_of_a_case():
    """Bucket, attempts, models of both runs, rules."""
    found = suite(odd_diff()).find("testcase[@name='talk']/properties")
    assert {p.get("name"): p.get("value") for p in found} == {
        "planguard_bucket": "new_failure",
        "planguard_attempts": "2",
        "planguard_model": "m-1, m-2",
        "planguard_rules": "check:feedback, missing",
    }


def test_properties_for_another_report():
    """What the plugin or another writer can take over: unknown things are left out."""
    assert junit_properties(replace(bad("x", model="m"), outcome="exhausted")) == (
        ("planguard_outcome", "exhausted"), ("planguard_attempts", "1"), ("planguard_model", "m"),
    )  # fmt: skip


def test_every_property_for_another_report():
    """In their order; the attempts and the unclear findings of all conversations are counted together."""
    unclear = FedBackRow("enum", ("p",), "unclear")
    attempts = (replace(attempt("1", finding("enum", ("p",))), fed_back=(unclear, unclear)), attempt("2"))
    row = replace(
        case("x", *attempts, model="m", variant="v", outcome="stuck", rerecord=RerecordHint("pytest x", 1, 2, 3)),
        outcome="exhausted",
    )
    row = replace(row, judged=(*row.judged, *bad("y").judged))
    assert junit_properties(row) == (
        ("planguard_outcome", "exhausted"),
        ("planguard_attempts", "3"),
        ("planguard_model", "m"),
        ("planguard_variant", "v"),
        ("planguard_rerecord", "pytest x # about 1 call, 5 tokens"),
        ("planguard_unclear", "2"),
    )
    assert junit_properties(replace(row, judged=(), model=None, variant=None, rerecord=None, outcome=None)) == (
        ("planguard_attempts", "0"),
    )


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ("tests/a/test_x.py::test_y", "tests.a.test_x"),
        ("tests/test_x.py::Test::test_y[a::b]", "tests.test_x"),
        ("test_x.pyc::y", "test_x.pyc"),
        ("out/a.jsonl:3", "planguard"),
        ("", "planguard"),
    ],
)
def test_the_class_of_a_case_is_the_module_of_its_test(test: str, name: str) -> None:
    """A line of a file has none."""
    found = suite(compare(run("a", []), run("b", [replace(bad("k"), test=test)])))
    assert found.find("testcase").get("classname") == name


def test_the_whole_document_of_a_single_run() -> None:
    """No bucket is named, and a failure is only a failure; what could not be judged is an error."""
    cases = (
        CaseDiff("bad", Bucket.NEW_FAILURE, candidate=(bad("bad"),), broken=(Broken("missing", ("a",)),)),
        CaseDiff("good", Bucket.UNCHANGED, candidate=(good("good"),)),
    )
    diff = replace(compare(run("", []), run("b", [])), cases=cases)
    judged = DiffReport(diff, judged="1 of 2 answers is bad", unjudged=(("rows.jsonl", "line 2: no JSON"),))
    attempts = '<properties><property name="planguard_attempts" value="1" />'
    assert render_junit(judged) == (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<testsuites><testsuite name="planguard check" tests="3" failures="1" errors="1" skipped="0">'
        '<testcase classname="planguard.unjudged" name="rows.jsonl:2" time="0">'
        '<error message="not judged: rows.jsonl: line 2: no JSON" type="error">rows.jsonl: line 2: no JSON</error>'
        "</testcase>"
        f'<testcase classname="test_x" name="bad" time="0">{attempts}'
        '<property name="planguard_rules" value="missing" /></properties>'
        '<failure message="failure: breaks missing at a" type="failure">breaks missing at a\na: wrong</failure>'
        "</testcase>"
        f'<testcase classname="test_x" name="good" time="0">{attempts}</properties></testcase>'
        "<system-out>1 of 2 answers is bad</system-out></testsuite></testsuites>"
    )


def test_a_failure_without_a_reason_says_at_least_that() -> None:
    """Nothing is known but that the case is bad."""
    rows = (bad("k"),)
    diff = replace(compare(run("", []), run("b", [])), cases=(CaseDiff("k", Bucket.STILL_FAILING, "", rows, rows),))
    assert suite(diff).find("testcase/failure").get("message") == "still failing: the case is not good"


def test_an_entry_of_the_baseline_is_a_case_of_its_own() -> None:
    """It belongs to no module, and it is skipped where the gate does not fail."""
    entries = Baseline((KnownFailure("gone", "missing"),))
    diff = compare(run("a", [good("gone")]), run("b", [good("gone")]))
    failing = suite(diff, baseline=entries)
    assert [case.get("classname") for case in failing.iter("testcase")] == ["test_x", "planguard.baseline"]
    assert failing.find("testcase[@classname='planguard.baseline']/failure").get("type") == "gone"
    passing = DiffReport(diff, gate(diff, [FailOn.NONE], TODAY, baseline=entries))
    assert len(list(ET.fromstring(render_junit(passing)).iter("testcase"))) == 1
