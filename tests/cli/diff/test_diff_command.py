"""`planguard diff`: two runs by name, file, folder, variant or revision; the gate's exit codes."""

import json
from pathlib import Path

import pytest
from click.testing import Result

from pytest_planguard.runs.model.run import RunHeader
from pytest_planguard.runs.store.store import Store

from ...support import reviews
from ...support.cassettes import BAD, GOOD, conversation, write, write_models
from ...support.commands import run
from ...support.git import git
from ...support.runs import bad, good
from .contract_module import CONTRACT

BLOCKERS = "The project faces three critical blockers: insufficient capital runway..."
PROCEED = "Proceed with Caution — the core concept is viable but..."


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with contracts and the two files of reviews."""
    write_models(tmp_path)
    (tmp_path / "contract.py").write_text(CONTRACT, encoding="utf-8")
    reviews.write_lines(tmp_path / "a.jsonl", reviews.base())
    reviews.write_lines(tmp_path / "b.jsonl", reviews.candidate())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def diff(*arguments: str) -> Result:
    """Run `planguard diff`; an exception that escapes fails the test."""
    return run("diff", *arguments)


def reviewed(*arguments: str) -> Result:
    """The two files of reviews, judged."""
    return diff("a.jsonl", "b.jsonl", "-c", "contract.py:REVIEW", *arguments)


def counts(result: Result) -> dict[str, int]:
    """The buckets that have cases in the JSON form."""
    return {name: n for name, n in json.loads(result.stdout)["counts"].items() if n}


@pytest.mark.parametrize(
    ("extract", "line"),
    [
        ("whole", "2 new failures, 1 fixed, 4 still failing, 1 changed but valid, 12 unchanged"),
        ("embedded", "2 new failures, 1 fixed, 3 still failing, 1 changed but valid, 13 unchanged"),
    ],
)
def test_two_files_of_answers(here: Path, extract: str, line: str) -> None:
    """New failures fail the build; both forms count the same."""
    result = reviewed("--extract", extract)
    assert (result.stdout.split("\n")[0], result.exit_code) == (f"a.jsonl → b.jsonl: {line}", 1)
    assert "    recommendation: reject → APPROVE (breaks one_of)\n" in result.stdout
    assert result.stdout.endswith("\nFAIL: 2 new failures\n")
    found = reviewed("--extract", extract, "--format", "json")
    assert (sum(counts(found).values()), counts(found)["new_failure"], found.exit_code) == (20, 2, 1)


def test_a_baseline_of_the_candidate_lets_it_pass_the_next_time(here: Path) -> None:
    """Updating does not turn this comparison green; the next one passes and shows the failures as known."""
    first = reviewed("--baseline", "known.json", "--baseline-update")
    assert (first.exit_code, first.stderr) == (1, "known.json: 5 added, 0 removed, 5 listed\n")
    again = reviewed("--baseline", "known.json", "--fail-on", "new")
    assert (again.exit_code, again.stdout.split("\n")[-2]) == (0, "PASS")
    assert "  case-0005 (known)\n" in again.stdout


def test_the_baseline_is_pruned_of_what_is_fixed(here: Path) -> None:
    """What the candidate no longer fails is taken out; nothing else is."""
    diff("b.jsonl", "a.jsonl", "-c", "contract.py:REVIEW", "--baseline", "known.json", "--baseline-update")
    result = reviewed("--baseline", "known.json", "--baseline-prune")
    assert result.stderr == "known.json: 0 added, 1 removed, 3 listed\n"
    assert (diff("a.jsonl", "a.jsonl", "--baseline-prune").exit_code, result.exit_code) == (2, 1)


def test_fail_on_chooses_what_fails(here: Path) -> None:
    """Nothing, or more; an unknown word is answered with the nearest."""
    assert reviewed("--fail-on", "none").exit_code == 0
    assert reviewed("--fail-on", "new,changed").stdout.endswith("FAIL: 2 new failures; 2 changed values\n")
    result = reviewed("--fail-on", "chnged")
    assert result.exit_code == 2
    assert "--fail-on 'chnged' is unknown. Did you mean 'changed'? Valid: new, worse, changed" in result.stderr


def test_kept_runs_by_name(here: Path) -> None:
    """Saved names, the last run, and a record as a file are the same to the command."""
    store = Store(here)
    store.save("main", RunHeader("x"), [good("a"), good("b")])
    store.save("last", RunHeader("x"), [good("a"), bad("b")])
    for second in ("last", ".planguard/last.jsonl"):
        result = diff("main", second)
        assert (result.stdout.split("\n")[0], result.exit_code) == (f"main → {second}: 1 new failure, 1 unchanged", 1)
    assert diff("main", "main").exit_code == 0


def test_one_task_of_two_run_directories(here: Path) -> None:
    """`--run-a --run-b --task`, each field with a line for each side."""
    for folder, data in (("v1", {}), ("v2", {"combined_summary": BLOCKERS, "go_no_go_recommendation": PROCEED})):
        path = here / "run" / folder / "018-2-pre_project_assessment.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(data), encoding="utf-8")
        (path.parent / "other.json").write_text("{}", encoding="utf-8")
    result = diff("--run-a", "run/v1", "--run-b", "run/v2", "--task", "PreProjectAssessmentTask")
    assert result.exit_code == 0
    assert (
        result.stdout
        == f"""\
PreProjectAssessmentTask output diff:

  combined_summary:
-   (empty — field was missing)
+   {BLOCKERS}

  go_no_go_recommendation:
-   (empty — field was missing)
+   {PROCEED}
"""
    )


def test_an_unknown_task_offers_what_there_is(here: Path) -> None:
    """The message has the tasks of the run."""
    (here / "v1").mkdir()
    (here / "v1" / "001-assess.json").write_text("{}")
    result = diff("v1", "v1", "--task", "Asess")
    assert result.exit_code == 2
    assert "no such task in v1 and v1." in result.stderr
    assert "001-assess" in result.stderr


def task_files(here: Path) -> None:
    """Two runs of two tasks; the second run has no output of one of them."""
    for folder in ("v1", "v2"):
        (here / folder).mkdir()
    (here / "v1" / "001-assess.json").write_text('{"verdict": "Go", "risks": ["none"], "why": "it is ready"}')
    (here / "v2" / "001-assess.json").write_text('{"verdict": "Stop", "risks": [], "why": "no"}')
    (here / "v1" / "002-plan.json").write_text('{"steps": 2}')


def test_a_task_that_one_run_lacks_is_no_wrong_use(here: Path) -> None:
    """A failed task writes no file: every form says which run lacks it; several tasks may be named."""
    task_files(here)
    why = "v2 has no output of it: the task failed, or did not run"
    result = diff("v1", "v2", "--task", "PlanTask", "--task", "AssessTask")
    assert result.exit_code == 0
    assert "PlanTask output diff:\n\n  (" + why + ")\n" in result.stdout
    assert "AssessTask output diff:\n\n  verdict:\n-   Go\n+   Stop\n" in result.stdout
    alone = diff("v1", "v2", "--task", "plan")
    assert (alone.exit_code, f"removed (1)\n  plan: {why}" in alone.stdout) == (3, True)
    assert f'<skipped message="removed: {why}" />' in diff("v1", "v2", "--task", "plan", "--format", "junit").stdout


def test_conclusions_lost_fields_and_lengths_gate(here: Path) -> None:
    """Each reason says what it found; a conclusion can gate only where one is named."""
    task_files(here)
    words = ("--fail-on", "verdict,fields", "--verdict", "verdict", "--max-length-change", "20%")
    result = diff("v1", "v2", *words)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == (
        "FAIL: verdict: 1 changed conclusion; 1 lost field: 001-assess: risks; "
        "length of answers: -64.7%, and at most ±20.0% is allowed"
    )
    assert diff("v1", "v1", *words).exit_code == 0
    misspelled = diff("v1", "v2", "--fail-on", "verdict", "--verdict", "verdikt")
    assert misspelled.exit_code == 1
    assert misspelled.stdout.splitlines()[-1] == "FAIL: verdikt: none of the compared answers has this field"
    refused = diff("v1", "v2", "--fail-on", "verdict")
    assert refused.exit_code == 2
    assert "--fail-on verdict works only together with --verdict PATH" in refused.stderr


def test_variants_of_the_recordings(here: Path) -> None:
    """Two variants are paired case by case, judged by the contract that was named."""
    for variant, answers in (("gpt-4", [GOOD]), ("gpt-5", [BAD, BAD])):
        write(here / "tests" / "cassettes" / "test_app" / variant / "test_a-1234.yaml", conversation(*answers))
    result = diff("gpt-4", "gpt-5", "-c", "models.py:Person")
    assert (result.stdout.split("\n")[0], result.exit_code) == ("gpt-4 → gpt-5: 1 new failure", 1)
    assert "differs in variant: gpt-4 → gpt-5\n" in result.stdout
    told = "    age (line 1, column 1): required, missing\n    age: removed 36 (breaks missing)\n"
    assert f"  tests/cassettes/test_app/test_a-1234\n{told}" in result.stdout


def test_named_sides_are_arms(here: Path) -> None:
    """Three named folders give a table of strategies and every pair tested."""
    sides = {"blind": [BAD, BAD], "feedback": [BAD, GOOD], "inject": [GOOD]}
    for name, answers in sides.items():
        write(here / "rec" / name / "00.yaml", conversation(*answers))
    result = diff(*(f"{name}=rec/{name}" for name in sides), "-c", "models.py:Person")
    assert result.exit_code == 0
    assert [line.split()[:4] for line in result.stdout.split("\n")[1:4]] == [
        ["blind", "1", "0", "0"], ["feedback", "1", "0", "1"], ["inject", "1", "1", "1"],
    ]  # fmt: skip
    told = [" ".join(line.split()) for line in result.stdout.split("\n")]
    assert "feedback blind no evidence only feedback 1, only blind 0 of 1 tasks, exact McNemar p = 1" in told
    assert "blind feedback 1 fixed" in told
    assert "inject → " not in result.stdout


def test_verbose_shows_every_two_arms_case_by_case(here: Path) -> None:
    """As two runs are shown, without a gate's word; without it one line names the way there."""
    sides = ("one=a.jsonl", "two=b.jsonl", "three=a.jsonl")
    short, whole = diff(*sides), diff(*sides, "--verbose")
    assert "\nnote: No case was judged" in short.stdout
    assert short.stdout.endswith("\n--verbose shows which cases, and what changed in them\n")
    pair = diff("one=a.jsonl", "two=b.jsonl", "--verbose").stdout.partition("\n\nnote: ")[0]
    assert "  case-0005\n    recommendation: reject → APPROVE\n" in pair
    assert f"{pair}\n\none → three: 20 unchanged\n" in whole.stdout
    assert [whole.stdout.count(word) for word in ("PASS", "--verbose", "note: No case was judged")] == [0, 0, 1]
    assert whole.exit_code == 0
    same = diff("one=a.jsonl", "two=a.jsonl", "three=a.jsonl").stdout
    assert "--verbose" not in same


def test_arms_go_to_files_and_to_the_summary_of_a_job(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the form that a file's name says; forms that are about a gate are refused, before anything is written."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    sides = ("one=a.jsonl", "two=b.jsonl", "three=a.jsonl")
    result = diff(
        *sides, "-o", "strategies.md", "-o", "strategies.html", "-o", "strategies.json", "--format", "markdown"
    )
    assert (result.exit_code, result.stdout.startswith("Every two compared\n")) == (0, True), result.output
    assert (
        (here / "strategies.md")
        .read_text(encoding="utf-8")
        .startswith("**Every two compared**\n\n| before | now | cases |\n")
    )
    assert (here / "strategies.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert len(json.loads((here / "strategies.json").read_text())["comparisons"]) == 3
    assert (here / "summary.md").read_text(encoding="utf-8") == (here / "strategies.md").read_text(encoding="utf-8")
    for wrong in (("--format", "github"), ("-o", "strategies.sarif"), ("-o", "strategies.xml")):
        refused = diff(*sides, *wrong)
        assert (refused.exit_code, "take text, markdown, html or json, or name two" in refused.stderr) == (2, True)
    assert not list(here.glob("strategies.[sx]*"))


@pytest.mark.slow
def test_two_revisions_without_any_stored_run(here: Path) -> None:
    """Committed cassettes of a revision against HEAD; what is not committed does not count."""
    cassette = here / "tests" / "cassettes" / "test_app" / "default" / "test_a-1.yaml"
    git(here, "init", "-q", "-b", "main")
    for answers, tag in (([GOOD], "old"), ([BAD, BAD], "new")):
        write(cassette, conversation(*answers))
        git(here, "add", "tests")
        git(here, "commit", "-q", "-m", tag)
        git(here, "tag", tag)
    write(cassette, conversation(GOOD))
    result = diff("--git", "old", "-c", "models.py:Person")
    assert (result.stdout.split("\n")[0], result.exit_code) == ("old → HEAD: 1 new failure", 1)
    assert "\n  tests/cassettes/test_app/default/test_a-1\n" in result.stdout
    assert diff("--git", "old", "old", "-c", "models.py:Person").exit_code == 0
    missing = diff("--git", "nowhere", "-c", "models.py:Person")
    assert (missing.exit_code, "git knows no revision 'nowhere'" in missing.stderr) == (2, True)
    evil = diff("--git", "--output=x", "-c", "models.py:Person")
    assert (evil.exit_code, (here / "x").exists()) == (2, False)


@pytest.mark.slow
def test_contracts_of_a_working_tree_that_is_not_the_candidate_are_told(here: Path) -> None:
    """New or changed code, and another candidate than what is checked out; a note or a cassette is no contract."""
    cassette = here / "tests" / "cassettes" / "test_app" / "default" / "test_a-1.yaml"
    write(cassette, conversation(GOOD))
    git(here, "init", "-q", "-b", "main")
    git(here, "add", "tests")
    git(here, "commit", "-q", "-m", "one")

    def said(*arguments: str) -> str:
        text = diff("--git", "HEAD", "-c", "models.py:Person", *arguments).stdout
        found = [line.strip() for line in text.splitlines() if "working tree" in line]
        return found[0] if found else ""

    assert "the working tree, which differs from HEAD in contract.py, models.py. Check HEAD out" in said()
    git(here, "add", "contract.py", "models.py")
    git(here, "commit", "-q", "-m", "two")
    (here / "notes.txt").write_text("x")
    (here / ".venv" / "site-packages").mkdir(parents=True)
    (here / ".venv" / "site-packages" / "installed.py").write_text("")
    write(cassette, conversation(BAD, GOOD))
    assert said() == ""
    assert "differs from HEAD~1 in contract.py, models.py" in said("HEAD~1")
    (here / "models.py").write_text((here / "models.py").read_text() + "\n")
    assert "differs from HEAD in models.py" in said()
    assert "working tree" not in diff("--git", "HEAD").stdout


def test_keys_ignored_places_and_conclusions(here: Path) -> None:
    """--key, --ignore and --verdict reach the fields."""
    lists = [[{"label": "x", "v": 1, "id": "a1"}, {"label": "y", "v": 2, "id": "a2"}],
             [{"label": "y", "v": 3, "id": "b2"}, {"label": "x", "v": 1, "id": "b1"}]]  # fmt: skip
    for name, items in zip("pq", lists, strict=True):
        (here / f"{name}.json").write_text(json.dumps({"steps": items}))
    result = diff("p.json", "q.json", "--key", "label", "--ignore", "steps[*].id", "--verdict", "steps[*].v")
    assert "steps[*].v: 1 of 2 agree\nbefore  now  times\n2       3        1\n" in result.stdout
    assert "    steps[label=y].v: 2 → 3\n" in result.stdout
    assert ".id" not in result.stdout


def test_lists_without_stable_ids_give_metrics(here: Path) -> None:
    """New ids and names in each run: sizes and shares instead of a row for every field."""
    for name, size in (("p", 6), ("q", 9)):
        items = [{"lever_id": f"{name}{n}", "name": f"{name} {n}", "review": "text"} for n in range(size)]
        (here / f"{name}.json").write_text(json.dumps(items))
    result = diff("p.json", "q.json")
    assert "items are matched by lever_id, which 0 of 6 share: compared by metrics" in result.stdout
    assert ("items of (whole answer)" in result.stdout, "lever_id=" in result.stdout) == (True, False)
    metrics = diff("p.json", "q.json", "--metrics", "--format", "json")
    assert {"filled fields", "items of the answer"} <= {
        found["name"] for found in json.loads(metrics.stdout)["metrics"]
    }


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["a.jsonl"], 2, "a comparison needs two runs, got 1. Write: planguard diff BASE CANDIDATE"),
        (["a.jsonl", "nothing"], 2, "'nothing' is not a file, folder, kept run or variant. Kept runs: none"),
        (["a.jsonl", "b.jsonl", "--max-cost-increase", "lots"], 2, "'lots': expected a share like 10% or 0.1"),
        (["a.jsonl", "b.jsonl", "--baseline", "none.json"], 2, "none.json: the baseline cannot be read"),
        (["a.jsonl", "b.jsonl", "--field", "nope"], 2, "no field 'nope'; it has: id, prompt, output"),
        (["a.jsonl", "b.jsonl", "--key", "steps="], 2, "--key 'steps=' has no key"),
        (["a.jsonl", "b.jsonl", "--ignore", "a["], 2, "a["),
        (["--git", "x", "a", "b"], 2, "--git takes one revision to compare with"),
        (["x=a.jsonl", "x=b.jsonl"], 2, "two sides are called 'x'"),
    ],
)
def test_a_wrong_use_is_one_message(here: Path, arguments: list[str], code: int, said: str) -> None:
    """What was seen, and what to write instead; exit code 2."""
    result = diff(*arguments)
    assert (result.exit_code, said in result.stderr) == (code, True), result.output


def test_nothing_to_compare_is_an_exit_code_of_its_own(here: Path) -> None:
    """Other cases, or another question under every key: neither pass nor regression."""
    for name, key, asked in (("p", "1", "x"), ("q", "1", "y"), ("r", "2", "x")):
        (here / f"{name}.jsonl").write_text(json.dumps({"id": key, "prompt": asked, "output": "{}"}))
    found = [diff("p.jsonl", other) for other in ("q.jsonl", "r.jsonl")]
    assert [result.exit_code for result in found] == [3, 3]
    assert {result.stdout.split("\n")[-2] for result in found} == {"UNPROVEN: nothing could be compared"}


def test_what_could_not_be_read_is_told_and_is_no_pass(here: Path) -> None:
    """A broken line is a note, and the comparison does not pass as whole."""
    with (here / "b.jsonl").open("a") as file:
        file.write("{broken\n")
    result = diff("b.jsonl", "b.jsonl")
    assert ("note: b.jsonl: line 21: it is not JSON; the line is left out" in result.stdout, result.exit_code) == (
        True,
        3,
    )


def test_hostile_answers_reach_the_terminal_as_text(here: Path) -> None:
    """Escapes, workflow commands on a line of their own, bidi controls and lone surrogates in keys and values."""
    evil = "\x1b[31m\u202e\n::set-output name=a::b\n\ud800<script>"
    for name, value in (("p", "x"), ("q", evil)):
        line = {"id": evil, "output": json.dumps({"recommendation": value, evil: value})}
        (here / f"{name}.jsonl").write_text(json.dumps(line))
    for result in (diff("p.jsonl", "q.jsonl"), diff("p.jsonl", "q.jsonl", "--format", "json")):
        assert result.exit_code == 0
        assert not {"\x1b", "\u202e", "\ud800"} & set(result.stdout)
        assert not any(line.startswith("::") for line in result.stdout.split("\n"))
