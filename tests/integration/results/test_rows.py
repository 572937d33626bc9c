"""Rows: one a case, the same whatever the order of the tests or the number of workers."""

import json
from xml.etree import ElementTree as ET

from pytest_planguard.runs.model.codec import read_row, row_data
from pytest_planguard.runs.model.run import CaseRow
from pytest_planguard.testing.example import Example

from ..projects import project, row_lines, rows

MANY = """
import dataclasses

@dataclasses.dataclass
class Case:
    name: str

@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("number", range(6))
def test_numbered(planguard, number):
    planguard.check(GOOD if number else BAD)

@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("model", ["m-1", "m-2"])
@pytest.mark.parametrize("case", [Case("a"), Case("b")])
def test_models(planguard, case, model):
    planguard.check(GOOD)

@pytest.mark.planguard(TICKET, key="ticket {case.name}", inputs={"fixed": 1})
@pytest.mark.parametrize("case", [Case("a"), Case("b")])
def test_keyed(planguard, case):
    planguard.check(GOOD)

@pytest.mark.planguard(TICKET)
@pytest.mark.skip(reason="not now")
def test_skipped(planguard): pass

@pytest.mark.planguard(TICKET)
def test_skips_itself(): pytest.skip("no")

def test_unmarked(): pass
"""


def text_of(example: Example) -> str:
    """The rows as they stand in the file."""
    return "\n".join(row_lines(example))


def test_one_row_a_case_in_the_order_of_ids():
    """Every marked test that ran has a row; skipped and unmarked ones have none."""
    found = rows(project(MANY).run_pytest("-q").example)
    assert [r["test"] for r in found] == sorted(r["test"] for r in found)
    assert len(found) == 12
    assert [r["result"] for r in found].count("failed") == 1


def test_a_row_of_checks_alone_has_what_every_row_has():
    """It is read as it was written, and what a test keeps besides changes nothing else."""
    tests = """
@pytest.mark.planguard(TICKET, variant="v2")
@pytest.mark.parametrize("scored", [False, True])
def test_checked(planguard, scored):
    planguard.check(GOOD)
    if scored:
        planguard.score("seconds", 1)
"""
    short, full = rows(project(tests).run_pytest("-q").example)
    assert full["scores"] == {"seconds": 1}
    own = ("test", "key", "inputs", "scores")
    assert [*short] == [*full]
    assert full == row_data(read_row(CaseRow, json.dumps(full)))
    assert {k: v for k, v in short.items() if k not in own} == {k: v for k, v in full.items() if k not in own}


def test_a_failure_stays_one_whatever_its_teardown_says():
    """A fixture that skips when the body has failed does not take the failure out of the run."""
    tests = """
@pytest.fixture
def leaving():
    yield
    pytest.skip("gone")

@pytest.mark.planguard(TICKET)
def test_left(leaving, planguard):
    planguard.check(BAD)
"""
    done = project(tests).run_pytest("-q")
    assert (dict(done.outcomes), rows(done.example)[0]["result"]) == ({"failed": 1, "skipped": 1}, "failed")


def test_cases_that_are_only_counted_are_counted():
    """With -v the section lists them all, with the same count."""
    example = project(MANY)
    assert "12 cases: 11 valid, 1 invalid" in example.run_pytest("-q").output
    assert "12 cases: 11 valid, 1 invalid" in example.run_pytest("-v").output
    assert "12 cases: 11 valid, 1 invalid" in example.run_pytest("-q", "-n", "2", plugins=("planguard", "xdist")).output


def test_the_case_key_leaves_out_the_model_and_positions():
    """Two models answer the same case; an id made from a position becomes the digest of its value."""
    found = {r["test"]: r for r in rows(project(MANY).run_pytest("-q", "-k", "models").example)}
    assert len({r["key"] for r in found.values()}) == 2
    assert len({r["inputs"] for r in found.values()}) == 2
    first = found["test_app.py::test_models[case0-m-1]"]["key"]
    assert first == found["test_app.py::test_models[case0-m-2]"]["key"]
    assert first.startswith("test_app.py::test_models[case~")
    inserted = project(MANY.replace('[Case("a"), Case("b")]', '[Case("new"), Case("a"), Case("b")]'))
    later = {r["test"]: r for r in rows(inserted.run_pytest("-q", "-k", "models").example)}
    assert later["test_app.py::test_models[case1-m-1]"]["key"] == first


def test_the_users_key_and_input():
    """`key=` names the case, `inputs=` is its declared input."""
    found = rows(project(MANY).run_pytest("-q", "-k", "keyed").example)
    assert [r["key"] for r in found] == ["ticket a", "ticket b"]
    assert len({r["inputs"] for r in found}) == 1


def test_workers_change_nothing():
    """Under xdist, in any order, the file is the same, byte for byte."""
    example = project(MANY)
    alone = text_of(example.run_pytest("-q").example)
    split = example.run_pytest("-q", "-n", "2", plugins=("planguard", "xdist"))
    assert text_of(split.example) == alone
    backwards = example.with_files(
        {"conftest.py": "def pytest_collection_modifyitems(items): items.reverse()\n"},
    )
    assert text_of(backwards.run_pytest("-q").example) == alone


def test_a_failure_reads_the_same_under_xdist():
    """The rendered text and the short summary come through whole."""
    run = project(MANY).run_pytest("-n", "2", "-k", "numbered", plugins=("planguard", "xdist"))
    assert "planguard: not a valid Ticket: 2 findings" in run.stdout
    assert "    1 | " in run.stdout
    assert "FAILED test_app.py::test_numbered[0] - planguard: not a valid Ticket: 2 findings" in run.stdout


def test_the_folder_ignores_itself():
    """What a run leaves never lands in version control by accident."""
    left = project(MANY).run_pytest("-q", "-k", "keyed").example
    assert left.read(".planguard/.gitignore").splitlines()[-1] == "*"
    assert [p for p in left.paths() if p.startswith(".planguard/")] == [
        ".planguard/.gitignore",
        ".planguard/last.jsonl",
    ]


def test_junit_shows_outcome_and_attempts_only():
    """Properties land in JUnit XML, so nothing that a model wrote is among them."""
    left = project(MANY).run_pytest("-q", "--junit-xml=out.xml", "-k", "numbered").example
    cases = ET.fromstring(left.read("out.xml")).iter("testcase")
    found = {c.attrib["name"]: {p.attrib["name"]: p.attrib["value"] for p in c.iter("property")} for c in cases}
    assert found["test_numbered[0]"] == {"planguard_outcome": "invalid", "planguard_attempts": "0"}
    assert found["test_numbered[1]"] == {"planguard_outcome": "valid", "planguard_attempts": "0"}


RERUN = """
from pathlib import Path

@pytest.mark.planguard(TICKET)
def test_flaky(planguard):
    seen = Path("seen")
    first = not seen.exists()
    seen.touch()
    planguard.check(BAD if first else GOOD)
"""


def test_a_rerun_starts_fresh():
    """Only the last run of a test has a row; the properties of each run are its own."""
    run = project(RERUN).run_pytest("-q", "--reruns=1", "--junit-xml=out.xml", plugins=("planguard", "rerunfailures"))
    assert dict(run.outcomes) == {"passed": 1, "rerun": 1}
    (row,) = rows(run.example)
    assert (row["result"], row["outcome"], len(row["judged"])) == ("passed", "valid", 1)
    cases = ET.fromstring(run.example.read("out.xml")).iter("testcase")
    assert [[p.attrib["value"] for p in c.iter("property")] for c in cases] == [["invalid", "0"], ["valid", "0"]]


def test_a_row_survives_any_text():
    """Lone surrogates and control characters in an answer neither end the session nor the row."""
    evil = '@pytest.mark.planguard(TICKET)\ndef test_evil(planguard):\n    planguard.check("\\ud800\\x1b[2J\\x00")\n'
    run = project(evil).run_pytest("-q", "-n", "1", plugins=("planguard", "xdist"))
    assert dict(run.outcomes) == {"failed": 1}
    assert "\x1b[2J" not in run.stdout
    (line,) = text_of(run.example).splitlines()
    assert json.loads(line)["judged"][0]["attempts"][0]["answer"] == "\ud800\x1b[2J\x00"


SEVERAL = """
import json

GOALS = ["fix it", 'say "it"', "kürzen", "end", "rest"]
GOOD_PLANS = [f'{{"goal": {json.dumps(goal, ensure_ascii=False)}}}' for goal in GOALS]

@pytest.mark.planguard(PLAN)
@pytest.mark.parametrize("number", range(5))
def test_plan(planguard, number):
    planguard.check(GOOD_PLANS[number])
    if number == 4:
        planguard.score("words", 1)

@pytest.mark.planguard(PLAN)
@pytest.mark.parametrize("number", range(3))
def test_two(planguard, number):
    for text in GOOD_PLANS[number:]:
        planguard.check(text)
"""


def test_rows_of_many_answers_differ_where_their_tests_do() -> None:
    """All have the same members; each has its own place, inputs, answers and scores."""
    run = project(SEVERAL).run_pytest("-q")
    assert run.outcomes == {"passed": 8}, run.output
    plans, twice = rows(run.example)[:5], rows(run.example)[5:]
    goals = ["fix it", 'say "it"', "kürzen", "end", "rest"]
    assert [json.loads(one["judged"][0]["attempts"][0]["answer"])["goal"] for one in plans] == goals
    assert [len(one["judged"]) for one in twice] == [5, 4, 3]
    assert [one["scores"] for one in plans] == [{}, {}, {}, {}, {"words": 1.0}]
    differing = ("test", "key", "inputs", "judged", "scores")
    same = [{name: value for name, value in one.items() if name not in differing} for one in (*plans, *twice)]
    assert [one | {"line": 0} for one in same] == [same[0] | {"line": 0}] * 8
    assert [one["test"] for one in plans] == [f"test_app.py::test_plan[{n}]" for n in range(5)]
    assert len({one["inputs"] for one in plans}) == len({one["key"] for one in plans}) == 5
