"""What keeps a test from being run again, and what does not, each by a test of its own in one project."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.testing.example import Example, Run
from tools.rerun_matrix.run import files

from ...support.paths import ROOT
from ...support.warm import WarmExample
from ..projects import rows_by_test

CONFTEST = """
import socket
import sqlite3
import subprocess
import sys

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.when == "call":
        item.rep_call = report
    return report


@pytest.fixture(scope="session", autouse=True)
def logging_of_the_project():
    return []


@pytest.fixture(scope="session")
def settings():
    return {"retries": 3}


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("out")


@pytest.fixture(scope="session")
def in_memory():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    yield connection
    connection.close()


@pytest.fixture(scope="session")
def database(tmp_path_factory):
    connection = sqlite3.connect(tmp_path_factory.mktemp("data") / "orders.db", isolation_level=None)
    connection.execute("create table orders (name text)")
    yield connection
    connection.close()


@pytest.fixture(scope="session")
def audit_trail(tmp_path_factory):
    path = tmp_path_factory.mktemp("trail") / "trail.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma journal_mode=wal")
    connection.execute("create table trail (name text)")
    yield path
    connection.close()


@pytest.fixture(scope="session")
def connection():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as opened:
        yield opened


@pytest.fixture
def by_outcome(request):
    yield
    assert request.node.rep_call.passed


@pytest.fixture
def rolled_back(database):
    database.execute("begin")
    yield database
    database.execute("rollback")
"""
TESTS = """
import _socket
import socket
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from apps import TICKET, summary
from ask import ask

case = pytest.mark.planguard(TICKET, cassette="summary.yaml")


@case
def test_beside_an_autouse_fixture(): summary(ask)


@case
def test_data_of_a_session(settings):
    settings["retries"] += 1
    summary(ask)
    assert settings["retries"] == 4
    del settings["retries"]


@pytest.fixture
def registered(settings):
    settings["registered"] = settings.get("registered", 0) + 1
    yield settings
    settings["registered"] -= 1


@case
def test_data_that_a_fixture_changes(registered):
    assert registered["registered"] == 1
    summary(ask)


@case
def test_report_of_the_call_alone(by_outcome): summary(ask)


@case
def test_own_temporary_files(folder, tmp_path):
    (tmp_path / "a").write_text("x")
    with tempfile.TemporaryDirectory() as name, tempfile.NamedTemporaryFile() as file:
        Path(name, "b").write_text("x")
        file.write(b"x")
    summary(ask)


@case
def test_reads_a_database(database):
    assert database.execute("select count(*) from orders").fetchone() == (0,)
    summary(ask)


@case
def test_transaction(rolled_back):
    rolled_back.execute("insert into orders values ('one')")
    summary(ask)


@case
def test_own_database(settings, tmp_path):
    with sqlite3.connect(tmp_path / "own.db") as own:
        own.execute("create table t (name text)")
    own.close()
    summary(ask)


@case
def test_shared_file(folder):
    (folder / "report.txt").write_text("x")
    summary(ask)


@case
def test_removes_a_shared_file(folder):
    (folder / "report.txt").unlink(missing_ok=True)
    summary(ask)


@case
def test_in_memory(in_memory): summary(ask)


@case
def test_write_ahead_log(audit_trail):
    with sqlite3.connect(audit_trail) as other:
        other.execute("insert into trail values ('one')")
    other.close()
    summary(ask)


@case
def test_asked_for_later(request):
    request.getfixturevalue("database").execute("insert into orders values ('later')")
    summary(ask)


@case
def test_connection(connection): summary(ask)


KEPT = []


@case
def test_connection_beneath_python(settings):
    server = socket.create_server(("127.0.0.1", 0))
    driver = _socket.socket()
    driver.connect(server.getsockname())
    KEPT.extend((server, driver))
    summary(ask)


@case
def test_child():
    subprocess.run([sys.executable, "-c", ""])
    summary(ask)


@case
def test_excepted(monkeypatch): summary(ask)


@pytest.mark.planguard(TICKET, cassette="summary.yaml", prove=True)
def test_excepted_and_asked_for(monkeypatch): summary(ask)
"""
INI = """[pytest]
planguard_allowed_hosts = 127.0.0.1
planguard_prove_except = monkeypatch
planguard_prove_seconds = 60
"""
NONE = (
    "beside_an_autouse_fixture",
    "data_of_a_session",
    "data_that_a_fixture_changes",
    "report_of_the_call_alone",
    "own_temporary_files",
    "reads_a_database",
    "transaction",
    "own_database",
    "excepted_and_asked_for",
)
OFF = "planguard does not run the app again, since "
SHARED = "it shares the fixture {} with other tests, and "
REASONS = {
    "shared_file": SHARED.format("folder") + "writes: ",
    "removes_a_shared_file": SHARED.format("folder") + "writes: ",
    "in_memory": SHARED.format("in_memory") + "that holds a database in memory; ",
    "write_ahead_log": SHARED.format("audit_trail") + "writes: trail.db; ",
    "asked_for_later": SHARED.format("database") + "writes: orders.db; ",
    "connection": SHARED.format("connection") + "that holds a connection, whose writes planguard cannot see; ",
    "connection_beneath_python": SHARED.format("settings") + "writes: a connection to 127.0.0.1:",
    "child": "a child process ran: python",
    "excepted": "it uses the fixture monkeypatch; planguard_prove_except",
}


def project(tests: str, ini: str = INI, conftest: str = CONFTEST) -> Example:
    """A project of these tests, with the app and its cassettes."""
    own = files()
    kept = {name: own[name] for name in ("apps.py", "ask.py", "summary.yaml", "lossy.yaml")}
    return WarmExample({**kept, "conftest.py": conftest, "test_app.py": tests, "pytest.ini": ini, "quiet.py": DEBUGGER})


@pytest.fixture(scope="module")
def run() -> Run:
    """All of them."""
    return project(TESTS).run_pytest()


@pytest.fixture(scope="module")
def rows(run: Run) -> dict[str, dict[str, Any]]:
    """The rows by the test's name."""
    return rows_by_test(run.example)


def test_no_outcome_changes(run: Run) -> None:
    """Whether a test is run again or not."""
    assert set(run.outcomes) == {"passed"}, run.stdout


@pytest.mark.parametrize("name", NONE)
def test_no_obstacle(name: str, rows: dict[str, dict[str, Any]]) -> None:
    """Nothing outlives the test, or nobody wrote to it."""
    proofs = rows[f"test_{name}"]["proofs"]
    assert {proof["result"] for proof in proofs} <= {"proven", "reacts"}, proofs
    assert len(proofs) == 3


@pytest.mark.parametrize("name", REASONS)
def test_an_obstacle_is_named(name: str, rows: dict[str, dict[str, Any]]) -> None:
    """With the fixture that is shared, or what was seen."""
    reasons = {proof["reason"] for proof in rows[f"test_{name}"]["proofs"]}
    assert [reason.startswith(OFF + REASONS[name]) for reason in reasons] == [True], reasons


GIVEN = """
import pytest
from apps import TICKET, summary
from ask import ask
from hypothesis import given, settings, strategies


@pytest.mark.planguard(TICKET, cassette="summary.yaml")
@settings(max_examples=1, deadline=None, database=None)
@given(strategies.just(1))
def test_given(one): summary(ask)
"""
SCREENSHOTS = """
import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.when == "call":
        assert item.funcargs["browser"].open
    return report


@pytest.fixture
def browser():
    class Browser:
        open = True

    yield Browser()
    Browser.open = False
"""
DEBUGGER = """
import pdb


class Quiet(pdb.Pdb):
    def cmdloop(self, *_):
        self.set_continue()
"""
QUIET = ("--pdbcls=quiet:Quiet",)
ALONE = """
import pytest
from apps import TICKET, summary
from ask import ask


@pytest.mark.planguard(TICKET, cassette="summary.yaml")
def test_alone({}):
    summary(ask)
"""


@pytest.mark.parametrize(
    ("tests", "conftest", "args", "reason"),
    [
        (GIVEN, "", (), "Hypothesis gives it examples; planguard.prove_feedback(run)"),
        (GIVEN, "", ("--planguard-prove",), "Hypothesis gives it examples; planguard.prove_feedback(run)"),
        (ALONE.format("browser"), SCREENSHOTS, (), "a hook uses the fixtures of a finished test: pytest_runtest_"),
        (ALONE.format(""), "", ("--trace", *QUIET), "a debugger goes through each test (--trace)"),
        (ALONE.format(""), "", ("--setup-show",), "each set-up is shown (--setup-show)"),
        (ALONE.format("") + "    assert 0\n", "", ("--pdb", *QUIET), "a debugger waits for its failure (--pdb)"),
    ],
    ids=["examples", "examples always", "hook", "trace", "set-ups", "pdb"],
)
def test_the_run_or_the_project_may_stand_in_the_way(
    tests: str, conftest: str, args: tuple[str, ...], reason: str
) -> None:
    """The reason is in the row, and in the section once."""
    known = {"HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis")}  # reading our modules takes seconds
    example = project(tests, "[pytest]\n", conftest)
    done = example.run_pytest(*args, env=known, plugins=("planguard", "hypothesispytest"))
    (row,) = rows_by_test(done.example).values()
    assert {proof["reason"].startswith(OFF + reason) for proof in row["proofs"]} == {True}, done.output
    assert done.stdout.count("not run again, so judged by reading alone: ") == 1


CHILD = """
import json
import os
import urllib.request

from apps import summary


def ask(messages):
    body = json.dumps({"model": "m", "messages": messages}).encode()
    url = f"{os.environ['OPENAI_BASE_URL']}/chat/completions"
    headers = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answered:
        return json.load(answered)["choices"][0]["message"]["content"]


summary(ask)
"""
IN_A_CHILD = """
import subprocess
import sys

import pytest
from apps import TICKET


@pytest.fixture
def folder(tmp_path):
    return tmp_path


@pytest.mark.planguard(TICKET, cassette="summary.yaml")
def test_child(folder):
    subprocess.run([sys.executable, "child.py"], check=True)
"""


def test_children_that_the_endpoint_answers_are_run_again_too() -> None:
    """Each further run has routes of its own there."""
    example = project(IN_A_CHILD, "[pytest]\nplanguard_prove_seconds = 60\n", "").with_files({"child.py": CHILD})
    example = example.replaced("api.example.com", "api.openai.com", suffix=".yaml")
    done = example.run_pytest()
    assert dict(done.outcomes) == {"passed": 1}, done.output
    proofs = rows_by_test(done.example)["test_child"]["proofs"]
    assert [proof["result"] in ("proven", "reacts") for proof in proofs] == [True] * 3, proofs
