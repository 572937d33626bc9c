"""Mutants are found, told apart and made; what says nothing about what runs is left alone."""

from collections.abc import Sequence
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.runs.gate.tree_facts import Question, TreeFacts
from pytest_planguard.runs.model.codec import read_row, row_text
from pytest_planguard.testing.example import Example
from tests.support.paths import ROOT
from tests.support.warm import WarmExample, inner_environment, run_module
from tools.mutants import tests_of_lines
from tools.mutants.choice import Choice
from tools.mutants.effort import FULL, QUICK
from tools.mutants.forks import fairly
from tools.mutants.functions import LoadedFunctions
from tools.mutants.inner_runs import MUTANT, reaching
from tools.mutants.results import forget_alive, is_pending, note, results
from tools.mutants.sites import function_code, mutants_of, mutated

SOURCE = '''
"""A made-up module."""
from typing import Literal

LIMIT = 3


class Box:
    """A box."""

    size: Literal["a", "b"] = "a"

    def fits(self, number: int, *, strict: bool = True) -> bool:
        """Return whether it fits."""
        return number < LIMIT and not strict


def label(box: "Box") -> str:
    if box.fits(2, strict=False):
        return "fits"
    return f"too large: {box.size}"
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with the module."""
    (tmp_path / "box.py").write_text(SOURCE, "utf-8")
    return tmp_path


def test_every_change_is_listed_once_in_order(root: Path) -> None:
    """Annotations, docstrings, imports and literal types are left alone."""
    assert [(one.line, one.what) for one in mutants_of(root, "box.py")] == [
        (5, "3 to 4"),
        (11, "'a' to 'XXaXX'"),
        (13, "True to False"),
        (15, "return None"),
        (15, "And to Or"),
        (15, "Lt to LtE"),
        (15, "drop not"),
        (19, "negate the condition"),
        (19, "drop strict="),
        (19, "2 to 3"),
        (19, "False to True"),
        (20, "'fits' to 'XXfitsXX'"),
        (21, "return None"),
        (21, "'too large: ' to 'XXtoo large: XX'"),
    ]


def test_each_mutant_is_that_one_change(root: Path) -> None:
    """All compile, no two are alike, and each knows the function that it is part of."""
    made = [mutated(root, mutant) for mutant in mutants_of(root, "box.py")]
    assert len({code for code, _ in made}) == len(made)
    functions = [None if function is None else function[0] for _, function in made]
    assert functions == [None] * 3 + ["Box.fits"] * 4 + ["label"] * 7
    for code, function in made:
        assert function is None or function_code(code, function).co_qualname == function[0]


def test_a_mutant_behaves_otherwise(root: Path) -> None:
    """`<` made `<=` lets the limit itself fit."""
    (mutant,) = (one for one in mutants_of(root, "box.py") if one.what == "Lt to LtE")
    names: dict[str, object] = {}
    exec(mutated(root, mutant)[0], names)
    box = names["Box"]
    assert callable(box)
    assert box().fits(3, strict=False) is True


def test_tests_of_files_that_are_gone_are_not_asked(root: Path) -> None:
    """What was measured before a file was moved is of no use."""
    (root / "times.1").write_text('["box.py::test_a", 0.5]\n["gone.py::test_b", 1.0]\n', "utf-8")
    (root / "times.2").write_text('["box.py::test_c[x::y]", 0.25]\n', "utf-8")
    assert tests_of_lines.TestsOfLines(root, root).seconds == {"box.py::test_a": 0.5, "box.py::test_c[x::y]": 0.25}


def test_tests_that_show_tables_come_early(root: Path) -> None:
    """For a change that is made when a module is loaded: pages of tables, then what pins texts of its own package.

    A test that imports the changed name may compare it, and run no line of the module.
    """
    folder = root / "pytest_planguard" / "plans"
    folder.mkdir(parents=True)
    (folder / "box.py").write_text(SOURCE, "utf-8")
    for name in ("plans/rules", "replay", "report/explain"):
        (root / "tests" / name).mkdir(parents=True)
    pinned = {package: f"tests/{package}/test_words.py::test_each_is_as_before" for package in ("plans", "replay")}
    near, page = "tests/plans/test_box.py::test_size", "tests/report/test_plan_text.py::test_page"
    importing = "tests/replay/test_table.py::test_it"
    for test in (*pinned.values(), near, page, importing):
        (root / test.partition("::")[0]).write_text("", "utf-8")
    (root / "tests/replay/test_table.py").write_text("from pytest_planguard.plans.box import LIMIT\n", "utf-8")
    seconds = dict.fromkeys([*pinned.values(), near, page, importing], 0.1)
    tests = SimpleNamespace(seconds=seconds, of_line=lambda *_: {near}, of_file=lambda _: {near}, of_lines=lambda _: {})
    mutant = mutants_of(root, "pytest_planguard/plans/box.py")[0]
    choice = Choice(root, tests)  # type: ignore[arg-type]  # as far as it is asked
    assert choice.of(mutant, None) == [near, page, pinned["plans"], importing]
    assert choice.of(mutant, ("label", 18)) == [near]


def test_what_changed_is_measured_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of tests counts as changed with its data; nothing is measured where nothing changed."""
    monkeypatch.setattr(tests_of_lines, "PARTS", (("plans",), ("retry",)))
    for name in ("tests/plans/test_box.py", "tests/retry/words/test_words.py", "tests/retry/test_loop.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("def test_it():\n    pass\n", "utf-8")
    tests = tests_of_lines.TestsOfLines(root, root)
    assert tests.due() == ["tests/plans/test_box.py", "tests/retry/test_loop.py", "tests/retry/words/test_words.py"]
    tests.keep(tests.now())
    assert tests.due() == []
    (root / "tests/retry/words/pinned.tsv").write_text("at least\t3\n", "utf-8")
    assert tests.due() == ["tests/retry/test_loop.py", "tests/retry/words/test_words.py"]


def test_what_was_alive_is_judged_again(root: Path) -> None:
    """`--again` forgets survivors, and keeps what was noticed."""
    killed, alive, *_ = mutants_of(root, "box.py")
    note(root, killed, "killed", "quick", "test_a")
    note(root, alive, "survived", "full", "")
    forget_alive(root, [killed, alive])
    assert list(results(root)) == [killed.name]
    assert is_pending(results(root).get(alive.name), "quick")


def test_each_function_of_tests_has_its_turn(root: Path) -> None:
    """One test that compares a page is not behind the hundred cases of another one, for what is made at load."""
    folder = root / "pytest_planguard" / "plans"
    folder.mkdir(parents=True)
    (folder / "box.py").write_text(SOURCE, "utf-8")
    (root / "tests/report").mkdir(parents=True)
    (root / "tests/report/test_plan_text.py").write_text("", "utf-8")
    cases = [f"tests/report/test_plan_text.py::test_entry[{number:03}]" for number in range(100)]
    page = "tests/report/test_plan_text.py::test_page"
    tests = SimpleNamespace(
        seconds={**dict.fromkeys(cases, 0.1), page: 0.2},
        of_line=lambda *_: (),
        of_file=lambda _: (),
        of_lines=lambda _: {},
    )
    mutant = mutants_of(root, "pytest_planguard/plans/box.py")[0]
    assert Choice(root, tests).of(mutant, None)[:3] == [cases[0], page, cases[1]]  # type: ignore[arg-type]


def test_each_way_through_a_module_has_its_turn(root: Path) -> None:
    """The only test that also runs another line of it is not behind a hundred that run the same lines."""
    folder = root / "pytest_planguard" / "plans"
    folder.mkdir(parents=True)
    (folder / "box.py").write_text(SOURCE, "utf-8")
    (root / "tests/cli").mkdir(parents=True)
    (root / "tests/cli/test_app.py").write_text("", "utf-8")
    same = [f"tests/cli/test_app.py::test_same[{number:03}]" for number in range(100)]
    other = "tests/cli/test_app.py::test_with_an_option"
    lines = {1: {*same, other}, 2: {other}}
    tests = SimpleNamespace(
        seconds={**dict.fromkeys(same, 0.1), other: 0.2},
        of_line=lambda *_: lines[1],
        of_file=lambda _: lines[1],
        of_lines=lambda _: lines,
    )
    mutant = mutants_of(root, "pytest_planguard/plans/box.py")[0]
    assert Choice(root, tests).of(mutant, ("label", 0))[:2] == [same[0], other]  # type: ignore[arg-type]


def test_a_slow_test_waits_for_faster_ones(root: Path) -> None:
    """A table of decisions would take the whole limit of CPU time, and nearer tests would never run."""
    folder = root / "pytest_planguard" / "plans"
    folder.mkdir(parents=True)
    (folder / "box.py").write_text(SOURCE, "utf-8")
    for name in ("plans/deep", "cli"):
        (root / "tests" / name).mkdir(parents=True)
    slow, unit, session = (
        "tests/plans/deep/test_whole.py::test_as_before",
        "tests/plans/test_a.py::test_b",
        "tests/cli/a.py::test_c",
    )
    for test in (slow, unit, session):
        (root / test.partition("::")[0]).write_text("", "utf-8")
    every = {slow: 30.0, unit: 0.01, session: 1.0}
    tests = SimpleNamespace(
        seconds=every, of_line=lambda *_: set(every), of_file=lambda _: set(every), of_lines=lambda _: {1: set(every)}
    )
    mutant, choice = mutants_of(root, "pytest_planguard/plans/box.py")[0], Choice(root, tests)  # type: ignore[arg-type]
    assert choice.of(mutant, ("label", 0)) == [unit, session, slow]
    assert choice.within(QUICK, mutant, ("label", 0)) == [unit, session]
    assert choice.within(FULL, mutant, ("label", 0)) == [unit, session, slow]


def test_a_test_that_fails_without_the_mutant_kills_nothing(tmp_path: Path) -> None:
    """It is tried without the mutant once, and left out from then on."""
    killer, tried = tmp_path / "killer", []

    def run(tests: Sequence[str], changed: bool) -> str:
        tried.append((tuple(tests), changed))
        killer.write_text(tests[0], "utf-8")
        return "killed" if changed or tests == ["broken"] else "survived"

    fit: dict[str, bool] = {}
    assert fairly(["broken", "sound"], fit, killer, run) == "killed"
    assert tried == [(("broken", "sound"), True), (("broken",), False), (("sound",), True), (("sound",), False)]
    assert fit == {"broken": False, "sound": True}
    assert killer.read_text("utf-8") == "sound"
    assert fairly(["broken"], fit, killer, run) == "survived"


SURE = """
from pytest_planguard.statistics import exact_paired

def test_equal_numbers_are_no_evidence():
    assert exact_paired(2, 2) == 1.0
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Example, WarmExample])
def test_a_mutant_reaches_what_a_test_starts(kind: type[Example], monkeypatch: pytest.MonkeyPatch) -> None:
    """A new Python and a fork of a warm one both run the changed function; without the variable they do not."""
    path = "pytest_planguard/statistics.py"
    mutant = next(one for one in mutants_of(ROOT, path) if one.what == "1.0 to 2.0")
    for name, value in reaching().items():
        monkeypatch.setenv(name, value)
    project = kind({"test_a.py": SURE})
    assert project.run_pytest().outcomes == {"passed": 1}
    assert project.run_pytest(env={MUTANT: mutant.name}).outcomes == {"failed": 1}


@pytest.mark.slow
def test_a_mutant_reaches_what_a_decorator_has_returned() -> None:
    """The check of a constraint is a function that `each` has made while the module loaded."""
    path = "pytest_planguard/contract/constraints/scene.py"
    mutant = next(one for one in mutants_of(ROOT, path) if one.what == "drop path=")
    test = """
from pytest_planguard import Contract, max_length

def test_the_place_is_that_of_the_value():
    assert Contract({}, constraints=[max_length("a", 1)]).check('{"a": "xx"}').findings[0].path == ("a",)
"""
    project = WarmExample({"test_a.py": test})
    for changed, outcome in (({}, "passed"), ({MUTANT: mutant.name}, "failed")):
        assert project.run_pytest(env={**reaching(), **changed}).outcomes == {outcome: 1}


def test_a_changed_function_forgets_what_it_has_returned() -> None:
    """Else a cached result of the code before the change would hide it."""
    names: dict[str, Any] = {}
    file = "pytest_planguard/made_up.py"
    exec(compile("from functools import cache\n@cache\ndef size(): return 1\n", file, "exec"), names)
    assert names["size"]() == 1
    (changed,) = (
        one for one in compile("\n@cache\ndef size(): return 2\n", file, "exec").co_consts if isinstance(one, CodeType)
    )
    LoadedFunctions().put(changed)
    assert names["size"]() == 2


@pytest.mark.slow
def test_a_mutant_reaches_a_module_that_runs_as_a_program(tmp_path: Path) -> None:
    """`python -m` in a fork of a warm process loads the module again, with the change."""
    path = "pytest_planguard/plugin/probe.py"
    lines = (ROOT / path).read_text("utf-8").splitlines()
    mutant = next(
        one
        for one in mutants_of(ROOT, path)
        if one.what == "drop the call" and "self._contracts.setdefault" in lines[one.line - 1]
    )
    contract = "from pytest_planguard import Contract\nNUMBERS = Contract({'type': 'array'})\n"
    (tmp_path / "contracts.py").write_text(contract, "utf-8")
    (tmp_path / "question.json").write_text(row_text(Question(contracts=("contracts.py:NUMBERS",))), "utf-8")
    command = ["pytest_planguard.plugin.probe", "question.json", "answer.json"]
    for changed, found in (({}, ["-c 1"]), ({MUTANT: mutant.name}, [])):
        done = run_module(command, tmp_path, {**inner_environment(**reaching()), **changed})
        assert done.returncode == 0, done.stderr
        assert list(read_row(TreeFacts, (tmp_path / "answer.json").read_bytes()).contracts) == found
