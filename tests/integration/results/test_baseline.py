"""The list of known failures in a session: what is listed fails nothing, what nobody tends fails the run."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pytest_planguard.document.path import to_dotted
from pytest_planguard.testing.example import Example, Run

from ...support.git import git
from ...support.lookalike import Lookalike
from ...support.warm import inner_environment, run_module
from ..projects import PRINTER, app, project, rows, run, script

TESTS = """
import os

@pytest.fixture
def parting(name):
    yield
    assert name not in os.environ.get("PARTING", "")

@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_it(planguard, name, parting):
    try:
        planguard.check(BAD if name in os.environ["FAIL"] else GOOD)
    finally:
        if name in os.environ.get("CRASH", ""):
            raise ZeroDivisionError("of the test's own")
"""
FILE = "known.json"
WITH = ("-q", f"--planguard-baseline={FILE}")


@pytest.fixture(scope="module")
def listed() -> Run:
    """A session that writes its failures down."""
    return project(TESTS).run_pytest(*WITH, "--planguard-baseline-update", env={"FAIL": "ab"})


def entries(example: Example) -> list[tuple[str, str, str]]:
    """What the list holds."""
    found = json.loads(example.read(FILE))["failures"]
    return [(entry["case"], entry["rule"], to_dotted(tuple(entry["path"]))) for entry in found]


def changed(example: Example, **fields: str) -> Example:
    """The project with these fields in every entry of the list."""
    data = json.loads(example.read(FILE))
    for entry in data["failures"]:
        entry.update(fields)
    return example.with_files({FILE: json.dumps(data)})


def test_writing_failures_down_makes_no_session_green(listed: Run) -> None:
    """The run that lists them fails; every entry is a case, a rule and a place."""
    assert (listed.returncode, dict(listed.outcomes)) == (1, {"failed": 2, "passed": 1})
    assert entries(listed.example) == [
        (f"test_app.py::test_it[{name}]", rule, place)
        for name in "ab"
        for rule, place in (("enum", "priority"), ("length", "steps"))
    ]
    assert f"{FILE}: 4 added, 0 removed, 4 listed; this run still fails by the old list" in listed.stdout


def test_a_listed_failure_is_reported_and_fails_nothing(listed: Run) -> None:
    """Also in workers: an expected failure with its reason, told in JUnit and in the section; its row says "failed"."""
    example = changed(listed.example, owner="ann", reason="a new model comes", expires="2999-12-31")
    args = (*WITH, "-rx", "-n", "2", "--junit-xml=out.xml")
    run = example.run_pytest(*args, env={"FAIL": "ab"}, plugins=("planguard", "xdist"))
    assert (run.returncode, dict(run.outcomes)) == (0, {"passed": 1, "xfailed": 2}), run.output
    about = "(until 2999-12-31, owner ann: a new model comes)"
    reason = f"known failure: enum at priority {about}; length at steps {about}"
    skipped = [found.get("message") for found in ET.fromstring(run.example.read("out.xml")).iter("skipped")]
    assert skipped == [reason, reason]
    assert f"baseline {FILE}: 4 known, the oldest listed 0 days ago" in run.stdout
    assert [row["result"] for row in rows(run.example)] == ["failed", "failed", "passed"]


def test_a_listed_failure_that_is_gone_fails_until_it_is_taken_out(listed: Run) -> None:
    """All tests pass and the run fails, asking to prune; the pruning run takes it out, the next one passes.

    Where only a part of the tests runs, nothing is known to be gone.
    """
    gone = listed.example.run_pytest(*WITH, env={"FAIL": "a"})
    assert (gone.returncode, dict(gone.outcomes)) == (1, {"passed": 2, "xfailed": 1})
    assert (
        "2 baseline entries no longer fail, which fails the run: remove with --planguard-baseline-prune" in gone.stdout
    )
    part = listed.example.run_pytest(*WITH, "--planguard-baseline-prune", "-k", "b", env={"FAIL": ""})
    assert (part.returncode, entries(part.example)) == (0, entries(listed.example))
    assert "only some of the tests ran: entries that no longer fail stay listed, and do not fail the run" in part.stdout
    pruned = listed.example.run_pytest(*WITH, "--planguard-baseline-prune", env={"FAIL": "a"})
    assert (pruned.returncode, len(entries(pruned.example))) == (1, 2)
    passing = pruned.example.run_pytest(*WITH, "--planguard-baseline-prune", env={"FAIL": "a"})
    assert passing.returncode == 0
    assert f"{FILE}: 0 added, 0 removed, 2 listed\n" in passing.stdout
    assert "still fails" not in passing.stdout


MODELS = """
import os

@pytest.mark.planguard(TICKET, models=["small", "large.2"])
def test_it(planguard, planguard_model):
    planguard.check(BAD if planguard_model in os.environ["FAIL"] else GOOD)
"""


def test_a_listed_failure_of_one_model_hides_none_of_another() -> None:
    """Both models share the case's key, so the entry names the model that failed."""
    listing = project(MODELS).run_pytest(*WITH, "--planguard-baseline-update", env={"FAIL": "large.2"})
    assert [e["model"] for e in json.loads(listing.example.read(FILE))["failures"]] == ["large.2"] * 2
    known = listing.example.run_pytest(*WITH, env={"FAIL": "large.2"})
    assert (known.returncode, dict(known.outcomes)) == (0, {"xfailed": 1, "passed": 1})
    both = listing.example.run_pytest(*WITH, env={"FAIL": "small large.2"})
    assert (both.returncode, dict(both.outcomes)) == (1, {"xfailed": 1, "failed": 1})


NAMED = {
    "models": '@pytest.mark.planguard(TICKET, models=["fast", "smart"])\ndef test_it(planguard_model):\n'
    "    ask(planguard_model)\n",
    "parametrize": '@pytest.mark.planguard(TICKET)\n@pytest.mark.parametrize("model", ["fast", "smart"])\n'
    "def test_it(model):\n    ask(model)\n",
}
"""The two ways in which a test names its models."""
MAPPED = """
import os
import httpx2

def ask(model):
    body = {"model": "gpt-5-mini", "messages": [{"role": "user", "content": "printer, " + model}]}
    answered = httpx2.post(os.environ["LOOKALIKE"] + "/v1/chat/completions", json=body, verify=False)
    return answered.json()["choices"][0]["message"]["content"]
"""
WRONG = {**PRINTER, "priority": "hi"}


def recorded(example: Example, server: Lookalike, smart: Any, *args: str) -> Example:
    """The project recorded again: "fast" gives a bad answer, "smart" this one."""
    server.scripts.clear()
    server.script(WRONG, WRONG, when="fast")
    server.script(smart, smart, when="smart")
    return run(example, server, *WITH, "--planguard-record=all", *args).example


@pytest.mark.parametrize("way", NAMED)
def test_a_listed_failure_hides_none_of_another_model_whatever_the_app_makes_of_its_name(
    way: str, lookalike: Lookalike, tmp_path: Path
) -> None:
    """In the tests, and in the cassettes of two revisions: here the app sends one model for both names.

    An entry applies to any variant of the prompt, and stays if only one of the models runs.
    """
    first = project("from ask import ask\n" + NAMED[way], ask=MAPPED)
    base = recorded(first, lookalike, PRINTER, "--planguard-baseline-update")
    assert [entry["model"] for entry in json.loads(base.read(FILE))["failures"]] == ["fast"]
    pruning = (*WITH, "--planguard-baseline-prune")
    for args, outcomes in (
        (("-n", "2"), {"xfailed": 1, "passed": 1}),
        (("-k", "fast"), {"xfailed": 1, "deselected": 1}),
        (("-k", "smart"), {"passed": 1, "deselected": 1}),
    ):
        known = run(base, lookalike, *pruning, *args, plugins=("planguard", "xdist"))
        assert (known.returncode, dict(known.outcomes)) == (0, outcomes), known.output
        assert known.example.read(FILE) == base.read(FILE)
    other_prompt = recorded(base, lookalike, PRINTER, "--planguard-variant=v2")
    again = run(other_prompt, lookalike, *WITH, "--planguard-variant=v2")
    assert (again.returncode, dict(again.outcomes)) == (0, {"xfailed": 1, "passed": 1}), again.output

    worse = recorded(base, lookalike, WRONG)
    new = run(worse, lookalike, *WITH)
    assert (new.returncode, dict(new.outcomes)) == (1, {"xfailed": 1, "failed": 1}), new.output
    assert "failing, and not listed:\n  test_app.py::test_it with smart: enum at priority\n" in new.stdout

    git(tmp_path, "init", "-q")
    for example, tag in ((base, "base"), (worse, "worse")):
        example.without(*example.paths(".jsonl")).write(tmp_path)
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", tag)
        git(tmp_path, "tag", tag)
    gated = ("-c", "contracts.py:TICKET", "--baseline", FILE)
    for command in (("diff", "--git", "base", *gated), ("check", "cassettes", *gated)):
        done = run_module(["pytest_planguard", *command], tmp_path, inner_environment())
        assert (done.returncode, done.stdout.count(b"with smart: enum at priority")) == (1, 1), done
    before = run_module(["pytest_planguard", "diff", "--git", "base", "base", *gated], tmp_path, inner_environment())
    assert before.returncode == 0, before


def test_an_entry_without_a_model_covers_no_case_of_models() -> None:
    """A list from before the test named models would hide the failures of all; the session says what to add."""
    test = "@pytest.mark.planguard(TICKET{})\ndef test_it(planguard): planguard.check(BAD)\n"
    before = project(test.format("")).run_pytest(*WITH, "--planguard-baseline-update").example
    assert dict(before.run_pytest(*WITH).outcomes) == {"xfailed": 1}
    named = before.replaced("(TICKET)", '(TICKET, models=["small", "large"])').run_pytest(*WITH)
    assert (named.returncode, dict(named.outcomes)) == (1, {"failed": 2})
    assert (
        '2 listed without a model, though the case is for one: add "model":\n  test_app.py::test_it: enum at priority\n'
    ) in named.stdout


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["one process", "workers"])
def test_a_limit_of_failures_counts_once_it_is_reached(listed: Run, workers: tuple[str, ...]) -> None:
    """With -x and --maxfail in the ini file, as many projects have it, all tests run unless that many fail."""
    plugins = ("planguard", "xdist")
    whole = listed.example.run_pytest(*WITH, *workers, "--maxfail=2", env={"FAIL": "a"}, plugins=plugins)
    assert (whole.returncode, dict(whole.outcomes)) == (1, {"passed": 2, "xfailed": 1})
    assert "2 baseline entries no longer fail, which fails the run" in whole.stdout
    stopped = listed.example.run_pytest(*WITH, *workers, "--maxfail=1", env={"FAIL": "c"}, plugins=plugins)
    assert "only some of the tests ran: entries that no longer fail stay listed" in stopped.stdout


def test_what_has_expired_or_is_not_in_the_list_fails(listed: Run) -> None:
    """After its last day a failure counts again; a failure of the test's own hides behind no listed one."""
    run = changed(listed.example, expires="2020-01-01").run_pytest(*WITH, env={"FAIL": "ab"})
    assert dict(run.outcomes) == {"failed": 2, "passed": 1}
    assert "4 known failures have expired: fix the failure, or extend the " in run.stdout
    crash = listed.example.run_pytest(*WITH, env={"FAIL": "ab", "CRASH": "b"})
    assert dict(crash.outcomes) == {"failed": 1, "passed": 1, "xfailed": 1}
    assert "FAILED test_app.py::test_it[b] - ZeroDivisionError: of the test's own" in crash.stdout


def test_nothing_is_listed_that_no_list_excuses() -> None:
    """What a test breaks that also fails by itself, or whose fixtures do, is named and not written down."""
    reds = {"FAIL": "abc", "CRASH": "b", "PARTING": "c"}
    args = (*WITH, "--planguard-baseline-update", "-n", "2")
    run = project(TESTS).run_pytest(*args, env=reds, plugins=("planguard", "xdist"))
    assert {case for case, _, _ in entries(run.example)} == {"test_app.py::test_it[a]"}
    assert (
        "4 failures cannot be listed, since the tests fail for other reasons, too: "
        "test_app.py::test_it[b], test_app.py::test_it[c] "
        "(an exception by which the app gives up is named in planguard_gives_up)\n"
    ) in run.stdout
    assert f"{FILE}: 2 added, 0 removed, 2 listed" in run.stdout
    later = run.example.run_pytest(*WITH, env={"FAIL": "ab", "CRASH": "b"})
    assert "2 failures cannot be listed, since the test fails for other reasons, too" in later.stdout
    assert "not listed: fix, or list with" not in later.stdout


def test_the_header_and_the_summary_tell_how_old_the_list_is(listed: Run) -> None:
    """The ini file can name the list, from the root folder; a job's summary begins with the verdict."""
    example = changed(listed.example, first_seen="2026-01-01")
    example = example.with_files({"pytest.ini": f"[pytest]\nplanguard_baseline = {FILE}\n"})
    run = example.run_pytest(env={"FAIL": "abc", "GITHUB_STEP_SUMMARY": "summary.md"})
    assert f"planguard baseline: {FILE}, 4 known failures, the oldest listed " in run.stdout
    first, *rest = run.example.read("summary.md").splitlines()
    assert first == "❌ **planguard: FAIL** 1 of 3 cases fails, 2 known failures"
    assert any(line.startswith(f"Baseline `{FILE}`: 4 known, 2 not listed, the oldest listed ") for line in rest)
    assert "| `test_app.py::test_it[c]` | breaks `enum at priority`, `length at steps` |" in rest


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--planguard-baseline=none.json",), "the baseline cannot be read: No such file or directory. Make it with"),
        (("--planguard-baseline-prune",), "--planguard-baseline-prune needs --planguard-baseline=FILE, or planguard_"),
    ],
)
def test_a_list_that_is_not_there_ends_the_run_before_any_test(args: tuple[str, ...], said: str) -> None:
    """A gate that silently lacks its list would be no gate."""
    run = project(TESTS).run_pytest("-q", *args, env={"FAIL": ""})
    assert run.returncode == 4
    assert said in run.output


STUCK = """
@pytest.mark.planguard(TICKET)
def test_it():
    apps.careful(ask.plain, "a stubborn mule", attempts=2)
"""


def test_a_listed_failure_of_the_model_does_not_hide_feedback_that_the_app_drops(lookalike: Lookalike) -> None:
    """Once the retry says nothing of what was wrong, the session fails as it does without a list, and says why.

    Writing it down lists the missing feedback, not the answer before it; then, and only then, it is known.
    """
    server = script(lookalike)
    known = run(app(STUCK), server, *WITH, "--planguard-record=missing", "--planguard-baseline-update").example
    assert [rule for _, rule, _ in entries(known)] == ["enum"]
    assert run(known, server, *WITH).returncode == 0
    dropped = known.replaced('said = "Your answer is not valid:', 'said = "Nope."  # ')
    red = run(dropped, server, *WITH)
    assert (red.returncode, dict(red.outcomes)) == (1, {"failed": 1}), red.stdout
    assert "planguard: missing feedback: the retry feeds back no finding" in red.stdout
    assert red.stdout.count("recording: cassettes/") == 1, "said once"
    assert "feedback, valid" in red.stdout
    assert "listed, and gone" not in red.stdout
    afresh = dropped.with_files({FILE: json.dumps({"planguard": "baseline", "format": 1, "failures": []})})
    listed = run(afresh, server, *WITH, "--planguard-baseline-update")
    assert [rule for _, rule, _ in entries(listed.example)] == ["check:feedback"]
    assert dict(run(listed.example, server, *WITH).outcomes) == {"xfailed": 1}


def test_no_entry_excuses_recorded_answers_that_are_left_over() -> None:
    """The app now gives up before its last recorded attempt, and still breaks the listed rule."""
    test = '@pytest.mark.planguard(TICKET)\ndef test_mule():\n    apps.careful(ask.plain, "a mule", attempts=3)\n'
    server = script(Lookalike())
    recorded = run(app(test), server, *WITH, "--planguard-record=missing", "--planguard-baseline-update")
    server.stop()
    assert dict(run(recorded.example, server, *WITH).outcomes) == {"xfailed": 1}
    earlier = run(recorded.example.replaced("attempts=3", "attempts=2"), server, *WITH)
    assert (earlier.returncode, dict(earlier.outcomes)) == (1, {"failed": 1}), earlier.output
    assert "1 recorded answer was never requested\n  exchange 3: " in earlier.stdout
    assert "next: pytest test_app.py::test_mule --planguard-record=all" in earlier.stdout
