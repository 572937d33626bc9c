"""The list of known failures, told in every form of a comparison and in the summary of a session."""

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

from pytest_planguard.report.annotations import render_github
from pytest_planguard.report.case_words import ask, baseline_blocks, known_reason
from pytest_planguard.report.ci_files import render_junit, render_sarif
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.report.forms import draw
from pytest_planguard.report.forms.markdown import CASES as ENTRIES
from pytest_planguard.report.forms.text import block_lines
from pytest_planguard.report.page import Page
from pytest_planguard.report.pages.comparison import comparison_page
from pytest_planguard.report.pages.run import session_page
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import RunDiff
from pytest_planguard.runs.gate.known_failures import Baseline, BaselineReport, KnownFailure
from pytest_planguard.runs.model.run import CaseRow, Run, RunHeader

from ...support.runs import bad, good, run
from ..diffs import NOW, odd_diff, report
from ..forms import render_diff, render_html, render_json, render_markdown
from ..html_reader import Reader

KNOWN = KnownFailure("known", "missing", ("a",), "2026-11-01", "ann", "the model is replaced", "2027-01-31")
EXPIRED = KnownFailure("late", "missing", ("a",), "2026-10-02", expires="2026-11-01")
GONE = KnownFailure("repaired", "missing", ("a",))
LISTED = Baseline((KNOWN, EXPIRED, GONE, KnownFailure("elsewhere", "enum")))


def rows() -> list[CaseRow]:
    """Failures that are listed, expired and new, and a listed one that is gone."""
    return [*(replace(bad(key), result="failed") for key in ("known", "late", "new")), good("repaired", line=7)]


def diff() -> RunDiff:
    """All were good in the base."""
    return compare(run("main", [good(row.key) for row in rows()]), run("candidate", rows()))


def held() -> DiffReport:
    """The comparison with its list."""
    return report(diff(), baseline=LISTED, baseline_path="known.json")


def test_the_terminal_lists_what_has_to_be_tended_first() -> None:
    """Counts, then entries by kind with expiry, owner and reason."""
    found = held()
    text = draw(comparison_page(found), "text")
    assert (
        """\
baseline known.json: 1 known, 1 expired, 1 gone, 1 not listed, 1 not seen, the oldest listed 50 days ago

1 listed, and expired:
  late: missing at a (until 2026-11-01)

1 listed, and gone:
  repaired: missing at a

1 failing, and not listed:
  new: missing at a

1 failed as listed:
  known: missing at a (until 2027-01-31, owner ann: the model is replaced)

FAIL: 2 new failures; 1 known failure has expired; 1 baseline entry no longer fails: remove with --baseline-prune"""
        in text
    )


def test_markdown_has_a_list_for_each_kind() -> None:
    """What somebody has to tend stands open, the rest folds."""
    text = render_markdown(held())
    assert "Baseline `known.json`: 1 known, 1 expired, 1 gone, 1 not listed, 1 not seen, the oldest" in text
    assert "**1 listed, and expired**\n\n- `late: missing at a (until 2026-11-01)`" in text
    assert "<details><summary>1 failed as listed</summary>" in text


def test_a_long_list_is_cut_and_the_rest_counted() -> None:
    """As many entries as a list holds are all shown; of one more the count is said."""
    entries = tuple(KnownFailure(f"case-{n:03}", "missing") for n in range(ENTRIES + 1))
    reports = [BaselineReport(new=found) for found in (entries[:ENTRIES], entries)]
    whole, cut = (draw(Page("", blocks=tuple(baseline_blocks(each, "", None))), "markdown") for each in reports)
    assert (whole.count("- `case-"), "more." in whole) == (ENTRIES, False)
    assert (cut.count("- `case-"), "\n- … and 1 more." in cut) == (ENTRIES, True)


def test_annotations_stand_at_the_cases_of_the_list() -> None:
    """An expired and a vanished entry are errors where their test is."""
    lines = render_github(held()).splitlines()
    expired, gone = "planguard%3A a known failure has expired", "planguard%3A a listed failure no longer fails"
    assert f"::error file=test_x.py,title={expired}::late: missing at a (until 2026-11-01)" in lines
    assert f"::error file=test_x.py,line=7,title={gone}::repaired: missing at a" in lines


def test_the_document_has_every_kind() -> None:
    """Entries by what became of them, with the fields of the file."""
    found = json.loads(render_json(held()))["baseline"]
    cases = {kind: [entry["case"] for entry in entries] for kind, entries in found.items()}
    assert cases == {
        "known": ["known"], "expired": ["late"], "gone": ["repaired"], "not_listed": ["new"], "without_model": [],
        "not_seen": ["elsewhere"],
    }  # fmt: skip
    assert (found["known"][0]["owner"], found["known"][0]["expires"]) == ("ann", "2027-01-31")
    assert json.loads(render_json(report()))["baseline"] is None


def test_an_entry_without_the_model_of_its_case_is_told_in_every_form() -> None:
    """It covers nothing, and the report says what to add."""
    found = compare(run("main", [good("known")]), run("candidate", [replace(bad("known"), for_model="fast")]))
    told = report(found, baseline=Baseline((KNOWN,)), baseline_path="known.json")
    text = draw(comparison_page(told), "text")
    assert "baseline known.json: 1 not listed, 1 without a model, the oldest listed 20 days ago\n" in text
    heading = '1 listed without a model, though the case is for one: add "model"'
    assert f"\n{heading}:\n  known: missing at a (until 2027-01-31, owner ann: the model is replaced)\n" in text
    assert f"**{heading}**" in render_markdown(told)
    assert [entry["case"] for entry in json.loads(render_json(told))["baseline"]["without_model"]] == ["known"]


def test_the_page_has_a_section() -> None:
    """Kinds that want attention are unfolded."""
    page = render_html(held())
    assert "<h2>1 listed, and expired</h2>" in page
    assert "<details><summary>1 failed as listed</summary>" in page
    assert "<bdi>known: missing at a (until 2027-01-31, owner ann: the model is replaced)</bdi>" in page
    assert "listed" not in Reader(render_html(report())).text


def test_junit_fails_what_nobody_tends() -> None:
    """A test case for each entry that has expired or is gone; known failures are skipped."""
    suite = ET.fromstring(render_junit(held()))[0]
    failures = {case.get("name"): f.get("message") for case in suite.iter("testcase") for f in case.iter("failure")}
    assert failures["late: missing at a"] == "a known failure has expired: late: missing at a (until 2026-11-01)"
    assert failures["repaired: missing at a"] == "a listed failure no longer fails: repaired: missing at a"
    assert suite.get("failures") == str(len(failures)) == "4"
    assert suite.get("tests") == "6"


def test_code_scanning_is_told_why_a_result_is_suppressed() -> None:
    """The entry's expiry, owner and reason justify it; what is gone is a notification."""
    run_ = json.loads(render_sarif(held(), "1"))["runs"][0]
    (why,) = [s["justification"] for result in run_["results"] for s in result.get("suppressions", [])]
    assert why == "known failure: missing at a (until 2027-01-31, owner ann: the model is replaced)"
    told = [note["message"]["text"] for note in run_["invocations"][0]["toolExecutionNotifications"]]
    assert told == [
        "a known failure has expired: late: missing at a (until 2026-11-01)",
        "a listed failure no longer fails: repaired: missing at a",
    ]


def test_the_summary_of_a_session_begins_with_the_verdict() -> None:
    """Then the list with its age and what has to be done, then failing cases; listed ones are not among them."""
    found = held()
    assert found.gate is not None
    session = Run(RunHeader("last", created="2026-11-21T10:00:00+00:00"), tuple(rows()))
    known = {"test_x.py::known"}
    page = session_page(session, passed=False, known=known, baseline=found.held, path="known.json", now=NOW)
    lines = draw(page, "markdown").splitlines()
    assert lines[0] == "❌ **planguard: FAIL** 2 of 4 cases fail, 1 known failure"
    age = "the oldest listed 50 days ago"
    assert f"Baseline `known.json`: 1 known, 1 expired, 1 gone, 1 not listed, 1 not seen, {age}  " in lines
    assert "- 1 baseline entry no longer fails, which fails the run: remove with --planguard-baseline-prune" in lines
    table = lines[lines.index("| case | what is wrong |") + 2 :]
    assert table[:4] == [
        "| `late` | breaks `missing at a` |",
        "|  | `a: wrong` |",
        "| `new` | breaks `missing at a` |",
        "|  | `a: wrong` |",
    ]


def test_what_to_do_names_the_options_that_do_it() -> None:
    """Nothing where the list is well kept."""
    assert list(ask(BaselineReport(known=(KNOWN,)), "--u", "--p")) == []
    assert list(ask(BaselineReport((KNOWN,), (), (KNOWN, EXPIRED), (GONE, KNOWN)), "--u", "--p")) == [
        '2 known failures have expired: fix the failure, or extend the "expires" date of its entry',
        "2 baseline entries no longer fail, which fails the run: remove with --p",
        "1 failure not listed: fix, or list with --u",
    ]
    assert list(ask(BaselineReport(expired=(EXPIRED,), fixed=(GONE,)), "--u", "--p", gone=False)) == [
        '1 known failure has expired: fix the failure, or extend the "expires" date of its entry',
    ]
    assert known_reason([GONE, KNOWN]).startswith("known failure: missing at a; missing at a (until 2027-01-31, ")


def test_long_lists_are_counted() -> None:
    """Of every kind the first entries are shown."""
    many = tuple(KnownFailure(f"c{n:02}", "enum") for n in range(23))
    assert list(block_lines(baseline_blocks(BaselineReport(known=many), "k.json", None)))[-1] == "  and 3 more"


def test_an_added_case_that_fails_is_told_from_one_that_does_not() -> None:
    """The headline counts it, its line says that it is a new failure, and so does every other form."""
    found = report(odd_diff())
    text = render_diff(found.diff, found.gate)
    assert "2 added (1 of them fails)" in text
    assert "  fresh and bad (fails: a new failure): only the candidate has this case" in text
    assert "  fresh: only" in text
    assert "| `fresh and bad` (fails: a new failure) |" in render_markdown(found)
    assert "title=planguard%3A added and failing::fresh and bad" in render_github(found)
    assert 'message="added and failing: ' in render_junit(found)
    assert "added and failing" in render_html(found)
    assert "FAIL: 2 new failures (1 of them in an added case)" in text
