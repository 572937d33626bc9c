"""`planguard_plan_files`: each plan file is a test of its own; and `planguard.check` on plan files."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from pytest_planguard.testing.example import Example, Run

from ...support.plans import text_of
from ...support.warm import WarmExample, inner_environment, run_module
from ..projects import rows

TASKS = text_of("spec-kit-tasks")[1]
SPEC = text_of("spec-kit-spec")[1]
DUPLICATE = TASKS.replace("] T002 [P]", "] T001 [P]")
INI = "[pytest]\nplanguard_plan_files = specs/**/*.md docs/plans/*.md\n"
TEST = "def test_a(): pass\n"
HEAVY = ("vcr", "pydantic", "yaml", "deepdiff", "markdown_it", "rich", "click")
SHOW_MODULES = f"""
import sys

def pytest_unconfigure(config):
    print("\\nOURS", *sorted(name for name in sys.modules if name.startswith("pytest_planguard.plans")))
    print("HEAVY", *(name for name in {HEAVY!r} if name in sys.modules))
"""


def project(ini: str = INI, **files: str) -> WarmExample:
    """A project with one good and one bad plan, one ordinary test, and further files."""
    own = {
        "pytest.ini": ini,
        "tests/test_a.py": TEST,
        "specs/001/tasks.md": TASKS,
        "docs/plans/refresh.md": DUPLICATE,
        "README.md": "# Hello\n",
    }
    return WarmExample({**own, **files})


def named(run: Run) -> dict[str, str]:
    """Test ids of a verbose run with their outcomes; a worker's line has them the other way round."""
    alone = re.findall(r"(?m)^(\S+::\S+) (PASSED|FAILED|ERROR)", run.stdout)
    spread = re.findall(r"(?m)^\[gw\d\].*? (PASSED|FAILED|ERROR) (\S+::\S+)", run.stdout)
    return {**dict(alone), **{name: outcome for outcome, name in spread}}


def test_each_plan_file_is_a_test():
    """A good plan passes, a bad one fails with the finding in its place; other Markdown is no test."""
    run = project().run_pytest("-v")
    assert named(run) == {
        "docs/plans/refresh.md::plan": "FAILED",
        "specs/001/tasks.md::plan": "PASSED",
        "tests/test_a.py::test_a": "PASSED",
    }
    assert "planguard: not a valid spec-kit-tasks plan: 1 finding" in run.stdout
    assert "10 | - [ ] T001 [P] Configure the linter in pyproject.toml\n       |       ^^^^" in run.stdout
    assert "FAILED docs/plans/refresh.md::plan - planguard: not a valid spec-kit-tasks plan: 1 finding" in run.stdout
    assert "refresh.md:10" in run.stdout
    assert "Traceback" not in run.stdout
    assert "def runtest" not in run.stdout


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
@pytest.mark.parametrize("more", ["testpaths = tests\n", "testpaths = .\n", ""], ids=["tests", "all", "no testpaths"])
def test_plans_are_found_wherever_they_stand(more, workers):
    """Outside `testpaths` and in a hidden folder that the glob names, each once; what else is hidden stays out."""
    ini = f"[pytest]\nplanguard_plan_files = .kiro/specs/**/tasks.md docs/**/*.md\n{more}"
    hidden = {".kiro/specs/a/test_b.py": TEST, ".kiro/specs/b/c/test_b.py": TEST, "docs/.hidden/tasks.md": DUPLICATE}
    example = project(ini, **{".kiro/specs/a/tasks.md": text_of("kiro-tasks")[1]}, **hidden)
    run = example.run_pytest("-v", *workers, plugins=("planguard", "xdist") if workers else ("planguard",))
    kept = ["docs/plans/refresh.md::plan", "tests/test_a.py::test_a"]
    assert sorted(named(run)) == [".kiro/specs/a/tasks.md::plan", *kept]
    assert run.outcomes == {"passed": 2, "failed": 1}


def test_ignored_folders_stay_out():
    """`--ignore` holds for plan files too, wherever they stand."""
    for ini in (INI, INI + "testpaths = tests\n"):
        assert project(ini).run_pytest("--ignore=docs").outcomes == {"passed": 2}


def test_only_what_is_named_runs():
    """A run of one test file collects no plan; a plan file that is named runs alone; so does its test id."""
    example = project(INI + "testpaths = tests\n")
    assert example.run_pytest("tests/test_a.py").outcomes == {"passed": 1}
    assert example.run_pytest("specs").outcomes == {"passed": 1}
    assert example.run_pytest("docs/plans/refresh.md").outcomes == {"failed": 1}
    assert example.run_pytest("docs/plans/refresh.md::plan").outcomes == {"failed": 1}
    assert example.run_pytest("-k", "specs or test_a").outcomes == {"passed": 2, "deselected": 1}
    assert example.run_pytest("-k", "refresh").outcomes == {"failed": 1, "deselected": 2}


def test_workers_run_them_too():
    """With -n 2 the same tests have the same outcomes, rows included."""
    example = project(INI + "testpaths = tests\n")
    alone = example.run_pytest("-v")
    spread = example.run_pytest("-v", "-n", "2", plugins=("planguard", "xdist"))
    assert spread.outcomes == alone.outcomes == {"passed": 2, "failed": 1}
    assert "planguard: not a valid spec-kit-tasks plan: 1 finding" in spread.stdout
    assert rows(spread.example) == rows(alone.example)


def test_the_last_failed_run_again(tmp_path):
    """--lf runs the plan that failed and nothing else."""
    project().write(tmp_path)
    outputs = [
        run_module(["pytest", "-p", "planguard", "-v", *more], tmp_path, inner_environment()).stdout.decode()
        for more in ((), ("--lf",))
    ]
    assert "1 failed, 2 passed" in outputs[0]
    assert "1 failed in" in outputs[1]
    assert "docs/plans/refresh.md::plan FAILED" in outputs[1]
    assert "PASSED" not in outputs[1]


def test_junit_has_a_case_for_each_plan():
    """With the failure's first line and the outcome as a property, and nothing of the plan beyond the shown lines."""
    run = project().run_pytest("--junit-xml=report.xml")
    cases = {
        f"{case.get('classname')}.{case.get('name')}": case
        for case in ET.fromstring(run.example.read("report.xml")).iter("testcase")
    }
    assert set(cases) == {"docs.plans.refresh.md.plan", "specs.001.tasks.md.plan", "tests.test_a.test_a"}
    failure = cases["docs.plans.refresh.md.plan"].find("failure")
    assert failure is not None
    reason = 'planguard: not a valid spec-kit-tasks plan: 1 finding: tasks["T001 #2"] [id-unique]'
    assert failure.get("message") == reason
    properties = cases["docs.plans.refresh.md.plan"].iter("property")
    assert [(p.get("name"), p.get("value")) for p in properties] == [("planguard_outcome", "invalid")]


def test_a_row_for_each_plan():
    """Rows have the shape of marked tests', so that runs of plans can be compared; the section counts them."""
    run = project().run_pytest()
    bad, good = rows(run.example)
    assert (bad["test"], bad["outcome"], bad["result"]) == ("docs/plans/refresh.md::plan", "invalid", "failed")
    assert (good["outcome"], good["result"]) == ("valid", "passed")
    (check,) = bad["judged"]
    (attempt,) = check["attempts"]
    assert check["contract"] == "spec-kit-tasks"
    assert [(f["code"], f["span"]["line"], f["span"]["column"]) for f in attempt["findings"]] == [("id-unique", 10, 7)]
    assert attempt["answer"] == DUPLICATE
    assert "2 cases: 1 invalid, 1 valid" in run.stdout


def test_rules_and_severities_from_the_ini_file():
    """A format, severities and rules that are off; the digest in the row changes with them."""
    lax = project(INI + "planguard_plan_rules = spec-kit id-unique=warn\n").run_pytest()
    assert lax.outcomes == {"passed": 3}
    off = project(INI + "planguard_plan_rules = id-unique=off\n").run_pytest()
    assert off.outcomes == {"passed": 3}
    strict = project(
        INI + "planguard_plan_rules = id-gap=fail\n", **{"specs/001/tasks.md": TASKS.replace("T002", "T009")}
    )
    assert "[id-gap]" in strict.run_pytest().stdout
    digests = {rows(run.example)[0]["judged"][0]["digest"] for run in (lax, off)}
    assert len(digests) == 2


@pytest.mark.parametrize(
    ("ini", "message"),
    [
        ("planguard_plan_rules = id-uniq=warn\n", "planguard_plan_rules: unknown plan rule 'id-uniq'. Did you mean"),
        (
            "planguard_plan_rules = id-unique=bad\n",
            "planguard_plan_rules: id-unique=bad: unknown severity 'bad'. Known:",
        ),
        ("planguard_plan_rules = speckit\n", "planguard_plan_rules: unknown plan format 'speckit'. Did you mean"),
    ],
)
def test_a_wrong_word_ends_the_run_before_any_test(ini, message):
    """With the ini value and the nearest known word, and exit code 4."""
    run = project(INI + ini).run_pytest()
    assert run.returncode == 4
    assert message in run.output
    assert "Traceback" not in run.output


@pytest.mark.parametrize("glob", ["../plans/*.md", "/etc/*.md"])
def test_a_glob_cannot_leave_the_root_folder(glob):
    """It is refused, and the message shows what is needed."""
    run = project(f"[pytest]\nplanguard_plan_files = {glob}\n").run_pytest()
    assert run.returncode == 4
    assert "expected a glob below the root folder, such as specs/**/tasks.md" in run.output


def test_a_file_that_is_no_plan_fails_and_says_so():
    """The glob says that it is a plan, so it must be one."""
    run = project(**{"specs/001/notes.md": "# Notes\n"}).run_pytest("-rf")
    assert "FAILED specs/001/notes.md::plan - planguard: not a plan in a known format" in run.stdout
    assert "narrow planguard_plan_files" in run.stdout


def test_the_documents_of_a_folder_are_checked_against_each_other():
    """The tasks cite a requirement that the spec beside them lacks."""
    cites = TASKS.replace("(FR-001)", "(FR-077)")
    run = project(**{"specs/001/tasks.md": cites, "specs/001/spec.md": SPEC}).run_pytest("-v")
    assert named(run)["specs/001/tasks.md::plan"] == "FAILED"
    assert "[trace-backward]" in run.stdout
    assert project(**{"specs/001/tasks.md": cites}).run_pytest().outcomes == {"passed": 2, "failed": 1}


OWN = """
from pytest_planguard import Severity
from pytest_planguard.plans.plan import Plan, Task
from pytest_planguard.plans.plan import Place
from pytest_planguard.plans.reading.profile import Profile
from pytest_planguard.plans.rules.rule import Hit, Rule

def read(source):
    return Plan("todo", tasks=tuple(Task(name, name) for name in source.data["todo"]))

def short(plan, index):
    for task in plan.tasks:
        if len(task.key) > 3:
            yield Hit(task.place, f"{task.key} is long")

def pytest_planguard_register(registry):
    def score(source):
        return 99 if "todo" in (source.data or ()) else 0

    registry.plan_format(Profile("todo", "todo", "A list.", score, read, "data"))
    registry.plan_rule(Rule("short", short, Severity.RETRY, "Names are short.", "`long`", "Shorten it."))
"""


def test_formats_and_rules_of_ones_own():
    """A conftest registers them; the ini file weighs them like any other."""
    ini = "[pytest]\nplanguard_plan_files = todo/*.json\n"
    files = {"conftest.py": OWN, "todo/a.json": '{"todo": ["one", "three"]}'}
    run = project(ini, **files).run_pytest("-rf")
    assert run.outcomes == {"passed": 1, "failed": 1}
    assert "three is long  [short]" in run.stdout
    assert project(ini + "planguard_plan_rules = short=warn\n", **files).run_pytest().outcomes == {"passed": 2}


def test_nothing_is_loaded_where_no_file_matches():
    """The ini value alone costs no plan module and no dependency."""
    files = {"conftest.py": SHOW_MODULES, "tests/test_a.py": TEST, "pytest.ini": INI}
    lines = [line.strip() for line in Example(files).run_pytest("-q").stdout.splitlines()]
    assert "OURS" in lines
    assert "HEAVY" in lines


def test_hostile_plans_cannot_reach_the_terminal():
    """Escape sequences in a plan, and a file that is no text, are a failure that is shown, not obeyed."""
    bad = DUPLICATE.replace("the linter", "\x1b[2J\u202e\x07")
    run = project(**{"docs/plans/refresh.md": bad, "docs/plans/zero.md": "\0" * 50}).run_pytest("-v")
    assert named(run)["docs/plans/refresh.md::plan"] == "FAILED"
    assert named(run)["docs/plans/zero.md::plan"] == "FAILED"
    assert not set(run.stdout) & set("\x1b\x07\u202e")


CHECK = """
from pathlib import Path

import pytest

from pytest_planguard import Contract
from pytest_planguard.plans.judging.contract_rules import plan_rules

PLAN = Contract(None, rules=plan_rules("spec-kit", ignore=["parallel-safe"]))
HERE = Path(__file__).parent

@pytest.mark.planguard(PLAN)
@pytest.mark.parametrize("name", ["good.md", "bad.md", "fenced.md"])
def test_plan(planguard, name):
    planguard.check(HERE / name)
"""


def test_check_takes_plan_files():
    """A contract of plan rules judges a file as what its name says, also where it holds JSON in a fence."""
    fence = '\n```json\n{"not": "the plan"}\n```\n'
    files = {"test_p.py": CHECK, "good.md": TASKS + fence, "bad.md": DUPLICATE, "fenced.md": DUPLICATE + fence}
    run = WarmExample(files).run_pytest("-v")
    assert [name for name, outcome in named(run).items() if outcome == "PASSED"] == ["test_p.py::test_plan[good.md]"]
    assert run.stdout.count("the id T001 is used 2 times, first (line 9)  [id-unique]") == 2
    found = [row["judged"][0]["attempts"][0]["findings"] for row in rows(run.example)]
    assert sorted([f["code"] for f in findings] for findings in found) == [[], ["id-unique"], ["id-unique"]]
    assert json.loads(run.example.read(".planguard/last.jsonl").splitlines()[1])["outcome"] == "invalid"


def test_a_format_that_a_file_describes():
    """Named in the ini file, relative to the root folder; a mistake in it ends the run with its line."""
    ini = "[pytest]\nplanguard_plan_files = runbooks/*.md\nplanguard_plan_rules = own.yaml\n"
    form = (
        "format: runbook\nrequired: [Rollback]\ntasks: {level: 2, pattern: 'Step {id}: {title}', depends: ['Needs:']}\n"
    )
    runbook = "# Fail over\n\n## Step 1: Stop\n\nNeeds: 2\n\n## Step 2: Start\n\nNeeds: 1\n"
    files = {"pytest.ini": ini, "own.yaml": form, "runbooks/a.md": runbook, "test_a.py": TEST}
    run = WarmExample(files).run_pytest()
    assert run.outcomes == {"passed": 1, "failed": 1}
    assert "planguard: not a valid runbook plan: 2 findings" in run.stdout
    run = WarmExample({**files, "own.yaml": form.replace("level", "lvl")}).run_pytest()
    assert 'own.yaml:3: tasks.lvl: not allowed here; did you mean "level"?' in run.stderr


def test_a_glob_that_finds_no_file_is_named_at_the_end():
    """A misspelt folder would judge nothing. A run of a part says nothing, because it may have left the files out."""
    example = project(INI.replace(" docs", " spec/**/*.md docs"))
    lines = [line for line in example.run_pytest().stdout.splitlines() if "finds no file" in line]
    assert lines == [
        "planguard: ini value planguard_plan_files: 'spec/**/*.md' finds no file; correct it or take it out"
    ]
    for part in (("tests",), ("-k", "test_a"), ("-qq",)):
        assert "finds no file" not in example.run_pytest(*part).stdout


def test_the_place_of_a_failure_is_the_path_of_the_file():
    """The last line of a failing test names the file as an editor opens it from the root folder."""
    lines = project().run_pytest().stdout.splitlines()
    assert [line for line in lines if re.fullmatch(r"\S*refresh\.md:\d+", line)] == ["docs/plans/refresh.md:10"]


def test_a_link_to_a_folder_gives_no_copies(tmp_path: Path):
    """A loop of links below a glob would give dozens. A folder that the glob names may be a link, and so may a file."""
    (tmp_path / "other.md").write_text(TASKS, encoding="utf-8")
    links = (
        "from pathlib import Path\n"
        "Path(__file__).with_name('specs').joinpath('001/loop').symlink_to('..')\n"
        f"Path(__file__).with_name('linked').symlink_to({str(tmp_path)!r})\n"
    )
    example = project("[pytest]\nplanguard_plan_files = specs/**/*.md linked/*.md\n", **{"conftest.py": links})
    assert sorted(name for name in named(example.run_pytest("-v")) if name.endswith("::plan")) == [
        "linked/other.md::plan",
        "specs/001/tasks.md::plan",
    ]
    own = "specs/001/loop/001/tasks.md"
    assert named(example.run_pytest("-v", own)) == {f"{own}::plan": "PASSED"}
