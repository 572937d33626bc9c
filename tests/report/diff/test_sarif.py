"""SARIF 2.1.0: the standard's shape, new failures as errors, nothing foreign as a link."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema_rs
import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.document.positions import Span
from pytest_planguard.report.case_words import rule_help, rule_title
from pytest_planguard.report.ci_files import render_sarif
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import Bucket, CaseDiff
from pytest_planguard.runs.model.broken_rules import Broken
from pytest_planguard.runs.model.judged_answers import Judged
from pytest_planguard.runs.model.run import CaseRow

from ...support.runs import attempt, bad, finding, good, run
from ..diffs import listed, odd_diff, report, reviews_diff, single_file

SCHEMA = json.loads((Path(__file__).parent.parent / "sarif_subset.schema.json").read_text(encoding="utf-8"))


def sarif(found=None, **changed):
    """The one run of the document."""
    return json.loads(render_sarif(report(found, **changed), "1.2.3"))["runs"][0]


@pytest.mark.parametrize("diff", [reviews_diff, odd_diff, single_file, lambda: compare(run("a", []), run("b", []))])
def test_the_document_keeps_the_standard(diff):
    """Valid, and every rule index names the rule of its result."""
    text = render_sarif(report(diff()), "1.2.3")
    document = json.loads(text)
    jsonschema_rs.validator_for(SCHEMA, validate_formats=True).validate(document)
    found = document["runs"][0]
    rules = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in found["results"])


def test_new_failures_are_errors_and_old_ones_are_notes():
    """What a reader of code scanning must look at is what is new; what is fixed no longer comes."""
    results = sarif()["results"]
    states = [(r["ruleId"], r["level"], r["baselineState"]) for r in results]
    assert states[:2] == [("count", "error", "new"), ("one_of", "error", "new")]
    assert {state[1:] for state in states[2:]} == {("note", "unchanged")}
    cases = {result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] for result in results}
    assert len(cases) == 6


def test_a_result_says_where_and_what():
    """The line of the answer, the case, the change that breaks the rule."""
    result = sarif()["results"][1]
    place = result["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "out/candidate.jsonl"}, "region": {"startLine": 6}}
    assert result["message"]["text"] == (
        "case-0005 breaks one_of at recommendation\n"
        'recommendation (line 1, column 153): expected one of "approve", "reject", "revise", "escalate"; '
        'got "APPROVE"\n'
        "recommendation: reject → APPROVE (breaks one_of)"
    )


def test_a_rule_has_a_title_of_its_sort():
    """A check and a rule of a contract are told apart."""
    titles = {rule["id"]: rule["shortDescription"]["text"] for rule in sarif(odd_diff())["tool"]["driver"]["rules"]}
    assert titles["check:feedback"] == "The check feedback of a conversation."
    assert titles["missing"] == "The rule missing of a contract."


def test_a_rule_of_the_users_own_is_told_in_the_words_of_its_first_breach():
    """No catalogue has it: what the finding expected stands in."""
    finding = Finding(
        "house_style", (), "too long", FailureKind.CONTENT, expected="at most 40 words", hint="cut the preamble"
    )
    assert rule_help("house_style", finding) == (
        "The rule house_style of a contract expects at most 40 words. cut the preamble"
    )
    assert rule_help("house_style", None) == "The rule house_style of a contract."


def test_a_finding_in_a_file_that_is_the_answer_has_its_own_place():
    """Line and column of the model's own text."""
    (result,) = sarif(single_file())["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 3, "startColumn": 8}


def test_known_failures_are_suppressed():
    """They are in the document, and nobody is asked to look at them."""
    results = sarif(baseline=listed(("case-0005", "one_of", ("recommendation",))))["results"]
    assert [result["ruleId"] for result in results if "suppressions" in result] == ["one_of"]


def test_cases_about_which_nothing_is_known_are_notifications():
    """Stale, unstable and not comparable are no results."""
    found = sarif(odd_diff())
    notes = found["invocations"][0]["toolExecutionNotifications"]
    told = [": ".join(note["message"]["text"].split(": ")[:2]) for note in notes]
    assert told == ["stale: stale", "mixed: unstable", "other: not comparable"]
    assert not [r for r in found["results"] if r["message"]["text"].startswith(("stale", "mixed", "other"))]


def test_a_fingerprint_stays_when_lines_move():
    """Case, rule and place make the identity."""
    prints = [
        sarif(compare(run("a", [good("k")]), run("b", [bad("k", line=line)])))["results"][0]["partialFingerprints"]
        for line in (3, 30)
    ]
    assert prints[0] == prints[1]


def test_messages_hold_no_links_and_no_placeholders():
    """A model's `[text](http://…)` would be a link, `{0}` an argument."""
    rows = [bad("[click](http://x) {0}")]
    (result,) = sarif(compare(run("a", []), run("b", rows)))["results"]
    assert result["message"]["text"] == "\\[click](http://x) {{0}} breaks missing at a\na: wrong"


def test_a_rule_brings_its_explanation_as_help():
    """Rules of ours say what to do; a rule of the user's own has its name alone."""
    rules = json.loads(render_sarif(report(odd_diff()), "1"))["runs"][0]["tool"]["driver"]["rules"]
    helped = {rule["id"]: rule for rule in rules}["check:feedback"]
    assert helped["fullDescription"]["text"].startswith("Each retry feeds back the findings")
    assert "Do:      Put the findings into the next request" in helped["help"]["text"]


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("/srv/out a.json", "file:///srv/out%20a.json"),
        ("C:\\out\\a.json", "file:///C:/out/a.json"),
        ("./out/a.json", "out/a.json"),
    ],
)
def test_an_absolute_path_is_a_file_uri(file, uri):
    """A relative one stays a reference from the root of the repository."""
    rows = [replace(bad("answer"), test=file)]
    (result,) = sarif(compare(run("a", []), run("b", rows)))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_the_whole_document_of_a_single_run() -> None:
    """Nothing is known to be new; a warning is one, and what could not be judged makes the run incomplete."""
    warning = replace(finding("w", ("w",), "look"), severity=Severity.WARN, span=Span(4, 2))
    judged = Judged((replace(attempt("{}", warning), ok=True),), "", ok=True, single=True)
    cases = (
        CaseDiff("bad", Bucket.NEW_FAILURE, candidate=(bad("bad", code="x"),), broken=(Broken("x", ("a",)),)),
        CaseDiff("good", Bucket.UNCHANGED, candidate=(CaseRow("good", "a/b.json", judged=(judged,)),)),
    )
    diff = replace(compare(run("", []), run("files", [])), cases=cases, notes=("a note",))
    report = DiffReport(diff, judged="1 of 2", unjudged=(("rows.jsonl", "line 2: no JSON"),))
    found = json.loads(render_sarif(report, "1.2.3"))["runs"][0]
    for result in found["results"]:
        del result["partialFingerprints"]
    assert found["results"] == [
        {
            "ruleId": "x",
            "ruleIndex": 1,
            "level": "error",
            "message": {"text": "bad breaks x at a\na: wrong"},
            "locations": [
                {
                    "physicalLocation": {"artifactLocation": {"uri": "test_x.py"}, "region": {"startLine": 1}},
                    "logicalLocations": [{"fullyQualifiedName": "bad", "kind": "function"}],
                }
            ],
        },
        {
            "ruleId": "w",
            "ruleIndex": 0,
            "level": "warning",
            "message": {"text": "good breaks w at w\nw (line 4, column 2): look"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "a/b.json"},
                        "region": {"startLine": 4, "startColumn": 2},
                    },
                    "logicalLocations": [{"fullyQualifiedName": "good", "kind": "function"}],
                }
            ],
        },
    ]
    assert found["invocations"] == [
        {
            "executionSuccessful": False,
            "toolExecutionNotifications": [
                {"level": "error", "message": {"text": "not judged: rows.jsonl: line 2: no JSON"}},
                {"level": "note", "message": {"text": "a note"}},
            ],
        }
    ]
    assert found["tool"]["driver"]["rules"][1] == {
        "id": "x",
        "shortDescription": {"text": "The rule x of a contract."},
        "help": {"text": "The rule x of a contract."},
    }
    assert (found["automationDetails"], found["columnKind"]) == ({"id": "planguard/files"}, "unicodeCodePoints")
    assert found["properties"]["verdict"] == "1 of 2"
    counts = {name: number for name, number in found["properties"]["counts"].items() if number}
    assert counts == {"new_failure": 1, "unchanged": 1}


def test_what_is_unknown_or_has_to_be_tended_is_a_warning() -> None:
    """A case says its name, an entry of the baseline names its own."""
    entries = listed(("same", "missing", ("a",)))
    notes = sarif(odd_diff(), baseline=entries)["invocations"][0]["toolExecutionNotifications"]
    assert [(note["level"], note["message"]["text"]) for note in notes] == [
        ("warning", "stale: stale: the candidate's recording: the prompt changed"),
        (
            "warning",
            "mixed: unstable: 2 of 2 samples good before, 1 of 2 samples good now; breaks missing at a",
        ),
        (
            "warning",
            "other: not comparable: the declared input changed: it is another question under the same key",
        ),
        ("warning", "a listed failure no longer fails: same: missing at a"),
    ]
    assert sarif(odd_diff())["invocations"][0]["executionSuccessful"] is True


def test_a_case_without_a_place_has_only_its_name() -> None:
    """Its row belongs to no file."""
    rows = [replace(bad("k"), test="")]
    (result,) = sarif(compare(run("a", []), run("b", rows)))["results"]
    assert result["locations"] == [{"logicalLocations": [{"fullyQualifiedName": "k", "kind": "function"}]}]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[a](b)", "\\[a](b)"),
        ("[a] (b)", "[a] (b)"),
        ("[[a](b)](c)", "\\[\\[a](b)](c)"),
        ("{0} {12} {} {a}", "{{0}} {{12}} {} {a}"),
    ],
)
def test_only_links_and_placeholders_are_escaped(text: str, shown: str) -> None:
    """Other brackets stay."""
    diff = replace(compare(run("a", []), run("b", [])), notes=(text,))
    (note,) = json.loads(render_sarif(DiffReport(diff), "1"))["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == shown


@pytest.mark.parametrize(
    ("rule", "title"),
    [
        ("check:feedback", "The check feedback of a conversation."),
        ("outcome:stuck", "A conversation that ends as stuck."),
        ("gave_up:myapp.NoTicket", "The exception myapp.NoTicket after a rejected answer."),
        ("test:failed", "A test that is failed."),
        ("test", "The rule test of a contract."),
        ("own:rule", "The rule own:rule of a contract."),
    ],
)
def test_the_title_of_a_rule(rule: str, title: str) -> None:
    """By its prefix; a rule of the user's own may have a colon too."""
    assert rule_title(rule) == title


def test_the_help_of_a_rule_of_the_user_s_own() -> None:
    """What is expected and the hint, as far as the finding has them."""
    found = finding("own")
    assert rule_help("own", found) == "The rule own of a contract."
    assert rule_help("own", replace(found, hint="shorten it")) == "The rule own of a contract. shorten it"
    assert rule_help("own", replace(found, expected="a word")) == "The rule own of a contract expects a word."
