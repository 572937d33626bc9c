"""planguard search: policies over recorded searches."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from pytest_planguard.plan_search.call_tape import CallTape
from pytest_planguard.plan_search.loop import search

from ..plan_search.pipelines import Scripted
from ..support.commands import run

STEPS = """
from pytest_planguard.plan_search.step import StepBudget
from pytest_planguard.plan_search.step import Step
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict

def ask(context):
    raise AssertionError("a replay asks nobody")

def guard(path, answer):
    code = answer.split()[0]
    found = () if code == "ok" else (Finding(code, (), "no", FailureKind.RULE),)
    return Verdict("scripted", answer, found)

BUDGETS = (StepBudget(2, 1), StepBudget(2, 2), StepBudget(2, 3), StepBudget(3, 0))
NAMES = ("g_analysis", "g_recon", "g_strategy", "g_plan")
STEPS = [Step(n, ask, guard, b) for n, b in zip(NAMES, BUDGETS)]
LEVELS = [Step(n, ask, {"minimal": lambda path, answer: guard(path, "ok"), "medium": guard}, b)
          for n, b in zip(NAMES, BUDGETS)]
OTHER = [Step("other", ask, guard)]
NONE = 3

def broken(path, answer):
    raise ValueError("broken guard")

def counted(judge):
    def counting(path, answer):
        with open("calls.txt", "a") as file:
            file.write("x")
        return judge(path, answer)
    return [Step(n, ask, counting, b) for n, b in zip(NAMES, BUDGETS)]

COUNTED, COUNTED_BROKEN = counted(guard), counted(broken)
BROKEN = [Step(n, ask, broken, b) for n, b in zip(NAMES, BUDGETS)]

def made():
    return STEPS

def failing():
    raise RuntimeError("no plan")
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Steps, and the tapes of an easy and a hard problem."""
    monkeypatch.chdir(tmp_path)
    write_searches(tmp_path)
    return tmp_path


def write_searches(folder: Path) -> None:
    """Write steps, and the tapes of an easy and a hard problem."""
    (folder / "steps.py").write_text(STEPS)
    (folder / "tapes").mkdir()
    for name, script in (("easy", {}), ("hard", {"g_plan": ["goal-reachable", "ok"]})):
        tape = CallTape.of([search(Scripted(script).steps).tree])
        data = {**tape.data(), "category": "feature" if script else "bug fix"}
        (folder / "tapes" / f"{name}.json").write_text(json.dumps(data))


def test_policies_are_compared(project: Path) -> None:
    """With the control strategies that are named."""
    result = run("search", "steps.py:STEPS", "tapes", "--policy", "cbj,full", "--budget", "10")
    assert result.exit_code == 0, result.stderr
    head, cbj, full, *_ = result.stdout.splitlines()
    assert head.split() == [
        "category",
        "policy",
        "ε(1)",
        "ε(5)",
        "ε(10)",
        "95",
        "%",
        "calls",
        "backtracks",
        "delta_vs_full",
    ]
    assert cbj.split() == ["all", "cbj", "0.000", "0.500", "1.000", "0.34-1.00", "5.0", "0.50", "+0.500", "(p=1)"]
    assert full.split()[:5] == ["all", "full", "0.000", "0.500", "0.500"]
    assert [line.split()[0] for line in result.stdout.splitlines()[3:]] == ["bug", "bug", "feature", "feature"]


def test_forms_and_the_picture(project: Path) -> None:
    """JSON, Markdown; the first search as a page, the curves as SVG."""
    result = run("search", "steps.py:made", "tapes/hard.json", "--format", "json")
    assert json.loads(result.stdout)[0]["avg_calls"] == 6.0
    assert run("search", "steps.py:made", "tapes/hard.json", "--html", "tree.html").exit_code == 0
    assert "success after 6 calls" in (project / "tree.html").read_text(encoding="utf-8")
    assert run("search", "steps.py:STEPS", "tapes", "--policy", "cbj,full", "--curve", "curve.svg").exit_code == 0
    ET.fromstring((project / "curve.svg").read_text(encoding="utf-8"))
    assert run("search", "steps.py:STEPS", "tapes", "--format", "markdown").stdout.startswith("| category | policy |")


def test_each_problem_is_searched_once(project: Path) -> None:
    """Also for a picture, and where a step raises: a guard may be dear."""
    calls = project / "calls.txt"
    assert run("search", "steps.py:COUNTED", "tapes/hard.json", "--html", "tree.html").exit_code == 0
    assert len(calls.read_text()) == 6
    calls.unlink()
    assert run("search", "steps.py:COUNTED_BROKEN", "tapes/hard.json").exit_code == 3
    assert len(calls.read_text()) == 1


def test_a_tape_that_is_named_twice_is_one_problem(project: Path) -> None:
    """A folder, and a file in it."""
    result = run("search", "steps.py:STEPS", "tapes", "tapes/hard.json", "--format", "json")
    assert json.loads(result.stdout)[0]["trials"] == 2


def test_a_policy_that_is_not_recorded(project: Path) -> None:
    """It is censored, and the last line says so."""
    result = run("search", "steps.py:STEPS", "tapes/hard.json", "--policy", "blind,full")
    assert result.exit_code == 0
    assert "blind: 50% of the calls are not recorded" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("steps.py:OTHER", "tapes"), 2, "tapes/easy.json: the cassette is of another pipeline: got step 'other'"),
        (("steps.py:failing", "tapes"), 3, "STEPS steps.py:failing raised RuntimeError: no plan; repair it"),
        (("steps.py:STEPS", "tapes", "--policy", "cbj,cbj"), 2, "the names of policies must differ: got 'cbj' twice"),
        (
            ("steps.py:STEPS", "deep.json"),
            3,
            "deep.json is not a tape: got lists or objects nested too deep; record it",
        ),
        (
            ("steps.py:STEPS", "tapes", "--html", "no/x.svg"),
            3,
            "x.svg cannot be written: got No such file or directory",
        ),
        (("steps.py:NONE", "tapes"), 2, "STEPS steps.py:NONE: expected a list of steps: got int; name a list of Step"),
        (("steps.py:STEPS", "tapes", "--policy", "cjb"), 2, "unknown policy 'cjb'. Did you mean 'cbj'?"),
        (("steps.py:BROKEN", "tapes/easy.json"), 3, "tapes/easy.json: guard of step 'g_analysis' raised ValueError"),
        (("steps.py:STEPS", "steps.py"), 3, "steps.py is not a tape: "),
        (("steps.py:STEPS", "list.json"), 3, "list.json is not a tape: got a list; record it again"),
        (("steps.py:STEPS", "old.json"), 3, "old.json: a call tape has version 1: got 0; record it again"),
        (("steps.py:STEPS", "empty"), 2, "no tape in empty: got folders without .json files; record a search"),
    ],
)
def test_what_cannot_be_done(project: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    """One message each, and the exit code of the help."""
    (project / "list.json").write_text("[]")
    (project / "deep.json").write_text("[" * 100_000)
    (project / "old.json").write_text('{"version": 0}')
    (project / "empty").mkdir()
    result = run("search", *arguments)
    assert (result.exit_code, message in result.stderr) == (code, True), result.stderr
    if "BROKEN" in arguments[0]:  # the partial tree is shown
        assert result.stderr.startswith("plan search (cbj): error after 1 call (guard of step 'g_analysis' raised")
