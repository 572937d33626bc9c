"""`planguard.check`: an answer, a value or a file against the contract, without any cassette."""

from ..projects import project, rows

CHECKS = """
from pathlib import Path

@pytest.mark.planguard(TICKET)
def test_text(planguard):
    assert planguard.check(GOOD).priority == "high"

@pytest.mark.planguard(TICKET)
def test_value(planguard):
    assert planguard.check({"title": "Printer", "priority": "low", "steps": ["a"]}).steps == ["a"]

@pytest.mark.planguard(TICKET)
def test_file(planguard, tmp_path):
    (tmp_path / "answer.json").write_text(GOOD)
    assert planguard.check(tmp_path / "answer.json").title == "Printer"

@pytest.mark.planguard(TICKET, PLAN)
def test_one_of_two(planguard):
    assert planguard.check('{"goal": "g"}', contract=PLAN).goal == "g"

@pytest.mark.planguard(TICKET)
def test_expected_failure(planguard):
    from pytest_planguard.errors import ContractFailed
    with pytest.raises(ContractFailed, match="priority"):
        planguard.check(BAD)
"""
BAD_CHECK = """
@pytest.mark.planguard(TICKET)
def test_bad(planguard):
    answer = '{\\n  "title": "Printer",\\n  "priority": "hi",\\n  "steps": ["a"]\\n}'
    planguard.check(answer)
"""


def test_accepts_what_keeps_the_contract():
    """Text, value and file give the validated value; no cassette is needed, and none is made."""
    run = project(CHECKS).run_pytest("-q")
    assert dict(run.outcomes) == {"passed": 5}
    assert not run.example.paths(".yaml")


def test_a_failure_shows_the_place_in_the_models_text():
    """The failure is ours alone: no traceback, the finding in its frame, the test's own line, a short summary."""
    run = project(BAD_CHECK).run_pytest()
    assert dict(run.outcomes) == {"failed": 1}
    assert "planguard: not a valid Ticket: 1 finding" in run.stdout
    assert '    3 |   "priority": "hi",\n      |               ^^^^' in run.stdout
    assert "test_app.py:8" in run.stdout
    assert "FAILED test_app.py::test_bad - planguard: not a valid Ticket: 1 finding: priority [enum]\n" in run.stdout
    assert "Traceback" not in run.stdout
    assert "def check" not in run.stdout


def test_a_failure_in_the_row():
    """The row keeps the raw answer, its findings and the outcome."""
    (row,) = rows(project(BAD_CHECK).run_pytest("-q").example)
    assert row["outcome"] == "invalid"
    assert row["result"] == "failed"
    (check,) = row["judged"][0]["attempts"]
    assert check["answer"].startswith('{\n  "title"')
    assert [(f["code"], f["path"], f["span"]["line"]) for f in check["findings"]] == [("enum", ["priority"], 3)]


def test_a_checked_answer_does_not_excuse_a_swallowed_request():
    """The answer is good, and a model was asked that nothing recorded: the test fails although it saw no error."""
    tests = """
import socket

@pytest.mark.planguard(TICKET)
def test_checked(planguard):
    planguard.check(GOOD)
    try:
        socket.create_connection(("127.0.0.1", 9))
    except Exception:
        pass
"""
    done = project(tests).run_pytest("-q")
    assert dict(done.outcomes) == {"failed": 1}, done.stdout
    assert "nothing is recorded for this test yet" in done.stdout


COUNT_RENDERED = """
from pytest_planguard.report import finding_text

texts = []
real = finding_text.render_findings
finding_text.render_findings = lambda *args: texts.append(real(*args)) or texts[-1]

def pytest_unconfigure(config):
    print(f"RENDERED {len(texts)} of a failure about an api_key")
"""
BAD_KEY = """
@pytest.mark.planguard(TICKET)
def test_bad(planguard):
    planguard.check('{"title": "Printer", "priority": "hi", "api_key": "missing", "steps": ["a"]}')
"""


def test_a_failure_that_nobody_reads_is_not_rendered():
    """Under `--tb=no` only its first line is read; its text is not searched for what an SDK says of its key either."""
    example = project(BAD_KEY).with_files({"conftest.py": COUNT_RENDERED})
    assert "RENDERED 0 " in example.run_pytest("--tb=no").stdout
    shown = example.run_pytest("-rA").stdout
    assert "RENDERED 1 " in shown
    assert "wants a key" not in shown
