"""JUnit XML of a comparison: a reason in every failure, properties, nothing judged that is not known."""

from dataclasses import replace
from xml.etree import ElementTree as ET

from pytest_planguard.report.ci_files import junit_properties, render_junit

from ..support.runs import bad
from .diffs import listed, odd_diff, report


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
