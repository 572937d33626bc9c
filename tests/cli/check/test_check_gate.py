"""`planguard check` as a gate: forms for CI, the list of known failures, and warnings that fail."""

import hashlib
import json
import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result

from pytest_planguard.cli.inputs import answers as answer_stream

from ...support.cassettes import BAD, GOOD, conversation, write
from ...support.commands import run
from ...wire.logs.forms import litellm

PERSON = ("-c", "models.py:Person")
LINES = ({"id": "ann", "output": '{"name": "Ann", "age": 1}'}, {"id": "bob", "output": '{"name": "Bob"}'})
WHY = "age (line 1, column 1): required, missing"


def check(*arguments: str) -> Result:
    """Run `planguard check`; an exception that escapes fails the test."""
    return run("check", *arguments)


def answers(here: Path, *lines: object, name: str = "people.jsonl") -> None:
    """Write answers one a line."""
    (here / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def test_a_bad_line_is_an_annotation_at_its_place(here: Path) -> None:
    """In the finding's own words; the last line is the result."""
    answers(here, *LINES)
    result = check("people.jsonl", *PERSON, "--format", "github")
    assert (result.exit_code, result.stdout.splitlines()) == (
        1,
        [
            f"::error file=people.jsonl,line=2,title=planguard%3A failure::bob: breaks missing at age%0A{WHY}",
            "::error title=planguard::1 failure",
            "::notice title=planguard::FAIL: 1 of 2 answers is bad",
        ],
    )


@pytest.mark.parametrize(
    ("name", "uri"), [(b"a\nb.json", "a%0Ab.json"), (b"a\xff.json", "a%FF.json"), (b"a b#.json", "a%20b%23.json")]
)
def test_the_uri_of_an_odd_name_leads_to_its_file(here: Path, name: bytes, uri: str) -> None:
    """A line break and a byte that is not UTF-8 are percent-encoded, not shown as an escape."""
    file = os.fsdecode(name)
    try:
        (here / file).write_text('{"name": "Ann"}')
    except OSError:
        pytest.skip("this file system has no such names")
    (run_,) = json.loads(check(file, *PERSON, "--format", "sarif").stdout)["runs"]
    (place,) = run_["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_lines_on_standard_input_are_answers_as_in_a_file(here: Path) -> None:
    """With their numbers. Blank lines count, and the field of the answer is found."""
    answers(here, *LINES)
    lines = (here / "people.jsonl").read_text().replace("\n", "\n\n")
    (here / "people.jsonl").write_text(lines)
    piped = run("check", "-", *PERSON, stdin=lines)
    named = check("people.jsonl", *PERSON)
    assert "people.jsonl:3" in named.stdout
    assert (piped.exit_code, piped.stdout) == (1, named.stdout.replace("people.jsonl", "-"))


@pytest.mark.parametrize("text", ['{"name": "Ann",\n"age": 1}', '{"name": "Ann", "age": 1}\n', "name: Ann\nage: 1\n"])
def test_any_other_standard_input_is_one_answer(here: Path, text: str) -> None:
    """A document over several lines, and one on a single line."""
    result = run("check", "-", *PERSON, stdin=text)
    assert (result.exit_code, "1 of 1 meet" in result.stdout) == (0, True), result.stdout


def test_lines_of_a_log_on_standard_input_are_a_log(here: Path) -> None:
    """As in a file: the same figures and rows."""
    lines = "".join(f"{json.dumps(row)}\n" for row in litellm("try again"))
    (here / "log.jsonl").write_text(lines)
    piped = run("check", "-", *PERSON, stdin=lines)
    named = check("log.jsonl", *PERSON)
    assert "conversation" in piped.stdout
    assert (piped.exit_code, piped.stdout) == (named.exit_code, named.stdout.replace("log.jsonl", "-"))


def test_a_whole_file_has_the_place_of_its_finding(here: Path) -> None:
    """Line and column of the finding itself, where the file is the answer."""
    (here / "one.json").write_text('{\n "name": "Ann",\n "age": "x"\n}')
    first = check("one.json", *PERSON, "--format", "github").stdout.splitlines()[0]
    assert first.startswith("::error file=one.json,line=3,col=9,title=planguard%3A failure::one: breaks type at age")


def test_the_forms_say_the_same(here: Path) -> None:
    """JUnit has a case for each conversation and answer; SARIF a result for each rule, which is neither new nor old."""
    answers(here, *LINES)
    write(here / "talk.yaml", conversation(BAD, BAD, BAD))
    (suite,) = ET.fromstring(check("people.jsonl", "talk.yaml", *PERSON, "--format", "junit").stdout)
    assert {name: suite.get(name) for name in ("name", "tests", "failures")} == {
        "name": "planguard check",
        "tests": "3",
        "failures": "2",
    }
    failed = {case.get("name"): failure for case in suite if (failure := case.find("failure")) is not None}
    assert failed["people/bob"].text == f"breaks missing at age\n{WHY}"
    assert failed["people/bob"].get("type") == "failure"
    document = json.loads(check("people.jsonl", "talk.yaml", *PERSON, "--format", "sarif").stdout)["runs"][0]
    assert {result["ruleId"] for result in document["results"]} >= {"missing"}
    assert not any("baselineState" in result for result in document["results"])
    assert document["properties"]["verdict"] == "FAIL: 1 of 1 conversation is bad, 1 of 2 answers is bad"


def test_what_is_listed_fails_nothing(here: Path) -> None:
    """As with `diff`: writing the list does not make the run pass, the next one does; another failure is new."""
    answers(here, *LINES)
    gated = ("people.jsonl", *PERSON, "--baseline", "known.json")
    written = check(*gated, "--baseline-update")
    assert (written.exit_code, written.stderr) == (1, "known.json: 1 added, 0 removed, 1 listed\n")
    again = check(*gated)
    assert (again.exit_code, again.stdout.splitlines()[-1]) == (0, "PASS")
    assert "1 failed as listed:\n  bob: missing at age\n" in again.stdout
    answers(here, *LINES, {"id": "eve", "output": '{"name": 1, "age": 2}'})
    assert check(*gated).stdout.splitlines()[-1] == "FAIL: 1 failure"
    data = json.loads(check(*gated, "--format", "json").stdout)
    assert (data["result"], data["reasons"]) == ("fail", ["1 failure"])
    assert [entry["rule"] for entry in data["baseline"]["not_listed"]] == ["type"]


def test_a_cassette_is_the_case_of_its_test_in_a_class(here: Path) -> None:
    """Its path has a digest of the test's id alone; the list of a test session has the id."""
    own = "::TestPeople::test_it"
    name = f"testpeople-test_it-{hashlib.sha256(own.encode()).hexdigest()[:8]}.yaml"
    path = Path("tests/cassettes/test_app/default") / name
    path.parent.mkdir(parents=True)
    write(path, conversation(BAD, BAD, BAD))
    gated = (str(path), *PERSON, "--baseline", "known.json")
    check(*gated, "--baseline-update")
    listed = json.loads(Path("known.json").read_text())
    for entry in listed["failures"]:
        assert entry["case"] == str(path.with_suffix(""))
        entry["case"] = f"tests/test_app.py{own}"
    Path("known.json").write_text(json.dumps(listed))
    assert (check(*gated).exit_code, check(*gated).stdout.splitlines()[-1]) == (0, "PASS")


def test_the_answer_of_a_chat_is_its_last_message(here: Path) -> None:
    """As in files for fine-tuning. Two files of chats compare by their answers: the rest is the input."""

    def chat(answer: str) -> dict[str, object]:
        return {"messages": [{"role": "user", "content": "who?"}, {"role": "assistant", "content": answer}]}

    answers(here, chat('{"name": "Ann", "age": 1}'), chat('{"name": "Bob"}'))
    found = check("people.jsonl", *PERSON)
    assert f"people.jsonl:2: not a valid Person: 1 finding\n  x {WHY}  [missing]" in found.stdout
    assert "answers      1 of 2 meet the contract\nfield read   messages.-1.content" in found.stdout
    answers(here, chat('{"name": "Ann", "age": 1}'), chat('{"name": "Bob", "age": 2}'), name="new.jsonl")
    compared = json.loads(run("diff", "people.jsonl", "new.jsonl", *PERSON, "--format", "json").stdout)
    assert [case["bucket"] for case in compared["cases"]] == ["fixed", "unchanged"]
    answers(here, {"messages": [{"role": "user", "content": "who?"}]})
    assert "field read" not in check("people.jsonl", *PERSON).stdout


def test_an_entry_that_no_longer_fails_has_to_go(here: Path) -> None:
    """An outdated list hides new failures; `--baseline-prune` takes it out."""
    answers(here, *LINES)
    gated = ("people.jsonl", *PERSON, "--baseline", "known.json")
    check(*gated, "--baseline-update")
    answers(here, LINES[0], {"id": "bob", "output": '{"name": "Bob", "age": 2}'})
    fixed = check(*gated)
    assert fixed.exit_code == 1
    assert fixed.stdout.splitlines()[-1] == "FAIL: 1 baseline entry no longer fails: remove with --baseline-prune"
    assert check(*gated, "--baseline-prune").exit_code == 1
    assert check(*gated).exit_code == 0


def test_an_answer_beyond_the_listed_ones_is_never_excused(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only listed answers are held against the list."""
    monkeypatch.setattr(answer_stream, "HELD", answer_stream.Listing(good=True, most=2))
    answers(here, *LINES, LINES[1])
    gated = ("people.jsonl", *PERSON, "--baseline", "known.json")
    check(*gated, "--baseline-update")
    assert check(*gated).stdout.splitlines()[-1] == "FAIL: 1 failure"


def test_warnings_fail_where_that_is_asked_for(here: Path) -> None:
    """A plan's finding and a conversation's check; without the option both pass."""
    (here / "tasks.md").write_text("# Tasks\n- [ ] T1 do\n")
    plan = ("tasks.md", "--rules", "spec-kit-tasks")
    assert (check(*plan).exit_code, check(*plan, "--fail-on", "warn").exit_code) == (0, 1)
    write(here / "talk.yaml", conversation(BAD, GOOD))
    warned = check("talk.yaml", *PERSON)
    assert (warned.exit_code, "checks warned" in warned.stdout) == (0, True)
    failed = check("talk.yaml", *PERSON, "--fail-on", "warn")
    assert failed.exit_code == 1
    assert "checks failed" in failed.stdout


def test_a_file_that_cannot_be_read_is_no_pass(here: Path) -> None:
    """Nothing is bad, and not everything was judged: exit code 3."""
    answers(here, LINES[0])
    answers(here, {"id": "x"}, name="other.jsonl")
    result = check("people.jsonl", "other.jsonl", *PERSON, "--field", "output", "--format", "github")
    assert result.exit_code == 3
    assert result.stdout.splitlines()[-1].startswith("::notice title=planguard::UNPROVEN: 0 of 1 answer is bad")


def test_a_list_needs_its_file(here: Path) -> None:
    """The options of the list mean nothing without it."""
    answers(here, *LINES)
    result = check("people.jsonl", *PERSON, "--baseline-update")
    assert (result.exit_code, "need --baseline FILE" in result.stderr) == (2, True)


def test_every_form_shows_what_could_not_be_judged(here: Path) -> None:
    """An error at the line in GitHub, an error in JUnit, a failed invocation in SARIF."""
    (here / "people.jsonl").write_text(f"{json.dumps(LINES[0])}\n{{bad line\n", encoding="utf-8")
    github = check("people.jsonl", *PERSON, "--field", "output", "--format", "github")
    assert (github.exit_code, github.stdout.splitlines()[0].partition("::people.jsonl: line 2: ")[0]) == (
        3,
        "::error file=people.jsonl,line=2,title=planguard%3A not judged",
    )
    (suite,) = ET.fromstring(check("people.jsonl", *PERSON, "--field", "output", "--format", "junit").stdout)
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "0", "1")
    assert [one.get("name") for one in suite if one.find("error") is not None] == ["people.jsonl:2"]
    (run_,) = json.loads(check("people.jsonl", *PERSON, "--field", "output", "--format", "sarif").stdout)["runs"]
    (told,) = run_["invocations"]
    assert (told["executionSuccessful"], [one["level"] for one in told["toolExecutionNotifications"]]) == (
        False,
        ["error"],
    )


def test_a_run_that_judges_nothing_is_an_error_in_every_form(here: Path) -> None:
    """Its exit code says that nothing was judged, and so does its report."""
    (here / "notes.yaml").write_text("a: 1\n")
    result = check(".", "--format", "github")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (
        3,
        "::error title=planguard%3A not judged::nothing was judged",
    )


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_what_a_contract_prints_while_it_is_imported_is_not_in_the_report(here: Path, form: str) -> None:
    """It goes to stderr; so does what an extension prints."""
    answers(here, *LINES)
    (here / "loud.py").write_text("from models import Person\nprint('loading settings')\n")
    (here / f"louder_{form}.py").write_text("print('loading more')\n")
    result = check("people.jsonl", "-c", "loud.py:Person", "-p", f"louder_{form}", "--format", form)
    assert json.loads(result.stdout)
    assert sorted(result.stderr.splitlines()) == ["loading more", "loading settings"]


PLAN = (
    "# Tasks: L\n\n## Phase 1: Setup\n\n- [ ] T001 Edit a.py\n- [ ] T001 Edit b.py\n"
    "- [ ] T001 Edit c.py (depends on T009)\n- [ ] T1 Edit d.py\n"
)


def test_each_finding_of_a_plan_is_marked_at_its_own_line(here: Path) -> None:
    """Bad ones are errors, warnings are warnings, in GitHub and in SARIF."""
    (here / "tasks.md").write_text(PLAN)
    marked = check("tasks.md", "--rules", "spec-kit", "--format", "github").stdout.splitlines()
    heads = [line.partition(",title=")[0] for line in marked if ",line=" in line]
    assert heads == [
        "::error file=tasks.md,line=6,col=7",
        "::error file=tasks.md,line=7,col=7",
        "::error file=tasks.md,line=7,col=34",
        "::warning file=tasks.md,line=8,col=7",
    ]
    assert "tasks: breaks dep-exists at tasks" in marked[2]
    (run_,) = json.loads(check("tasks.md", "--rules", "spec-kit", "--format", "sarif").stdout)["runs"]
    places = [(one["level"], one["locations"][0]["physicalLocation"]["region"]["startLine"]) for one in run_["results"]]
    assert sorted(places) == [("error", 6), ("error", 7), ("error", 7), ("warning", 8)]


def test_a_good_plan_with_warnings_has_only_those(here: Path) -> None:
    """Nothing fails."""
    (here / "tasks.md").write_text(PLAN.replace("T001 Edit b", "T009 Edit b").replace("T001 Edit c", "T003 Edit c"))
    result = check("tasks.md", "--rules", "spec-kit", "--format", "github")
    levels = [line.split()[0] for line in result.stdout.splitlines()]
    assert (result.exit_code, levels) == (0, ["::warning", "::notice"])


def test_annotations_end_with_the_number_of_those_left_out(here: Path) -> None:
    """GitHub shows ten of a level in each step."""
    (here / "tasks.md").write_text(PLAN[: PLAN.index("- [ ] T001 Edit c")] + "- [ ] T001 Edit e.py\n" * 20)
    lines = check("tasks.md", "--rules", "spec-kit", "--format", "github").stdout.splitlines()
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == 10
    assert "more: see the job's summary, or planguard check --format text" in errors[-1]
