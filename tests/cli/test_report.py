"""`planguard report`: the kept runs, or one run in figures."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from pytest_planguard.pipeline.history import AttemptHistory
from pytest_planguard.pipeline.matrix import AttemptRecord, Cell, write_matrix
from pytest_planguard.runs.model.judged_answers import FedBackRow
from pytest_planguard.runs.model.run import CaseRow, RunHeader
from pytest_planguard.runs.store.store import Store

from ..support.cassettes import BAD, GOOD, conversation, write
from ..support.commands import run
from ..support.runs import attempt, bad, case, finding, good


def report(*arguments: str) -> Result:
    """Run `planguard report`; an exception that escapes fails the test."""
    return run("report", *arguments)


def test_without_any_run_it_says_how_to_get_one(here: Path) -> None:
    """Nothing is kept yet: where it would be, and what keeps one."""
    result = report()
    assert result.exit_code == 0
    assert result.stdout.startswith("no run is kept in .planguard. A test session with planguard tests keeps its last")


def test_a_page_without_any_run_is_still_a_page(here: Path) -> None:
    """A file that is named .html holds HTML, with the same advice."""
    assert report("-o", "runs.html").exit_code == 0
    page = Path("runs.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<h1>No run is kept</h1>" in page
    assert "A test session with planguard tests keeps its last run" in page


def test_kept_runs_are_listed(here: Path) -> None:
    """Name, when, commit, share of good cases."""
    store = Store(here)
    header = RunHeader("x", created="2026-05-01T10:20:30+00:00", commit="0123456789abcdef", dirty=True)
    store.save("main", header, [good("a"), bad("b")])
    store.save("last", RunHeader("x"), [good("a")])
    assert (
        report().stdout
        == """\
run   written           commit                      good  judged  stale
last  -                 -                          100 %       1      -
main  2026-05-01 10:20  0123456789ab with changes   50 %       2      -
"""
    )


def test_a_run_that_cannot_be_read_hides_no_other(here: Path) -> None:
    """It becomes a note with its way out; a program gets the others, and the note on stderr."""
    store = Store(here)
    store.save("main", RunHeader("x"), [good("a")])
    store.path("old").write_text('{"planguard": "run", "schema": 0, "name": "old"}\n')
    lines = report().stdout.splitlines()
    assert lines[1].split()[:4] == ["main", "-", "-", "100"]
    assert "old.jsonl: record schema 0, and this planguard reads 1" in lines[-1]
    found = report("--format", "json")
    assert ([run["name"] for run in json.loads(found.stdout)], "record schema 0" in found.stderr) == (["main"], True)


def test_a_run_of_stale_cases_only_proves_nothing(here: Path) -> None:
    """Neither good nor bad, and no "PASS": every form says that it is unproven, and why."""
    stale = replace(good("a"), stale=("request 1 asks something else",))
    Store(here).save("main", RunHeader("x"), [stale, replace(stale, key="b")])
    assert report().stdout.splitlines()[1] == "main  -        -       unproven       0      2"
    assert report("main").stdout.splitlines()[0] == "main: good: none proven: all 2 cases are stale"
    assert report("main", "--format", "markdown").stdout.startswith("❔ **planguard: UNPROVEN** good: none proven: all")
    page = report("main", "--format", "html").stdout
    assert "<strong>UNPROVEN</strong> good: none proven: all 2" in page
    assert "Models and failure kinds" not in page


def test_one_run_in_figures(here: Path) -> None:
    """Outcomes, broken rules, and a row for every model with its failure kinds."""
    retried = case("a", attempt("1", finding("missing", ("x",))), attempt("2"), model="m1")
    Store(here).save("main", RunHeader("x"), [retried, bad("b", model="m2")])
    assert (
        report("main").stdout
        == """\
main: good: 1 of 2 (50 %, 95 % interval 9 to 91 %)
outcomes: 1 converged, 1 exhausted
broken: missing in 1

model  good cases  valid answers  content
m1            1/1            1/2        1
m2            0/1            0/1        1

failing (1)
  b
    breaks missing at a
    a: wrong

FAIL
"""
    )


def test_recordings_are_reported_without_a_stored_run(here: Path) -> None:
    """A folder of cassettes judged by a contract, as JSON into a file."""
    write(here / "rec" / "a.yaml", conversation(BAD, GOOD))
    result = report("rec", "-c", "models.py:Person", "--format", "json", "-o", "out.json")
    assert (result.exit_code, result.stdout) == (0, "")
    found = json.loads((here / "out.json").read_text())
    assert (found["good"], found["outcomes"], found["models"][0]["kinds"]) == (
        {"hits": 1, "total": 1}, {"converged": 1}, {"missing": 1},
    )  # fmt: skip


def test_a_batch_of_answers_is_reported_by_its_field(here: Path) -> None:
    """The answer of a batch's output is in a list, so its field has an index; the refusal without one says so."""
    body = {"choices": [{"message": {"content": '{"name": "Ann"}'}}]}
    lines = [{"custom_id": f"t{n}", "response": {"status_code": 200, "body": body}, "error": None} for n in (1, 2)]
    Path("batch.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    field = "response.body.choices.0.message.content"
    assert f"--field, such as {field}" in report("batch.jsonl").stderr
    found = json.loads(report("batch.jsonl", "--field", field, "--format", "json").stdout)
    assert found["name"] == "batch.jsonl"
    assert report("batch.jsonl", "--field", "response.body.choices.7").stderr.endswith("the line is left out\n")


def test_an_unknown_run_is_one_message(here: Path) -> None:
    """Exit code 2, and what was looked for."""
    result = report("nothing")
    assert (result.exit_code, "'nothing' is not a file, folder, kept run" in result.stderr) == (2, True)


@pytest.mark.parametrize("name", [None, "main"])
def test_pages_and_markdown_have_what_the_text_has(here: Path, name: str | None) -> None:
    """A file takes the form of its name; models, failure kinds and shares are those of the text."""
    Store(here).save("main", RunHeader("x"), [good("a", model="m1"), bad("b", model="m2")])
    named = [name] if name else []
    for file in ("r.html", "r.md"):
        assert report(*named, "-o", file).exit_code == 0
        text = (here / file).read_text(encoding="utf-8")
        for told in ["main", "50 %", *(["m1", "m2", "missing at a", "content"] if name else [])]:
            assert told in text, (file, told)
    assert (here / "r.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert report(*named, "-o", "r.sarif").exit_code == 2


def test_one_run_goes_into_the_summary_of_a_job(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict first, then models and failing cases."""
    Store(here).save("main", RunHeader("x"), [good("a"), bad("b", model="m|2")])
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    assert report("main").exit_code == 0
    text = (here / "summary.md").read_text(encoding="utf-8")
    assert text.startswith("❌ **planguard: FAIL** good: 1 of 2 (50 %, ")
    assert "| `m\\|2` | 0/1 | 0/1 | 1 |" in text
    assert "| `b` | breaks `missing at a` |" in text


def keep(name: str, *rows: CaseRow) -> None:
    """A kept run."""
    Store(Path()).save(name, RunHeader(name), rows)


def test_the_tasks_of_a_run(here: Path) -> None:
    """Which ones feed back what was wrong, as text, as data and as a page."""
    fed_back = (FedBackRow("missing", ("a",), "verbatim"),)
    first = replace(attempt("{}", finding("missing", ("a",))), fed_back=fed_back, model="small")
    keep("last", case("a", first, attempt("{}"), task="Levers"), good("b"))
    shown = report("--tasks")
    assert shown.exit_code == 0, shown.stderr
    head, levers, b = shown.stdout.splitlines()[:3]
    failed, levers_failed = shown.stdout.splitlines()[-2:]
    assert head.split()[0] == "task"
    assert levers.split() == ["Levers", "1", "1", "1", "0", "in", "full", "-"]
    assert b.split() == ["b", "1", "0", "0", "0", "no", "retry", "-"]
    assert failed.split() == ["task", "model", "failure", "kind", "attempts"]
    assert levers_failed.split() == ["Levers", "small", "content", "1"]
    (data, _) = json.loads(report("last", "--tasks", "--format", "json").stdout)
    assert data["feedback"] == "in full"
    assert "| `Levers` | 1 |" in report("--tasks", "--format", "markdown").stdout
    page = report("--tasks", "--format", "html").stdout
    assert page.startswith("<!doctype html>")
    assert '<td class="short heat-good"><bdi>in full</bdi></td>' in page
    assert '<td class="short heat-none"><bdi>no retry</bdi></td>' in page
    assert "<bdi>content</bdi>" in page


def test_the_matrix_of_a_run_and_of_logged_errors(here: Path) -> None:
    """Attempts of a run record by task and model, and errors that an app logged."""
    keep("last", case("a", replace(attempt("{}", finding("missing", ("a",))), model="m"), attempt("{}"), task="Levers"))
    shown = report("--matrix", str(Store(here).path("last")))
    assert shown.exit_code == 0, shown.stderr
    assert "fail:content 0/1" in shown.stdout
    log = [
        {"model": "m", "step": "levers", "error": "ValueError('Could not extract json string from output: ')"},
        {"model": "m", "task": "levers", "error": "ReadTimeout('timed out')"},
        {"model": "m", "error": "who knows"},
    ]
    Path("errors.json").write_text(json.dumps({"cases": log}))
    assert "fail:empty 0/1" in report("--matrix", "errors.json").stdout
    Path("broken.json").write_text("{")
    broken = report("--matrix", "broken.json")
    assert (broken.exit_code, "broken.json is not JSON: Expecting" in broken.stderr) == (2, True)
    read = '{"task": "t", "model": "m", "result": "pass", "at": 0}\n'
    (here / "log.jsonl").write_text("hello\n", "utf-8")
    foreign = report("--matrix", "log.jsonl")
    assert (foreign.exit_code, "log.jsonl: 1 line is not an attempt" in foreign.stderr) == (2, True)
    (here / "log.jsonl").write_text(f"{read}hello\n", "utf-8")
    partly = report("--matrix", "log.jsonl")
    assert (partly.exit_code, "log.jsonl: 1 line is not an attempt" in partly.stderr) == (0, True)


def matrix_of(*arguments: str) -> Any:
    """The models of `planguard report --matrix`: task to state, good answers and bad ones."""
    shown = report("--matrix", *arguments, "--format", "json")
    assert shown.exit_code == 0, shown.stderr
    models = json.loads(shown.stdout)["models"]
    return {
        model: {task: (cell["state"], cell["passed"], cell["failed"]) for task, cell in row.items()}
        for model, row in models.items()
    }


def test_the_matrix_of_a_folder(here: Path) -> None:
    """Histories, runs, cassettes and logs together; a session under two names counts once, and so does a history."""
    folder = here / "all"
    kept = [bad("a", model="m", task="Levers"), replace(bad("old", model="m"), stale=("changed",))]
    for name in ("last", "main"):
        Store(folder).save(name, RunHeader(name, run="1f", created="2026-05-01T10:20:30+00:00"), kept)
    history = AttemptHistory(folder / "run" / "model_attempts.jsonl")
    for record in (AttemptRecord("Levers", "m", "pass", 9.0), AttemptRecord("Plan", "n", "error:transport", 9.0)):
        history.append(record)
    write_matrix(folder / "run" / "model_task_matrix.json", {"m": {"Levers": Cell("pass", 1)}})
    write_matrix(folder / "model_task_matrix.json", {"n": {"Plan": Cell("pass", 2, {"prose": 1})}})
    log = [{"model": "n", "task": "Levers", "error": "ValueError('Could not extract json string from output: ')"}]
    (folder / "errors.json").write_text(json.dumps(log))
    (folder / "settings.json").write_text('["of the app"]')
    (folder / "parts.jsonl").mkdir()
    write(folder / "cassettes" / "b.yaml", conversation(BAD, GOOD))
    assert matrix_of(str(folder), "-c", "models.py:Person") == {
        "m": {"Levers": ("fail:content", 1, {"content": 1}), "cassettes/b": ("pass", 1, {"missing": 1})},
        "n": {"Levers": ("fail:empty", 0, {"empty": 1}), "Plan": ("pass", 2, {"prose": 1})},
    }


def test_the_matrix_of_a_recording_needs_a_judge(here: Path) -> None:
    """What nothing judges is told and makes no cell; a named contract judges it."""
    write(here / "b.yaml", conversation(BAD, GOOD))
    shown = report("--matrix", "b.yaml")
    assert (shown.exit_code, shown.stdout) == (0, "no attempt of a model was judged\n")
    assert "planguard: b.yaml: nothing judges an answer of it" in shown.stderr
    assert matrix_of("b.yaml", "-c", "models.py:Person") == {"m": {"answer": ("pass", 1, {"missing": 1})}}


def test_a_folder_without_any_attempt_is_one_message(here: Path) -> None:
    """With what was looked for."""
    (here / "empty").mkdir()
    shown = report("--matrix", "empty")
    assert shown.exit_code == 2
    assert (
        "empty has no attempt of a model: got no history, run record, recording, log of errors or matrix; name another "
        "folder" in shown.stderr
    )
