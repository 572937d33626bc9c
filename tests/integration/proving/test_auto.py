"""Without an option: where the words of a retry are not plain, its test is run again, and that decides."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.testing.example import Run

from ...support.warm import WarmExample
from ..projects import rows_by_test
from . import apps
from .test_apps import recorded

TESTS = """
import os
import socket
import sqlite3
import subprocess
import sys
import unittest
from collections import UserList

import httpx2
import pytest

from apps import FRIENDLY, TASK, TICKET, dialogue, german, messages, rewords, user, wrong

URL = "https://api.example.com/v1/chat/completions"
RUNS = UserList()  # not put back after a rerun, as a list is


def ask(messages):
    answered = httpx2.post(URL, json={"model": "m", "messages": messages}, verify=False)
    answered.raise_for_status()
    return answered.json()["choices"][0]["message"]["content"]


def constant(ask):
    dialogue(ask, lambda *_: "Bitte verbessern: " + " ".join(FRIENDLY.values()))


def case(name, **more):
    return pytest.mark.planguard(TICKET, cassette=f"{name}.yaml", **more)


@case("rewords")
def test_right():
    RUNS.append("right")
    rewords(ask)


@case("rewords")
def test_right_ran_often():
    assert RUNS.count("right") == 5  # itself, without a change, and for three findings
    rewords(ask)


@case("rewords-steps")
def test_dropping():
    rewords(ask, "steps")


@case("messages")
def test_messages():
    messages(ask)


@case("messages")
def test_the_same_messages_whatever_is_wrong():
    messages(ask, "always")


@case("messages")
def test_messages_with_a_fixture(database):
    database.execute("insert into orders values ('one')")
    messages(ask)


@case("german")
def test_other_words_than_recorded():
    RUNS.append("other")
    rewords(ask)
    if RUNS.count("other") > 1:
        raise RuntimeError("a further run is its own affair")


@case("german")
def test_constant_words_where_feedback_was_recorded():
    constant(ask)


@case("german")
def test_blind_where_feedback_was_recorded():
    dialogue(ask, lambda *_: "")


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    connection = sqlite3.connect(tmp_path_factory.mktemp("data") / "orders.db", isolation_level=None)
    connection.execute("create table orders (name text)")
    yield connection
    connection.close()


@case("rewords")
def test_fixture(database):
    database.execute("insert into orders values ('one')")
    rewords(ask)


@case("rewords")
def test_fixture_too(database):
    database.execute("insert into orders values ('two')")
    rewords(ask)


@case("rewords", prove=True)
def test_fixture_allowed(database):
    database.execute("insert into orders values ('one')")
    rewords(ask)


@case("german")
def test_other_words_with_a_fixture(database):
    database.execute("insert into orders values ('one')")
    rewords(ask)


@case("rewords-steps", prove=False)
def test_not_tried():
    rewords(ask, "steps")


@case("rewords")
def test_child():
    subprocess.run([sys.executable, "-c", ""])
    rewords(ask)


@case("rewords")
def test_other_child():
    subprocess.run(["true"])
    rewords(ask)


@case("rewords")
def test_own_server():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        rewords(ask)


@case("rewords")
def test_other_server():
    connection = socket.create_connection(("127.0.0.1", int(os.environ["OTHER_SERVER"])))
    rewords(ask)
    connection.close()


@case("rewords")
class TestSharedSetUp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = []

    def test_body(self):
        rewords(ask)


@case("rewords")
class TestOwnSetUp(unittest.TestCase):
    def setUp(self):
        self.fresh = []

    def test_body(self):
        self.fresh.append(rewords(ask))
        assert len(self.fresh) == 1


@case("rewords")
def test_that_names_what_runs(database, planguard):
    planguard.prove_feedback(lambda: rewords(ask))


@case("german")
def test_that_names_what_runs_with_other_words(database, planguard):
    planguard.prove_feedback(lambda: rewords(ask))


@case("rewords", prove=False)
def test_reading_alone():
    rewords(ask)
"""
NOT_RUN = "not run again, so judged by reading alone: "
Row = dict[str, Any]
FILES = {
    "apps.py": Path(apps.__file__).read_text(encoding="utf-8"),
    "test_app.py": TESTS,
    "rewords.yaml": recorded(apps.rewords),
    "rewords-steps.yaml": recorded(apps.rewords, "steps"),
    "german.yaml": recorded(apps.german),
    "messages.yaml": recorded(apps.messages),
}


@pytest.fixture(scope="module")
def run() -> Run:
    """All tests as a user runs them."""
    ini = {"pytest.ini": "[pytest]\nplanguard_allowed_hosts = 127.0.0.1\n"}
    with socket.create_server(("127.0.0.1", 0)) as server:
        return WarmExample({**FILES, **ini}).run_pytest("-v", env={"OTHER_SERVER": str(server.getsockname()[1])})


@pytest.fixture(scope="module")
def rows(run: Run) -> dict[str, Row]:
    """The rows by the test's name."""
    return rows_by_test(run.example)


def grades(row: Row) -> list[str]:
    """What became of the first attempt's findings."""
    return [graded["how"] or graded["grade"] for graded in row["judged"][0]["attempts"][0]["fed_back"]]


def test_words_that_nobody_reads_are_tried(rows: dict[str, Row]) -> None:
    """The right app passes, since it reacts to each finding; what another one drops is named, and fails it."""
    assert (rows["test_right"]["result"], grades(rows["test_right"])) == ("passed", ["reacts"] * 3)
    assert rows["test_right_ran_often"]["result"] == "passed"
    assert rows["test_dropping"]["result"] == "failed"
    assert grades(rows["test_dropping"]) == ["reacts", "missing", "reacts"]


def test_one_message_of_an_answer_is_tried(rows: dict[str, Row]) -> None:
    """A constant text may hold the validator's messages about this answer; then it holds them about any other, too."""
    right, constant = rows["test_messages"], rows["test_the_same_messages_whatever_is_wrong"]
    assert (right["result"], grades(right)) == ("passed", ["proven", "verbatim", "verbatim"])
    assert (constant["result"], grades(constant)) == ("failed", ["missing", "verbatim", "verbatim"])


def test_a_message_needs_no_experiment(rows: dict[str, Row]) -> None:
    """If something keeps its test from being run again, reading is enough and nothing is reported."""
    row = rows["test_messages_with_a_fixture"]
    assert (row["result"], grades(row), row["proofs"]) == ("passed", ["verbatim"] * 3, [])


def test_a_set_up_that_runs_again_is_no_obstacle(rows: dict[str, Row]) -> None:
    """`setUp` of a unittest class belongs to each run of its method."""
    assert grades(rows["TestOwnSetUp::test_body"]) == ["reacts"] * 3


def test_a_retry_in_other_words_is_served_tried_and_judged(rows: dict[str, Row]) -> None:
    """The order: its recorded answer is served until the experiment has told; then the case is stale and passes."""
    row = rows["test_other_words_than_recorded"]
    assert (row["result"], row["outcome"], grades(row)) == ("passed", "stale", ["reacts"] * 3)
    assert row["misses"] == []
    assert "changed" in row["stale"][0] or "messages" in row["stale"][0]


@pytest.mark.parametrize("name", ["constant_words", "blind"])
def test_what_the_experiment_does_not_prove_is_lost_feedback(name: str, rows: dict[str, Row]) -> None:
    """A constant text is served, tried, and then refused; a retry that says nothing is refused at once."""
    row = rows[f"test_{name}_where_feedback_was_recorded"]
    assert row["result"] == "failed"
    assert row["misses"][0].startswith("missing feedback: the retry feeds back no finding of the attempt before it")
    tried = "  why:       running the app again did not show that any of them is fed back" in row["misses"][0]
    assert tried == (name == "constant_words")
    assert {proof["result"] for proof in row["proofs"]} == ({"missing"} if name == "constant_words" else set())


def test_where_no_experiment_can_run_a_changed_retry_is_refused(rows: dict[str, Row]) -> None:
    """As long as nobody says that the fixture may be used twice."""
    row = rows["test_other_words_with_a_fixture"]
    assert row["result"] == "failed"
    assert row["misses"][0].startswith("missing feedback")


def test_the_obstacle_and_the_way_out_are_named(rows: dict[str, Row]) -> None:
    """The fixture, the child process or the server that keeps a test from being run again, and what to write."""
    fixture, child = (rows[name]["proofs"][0] for name in ("test_fixture", "test_child"))
    assert fixture["reason"] == (
        "planguard does not run the app again, since it shares the fixture database with other tests, and writes: "
        "orders.db; "
        "if it may be used twice: planguard_prove_fixtures = database, prove=True or planguard.prove_feedback(run)"
    )
    assert child["result"] == "unproven"
    assert "since a child process ran: python" in child["reason"]
    assert "prove=True or planguard.prove_feedback(run)" in child["reason"]
    reached = rows["test_other_server"]["proofs"][0]["reason"]
    assert "since it reaches a server other than the model's: 127.0.0.1:" in reached


@pytest.mark.parametrize("name", ["test_own_server", "TestSharedSetUp::test_body"])
def test_what_each_run_sets_up_is_no_obstacle(name: str, rows: dict[str, Row]) -> None:
    """Nor is what tests share, as long as nothing is written to it."""
    assert {*grades(rows[name])} <= {"proven", "reacts"}


def test_the_section_says_once_for_each_reason_that_tests_were_not_run_again(run: Run) -> None:
    """With one of them, their number and the way out, in a run without options."""
    lines = [line for line in run.stdout.splitlines() if line.startswith(NOT_RUN)]
    assert [line.removeprefix(NOT_RUN).partition(", since ")[0] for line in lines] == [
        "2 tests (test_app.py::test_child, …)",
        "2 tests (test_app.py::test_fixture, …)",
        "test_app.py::test_other_server",
    ]


@pytest.mark.parametrize("name", ["fixture_allowed", "that_names_what_runs", "that_names_what_runs_with_other_words"])
def test_whoever_asks_for_it_gets_it(name: str, rows: dict[str, Row]) -> None:
    """`prove=True` and `prove_feedback(run)` run a test again whatever it uses, and other words are served for it."""
    row = rows[f"test_{name}"]
    assert (row["result"], grades(row)) == ("passed", ["reacts"] * 3)


def test_where_nothing_is_tried_reading_decides(rows: dict[str, Row]) -> None:
    """`prove=False`, like `planguard_prove = never`: nothing runs again."""
    assert rows["test_not_tried"]["proofs"] == rows["test_reading_alone"]["proofs"] == []
    assert not {"proven", "reacts"} & {*grades(rows["test_not_tried"]), *grades(rows["test_reading_alone"])}


@pytest.mark.parametrize(
    ("ini", "name", "result"),
    [
        ("planguard_prove_fixtures = database", "test_other_words_with_a_fixture", "passed"),
        ("planguard_prove = always", "test_other_words_with_a_fixture", "passed"),
        ("planguard_prove = never", "test_other_words_than_recorded", "failed"),
        ("planguard_unclear = fail", "test_right", "failed"),
        ("planguard_prove_reruns = 2", "test_right", "passed"),
    ],
    ids=["named fixture", "always", "never", "nothing unclear", "limit"],
)
def test_the_ini_file_decides_what_runs_again(ini: str, name: str, result: str) -> None:
    """Which fixtures are harmless, when to try, how often, and whether it is enough that an app reacts."""
    done = WarmExample({**FILES, "pytest.ini": f"[pytest]\n{ini}\n"}).run_pytest("-k", f"{name} and not often")
    row = rows_by_test(done.example)[name]
    assert row["result"] == result, done.stdout
    if ini.endswith("2"):
        limit = "the app was run again 2 times, which is the limit (planguard_prove_reruns)"
        assert [proof["result"] for proof in row["proofs"]] == ["reacts", "unproven", "unproven"]
        assert {proof["reason"] for proof in row["proofs"][1:]} == {limit}
        assert "missing" not in grades(row)


@pytest.mark.parametrize(
    ("ini", "said"),
    [
        ("planguard_prove = sometimes", "planguard_prove = 'sometimes'"),
        ("planguard_prove_reruns = none", "planguard_prove_reruns = 'none': expected a whole number of at least 1"),
        ("planguard_prove_seconds = 0", "planguard_prove_seconds = '0': expected a number of seconds above 0"),
    ],
)
def test_a_value_that_cannot_be_ends_the_run(ini: str, said: str) -> None:
    """Before any test."""
    done = WarmExample({**FILES, "pytest.ini": f"[pytest]\n{ini}\n"}).run_pytest()
    assert done.returncode == 4
    assert said in done.output
